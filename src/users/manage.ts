import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { recordAudit, type Actor } from './audit.ts'
import { dropLinks } from './link-store.ts'
import { mayTouch, type Role } from './roles.ts'
import type { User } from './schema.ts'
import { endAccess } from './login/session.ts'
import {
  findUser,
  listUsers,
  lockActiveOperators,
  lockActiveOwners,
  lockUser,
  setDisabled,
  setRole,
  type UserRow,
} from './store.ts'
import { shownUser } from './view.ts'

/** The users of an organisation, or the operators; oldest first. */
export async function findUsers(
  deps: { db: Db },
  organisation_id: string | null,
  query: PageQuery,
): Promise<{ users: User[]; pagination: Pagination }> {
  const { rows, pagination } = await listUsers(deps.db, organisation_id, readPage(query))
  return { users: rows.map(shownUser), pagination }
}

type By = { who: Actor; role: Role | 'operator' }
type Wish = { disabled?: boolean | undefined; role?: Role | undefined }

/**
 * Disables or enables a user, or changes the role. Disabling ends all sessions immediately; a role applies from the next
 * request. The last operator, and the last owner of an organisation, cannot be removed.
 */
export async function changeUser(
  deps: { db: Db },
  by: By,
  organisation_id: string | null,
  id: string,
  { disabled, role }: Wish,
): Promise<User> {
  return transaction(deps.db, async (tx) => {
    const leaders =
      organisation_id === null ? await lockActiveOperators(tx) : await lockActiveOwners(tx, organisation_id)
    const user = await lockUser(tx, organisation_id, id)
    if (!user) throw new Refusal('not_found', 'There is no such user.')
    const wish = { disabled, role: organisation_id === null ? undefined : role }
    if (organisation_id !== null && ![user.role, wish.role ?? user.role].every((one) => mayTouch(by.role, one))) {
      throw ownersOnly()
    }
    refuseIfFaulty([...leavingFaults(by, user, wish, leaders), ...ruledFaults(user, wish)])
    await apply(tx, by.who, user, wish)
    return shownUser((await findUser(tx, id)) ?? user)
  })
}

export function ownersOnly(): Refusal {
  return new Refusal('forbidden', 'Only an owner can change owners.')
}

async function apply(tx: Tx, who: Actor, user: UserRow, { disabled, role }: Wish): Promise<void> {
  const { id, organisation_id, email } = user
  if (disabled !== undefined && disabled !== (user.disabled_datetime !== null)) {
    await setDisabled(tx, id, disabled)
    if (disabled) {
      await endAccess(tx, id)
      await dropLinks(tx, id)
    }
    const action = disabled ? 'user.disable' : 'user.enable'
    await recordAudit(tx, who, { organisation_id, action, subject: id, after: { email } })
  }
  if (role !== undefined && role !== user.role) {
    await setRole(tx, id, role)
    const change = { before: { email, role: user.role }, after: { email, role } }
    await recordAudit(tx, who, { organisation_id, action: 'user.role', subject: id, ...change })
  }
}

/** A role assigned by a provider's rule cannot be changed here: the next check would restore it. */
function ruledFaults({ role_by_provider, role: has, provider }: UserRow, { role }: Wish): Fault[] {
  if (!role_by_provider || role === undefined || role === has) return []
  return [{ field: 'role', message: `This role is assigned by ${provider}.`, type: 'invalid' }]
}

/** Two owners who remove each other concurrently are serialised by the lock; the second one is refused. */
function leavingFaults(by: By, user: UserRow, { disabled, role }: Wish, leaders: readonly { id: string }[]): Fault[] {
  const field = disabled ? 'disabled' : 'role'
  if (!disabled && (role === undefined || role === user.role)) return []
  if (by.who.user_id === user.id) {
    const message = disabled ? 'You cannot disable your own account.' : 'You cannot change your own role.'
    return [{ field, message, type: 'invalid' }]
  }
  const last = leaders.length === 1 && leaders[0]?.id === user.id
  if (!last) return []
  if (user.organisation_id === null) return [{ field, message: 'This is the last operator.', type: 'invalid' }]
  return by.role === 'operator' ? [] : [{ field, message: 'This is the last owner.', type: 'invalid' }]
}

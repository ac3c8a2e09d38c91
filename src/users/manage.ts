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
 * Switches somebody off or on again, or gives them another role. Who is switched off is out at once, and a role counts
 * from the next request on. There is always an operator left, and in an organisation somebody who can appoint others.
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
  return new Refusal('forbidden', 'Only an owner decides about owners.')
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

/** What a rule about a provider's claims gave would be taken back at the next look. */
function ruledFaults({ role_by_provider, role: has, provider }: UserRow, { role }: Wish): Fault[] {
  if (!role_by_provider || role === undefined || role === has) return []
  return [{ field: 'role', message: `Their role comes from ${provider}.`, type: 'invalid' }]
}

/** Owners who race to put each other out wait for each other here, and the second finds that the first was faster. */
function leavingFaults(by: By, user: UserRow, { disabled, role }: Wish, leaders: readonly { id: string }[]): Fault[] {
  const field = disabled ? 'disabled' : 'role'
  if (!disabled && (role === undefined || role === user.role)) return []
  if (by.who.user_id === user.id) {
    const message = `Nobody ${disabled ? 'switches themselves off' : 'changes their own role'}.`
    return [{ field, message, type: 'invalid' }]
  }
  const last = leaders.length === 1 && leaders[0]?.id === user.id
  if (!last) return []
  if (user.organisation_id === null) return [{ field, message: 'This is the last operator.', type: 'invalid' }]
  return by.role === 'operator' ? [] : [{ field, message: 'This is the last owner.', type: 'invalid' }]
}

import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { Refusal, refuseIfFaulty } from '../values/refusal.ts'
import { recordAudit, type Actor } from './audit.ts'
import { dropLinks } from './link-store.ts'
import type { User } from './schema.ts'
import { endAccess } from './session.ts'
import { findUser, listUsers, lockActiveOperators, lockUser, setDisabled } from './store.ts'
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

/** Switches somebody off or on again. Who is switched off is out at once. There is always an operator left. */
export async function switchUser(
  deps: { db: Db },
  who: Actor,
  organisation_id: string | null,
  id: string,
  disabled: boolean,
): Promise<User> {
  return transaction(deps.db, async (tx) => {
    const operators = organisation_id === null ? await lockActiveOperators(tx) : []
    const user = await lockUser(tx, organisation_id, id)
    if (!user) throw new Refusal('not_found', 'There is no such user.')
    if (disabled) refuseIfFaulty(leavingFaults(who, id, operators))
    if (disabled !== (user.disabled_datetime !== null)) {
      await setDisabled(tx, id, disabled)
      if (disabled) {
        await endAccess(tx, id)
        await dropLinks(tx, id)
      }
      const action = disabled ? 'user.disable' : 'user.enable'
      await recordAudit(tx, who, { organisation_id, action, subject: id, after: { email: user.email } })
    }
    const now = await findUser(tx, id)
    return shownUser(now ?? user)
  })
}

function leavingFaults(who: Actor, id: string, operators: readonly { id: string }[]) {
  const field = 'disabled'
  if (who.user_id === id) return [{ field, message: 'Nobody switches themselves off.', type: 'invalid' as const }]
  const last = operators.length === 1 && operators[0]?.id === id
  return last ? [{ field, message: 'This is the last operator.', type: 'invalid' as const }] : []
}

import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { newId } from '../values/id.ts'
import { Refusal, refuseIfFaulty } from '../values/refusal.ts'
import { recordAudit, type Actor } from './audit.ts'
import { emailFaults } from './email.ts'
import { dropLinks, insertLink } from './link-store.ts'
import { ownersOnly } from './manage.ts'
import { mayTouch, type Role } from './roles.ts'
import type { Invitation } from './schema.ts'
import { endAccess } from './login/session.ts'
import { clearPassword, findNamelessOperator, findUser, hasUsers, insertUser, lockFounding, lockUser } from './store.ts'
import { hashToken, newToken } from './login/token.ts'
import { shownUser } from './view.ts'

const LINK_HOURS = 72
/** A link that logs in without a password expires soon. */
const ENTER_HOURS = 0.25

/**
 * Creates a user of an organisation, or an operator, with a one-time link. The response does not reveal whether other
 * organisations have an account with the same address.
 */
export async function inviteUser(
  deps: { db: Db },
  who: Actor,
  wish: { email: string; name?: string | undefined; organisation_id: string | null; role?: Role },
): Promise<Invitation> {
  refuseIfFaulty(emailFaults('email', wish.email))
  const { organisation_id } = wish
  const email = wish.email.trim()
  const role = wish.role ?? 'owner'
  const id = newId()
  return transaction(deps.db, async (tx) => {
    if (!(await insertUser(tx, { id, organisation_id, email, name: wish.name ?? null, role }))) {
      refuseIfFaulty([{ field: 'email', message: 'This address is already in use.', type: 'used' }])
    }
    const after = organisation_id === null ? { email } : { email, role }
    await recordAudit(tx, who, { organisation_id, action: 'user.invite', subject: id, after })
    return linkFor(tx, id)
  })
}

/**
 * A new link for a user of this organisation (null: an operator). For a user who has logged in before it is a reset: it
 * removes the password, two-factor login and all sessions, and requires `may_reset`, because the holder of the link gets
 * access to the account.
 */
export async function inviteAgain(
  deps: { db: Db },
  who: Actor,
  organisation_id: string | null,
  id: string,
  { may_reset, role }: { may_reset: boolean; role: Role | 'operator' },
): Promise<Invitation> {
  return transaction(deps.db, async (tx) => {
    const user = await lockUser(tx, organisation_id, id)
    if (!user) throw new Refusal('not_found', 'There is no such user.')
    if (organisation_id !== null && !mayTouch(role, user.role)) throw ownersOnly()
    const reset = user.password_hash !== null || user.last_login_datetime !== null
    if (reset && !may_reset) throw new Refusal('forbidden', 'Only an operator can reset a password.')
    if (user.disabled_datetime !== null) throw new Refusal('invalid_request', 'This user is disabled.')
    await dropLinks(tx, id)
    if (reset) {
      await clearPassword(tx, id)
      await endAccess(tx, id)
    }
    await recordAudit(tx, who, { organisation_id, action: reset ? 'user.reset' : 'user.invite', subject: id })
    return linkFor(tx, id)
  })
}

/** A link that logs an operator in without a password, for recovery from the command line. */
export async function linkToEnter(deps: { db: Db }, who: Actor, id: string): Promise<string> {
  return transaction(deps.db, async (tx) => {
    const user = await lockUser(tx, null, id)
    if (!user) throw new Refusal('not_found', 'There is no such operator.')
    if (user.disabled_datetime !== null) throw new Refusal('invalid_request', 'This user is disabled.')
    const token = newToken()
    await insertLink(tx, id, hashToken(token), ENTER_HOURS, true)
    await recordAudit(tx, who, { organisation_id: null, action: 'user.enter_link', subject: id })
    return token
  })
}

/** Issues an invitation link within a transaction. */
export async function linkFor(tx: Tx, user_id: string): Promise<Invitation> {
  const token = newToken()
  const expires_datetime = await insertLink(tx, user_id, hashToken(token), LINK_HOURS)
  const user = await findUser(tx, user_id)
  if (!user) throw new Error('The user of a new link does not exist.')
  return { user: shownUser(user), token, expires_datetime }
}

/**
 * Issues a one-time link for the first operator until a user has set a password. Earlier links stay valid until one is
 * used, because another process may have printed one.
 */
export async function ensureFirstOperator(deps: { db: Db }): Promise<string | undefined> {
  return transaction(deps.db, async (tx) => {
    await lockFounding(tx)
    if (await hasUsers(tx)) return undefined
    const found = await findNamelessOperator(tx)
    const id = found?.id ?? newId()
    if (!found) await insertUser(tx, { id, organisation_id: null, email: null, name: null })
    const { token } = await linkFor(tx, id)
    return token
  })
}

import { transaction } from '../db/transaction.ts'
import { Refusal, refuseIfFaulty } from '../values/refusal.ts'
import { recordAudit, type Actor } from './audit.ts'
import type { Client, Entry, UserDeps } from './deps.ts'
import { admitLoggedIn } from './login/limits.ts'
import { dropLinks } from './link-store.ts'
import { KNOWN, passwordFaults } from './login/password.ts'
import type { PasswordBody, SelfChange } from './schema.ts'
import { endAccess, openSession } from './login/session.ts'
import { findHashLike, findUser, lockChecked, setLanguage, setName, setPassword, type UserRow } from './store.ts'

export async function requireUser({ db }: Pick<UserDeps, 'db'>, id: string): Promise<UserRow> {
  const user = await findUser(db, id)
  if (!user) throw new Error(`user ${id} has a session and does not exist`)
  return user
}

/** Changes one's own name and language; only a change of name is recorded in the audit log. */
export async function changeSelf(
  deps: Pick<UserDeps, 'db'>,
  who: Actor,
  id: string,
  { name, language }: SelfChange,
): Promise<UserRow> {
  const { organisation_id, name: before } = await requireUser(deps, id)
  await transaction(deps.db, async (tx) => {
    if (language !== undefined) await setLanguage(tx, id, language)
    if (name === undefined) return
    await setName(tx, id, name)
    const record = { organisation_id, action: 'user.rename', subject: id }
    if (name !== before) await recordAudit(tx, who, { ...record, before: { name: before }, after: { name } })
  })
  return requireUser(deps, id)
}

/** Changes one's own password: ends all sessions, forgets all devices and opens a new session. */
export async function changePassword(
  deps: UserDeps,
  who: Actor,
  user_id: string,
  body: PasswordBody,
  client: Client,
): Promise<{ entry: Entry; user: UserRow }> {
  const user = await requireUser(deps, user_id)
  refuseIfFaulty(passwordFaults('password', body.password, user.email))
  await confirmPassword(deps, user, 'current_password', body.current_password)
  const password_hash = await deps.passwords.hash(body.password, await findHashLike(deps.db, user.email))
  const entry = await transaction(deps.db, async (tx) => {
    if (!(await lockChecked(tx, user))) throw new Refusal('unauthenticated', 'Please log in.')
    if (!(await setPassword(tx, user_id, password_hash))) throw new Refusal('unauthenticated', 'Please log in.')
    await endAccess(tx, user_id)
    await dropLinks(tx, user_id)
    await recordAudit(tx, who, { organisation_id: user.organisation_id, action: 'user.password', subject: user_id })
    return openSession(tx, deps, user_id, { ...client, device_token: null })
  })
  return { entry, user }
}

/** Users of single sign-on have no password: a session younger than this is accepted instead. */
const RECENT_SESSION_S = 15 * 60

/** Confirms the identity of a logged-in user before a sensitive action. */
export async function confirmSelf(
  deps: Pick<UserDeps, 'db' | 'passwords'>,
  user: UserRow,
  { age_s }: { age_s: number },
  password: string,
): Promise<void> {
  if (user.issuer === null) return confirmPassword(deps, user, 'password', password)
  if (age_s <= RECENT_SESSION_S) return
  const message = 'Please log out and in again: this action requires a recent login.'
  refuseIfFaulty([{ field: 'password', message, type: 'expired' }])
}

/** Attempts are limited, separately from those at login. */
async function confirmPassword(
  deps: Pick<UserDeps, 'db' | 'passwords'>,
  user: UserRow,
  field: string,
  password: string,
): Promise<void> {
  const reset = await admitLoggedIn(deps, user.id)
  if (!(await deps.passwords.check(password, user.password_hash, KNOWN))) {
    refuseIfFaulty([{ field, message: 'The password is wrong.', type: 'invalid' }])
  }
  await reset()
}

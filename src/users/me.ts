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

/** The language is nobody else's concern: only another name is told in the audit log. */
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

/** Ends every session, forgets every device, and opens a new session for who changed it. */
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

/** Who signs in by a provider has no password: a session just begun is as good. */
const JUST_BEGUN_S = 15 * 60

/** For what a forgotten screen must not allow. */
export async function confirmSelf(
  deps: Pick<UserDeps, 'db' | 'passwords'>,
  user: UserRow,
  { age_s }: { age_s: number },
  password: string,
): Promise<void> {
  if (user.issuer === null) return confirmPassword(deps, user, 'password', password)
  if (age_s <= JUST_BEGUN_S) return
  const message = 'Please log out and sign in anew: this is asked for right after it.'
  refuseIfFaulty([{ field: 'password', message, type: 'expired' }])
}

/** Tries are counted, apart from those of people who are not logged in. */
async function confirmPassword(
  deps: Pick<UserDeps, 'db' | 'passwords'>,
  user: UserRow,
  field: string,
  password: string,
): Promise<void> {
  const forgive = await admitLoggedIn(deps, user.id)
  if (!(await deps.passwords.check(password, user.password_hash, KNOWN))) {
    refuseIfFaulty([{ field, message: 'The password is wrong.', type: 'invalid' }])
  }
  await forgive()
}

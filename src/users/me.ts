import { transaction } from '../db/transaction.ts'
import { Refusal, refuseIfFaulty } from '../values/refusal.ts'
import { noteDeed, type Actor } from './audit.ts'
import type { Client, UserDeps } from './deps.ts'
import { admitTry } from './limits.ts'
import { dropLinks } from './link-store.ts'
import { passwordFaults } from './password.ts'
import type { PasswordBody } from './schema.ts'
import { openSession } from './session.ts'
import { deleteSessions } from './session-store.ts'
import { findUser, lockChecked, setName, setPassword, type UserRow } from './store.ts'

export async function requireUser({ db }: Pick<UserDeps, 'db'>, id: string): Promise<UserRow> {
  const user = await findUser(db, id)
  if (!user) throw new Error(`user ${id} has a session and does not exist`)
  return user
}

export async function rename(deps: Pick<UserDeps, 'db'>, who: Actor, id: string, name: string): Promise<UserRow> {
  const { organisation_id, name: before } = await requireUser(deps, id)
  await transaction(deps.db, async (tx) => {
    await setName(tx, id, name)
    const deed = { organisation_id, action: 'user.rename', subject: id }
    if (name !== before) await noteDeed(tx, who, { ...deed, before: { name: before }, after: { name } })
  })
  return requireUser(deps, id)
}

/** Ends every session and opens a new one for who changed it. */
export async function changePassword(
  deps: UserDeps,
  who: Actor,
  user_id: string,
  body: PasswordBody,
  client: Client,
): Promise<{ token: string; user: UserRow }> {
  const user = await requireUser(deps, user_id)
  refuseIfFaulty(passwordFaults('password', body.password, user.email))
  await confirmPassword(deps, user, 'current_password', body.current_password, client)
  const password_hash = await deps.passwords.hash(body.password)
  const token = await transaction(deps.db, async (tx) => {
    if (!(await lockChecked(tx, user))) throw new Refusal('unauthenticated', 'Please log in.')
    await setPassword(tx, user_id, password_hash)
    await deleteSessions(tx, user_id)
    await dropLinks(tx, user_id)
    await noteDeed(tx, who, { organisation_id: user.organisation_id, action: 'user.password', subject: user_id })
    return openSession(tx, deps, user_id, client)
  })
  return { token, user }
}

/** For what a forgotten screen must not allow. Counted like a login. */
export async function confirmPassword(
  deps: Pick<UserDeps, 'db' | 'passwords'>,
  user: UserRow,
  field: string,
  password: string,
  client: Client,
): Promise<void> {
  const forgive = await admitTry(deps, user.email ?? user.id, client.address)
  if (!(await deps.passwords.check(password, user.password_hash))) {
    refuseIfFaulty([{ field, message: 'The password is wrong.', type: 'invalid' }])
  }
  await forgive()
}

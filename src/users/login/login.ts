import { transaction } from '../../db/transaction.ts'
import { Refusal } from '../../values/refusal.ts'
import { recordAudit } from '../audit.ts'
import type { Client, Entry, UserDeps } from '../deps.ts'
import { emailFaults } from '../email.ts'
import { knownDevice } from './device.ts'
import { admitAttempt } from './limits.ts'
import { KNOWN, STRANGER } from './password.ts'
import type { LoginBody } from '../schema.ts'
import { requireSecondFactor } from './second-factor.ts'
import { openSession } from './session.ts'
import { findUsersByEmail, lockChecked, noteLogin, type UserRow } from '../store.ts'

/**
 * Checks the credentials and opens a session. An unknown address, a wrong password, an unused invitation and a disabled
 * account give the same response after the same time. If several organisations have an account with the address, the
 * password decides; if several accounts share it, the oldest is used.
 */
export async function login(
  deps: UserDeps,
  { email, password, ...factor }: LoginBody,
  client: Client,
): Promise<{ entry: Entry; user: UserRow }> {
  const users = emailFaults('email', email).length === 0 ? await findUsersByEmail(deps.db, email) : []
  const device = await knownDevice(deps, users, client)
  const admitted = await admitAttempt(deps, { account: email, address: client.address, device })
  const priority = admitted.on_known_device ? KNOWN : STRANGER
  const hashes = users.map((one) => (one.disabled_datetime === null ? one.password_hash : null))
  const user = users[await deps.passwords.find(password, hashes, priority)]
  if (!user) throw wrong()
  await requireSecondFactor(deps, client, admitted, user, factor)
  await admitted.reset()
  const entry = await transaction(deps.db, async (tx) => {
    // Hashing takes a while: a concurrent password reset has ended all sessions and must not be followed by this one.
    if (!(await lockChecked(tx, user))) throw wrong()
    await noteLogin(tx, user.id)
    await recordAudit(
      tx,
      { user_id: user.id, actor: user.email ?? '', address: client.address },
      { organisation_id: user.organisation_id, action: 'user.login', subject: user.id },
    )
    return openSession(tx, deps, user.id, client)
  })
  return { entry, user }
}

function wrong(): Refusal {
  const message = 'The email address or password is wrong.'
  return new Refusal('unauthenticated', message, [{ field: 'password', message, type: 'invalid' }])
}

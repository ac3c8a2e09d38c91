import { transaction } from '../../db/transaction.ts'
import { recordAudit } from '../audit.ts'
import type { Client, Entry, UserDeps } from '../deps.ts'
import { findUser, noteLogin, type UserRow } from '../store.ts'
import { creditPasskey } from './limits.ts'
import { verifyPasskey } from './passkey.ts'
import { lockPasskeyUser } from './passkey-store.ts'
import type { Assertion } from './schema.ts'
import { refusedPasskey } from './second-factor.ts'
import { openSession } from './session.ts'

/**
 * Opens a session by a passkey alone: it proves possession and, because the authenticator verified the user, a second
 * factor. Users of a single sign-on provider are refused, because the provider decides whether they may log in.
 */
export async function loginByPasskey(
  deps: Pick<UserDeps, 'db' | 'session_settings'>,
  assertion: Assertion,
  client: Client,
): Promise<{ entry: Entry; user: UserRow }> {
  const passkey = await verifyPasskey(deps, client, 'sign_in', assertion)
  const user = passkey && (await findUser(deps.db, passkey.user_id))
  if (!user) throw refusedPasskey()
  const entry = await transaction(deps.db, async (tx) => {
    // A concurrent reset has removed the passkey and ended all sessions, and must not be followed by this one.
    if (!(await lockPasskeyUser(tx, passkey))) throw refusedPasskey()
    await noteLogin(tx, user.id)
    await recordAudit(
      tx,
      { user_id: user.id, actor: user.email ?? '', address: client.address },
      {
        organisation_id: user.organisation_id,
        action: 'user.login',
        subject: user.id,
        after: { by: 'passkey', name: passkey.name },
      },
    )
    return openSession(tx, deps, user.id, client)
  })
  await creditPasskey(deps, client.address)
  return { entry, user }
}

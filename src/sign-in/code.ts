import { transaction } from '../db/transaction.ts'
import { recordAudit } from '../users/audit.ts'
import type { UserDeps } from '../users/deps.ts'
import { admitCode } from '../users/login/limits.ts'
import { findUser, type UserRow } from '../users/store.ts'
import { hashToken, LONGEST_TOKEN } from '../users/login/token.ts'
import { takeCode } from '../users/login/two-factor.ts'
import { Refusal } from '../values/refusal.ts'
import { endWaiting, findWaiting } from './session-store.ts'

type Deps = Pick<UserDeps, 'db' | 'seal'>

const WAIT_MINUTES = 10

/** Whether the provider has let somebody in on this browser who still owes a code. */
export async function owesCode({ db }: Pick<Deps, 'db'>, token: string | undefined): Promise<boolean> {
  if (token === undefined || token.length > LONGEST_TOKEN) return false
  return (await findWaiting(db, hashToken(token), WAIT_MINUTES)) !== undefined
}

/** The code that makes a session out of what the provider has said. Tries are counted as after a password. */
export async function giveCode(
  deps: Deps,
  token: string | undefined,
  code: string,
  address: string,
): Promise<{ user: UserRow; token: string }> {
  const usable = token !== undefined && token.length <= LONGEST_TOKEN ? token : undefined
  const waiting = usable && (await findWaiting(deps.db, hashToken(usable), WAIT_MINUTES))
  const user = waiting && (await findUser(deps.db, waiting.user_id))
  if (usable === undefined || !waiting || !user || user.disabled_datetime !== null) {
    throw new Refusal('unauthenticated', 'Please sign in again.')
  }
  const forgive = await admitCode(deps, { on_known_device: false }, user.id)
  if (!(await takeCode(deps, user, code))) {
    const message = 'The code is wrong or was used already.'
    throw new Refusal('unauthenticated', message, [{ field: 'code', message, type: 'invalid' }])
  }
  await forgive()
  await transaction(deps.db, async (tx) => {
    if (!(await endWaiting(tx, waiting.session_id))) throw new Refusal('unauthenticated', 'Please sign in again.')
    const { id, organisation_id, email, provider: by } = user
    const record = { organisation_id, action: 'user.login', subject: id, after: { by, code: 'given' } }
    await recordAudit(tx, { user_id: id, actor: email ?? '', address }, record)
  })
  return { user, token: usable }
}

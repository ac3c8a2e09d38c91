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

/** Whether this browser has a session that still requires a second-factor code. */
export async function requiresCode({ db }: Pick<Deps, 'db'>, token: string | undefined): Promise<boolean> {
  if (token === undefined || token.length > LONGEST_TOKEN) return false
  return (await findWaiting(db, hashToken(token), WAIT_MINUTES)) !== undefined
}

/** Completes a single sign-on with a second-factor code. Attempts are limited as after a password. */
export async function submitCode(
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
  const reset = await admitCode(deps, { on_known_device: false }, user.id)
  if (!(await takeCode(deps, user, code))) {
    const message = 'The code is wrong or has already been used.'
    throw new Refusal('unauthenticated', message, [{ field: 'code', message, type: 'invalid' }])
  }
  await reset()
  await transaction(deps.db, async (tx) => {
    if (!(await endWaiting(tx, waiting.session_id))) throw new Refusal('unauthenticated', 'Please sign in again.')
    const { id, organisation_id, email, provider: by } = user
    const record = { organisation_id, action: 'user.login', subject: id, after: { by, code: 'given' } }
    await recordAudit(tx, { user_id: id, actor: email ?? '', address }, record)
  })
  return { user, token: usable }
}

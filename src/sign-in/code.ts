import { transaction } from '../db/transaction.ts'
import { recordAudit } from '../users/audit.ts'
import type { Client, UserDeps } from '../users/deps.ts'
import type { Factors, SecondFactor } from '../users/login/schema.ts'
import { factorsOf, requireSecondFactor } from '../users/login/second-factor.ts'
import { findUser, type UserRow } from '../users/store.ts'
import { hashToken, LONGEST_TOKEN } from '../users/login/token.ts'
import { Refusal } from '../values/refusal.ts'
import { endWaiting, findWaiting } from './session-store.ts'

type Deps = Pick<UserDeps, 'db' | 'seal'>

const WAIT_MINUTES = 10

/** The second factors, one of which the session of this browser still requires; empty: none. */
export async function requiredFactors({ db }: Pick<Deps, 'db'>, token: string | undefined): Promise<Factors> {
  const user = (await findWaitingUser(db, token))?.user
  return user ? factorsOf(user) : []
}

/** Completes a single sign-on with a second factor. Codes are limited as after a password. */
export async function submitFactor(
  deps: Deps,
  token: string | undefined,
  factor: SecondFactor,
  client: Client,
): Promise<{ user: UserRow; token: string }> {
  const waiting = await findWaitingUser(deps.db, token)
  if (token === undefined || !waiting) throw new Refusal('unauthenticated', 'Please log in again.')
  const { user, session_id } = waiting
  await requireSecondFactor(deps, client, { on_known_device: false }, user, factor)
  await transaction(deps.db, async (tx) => {
    if (!(await endWaiting(tx, session_id))) throw new Refusal('unauthenticated', 'Please log in again.')
    const { id, organisation_id, email, provider: by } = user
    const given = factor.passkey ? 'passkey' : 'code'
    const record = { organisation_id, action: 'user.login', subject: id, after: { by, second_factor: given } }
    await recordAudit(tx, { user_id: id, actor: email ?? '', address: client.address }, record)
  })
  return { user, token }
}

async function findWaitingUser(db: Deps['db'], token: string | undefined) {
  if (token === undefined || token.length > LONGEST_TOKEN) return undefined
  const waiting = await findWaiting(db, hashToken(token), WAIT_MINUTES)
  const user = waiting && (await findUser(db, waiting.user_id))
  return waiting && user && user.disabled_datetime === null ? { user, session_id: waiting.session_id } : undefined
}

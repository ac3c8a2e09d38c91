import { randomBytes } from 'node:crypto'
import { transaction } from '../../db/transaction.ts'
import { Refusal, refuseIfFaulty } from '../../values/refusal.ts'
import { recordAudit, type Actor } from '../audit.ts'
import type { Tx } from '../../db/connect.ts'
import type { UserDeps } from '../deps.ts'
import type { TotpProposal } from '../schema.ts'
import {
  disableTotp,
  dropRecoveryCodes,
  enableTotp,
  fillRecoveryCodes,
  proposeTotp,
  takeRecoveryCode,
  takeTotpStep,
  type UserRow,
} from '../store.ts'
import { hashRecoveryCode, newRecoveryCodes } from './token.ts'
import { base32, matchTotp, otpauthUrl } from './totp.ts'

const SECRET = 20
const ISSUER = 'Gangan'

/** Creates a TOTP secret. It takes effect once a code confirms it. */
export async function proposeTwoFactor(deps: Pick<UserDeps, 'db' | 'seal'>, user: UserRow): Promise<TotpProposal> {
  const secret = randomBytes(SECRET)
  const sealed = deps.seal.close(secret.toString('base64'), boundTo(user.id))
  if (!(await proposeTotp(deps.db, user.id, sealed))) {
    throw new Refusal('invalid_request', 'Two-factor login is already enabled; disable it first.')
  }
  return { secret: base32(secret), otpauth_url: otpauthUrl(secret, ISSUER, user.email ?? '') }
}

/** Enables the authenticator with its first code, and returns new recovery codes if none are left. */
export async function confirmTwoFactor(
  deps: Pick<UserDeps, 'db' | 'seal'>,
  who: Actor,
  user: UserRow,
  code: string,
): Promise<string[]> {
  const secret = secretOf(deps, user)
  const step = secret && matchTotp(secret, code, Date.now(), Number(user.totp_step))
  return transaction(deps.db, async (tx) => {
    if (step === undefined || !(await enableTotp(tx, user.id, step))) {
      refuseIfFaulty([{ field: 'code', message: 'The code is wrong or has already been used.', type: 'invalid' }])
    }
    await recordAudit(tx, who, auditOf(user, 'user.totp_on'))
    return startRecoveryCodes(tx, user.id)
  })
}

/** New recovery codes for a user who has none left, of which only hashes are stored; otherwise the remaining ones stay. */
export async function startRecoveryCodes(tx: Tx, user_id: string): Promise<string[]> {
  const codes = newRecoveryCodes()
  return (await fillRecoveryCodes(tx, user_id, codes.map(hashRecoveryCode))) ? codes : []
}

export async function stopTwoFactor(deps: Pick<UserDeps, 'db'>, who: Actor, user: UserRow): Promise<void> {
  await transaction(deps.db, async (tx) => {
    await disableTotp(tx, user.id)
    await dropRecoveryCodes(tx, user.id)
    await recordAudit(tx, who, auditOf(user, 'user.totp_off'))
  })
}

/** Consumes a TOTP or recovery code: each works once, also for concurrent requests. */
export async function takeCode(deps: Pick<UserDeps, 'db' | 'seal'>, user: UserRow, code: string): Promise<boolean> {
  const secret = user.totp_since === null ? undefined : secretOf(deps, user)
  const step = secret && matchTotp(secret, code, Date.now(), Number(user.totp_step))
  if (step !== undefined) return takeTotpStep(deps.db, user.id, step)
  return takeRecoveryCode(deps.db, user.id, hashRecoveryCode(code))
}

/** Undefined also if the pepper was changed: then only recovery codes or a reset by an operator help. */
function secretOf({ seal }: Pick<UserDeps, 'seal'>, user: UserRow): Buffer | undefined {
  const opened = user.totp_secret ? seal.open(user.totp_secret, boundTo(user.id)) : undefined
  return opened === undefined ? undefined : Buffer.from(opened, 'base64')
}

export function boundTo(user_id: string): string {
  return `totp ${user_id}`
}

function auditOf({ id, organisation_id }: UserRow, action: string) {
  return { organisation_id, action, subject: id }
}

import { createHmac } from 'node:crypto'
import { isSameSecret } from '../values/secrets/same-secret.ts'
import type { HookKind } from './schema.ts'

/** The credentials of a request. */
export type Shown = {
  headers: Record<string, string | string[] | undefined>
  basic_password: string | undefined
  /** The raw body. */
  body: string
  now_s: number
}

/** Maximum age of a signature, against replays. */
const TOLERANCE_S = 300

/** Whether the sender has the hook's secret: it signed the body, or sent the secret. */
export function isTrusted(kind: HookKind, secret: string, shown: Shown): boolean {
  if (kind === 'supabase') return isStandard(secret, shown)
  if (kind === 'zitadel' && header(shown, 'zitadel-signature') !== undefined) return isZitadels(secret, shown)
  const { basic_password } = shown
  const given = [
    basic_password,
    header(shown, 'authorization')?.replace(/^Bearer\s+/i, ''),
    header(shown, 'x-api-key'),
    header(shown, 'x-hook-secret'),
  ]
  return given.some((one) => one !== undefined && isSameSecret(one, secret))
}

/**
 * Standard Webhooks: id, time and body, each signature after its version. The specification separates signatures by a
 * space; Supabase, which signs with each of its secrets, by a comma and a space.
 */
function isStandard(secret: string, shown: Shown): boolean {
  const id = header(shown, 'webhook-id')
  const time = header(shown, 'webhook-timestamp') ?? ''
  const signatures = header(shown, 'webhook-signature') ?? ''
  if (id === undefined || !isRecent(time, shown.now_s)) return false
  const key = Buffer.from(secret.replace(/^v1,/, '').replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${time}.${shown.body}`, 'utf8').digest('base64')
  const given = signatures.split(' ', MOST_SIGNATURES).map((one) => one.replace(/,$/, ''))
  return given.some((one) => isSameSecret(one, `v1,${expected}`))
}

const MOST_SIGNATURES = 10

/** `t=1700000000,v1=…`: the time and the body, in hexadecimal. */
function isZitadels(secret: string, shown: Shown): boolean {
  const { parts, time } = zitadelParts(shown)
  if (!isRecent(time, shown.now_s)) return false
  const expected = zitadelSignature(secret, shown)
  return parts.some((part) => part.startsWith('v1=') && isSameSecret(part.slice(3), expected))
}

function zitadelSignature(secret: string, shown: Shown): string {
  return createHmac('sha256', secret)
    .update(`${zitadelParts(shown).time}.${shown.body}`, 'utf8')
    .digest('hex')
}

function zitadelParts(shown: Shown): { parts: string[]; time: string } {
  const parts = (header(shown, 'zitadel-signature') ?? '').split(',', MOST_SIGNATURES)
  return { parts, time: parts.find((part) => part.startsWith('t='))?.slice(2) ?? '' }
}

/**
 * Identifies an authenticated post when it arrives again. A signed post is identified by what is signed: its id, or the
 * signature as we computed it if that covers no id. A replay with other headers is the same post.
 */
export function postIdOf(kind: HookKind, secret: string, shown: Shown): string | undefined {
  if (kind === 'zitadel' && header(shown, 'zitadel-signature') !== undefined) {
    return `signature ${zitadelSignature(secret, shown)}`
  }
  return header(shown, 'webhook-id') ?? header(shown, 'idempotency-key')
}

function isRecent(time: string, now_s: number): boolean {
  return /^\d{1,12}$/.test(time) && Math.abs(Number(time) - now_s) <= TOLERANCE_S
}

function header({ headers }: Shown, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

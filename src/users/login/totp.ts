import { createHmac, timingSafeEqual } from 'node:crypto'

/** Time-based one-time passwords (RFC 6238): a secret, the time in steps of thirty seconds, six digits. */
export type Totp = { digits?: number; algorithm?: 'sha1' | 'sha256' | 'sha512' }

export const STEP_S = 30
const DIGITS = 6
/** Accepted clock drift in steps, in either direction. */
const DRIFT = 1

export function totpCode(secret: Uint8Array, step: number, { digits = DIGITS, algorithm = 'sha1' }: Totp = {}): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac(algorithm, secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The time step of a code, if the code is currently valid and the step is later than `last_step`. */
export function matchTotp(secret: Uint8Array, code: string, now_ms: number, last_step: number): number | undefined {
  const given = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(given)) return undefined
  const now = Math.floor(now_ms / 1_000 / STEP_S)
  let matched: number | undefined
  for (let step = now - DRIFT; step <= now + DRIFT; step += 1) {
    const right = timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(given))
    if (right && step > last_step) matched ??= step
  }
  return matched
}

/** The URL that authenticator apps read from a QR code. */
export function otpauthUrl(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = new URLSearchParams({
    secret: base32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_S),
  })
  return `otpauth://totp/${label}?${query.toString().replaceAll('+', '%20')}`
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648, without padding. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(value >> bits) & 31]
    }
  }
  return bits > 0 ? text + ALPHABET[(value << (5 - bits)) & 31] : text
}

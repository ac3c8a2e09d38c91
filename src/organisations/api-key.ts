import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 43 // 32 bytes in base 62
const CHECK_LENGTH = 6 // 32 bits in base 62
const SHAPE = new RegExp(`^gg_(live|test)_[0-9A-Za-z]{${SECRET_LENGTH + CHECK_LENGTH}}$`)

/** `gg_live_…` or `gg_test_…`: 32 random bytes and a checksum, which detects leaked and mistyped keys. */
export function newApiKey(mode: 'live' | 'test'): string {
  const body = `gg_${mode}_${base62(BigInt(`0x${randomBytes(32).toString('hex')}`), SECRET_LENGTH)}`
  return body + checkSum(body)
}

/** Whether a key has our format but a wrong checksum; then no database lookup is needed. */
export function isMistyped(key: string): boolean {
  return SHAPE.test(key) && checkSum(key.slice(0, -CHECK_LENGTH)) !== key.slice(-CHECK_LENGTH)
}

export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** A prefix that identifies a key in a list without revealing it. */
export function hintOf(key: string): string {
  return key.length < 20 ? `${key.slice(0, 2)}…` : `${key.slice(0, 11)}…${key.slice(-4)}`
}

function checkSum(body: string): string {
  return base62(BigInt(crc32(body)), CHECK_LENGTH)
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest /= 62n) text = (ALPHABET[Number(rest % 62n)] ?? '') + text
  return text
}

import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'

/** SMPP passwords have eight characters; clients truncate longer ones. */
const LENGTH = 8
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function newPassword(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Keyed by the pepper: eight characters could be brute-forced from a plain hash in a stolen database. */
export function hashPassword(smpp_key: Buffer, system_id: string, password: string): Buffer {
  return createHmac('sha256', smpp_key).update(`${system_id}\n${password}`).digest()
}

/** Takes the same time whether the account exists or not. */
export function isPassword(
  smpp_key: Buffer,
  given: { system_id: string; password: string },
  password_hash: Buffer | undefined,
): boolean {
  const hash = hashPassword(smpp_key, given.system_id, given.password)
  const same = timingSafeEqual(hash, password_hash ?? hashPassword(smpp_key, '', ''))
  return same && password_hash !== undefined
}

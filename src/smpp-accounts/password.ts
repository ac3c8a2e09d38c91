import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'

/** By the book a password of SMPP has eight characters, and clients cut what is longer. */
const LENGTH = 8
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function newPassword(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Eight characters could be guessed from a plain hash: under a key of the pepper, who has the tables alone has nothing. */
export function hashPassword(smpp_key: Buffer, system_id: string, password: string): Buffer {
  return createHmac('sha256', smpp_key).update(`${system_id}\n${password}`).digest()
}

/** It takes as long whether there is such an account or not. */
export function isPassword(
  smpp_key: Buffer,
  given: { system_id: string; password: string },
  password_hash: Buffer | undefined,
): boolean {
  const hash = hashPassword(smpp_key, given.system_id, given.password)
  const same = timingSafeEqual(hash, password_hash ?? hashPassword(smpp_key, '', ''))
  return same && password_hash !== undefined
}

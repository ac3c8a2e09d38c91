import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import { findTaken } from './link-store.ts'

/** Digits and letters without ambiguous ones: 0 O o, 1 I l i. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz'
/** 55 to the power of 7: with a hundred million links stored, one guess in 15,000 finds one. */
const LENGTH = 7

/** Measures a text before its codes are drawn: all codes have this length and alphabet. */
export const ANY_CODE = 'x'.repeat(LENGTH)

export function isCode(text: string): boolean {
  return CODE.test(text)
}

const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/**
 * Draws unused codes. Two processes may still draw the same code concurrently: the unique key then fails the later
 * transaction, nothing is charged, and its caller may retry.
 */
export async function drawCodes(deps: { db: Db }, count: number, draw = newCode): Promise<string[]> {
  const drawn = new Set<string>()
  while (drawn.size < count) {
    while (drawn.size < count) drawn.add(draw())
    for (const code of await findTaken(deps.db, [...drawn])) drawn.delete(code)
  }
  return [...drawn]
}

/** Bytes of 220 and above are redrawn, so that all characters are equally likely. */
function newCode(): string {
  let code = ''
  while (code.length < LENGTH) {
    for (const byte of randomBytes(LENGTH + 2)) {
      if (byte < EVEN && code.length < LENGTH) code += ALPHABET[byte % ALPHABET.length]
    }
  }
  return code
}

const EVEN = 256 - (256 % ALPHABET.length)

import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/connect.ts'
import { findTaken } from './link-store.ts'

/** Digits and letters without those that look like another: 0 O o, 1 I l i. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz'
/** 55 to the power of 7: with a hundred million links stored, one guess in 15,000 finds one. */
const LENGTH = 7

/** As long as any code, and in the alphabet of all: what a text is measured with before its codes are drawn. */
export const ANY_CODE = 'x'.repeat(LENGTH)

export function isCode(text: string): boolean {
  return CODE.test(text)
}

const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/**
 * Codes no link has yet. Two processes could still draw the same in the same instant; the table then refuses the later
 * one with all that belongs to it, nothing is charged, and its caller is told to try again.
 */
export async function drawCodes(deps: { db: Db }, count: number, draw = newCode): Promise<string[]> {
  const drawn = new Set<string>()
  while (drawn.size < count) {
    while (drawn.size < count) drawn.add(draw())
    for (const code of await findTaken(deps.db, [...drawn])) drawn.delete(code)
  }
  return [...drawn]
}

/** Bytes from 220 on are drawn again, so that every character is as likely as any other. */
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

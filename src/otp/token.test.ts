import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blind, hashToken, newToken } from './token.ts'

const LENGTHS = [4, 5, 6, 7, 8]

describe('newToken', () => {
  test('has exactly the digits asked for', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LENGTHS), (length) => {
        expect(newToken(length)).toMatch(new RegExp(`^[0-9]{${length}}$`))
      }),
      { numRuns: 5_000 },
    )
  })

  test.each(LENGTHS)('of %d digits is spread evenly: every digit at every place, leading zeros too', (length) => {
    const tokens = 40_000
    const seen = Array.from({ length }, () => Array.from({ length: 10 }, () => 0))
    for (let n = 0; n < tokens; n++) {
      for (const [place, digit] of newToken(length).split('').entries()) seen[place]![Number(digit)]! += 1
    }
    for (const counts of seen) {
      const expected = tokens / 10
      const chi_squared = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
      // Nine degrees of freedom: an even spread exceeds 50 about once in ten million runs.
      expect(chi_squared).toBeLessThan(50)
    }
  })
})

describe('hashToken', () => {
  const key = Buffer.alloc(32, 7)

  test('differs by token, by OTP and by pepper', () => {
    const hashes = [
      hashToken(key, 'a', '1234'),
      hashToken(key, 'b', '1234'),
      hashToken(key, 'a', '1235'),
      hashToken(Buffer.alloc(32, 8), 'a', '1234'),
    ].map((hash) => hash.toString('hex'))
    expect(new Set(hashes).size).toBe(4)
    expect(hashToken(key, 'a', '1234').toString('hex')).toBe(hashes[0])
  })

  test('is compared in another form every time', () => {
    const hash = hashToken(key, 'a', '1234')
    const [one, other] = [blind(hash), blind(hash)]
    expect(one.blinded).not.toEqual(other.blinded)
    for (const { salt, blinded } of [one, other]) {
      expect(
        createHash('sha256')
          .update(Buffer.concat([hash, salt]))
          .digest(),
      ).toEqual(blinded)
    }
  })
})

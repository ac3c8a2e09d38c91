import { assert, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { base32, matchTotp, otpauthUrl, totpCode } from './totp.ts'

/** RFC 6238, appendix B. */
const VECTORS: [number, string, string, string][] = [
  [59, '94287082', '46119246', '90693936'],
  [1_111_111_109, '07081804', '68084774', '25091201'],
  [1_111_111_111, '14050471', '67062674', '99943326'],
  [1_234_567_890, '89005924', '91819424', '93441116'],
  [2_000_000_000, '69279037', '90698825', '38618901'],
  [20_000_000_000, '65353130', '77737706', '47863826'],
]
const seed = (length: number): Buffer => Buffer.from('1234567890'.repeat(7).slice(0, length))

describe('the codes of RFC 6238', () => {
  test.each(VECTORS)('at %d s', (time, sha1, sha256, sha512) => {
    const step = Math.floor(time / 30)
    expect(totpCode(seed(20), step, { digits: 8 })).toBe(sha1)
    expect(totpCode(seed(32), step, { digits: 8, algorithm: 'sha256' })).toBe(sha256)
    expect(totpCode(seed(64), step, { digits: 8, algorithm: 'sha512' })).toBe(sha512)
  })
})

/** RFC 4648, section 10, without the padding. */
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base 32 of "%s"', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
})

describe('a code', () => {
  const secret = seed(20)
  const now_ms = 2_000_000_000_000
  const step = Math.floor(now_ms / 30_000)

  test('is taken now, one step early and one step late, and no earlier or later', () => {
    for (const off of [-1, 0, 1]) expect(matchTotp(secret, totpCode(secret, step + off), now_ms, 0)).toBe(step + off)
    for (const off of [-2, 2]) expect(matchTotp(secret, totpCode(secret, step + off), now_ms, 0)).toBeUndefined()
  })

  test('is not taken again, nor one of a step before', () => {
    expect(matchTotp(secret, totpCode(secret, step), now_ms, step)).toBeUndefined()
    expect(matchTotp(secret, totpCode(secret, step - 1), now_ms, step)).toBeUndefined()
    expect(matchTotp(secret, totpCode(secret, step + 1), now_ms, step)).toBe(step + 1)
  })

  test('may have blanks, and is never another text', () => {
    const code = totpCode(secret, step)
    expect(matchTotp(secret, `${code.slice(0, 3)} ${code.slice(3)}`, now_ms, 0)).toBe(step)
    assert(
      property(string(), (text) => {
        const right = [-1, 0, 1].some((off) => text.replace(/\s/g, '') === totpCode(secret, step + off))
        expect(matchTotp(secret, text, now_ms, 0) !== undefined).toBe(right)
      }),
    )
  })
})

test('the address an authenticator reads', () => {
  expect(otpauthUrl(Buffer.from('foobar'), 'Gangan & Co', 'a+b@example.com')).toBe(
    'otpauth://totp/Gangan%20%26%20Co:a%2Bb%40example.com?secret=MZXW6YTBOI&issuer=Gangan%20%26%20Co&algorithm=SHA1&digits=6&period=30',
  )
})

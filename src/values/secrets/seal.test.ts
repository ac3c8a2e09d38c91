import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeSeal } from './seal.ts'

const seal = makeSeal(Buffer.alloc(32, 1))

test('what was sealed opens again, for the same thing only', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, bound_to) => {
      const sealed = seal.close(text, bound_to)
      expect(seal.open(sealed, bound_to)).toBe(text)
      expect(seal.open(sealed, `${bound_to}x`)).toBeUndefined()
      expect(makeSeal(Buffer.alloc(32, 2)).open(sealed, bound_to)).toBeUndefined()
    }),
  )
})

test('a sealed text that was changed or cut does not open', () => {
  const sealed = seal.close('482913 is your code', 'x')
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at]! ^= 1
    expect(seal.open(changed, 'x')).toBeUndefined()
    expect(seal.open(sealed.subarray(0, at), 'x')).toBeUndefined()
  }
})

test('equal texts have different ciphertexts', () => {
  expect(seal.close('482913', 'x')).not.toEqual(seal.close('482913', 'x'))
})

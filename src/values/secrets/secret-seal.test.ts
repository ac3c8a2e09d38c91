import { expect, test } from 'vitest'
import { makeSecretSeal, openAll } from './secret-seal.ts'

const seal = makeSecretSeal(Buffer.alloc(32, 1))

test('what was sealed opens again, for the same thing only and under the same key', () => {
  const sealed = seal.close('whsec_abc', 'webhook 1')
  expect(sealed).toMatch(/^sealed:[A-Za-z0-9+/]+=*$/)
  for (const _ of [1, 2]) {
    expect(seal.open(sealed, 'webhook 1')).toBe('whsec_abc')
    expect(seal.open(sealed, 'webhook 2')).toBeUndefined()
    expect(makeSecretSeal(Buffer.alloc(32, 2)).open(sealed, 'webhook 1')).toBeUndefined()
  }
  expect(seal.open(sealed.slice(0, -8), 'webhook 1')).toBeUndefined()
  expect(seal.open('sealed:', 'webhook 1')).toBeUndefined()
})

test('a secret that is not sealed does not open', () => {
  expect(seal.open('whsec_abc', 'webhook 1')).toBeUndefined()
})

test('openAll returns the secrets that open, in order', () => {
  const other = makeSecretSeal(Buffer.alloc(32, 2))
  const stored = [seal.close('new', 'x'), other.close('unreadable', 'x'), seal.close('old', 'x')]
  expect(openAll(seal, stored, 'x')).toEqual(['new', 'old'])
})

test('more than it remembers are opened as well', () => {
  const sealed = Array.from({ length: 1_100 }, (_, n) => seal.close(`secret ${n}`, 'x'))
  for (const _ of [1, 2]) expect(openAll(seal, sealed, 'x')).toEqual(sealed.map((_one, n) => `secret ${n}`))
})

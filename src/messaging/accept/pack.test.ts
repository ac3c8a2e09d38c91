import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { packUp } from './pack.ts'
import type { Pack } from '../draft.ts'

const KINDS = [
  { route: 'a', pages: 1, charge: 40_000n },
  { route: 'a', pages: 1, charge: 50_000n },
  { route: 'a', pages: 2, charge: 40_000n },
  { route: 'b', pages: 1, charge: 40_000n },
  { route: 'b', pages: 1, charge: 40_000n, text: 'Hello' },
]

type Sent = { recipient: string; route: string; pages: number; charge: bigint; text?: string }

const delivery = (n: number, kind = 0): Sent => ({ recipient: String(2_348_030_000_000 + n), ...KINDS[kind]! })

/** The deliveries again, in their order. */
function takeOut(packs: readonly Pack[]): object[] {
  const out: object[] = []
  for (const { recipients, positions, texts, ...kind } of packs) {
    recipients.forEach((recipient, n) => {
      out[positions[n] ?? -1] = { recipient, ...kind, ...(texts.length > 0 ? { text: texts[n] } : {}) }
    })
  }
  return out
}

test('what is packed comes out again, each in its place, in packs of at most a thousand', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(KINDS.length - 1), { minLength: 100, maxLength: 3_000, size: 'max' }), (kinds) => {
      const one = (kind: number, n: number) => delivery(n, kind)
      const deliveries = kinds.map(one).map((sent, n) => (sent.text ? { ...sent, text: `Hello ${n}` } : sent))
      const packs = packUp(deliveries) ?? []
      expect(takeOut(packs)).toEqual(deliveries)
      expect(packs.length).toBeLessThanOrEqual(KINDS.length + Math.floor(deliveries.length / 1_000))
      for (const { recipients, positions } of packs) {
        expect(recipients.length).toBeLessThanOrEqual(1_000)
        expect(positions).toHaveLength(recipients.length)
        expect(positions).toEqual([...positions].sort((a, b) => a - b))
      }
    }),
    { numRuns: 50 },
  )
})

test('one kind of ten thousand is ten full packs, one after the other', () => {
  const packs = packUp(Array.from({ length: 10_000 }, (_, n) => delivery(n))) ?? []
  expect(packs.map(({ positions }) => [positions[0], positions.length])).toEqual(
    Array.from({ length: 10 }, (_, n) => [1_000 * n, 1_000]),
  )
})

test('too various to be worth it', () => {
  const deliveries = Array.from({ length: 100 }, (_, n) => ({ ...delivery(n), charge: BigInt(n) }))
  expect(packUp(deliveries)).toBeUndefined()
  expect(packUp(deliveries.map((one, n) => ({ ...one, charge: BigInt(n % 5) })))).toHaveLength(5)
  expect(packUp(deliveries.map((one, n) => ({ ...one, charge: BigInt(n % 6) })))).toBeUndefined()
})

test.each([
  ['a sealed text', { sealed_text: Buffer.from('x') }],
  ['a time of its own', { send_at: '2026-12-24T18:00:00.000000+00:00' }],
  ['a WhatsApp template', { whatsapp: { name: 'hello', language: 'en', parameters: [] } }],
])('one with %s is enough to leave it', (_what, special) => {
  const deliveries = Array.from({ length: 200 }, (_, n) => delivery(n))
  expect(packUp(deliveries)).toHaveLength(1)
  expect(packUp(deliveries.map((one, n) => (n === 150 ? { ...one, ...special } : one)))).toBeUndefined()
})

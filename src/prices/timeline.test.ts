import { assert, boolean, integer, option, property, record, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeTimeline, priceAt, type Entry, type Wanted } from './timeline.ts'

const NOW = 50
const price = option(
  integer({ min: 1, max: 3 }).map((n) => BigInt(n)),
  { nil: null },
)
/** Few, so that they meet. */
const moment = integer({ min: 40, max: 60 })
const timeline = uniqueArray(record({ from_ms: moment, price }), { selector: ({ from_ms }) => from_ms, maxLength: 6 })
const wanted = uniqueArray(record({ from_ms: moment, price }), { selector: ({ from_ms }) => from_ms, maxLength: 4 })

function applied(entries: readonly Entry[], given: readonly Wanted[], complete_from_ms?: number) {
  const change = changeTimeline(entries, given, NOW, complete_from_ms)
  const after: Wanted[] = entries.filter((entry) => !change.withdraw.includes(entry))
  return { change, after: [...after, ...change.add] }
}

const withIds = (given: readonly Wanted[]): Entry[] => given.map((one, n) => ({ ...one, id: String(n) }))

/** The price at a moment, by its definition. */
function naive(entries: readonly Wanted[], given: readonly Wanted[], at: number, complete_from_ms = Infinity) {
  const clamped = new Map(
    given
      .toSorted((a, b) => a.from_ms - b.from_ms)
      .map((one): [number, bigint | null] => [Math.max(one.from_ms, NOW), one.price]),
  )
  const from = Math.max(complete_from_ms, NOW)
  const kept = entries.filter(({ from_ms }) => from_ms <= NOW || from_ms < from)
  const all = new Map([...kept.map((one): [number, bigint | null] => [one.from_ms, one.price]), ...clamped])
  if (given.length === 0 && complete_from_ms < Infinity) all.set(from, null)
  return priceAt(
    [...all].map(([from_ms, of]) => ({ from_ms, price: of })),
    at,
  )
}

describe('a change of the prices of a target', () => {
  test('has the wanted price at every moment, and none twice at one moment', () => {
    assert(
      property(timeline, wanted, option(moment, { nil: undefined }), (entries, given, complete_from_ms) => {
        const { change, after } = applied(withIds(entries), given, complete_from_ms)
        for (let at = NOW; at <= 61; at += 1) {
          expect([at, priceAt(after, at)]).toEqual([at, naive(entries, given, at, complete_from_ms)])
        }
        expect(new Set(after.map(({ from_ms }) => from_ms)).size).toBe(after.length)
        expect(change.add.every(({ from_ms }) => from_ms >= NOW)).toBe(true)
        expect(change.withdraw.every(({ from_ms }) => from_ms >= NOW)).toBe(true)
      }),
    )
  })

  test('changes nothing when it is repeated', () => {
    assert(
      property(timeline, wanted, boolean(), (entries, given, complete) => {
        const from = complete ? NOW : undefined
        const { after } = applied(withIds(entries), given, from)
        expect(applied(withIds(after), given, from).change).toMatchObject({ add: [], withdraw: [] })
      }),
    )
  })

  test.each([
    [null, 3n, 'added'],
    [2n, 3n, 'raised'],
    [4n, 3n, 'lowered'],
    [4n, null, 'removed'],
  ])('from %s to %s is %s', (before, after, kind) => {
    const { add, unchanged } = changeTimeline(
      [{ id: '1', from_ms: 0, price: before }],
      [{ from_ms: 0, price: after }],
      NOW,
    )
    expect(add).toEqual([{ from_ms: NOW, price: after, kind, before }])
    expect(unchanged).toBe(0)
  })

  test('of equal prices is none', () => {
    const rule = { id: '1', from_ms: 0, price: 4n }
    expect(changeTimeline([rule], [{ from_ms: 55, price: 4n }], NOW)).toEqual({ add: [], withdraw: [], unchanged: 1 })
  })
})

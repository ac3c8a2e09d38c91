import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judge, requeryDelay } from './judge.ts'
import type { OpenPurchase, Try } from './try-store.ts'

const rules = { schedule: { delays_s: [10, 30], review_after_s: 86_400 }, timeout_s: 60, asked: false }

const tryOf = (wish: Partial<Try> = {}): Try => ({
  position: 0,
  vendor: 'a',
  reference: 'r',
  status: 'calling',
  calls: 1,
  requeries: 0,
  vendor_purchase_id: null,
  age_s: 100,
  call_age_s: 100,
  ...wish,
})

const purchaseOf = (status: OpenPurchase['status'], ...vendors: string[]) => ({ status, vendors })

describe('a pending purchase', () => {
  const alone = purchaseOf('pending', 'a')
  test.each([
    ['success', 'success'],
    ['failed', 'failed'],
    ['error', 'error'],
    ['duplicate', 'duplicate'],
  ] as const)('with the outcome %s ends as %s', (kind, status) => {
    expect(judge(alone, tryOf(), { kind }, rules)).toEqual({ kind: 'settle', as: kind, status })
  })
})

describe('a sent purchase ends as success or failed', () => {
  const alone = purchaseOf('sent', 'a')
  test.each([
    ['success', 'success'],
    ['failed', 'failed'],
    ['error', 'failed'],
    ['duplicate', 'failed'],
  ] as const)('with the outcome %s ends as %s', (kind, status) => {
    expect(judge(alone, tryOf(), { kind }, rules)).toMatchObject({ kind: 'settle', status })
  })
})

test('a duplicate after a second call may be our own first one', () => {
  const verdict = judge(purchaseOf('pending', 'a'), tryOf({ calls: 2 }), { kind: 'duplicate' }, rules)
  expect(verdict).toMatchObject({ kind: 'ask_later', as: 'unclear' })
})

test('a try that was accepted is never called again', () => {
  const tried = tryOf({ status: 'accepted', call_age_s: 10_000 })
  expect(judge(purchaseOf('sent', 'a', 'b'), tried, { kind: 'not_found' }, rules)).toMatchObject({ kind: 'ask_later' })
  expect(judge(purchaseOf('sent', 'a', 'b'), tried, { kind: 'unclear' }, rules)).toMatchObject({ as: 'accepted' })
})

test('a purchase unknown to the vendor is bought again only after the first call is over', () => {
  const early = judge(purchaseOf('pending', 'a'), tryOf({ call_age_s: 20 }), { kind: 'not_found' }, rules)
  expect(early).toEqual({ kind: 'ask_later', as: 'calling', delay_s: 41 })
  const late = judge(purchaseOf('pending', 'a'), tryOf(), { kind: 'not_found' }, rules)
  expect(late).toEqual({ kind: 'call_again', as: 'unreached', delay_s: 0 })
})

test('an uncertain answer never leads to another vendor or an end', () => {
  const any_try = fc.record({
    position: fc.nat(3),
    status: fc.constantFrom('calling' as const, 'accepted' as const, 'unclear' as const),
    calls: fc.integer({ min: 1, max: 5 }),
    requeries: fc.nat(50),
    age_s: fc.double({ min: 0, max: 200_000, noNaN: true }),
    call_age_s: fc.double({ min: 0, max: 200_000, noNaN: true }),
  })
  fc.assert(
    fc.property(any_try, fc.constantFrom('unclear' as const, 'accepted' as const), fc.boolean(), (one, kind, asked) => {
      const verdict = judge(purchaseOf('pending', 'a', 'b', 'c', 'd'), tryOf(one), { kind }, { ...rules, asked })
      expect(['ask_later', 'review']).toContain(verdict.kind)
      expect(['accepted', 'unclear']).toContain(verdict.as)
    }),
  )
})

const DAY_S = 86_400
const schedule = { delays_s: [10, 30, 60, 300, 900, 3_600], review_after_s: DAY_S }

describe('the delays between queries of a vendor', () => {
  test('are 10 s, 30 s, 1, 5, 15 min, then hourly to 24 h', () => {
    const asked_at: number[] = []
    for (let age_s = 0; ;) {
      const delay_s = requeryDelay(schedule, asked_at.length, age_s)
      if (delay_s === undefined) break
      age_s += delay_s
      asked_at.push(age_s)
    }
    expect(asked_at.slice(0, 7)).toEqual([10, 40, 100, 400, 1_300, 4_900, 8_500])
    expect(asked_at.at(-1)).toBe(DAY_S)
    expect(asked_at).toHaveLength(29)
  })

  test('follow the delay that the vendor asks for, up to the review', () => {
    expect(requeryDelay(schedule, 3, 0, 2)).toBe(2)
    expect(requeryDelay(schedule, 0, DAY_S - 5, 60)).toBe(5)
    expect(requeryDelay(schedule, 0, DAY_S, 60)).toBeUndefined()
  })

  test('always end', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.double({ min: 0, max: 2 * DAY_S, noNaN: true }), (asked, age_s) => {
        const delay_s = requeryDelay(schedule, asked, age_s)
        expect(delay_s === undefined).toBe(age_s >= DAY_S)
        expect(age_s + (delay_s ?? 0)).toBeLessThanOrEqual(Math.max(age_s, DAY_S + 1e-6))
      }),
    )
  })
})

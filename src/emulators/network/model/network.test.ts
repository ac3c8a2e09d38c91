import { describe, expect, test } from 'vitest'
import { checkScenario } from '../scenario/read.ts'
import type { End, Fate } from './fate.ts'
import { makeNetworkModel } from './network.ts'

const OPERATORS = [
  { name: 'Red', prefixes: ['2341'] },
  { name: 'Blue', prefixes: ['2342'] },
]
const HOUR_MS = 3_600_000

function modelOf(carriers: object[], more: object = {}) {
  const named = carriers.map((carrier, n) => ({ name: `carrier-${n}`, ...carrier }))
  return makeNetworkModel(checkScenario({ seed: 7, operators: OPERATORS, carriers: named, ...more }))
}

const numbers = (count: number, prefix = '2341') =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n).padStart(7, '0')}`)

type Model = ReturnType<typeof modelOf>

function submitTo(model: Model, to: string, more: { carrier?: number; attempt?: number; at_ms?: number } = {}): Fate {
  return model.submit({ carrier: 0, to, attempt: 0, at_ms: 0, ...more })
}

/** The share of each end, over as many numbers. */
function sharesOf(fates: readonly Fate[]): Record<End, number> {
  const share = (end: End) => fates.filter((fate) => fate.end === end).length / fates.length
  return {
    unanswered: share('unanswered'),
    rejected: share('rejected'),
    delivered: share('delivered'),
    faked: share('faked'),
    lost: share('lost'),
    undelivered: share('undelivered'),
    expired: share('expired'),
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const p95 = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)]

describe('a fate', () => {
  const carriers = [{ lost: 0.1, faked: 0.2, rejected: { RSYSERR: 0.05 } }, { lost: 0.1 }]
  const fatesOf = (model: Model) => numbers(500).map((to, n) => submitTo(model, to, { attempt: n % 3 }))

  test('depends on seed, carrier, number and attempt, not on the order of submissions', () => {
    const fates = fatesOf(modelOf(carriers))
    const again = modelOf(carriers)
    const reversed = numbers(500)
      .map((to, n) => ({ to, n }))
      .toReversed()
      .map(({ to, n }) => {
        submitTo(again, to, { carrier: 1 })
        return submitTo(again, to, { attempt: n % 3 })
      })
    expect(reversed.toReversed()).toEqual(fates)
    expect(fatesOf(modelOf(carriers, { seed: 8 }))).not.toEqual(fates)
    expect(numbers(500).map((to) => submitTo(again, to, { carrier: 1 }))).not.toEqual(
      numbers(500).map((to) => submitTo(again, to)),
    )
    expect(numbers(500).map((to) => submitTo(again, to, { attempt: 1 }))).not.toEqual(
      numbers(500).map((to) => submitTo(again, to)),
    )
  })

  test('of a seed is the same in every release', () => {
    const model = modelOf(carriers)
    const ends = numbers(12).map((to) => submitTo(model, to).end)
    expect(ends.map((end) => end[0]).join('')).toBe('dddfdddddfld')
    expect(submitTo(model, '23410000000').answer_after_ms).toBeCloseTo(16.55185)
    expect(submitTo(model, '23410000000').receipt?.after_ms).toBeCloseTo(1464.5972)
  })

  test('is the same a few milliseconds later, also while a share drifts', () => {
    const model = modelOf([{ drift: [{ at: '1h', lost: 1 }] }])
    for (const to of numbers(200)) {
      expect(submitTo(model, to, { at_ms: HOUR_MS / 2 + 59_000 })).toEqual(submitTo(model, to, { at_ms: HOUR_MS / 2 }))
    }
  })

  test('occurs as often as the scenario says', () => {
    const model = modelOf([{ lost: 0.1, faked: 0.2, undelivered: 0.05, rejected: { RSYSERR: 0.03, RINVSRCADR: 0.02 } }])
    const fates = numbers(20_000).map((to) => submitTo(model, to))
    const shares = sharesOf(fates)
    expect(shares.rejected).toBeCloseTo(0.05, 2)
    expect(shares.lost).toBeCloseTo(0.95 * 0.1, 2)
    expect(shares.faked).toBeCloseTo(0.95 * 0.2, 2)
    expect(shares.undelivered).toBeCloseTo(0.95 * 0.05, 2)
    expect(shares.delivered).toBeCloseTo(0.95 * 0.65, 2)
    expect(fates.filter(({ status }) => status === 'RINVSRCADR').length / fates.length).toBeCloseTo(0.02, 2)
    expect(shares.unanswered + shares.expired).toBe(0)
  })

  test('takes as long as the scenario says: half below the median, 95 % below p95', () => {
    const model = modelOf([{ answer: { median: '50ms', p95: '400ms' }, delivery: { median: '3s', p95: '20s' } }])
    const fates = numbers(20_000).map((to) => submitTo(model, to))
    const answers = fates.map(({ answer_after_ms }) => answer_after_ms)
    expect(median(answers)).toBeGreaterThan(48)
    expect(median(answers)).toBeLessThan(52)
    expect(p95(answers)).toBeGreaterThan(370)
    expect(p95(answers)).toBeLessThan(430)
    const deliveries = fates.map(({ shown_after_ms, answer_after_ms }) => (shown_after_ms ?? 0) - answer_after_ms)
    expect(p95(deliveries)).toBeGreaterThan(18_500)
    expect(p95(deliveries)).toBeLessThan(21_500)
    for (const { receipt, shown_after_ms } of fates)
      expect(receipt?.after_ms).toBeGreaterThan(shown_after_ms ?? Infinity)
    expect(submitTo(modelOf([{ answer: { median: '7ms' } }]), '23410000000').answer_after_ms).toBe(7)
  })

  test('of a faked message is a receipt as after a delivery, and no text', () => {
    const model = modelOf([{ faked: 1, faked_receipt: { median: '300ms' }, answer: { median: '10ms' }, price: 2 }])
    expect(submitTo(model, '23410000000')).toEqual({
      end: 'faked',
      status: 'ROK',
      answer_after_ms: 10,
      shown_after_ms: null,
      receipt: { stat: 'DELIVRD', err: '000', after_ms: 310 },
      cost: 20_000,
      operator: 0,
    })
  })

  test('of a lost message is neither a text nor a receipt; an unreported one is shown without a receipt', () => {
    expect(submitTo(modelOf([{ lost: 1 }]), '23410000000')).toMatchObject({
      shown_after_ms: null,
      receipt: null,
      status: 'ROK',
    })
    const unreported = submitTo(modelOf([{ unreported: 1 }]), '23410000000')
    expect(unreported).toMatchObject({ end: 'delivered', receipt: null })
    expect(unreported.shown_after_ms).toBeGreaterThan(0)
  })

  test('differs by operator, and so does the price', () => {
    const model = modelOf([{ price: 4, operators: { Blue: { lost: 1, price: 2.5 } } }])
    expect(submitTo(model, '23410000000')).toMatchObject({ end: 'delivered', cost: 40_000, operator: 0 })
    expect(submitTo(model, '23420000000')).toMatchObject({ end: 'lost', cost: 25_000, operator: 1 })
    expect(submitTo(model, '44770000000')).toMatchObject({
      end: 'rejected',
      status: 'RINVDSTADR',
      cost: 0,
      operator: -1,
    })
  })

  test('is charged when accepted, or only when reported as delivered', () => {
    const model = modelOf([{ price: 3, charged: 'delivered', lost: 0.5, faked: 0.5 }])
    const costs = numbers(100).map((to) => submitTo(model, to))
    expect(new Set(costs.map(({ end, cost }) => `${end} ${cost}`))).toEqual(new Set(['lost 0', 'faked 30000']))
  })
})

describe('a subscriber', () => {
  test('is found by the longest prefix, listed or of the network code', () => {
    const operators = [...OPERATORS, { name: 'Green', prefixes: ['23411'] }, { name: 'MTN', mcc_mnc: '62130' }]
    const model = modelOf([{}], { operators })
    const operatorOf = (number: string) => model.subscriberOf(number, 0).operator
    expect(['23410000000', '23411000000', '2348031234567', '2348021234567'].map(operatorOf)).toEqual([0, 2, 3, -1])
  })

  test('that is absent, or whose inbox is full, is reported by every carrier', () => {
    const operators = [{ ...OPERATORS[0], subscribers: { absent: 0.2, inbox_full: 0.1 } }]
    const model = modelOf([{}, {}], { operators })
    const shares = sharesOf(numbers(40_000).map((to) => submitTo(model, to)))
    expect(shares.undelivered).toBeCloseTo(0.3, 2)
    for (const to of numbers(300)) {
      const { end, receipt } = submitTo(model, to)
      expect(submitTo(model, to, { carrier: 1, attempt: 5 })).toMatchObject({ end, receipt: { err: receipt?.err } })
    }
    const errs = new Set(numbers(300).map((to) => submitTo(model, to).receipt?.err))
    expect(errs).toEqual(new Set(['000', '004', '254']))
  })

  test('whose phone is off receives the text when it is on again, unless it has expired', () => {
    const listed = [{ number: '23410000000', state: 'off', from: '10m', until: '30m' }]
    const model = modelOf([{ validity: '15m' }], { numbers: listed })
    const at = (minutes: number) => submitTo(model, '23410000000', { at_ms: minutes * 60_000 })
    expect(at(9)).toMatchObject({ end: 'delivered' })
    expect(at(9).shown_after_ms).toBeLessThan(120_000)
    expect(at(20)).toMatchObject({ end: 'delivered' })
    expect(at(20).shown_after_ms).toBeGreaterThan(600_000)
    expect(at(14)).toMatchObject({ end: 'expired', shown_after_ms: null, receipt: { stat: 'EXPIRED', err: '027' } })
    expect(at(14).receipt?.after_ms).toBeGreaterThan(900_000)
    expect(at(30)).toMatchObject({ end: 'delivered' })
    const short = model.submit({ carrier: 0, to: '23410000000', attempt: 0, at_ms: 20 * 60_000, validity_ms: 60_000 })
    expect(short.end).toBe('expired')
  })

  test('of an operator is off for its part of the time, each phone at its own', () => {
    const operators = [{ ...OPERATORS[0], subscribers: { off: { share: 1, lasts: '1h', every: '4h' } } }]
    const model = modelOf([{}], { operators })
    const isOff = (number: string, at_ms: number) => model.subscriberOf(number, at_ms).state === 'off'
    for (const hours of [0, 1, 50]) {
      const off = numbers(4_000).filter((number) => isOff(number, hours * HOUR_MS)).length
      expect(off / 4_000).toBeCloseTo(0.25, 1)
    }
    for (const number of numbers(100)) {
      const quarters = Array.from({ length: 4 }, (_, n) => isOff(number, 10 * HOUR_MS + n * HOUR_MS))
      expect(quarters.filter(Boolean)).toHaveLength(1)
    }
  })

  test('that was ported is served by its new operator, which not every carrier knows', () => {
    const operators = [{ ...OPERATORS[0], subscribers: { ported_to: { Blue: 0.25 } } }, OPERATORS[1]]
    const model = modelOf([{}, { follows_porting: false }], { operators })
    const ported = numbers(4_000).filter((number) => model.subscriberOf(number, 0).is_ported)
    expect(ported.length / 4_000).toBeCloseTo(0.25, 1)
    for (const to of ported.slice(0, 50)) {
      expect(submitTo(model, to)).toMatchObject({ operator: 1, end: 'delivered' })
      expect(submitTo(model, to, { carrier: 1 })).toMatchObject({
        operator: 1,
        end: 'undelivered',
        receipt: { err: '439' },
      })
    }
    const listed = modelOf([{}], { numbers: [{ number: '23410000000', operator: 'Blue' }] })
    expect(listed.subscriberOf('23410000000', 0)).toMatchObject({ operator: 1, is_ported: true, state: 'reachable' })
  })

  test('that roams receives texts later, and not all of them', () => {
    const roaming = { share: 1, lost: 0.3, slower_by: { median: '1m' } }
    const model = modelOf([{ delivery: { median: '1s' } }], {
      operators: [{ ...OPERATORS[0], subscribers: { roaming } }],
    })
    const fates = numbers(5_000).map((to) => submitTo(model, to))
    expect(sharesOf(fates).expired).toBeCloseTo(0.3, 1)
    expect(fates.find(({ end }) => end === 'delivered')?.shown_after_ms).toBeGreaterThan(61_000)
  })
})

describe('an outage', () => {
  const during = (kind: string, more: object = {}) =>
    modelOf([{ outages: [{ kind, from: '1h', lasts: '10m', every: '3h', ...more }] }])
  const endsAt = (model: Model, minutes: readonly number[]) =>
    minutes.map((minute) => submitTo(model, '23410000000', { at_ms: minute * 60_000 }).end)

  test.each([
    ['refused', 'unanswered'],
    ['silent', 'unanswered'],
    ['rejects', 'rejected'],
    ['drops', 'lost'],
  ])('of the kind %s ends messages as %s, by the timetable', (kind, end) => {
    const ok = 'delivered'
    expect(endsAt(during(kind), [0, 59.9, 60, 69.9, 70, 239.9, 240, 249.9, 250])).toEqual([
      ok,
      ok,
      end,
      end,
      ok,
      ok,
      end,
      end,
      ok,
    ])
  })

  test('rejects with its status, once or repeatedly', () => {
    const model = during('rejects', { status: 'RMSGQFUL', every: undefined })
    expect(submitTo(model, '23410000000', { at_ms: HOUR_MS })).toMatchObject({ status: 'RMSGQFUL', cost: 0 })
    expect(submitTo(model, '23410000000', { at_ms: 4 * HOUR_MS }).end).toBe('delivered')
  })
})

describe('drift', () => {
  test('changes a share linearly between its points, for one operator or all', () => {
    const model = modelOf([
      {
        lost: 0.1,
        drift: [
          { at: '2h', lost: 0.1 },
          { at: '4h', lost: 0.5, operator: 'Red' },
          { at: '4h', faked: 0.2 },
        ],
      },
    ])
    const lostAt = (hours: number, prefix?: string) =>
      sharesOf(numbers(10_000, prefix).map((to) => submitTo(model, to, { at_ms: hours * HOUR_MS }))).lost
    expect(lostAt(0)).toBeCloseTo(0.1, 1)
    expect(lostAt(2)).toBeCloseTo(0.1, 1)
    expect(lostAt(3)).toBeCloseTo(0.3, 1)
    expect(lostAt(9)).toBeCloseTo(0.5, 1)
    expect(lostAt(9, '2342')).toBeCloseTo(0.1, 1)
    expect(model.expect(0, 0, 2 * HOUR_MS).reported - model.expect(0, 0, 2 * HOUR_MS).delivered).toBeCloseTo(0.1)
  })
})

describe('the expectation', () => {
  test('is what many messages become', () => {
    const subscribers = {
      absent: 0.05,
      inbox_full: 0.02,
      off: { share: 0.5, lasts: '2h', every: '4h' },
      roaming: { share: 0.1, lost: 0.5 },
    }
    const carrier = { price: 2, lost: 0.1, faked: 0.2, undelivered: 0.05, unreported: 0.1, rejected: { RSYSERR: 0.04 } }
    const model = modelOf([{ ...carrier, validity: '1h', charged: 'delivered' }], {
      operators: [{ ...OPERATORS[0], subscribers }],
    })
    const fates = numbers(40_000).map((to) => submitTo(model, to, { at_ms: HOUR_MS }))
    const shareOf = (isOne: (fate: Fate) => boolean) => fates.filter(isOne).length / fates.length
    const expected = model.expect(0, 0, HOUR_MS)
    expect(shareOf(({ status }) => status === 'ROK')).toBeCloseTo(expected.accepted, 2)
    expect(shareOf(({ end }) => end === 'delivered')).toBeCloseTo(expected.delivered, 2)
    expect(shareOf(({ receipt }) => receipt?.stat === 'DELIVRD')).toBeCloseTo(expected.reported, 2)
    expect(fates.reduce((sum, { cost }) => sum + cost, 0) / fates.length / expected.cost).toBeCloseTo(1, 1)
  })

  test('names as oracle the least expensive carrier that is good enough', () => {
    const drops = [{ kind: 'drops', from: '1h', lasts: '1h' }]
    const model = modelOf([
      { price: 4 },
      { price: 3, lost: 0.02, outages: drops },
      { price: 1, faked: 0.3 },
      { price: 9 },
    ])
    expect(model.oracle(0, 0)).toBe(0)
    expect(model.oracle(0, 0, 0.05)).toBe(1)
    expect(model.oracle(0, HOUR_MS, 0.05)).toBe(0)
    expect(model.oracle(0, 0, 0.5)).toBe(2)
  })
})

import { describe, expect, test } from 'vitest'
import type { Asked } from './choice.ts'
import { makeChooser, type ChoosingRoute } from './chooser.ts'
import { makeKnowledge, type Delta } from './knowledge.ts'
import { seeded } from './random.ts'

const CARRIERS = ['direct', 'regional', 'bargain']
const EVIDENCE = { follow_percent: 100, tolerance: 0.03, explored_percent: 0, half_life_minutes: 60, seed: 1 }
const ASKED: Asked = {
  country: 'NG',
  operator: 'MTN',
  channel: 'sms',
  class: 'otp',
  costs: [40_000n, 28_000n, 16_000n],
  available: [true, true, true],
}

function delta(carrier: string, more: Partial<Delta> = {}): Delta {
  const { country, operator, channel, class: its_class } = ASKED
  const none = { submitted: 0, delivered: 0, undelivered: 0, judged: 0, good: 0, rejections: [], report_times: [] }
  return { carrier, country, operator, channel, class: its_class, ...none, ...more }
}

/** A chooser of a route, with its knowledge and a clock that only moves on demand. */
function open(route: Partial<ChoosingRoute> = {}, evidence: Partial<ChoosingRoute['evidence']> = {}) {
  const time = { ms: 1_000_000 }
  const clock = () => time.ms
  const knowledge = makeKnowledge(clock)
  const settings = { carriers: CARRIERS, choose: 'evidence' as const, ...route, evidence: { ...EVIDENCE, ...evidence } }
  const chooser = makeChooser(settings, knowledge, clock, seeded(7))
  const know = (shares: Record<string, number>, judged = 1_000) => {
    const deltas = Object.entries(shares).map(([carrier, share]) =>
      delta(carrier, { submitted: judged, judged, good: judged * share }),
    )
    knowledge.add(deltas)
    time.ms += 1_000
  }
  const counts = (messages: number, asked = ASKED) => {
    const found = CARRIERS.map(() => 0)
    for (let n = 0; n < messages; n++) found[chooser.choose(asked).position]! += 1
    return found
  }
  return { time, knowledge, chooser, know, counts }
}

describe('by evidence', () => {
  test('carriers that are not known are tried in the order of their costs, until their results are judged', () => {
    const { chooser, know } = open()
    const tried = Array.from({ length: 60 }, () => chooser.choose(ASKED))
    expect(tried.map(({ position }) => position)).toEqual([...fill(2, 20), ...fill(1, 20), ...fill(0, 20)])
    expect(new Set(tried.map(({ reason }) => reason))).toEqual(new Set(['explored']))
    know({ direct: 0.8, regional: 0.79, bargain: 0.5 })
    expect(chooser.choose(ASKED)).toEqual({
      position: 1,
      reason: 'good_enough',
      advised: undefined,
      saved: 0,
      gained: 0,
    })
  })

  test('the least expensive carrier within the tolerance of the best is chosen, by what is known of the same messages', () => {
    const { chooser, know, knowledge, time } = open()
    know({ direct: 0.8, regional: 0.7, bargain: 0.5 }, 10_000)
    expect(chooser.choose(ASKED).position).toBe(0)
    expect(chooser.choose({ ...ASKED, operator: 'Glo' }).reason).toBe('explored')
    expect(chooser.choose({ ...ASKED, class: 'other' }).reason).toBe('explored')
    knowledge.add([delta('bargain', { submitted: 1e6, judged: 1e6, good: 0.79e6 })])
    time.ms += 1_000
    expect(chooser.choose(ASKED).position).toBe(2)
  })

  test('what was counted long ago is outweighed by what was counted now', () => {
    const { chooser, know, time } = open()
    know({ direct: 0.8, bargain: 0.8 }, 2_000)
    expect(chooser.choose(ASKED).position).toBe(2)
    time.ms += 5 * 3_600_000
    know({ direct: 0.8, bargain: 0.5 }, 1_000)
    expect(chooser.choose(ASKED).position).toBe(0)
  })

  test('carriers of unknown cost come last, in the order of the route', () => {
    const { chooser, know } = open()
    know({ direct: 0.8, regional: 0.8, bargain: 0.8 })
    expect(chooser.choose({ ...ASKED, costs: [undefined, undefined, 5n] }).position).toBe(2)
    expect(chooser.choose({ ...ASKED, costs: [undefined, undefined, undefined] }).position).toBe(0)
  })

  test('a share of the messages explores the carrier of which least is known', () => {
    const { know, counts, knowledge } = open({}, { explored_percent: 5 })
    know({ direct: 0.8, regional: 0.8, bargain: 0.8 }, 100_000)
    knowledge.add([delta('bargain', { submitted: 100_000 }), delta('regional', { submitted: 100_000 })])
    const [direct = 0, regional, bargain = 0] = counts(10_000)
    expect(regional).toBe(0)
    expect(direct).toBeGreaterThan(400)
    expect(direct).toBeLessThan(600)
    expect(direct + bargain).toBe(10_000)
  })

  test('results that are corrected later never make a share exceed one', () => {
    const { chooser, know, knowledge, time } = open()
    know({ direct: 0.99, regional: 0.9, bargain: 0.9 })
    knowledge.add([delta('regional', { good: 5_000 })])
    time.ms += 1_000
    // Without the limit, the share of the second one would be 5.9, and the first one never be compared with it.
    expect(chooser.choose({ ...ASKED, costs: [1n, 2n, 3n] }).position).toBe(0)
  })

  test('deliveries that a doubtful carrier reports count less', () => {
    const { chooser, knowledge, know, time } = open()
    knowledge.add(
      CARRIERS.map((carrier) => delta(carrier, { class: 'other', submitted: 1_000, judged: 1_000, good: 900 })),
    )
    time.ms += 1_000
    const other: Asked = { ...ASKED, class: 'other' }
    expect(chooser.choose(other).position).toBe(2)
    const doubt = { claimed: 500, proven: 340, expected: 425, factor: 0.8, low: 0.7, high: 0.9, is_doubtful: true }
    knowledge.setHonesty([{ carrier: 'bargain', group: 'NG\nMTN', ...doubt }])
    time.ms += 1_000
    expect(chooser.choose(other).position).toBe(1)
    know({ direct: 0.9, regional: 0.9, bargain: 0.9 })
    expect(chooser.choose(ASKED).position).toBe(2)
  })

  test('the only carrier that takes messages is chosen, whatever is known of it', () => {
    const { chooser, know } = open()
    know({ direct: 0.8, regional: 0.8, bargain: 0.1 })
    const asked = { ...ASKED, available: [false, false, true] }
    expect(chooser.choose(asked)).toMatchObject({ position: 2, reason: 'only_candidate' })
  })
})

describe('contracts', () => {
  test('a carrier gets its least share, though another one is better', () => {
    const { know, counts, chooser } = open({}, { least_percent: { direct: 20 } })
    know({ direct: 0.5, regional: 0.5, bargain: 0.8 })
    const [direct = 0, regional, bargain = 0] = counts(1_000)
    expect([direct, regional, bargain]).toEqual([expect.closeTo(200, -1), 0, expect.closeTo(800, -1)])
    const reasons = new Set(Array.from({ length: 10 }, () => chooser.choose(ASKED).reason))
    expect(reasons).toEqual(new Set(['contract', 'good_enough']))
  })

  test('a carrier gets no more than its highest share; the next best gets the rest', () => {
    const { know, counts } = open({}, { most_percent: { bargain: 30, direct: 0 } })
    know({ direct: 0.8, regional: 0.8, bargain: 0.8 })
    const [direct, regional = 0, bargain = 0] = counts(1_000)
    expect([direct, regional, bargain]).toEqual([0, expect.closeTo(700, -1), expect.closeTo(300, -1)])
  })
})

describe('advice', () => {
  test('without following, the first available carrier is used, with what the advice would have saved and gained', () => {
    const { chooser, know } = open({}, { follow_percent: 0 })
    know({ direct: 0.8, regional: 0.82, bargain: 0.5 })
    expect(chooser.choose(ASKED)).toEqual({
      position: 0,
      reason: 'good_enough',
      advised: 1,
      saved: 12_000,
      gained: expect.closeTo(0.02),
    })
    expect(chooser.choose({ ...ASKED, available: [false, true, true] })).toMatchObject({
      position: 1,
      saved: 0,
      gained: 0,
    })
    expect(chooser.next(ASKED, [0])).toBe(1)
  })

  test('nothing is advised while nothing is known', () => {
    const { chooser } = open({}, { follow_percent: 0 })
    expect(chooser.choose(ASKED)).toMatchObject({ position: 0, advised: undefined, saved: 0, gained: 0 })
  })

  test('a percentage of the messages follows', () => {
    const { know, counts } = open({}, { follow_percent: 25 })
    know({ direct: 0.8, regional: 0.5, bargain: 0.8 })
    const [direct = 0, regional, bargain = 0] = counts(4_000)
    expect(regional).toBe(0)
    expect(bargain).toBeGreaterThan(900)
    expect(bargain).toBeLessThan(1_100)
    expect(direct + bargain).toBe(4_000)
  })
})

describe('by shares', () => {
  const shares = { direct: 60, regional: 30, bargain: 10 }

  test('carriers get their shares', () => {
    const [direct = 0, regional = 0, bargain = 0] = open({ choose: 'shares', shares }).counts(10_000)
    expect([direct / 10_000, regional / 10_000, bargain / 10_000]).toEqual([
      expect.closeTo(0.6, 1),
      expect.closeTo(0.3, 1),
      expect.closeTo(0.1, 1),
    ])
  })

  test('the share of an unavailable carrier is distributed among the others', () => {
    const { counts, chooser } = open({ choose: 'shares', shares })
    const [direct, regional = 0, bargain = 0] = counts(10_000, { ...ASKED, available: [false, true, true] })
    expect([direct, regional / 10_000, bargain / 10_000]).toEqual([0, expect.closeTo(0.75, 1), expect.closeTo(0.25, 1)])
    expect(chooser.choose(ASKED).reason).toBe('share')
  })

  test('a carrier without a share is used only if no other can', () => {
    const { counts } = open({ choose: 'shares', shares: { direct: 100 } })
    expect(counts(100)).toEqual([100, 0, 0])
    expect(counts(100, { ...ASKED, available: [false, true, true] })).toEqual([0, 100, 0])
  })
})

test('the least expensive available carrier is chosen by cost', () => {
  const { chooser } = open({ choose: 'cheapest' })
  expect(chooser.choose(ASKED)).toMatchObject({ position: 2, reason: 'cheapest' })
  expect(chooser.choose({ ...ASKED, available: [true, true, false] }).position).toBe(1)
})

test('the next carrier is the best of those that were not tried', () => {
  const { chooser, know } = open()
  expect(chooser.next(ASKED, [2])).toBe(1)
  know({ direct: 0.8, regional: 0.5, bargain: 0.8 })
  expect(chooser.next(ASKED, [2])).toBe(0)
  expect(chooser.next(ASKED, [2, 0])).toBe(1)
  expect(chooser.next(ASKED, [2, 0, 1])).toBeUndefined()
  expect(chooser.next({ ...ASKED, available: [false, false, true] }, [2])).toBeUndefined()
})

test('the same seed makes the same choices, another seed makes others', () => {
  const choices = (seed: number) => {
    const { chooser, know } = open({}, { seed, explored_percent: 20, follow_percent: 50 })
    know({ direct: 0.8, regional: 0.8, bargain: 0.8 })
    return Array.from({ length: 200 }, () => chooser.choose(ASKED).position)
  }
  expect(choices(3)).toEqual(choices(3))
  expect(choices(3)).not.toEqual(choices(4))
})

test('history is weighed by its age, and read once', () => {
  const { chooser, knowledge, time } = open()
  expect(knowledge.is_unseeded).toBe(true)
  const judged = { submitted: 1_000, judged: 1_000 }
  knowledge.seed([
    { ...delta('bargain', { ...judged, good: 100 }), age_ms: 20 * 3_600_000 },
    { ...delta('bargain', { ...judged, good: 800 }), age_ms: 0 },
    { ...delta('direct', { ...judged, good: 800 }), age_ms: 0 },
  ])
  expect(knowledge.is_unseeded).toBe(false)
  time.ms += 1_000
  expect(chooser.choose(ASKED).position).toBe(2)
  knowledge.seed([{ ...delta('bargain', { ...judged, good: 0 }), age_ms: 0 }])
  time.ms += 1_000
  expect(chooser.choose(ASKED).position).toBe(2)
})

function fill(value: number, count: number): number[] {
  return Array.from({ length: count }, () => value)
}

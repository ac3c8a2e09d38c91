import { expect, test } from 'vitest'
import type { EvidenceRowShown } from '../../console/src/api-types.ts'
import {
  adviceOf,
  FIGURES,
  matrixOf,
  medianBound,
  stepHours,
  wholeSteps,
} from '../../console/src/pages/evidence/evidence.ts'
import { readFilters } from '../../console/src/pages/evidence/filters.ts'
import { byCarrier, byOperator, factorWords, judgementOf } from '../../console/src/pages/evidence/honesty.ts'
import { MAX_HOURS, MAX_STEP_HOURS } from '../../src/evidence/schema.ts'
import { REPORT_BOUNDS_S } from '../../src/observe/evidence.ts'

const NO_REJECTIONS = { number: 0, recipient: 0, sender: 0, text: 0, temporary: 0, unanswered: 0, other: 0 }
const times = (...counts: number[]) =>
  [...REPORT_BOUNDS_S, undefined].map((up_to_s, n) => ({
    ...(up_to_s === undefined ? {} : { up_to_s }),
    count: counts[n] ?? 0,
  }))

function row(carrier: string, delivered_share: number | undefined, more: Partial<EvidenceRowShown> = {}) {
  return {
    carrier,
    submitted: 100,
    rejected: NO_REJECTIONS,
    delivered: 0,
    undelivered: 0,
    no_report: 0,
    ...(delivered_share === undefined ? {} : { delivered_share }),
    report_times: times(),
    verified: 0,
    cost: 0,
    advised: 0,
    saved: 0,
    gained: 0,
    ...more,
  }
}

const figure = (name: string) => FIGURES.find((one) => one.name === name) ?? FIGURES[0]
const at = (operator: string, submitted = 100) => ({ country: 'NG', operator, submitted })
const NOTHING = { single: [], summed: [], stepped: [], stepped_all: [] }

test('operators with the most messages have columns, of all carriers together; the others are counted', () => {
  const operators = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
  const { columns, rows, left_out } = matrixOf(FIGURES[0], {
    ...NOTHING,
    single: [
      ...operators.map((operator, n) => row('mtn', 0.9, at(operator, 10 + n))),
      row('glo', 0.8, at('A', 1_000)),
      row('glo', 0.8, { country: 'GH', operator: 'G', submitted: 5 }),
    ],
    summed: [row('mtn', 0.9, { submitted: 91 }), row('glo', 0.8, { submitted: 1_005 })],
  })
  expect(columns.map(({ operator }) => operator)).toEqual(['A', 'G', 'F', 'E', 'D'])
  expect(left_out).toBe(3)
  expect(rows.map(({ carrier }) => carrier)).toEqual(['glo', 'mtn'])
  expect(rows.map(({ cells }) => cells.map((cell) => cell?.row.submitted))).toEqual([
    [1_000, undefined, undefined, undefined, undefined],
    [10, 16, 15, 14, 13],
  ])
})

test('carriers with enough messages are compared at their operator', () => {
  const single = [
    row('a', 0.95, at('MTN')),
    row('b', 0.94, at('MTN')),
    row('c', 0.88, at('MTN')),
    row('d', 0.5, at('MTN')),
    row('few', 1, at('MTN', 29)),
    row('silent', undefined, at('MTN')),
    row('a', 0.3, at('Glo')),
  ]
  const { rows } = matrixOf(FIGURES[0], {
    ...NOTHING,
    single,
    summed: ['a', 'b', 'c', 'd', 'few', 'silent'].map((one) => row(one, 1)),
  })
  const standing = Object.fromEntries(rows.map(({ carrier, cells }) => [carrier, cells[0]?.standing]))
  expect(standing).toEqual({
    a: { best: 0.95, is_best: true, tone: 'good' },
    b: { best: 0.95, is_best: false, tone: 'good' },
    c: { best: 0.95, is_best: false, tone: 'warn' },
    d: { best: 0.95, is_best: false, tone: 'bad' },
    few: undefined,
    silent: undefined,
  })
  // The only carrier at an operator is not compared.
  expect(rows.map(({ cells }) => cells[1]?.standing)).toEqual(Array.from({ length: 6 }, () => undefined))
})

test('less is better for missing reports, times and costs; a cost that is not known is no cost', () => {
  const single = [
    row('a', 1, { ...at('MTN'), delivered: 90, no_report: 10, report_times: times(0, 5, 2), cost: 250 }),
    row('b', 1, { ...at('MTN'), delivered: 60, undelivered: 20, no_report: 20, report_times: times(4, 3), cost: 200 }),
    row('c', 1, { ...at('MTN'), cost: 0 }),
  ]
  const read = { ...NOTHING, single, summed: ['a', 'b', 'c'].map((one) => row(one, 1)) }
  const shown = (name: string) =>
    matrixOf(figure(name), read).rows.map(({ cells: [cell] }) => [cell?.value, cell?.standing?.is_best])
  expect(shown('no_report')).toEqual([
    [0.1, true],
    [0.2, false],
    [undefined, undefined],
  ])
  expect(shown('report_time')).toEqual([
    [REPORT_BOUNDS_S[1], false],
    [REPORT_BOUNDS_S[0], true],
    [undefined, undefined],
  ])
  expect(shown('cost')).toEqual([
    [2.5, false],
    [2, true],
    [undefined, undefined],
  ])
  expect(figure('cost').written(2.5, 'NGN')).toBe('₦2.50')
  expect(figure('cost').apart(2.5, 2, 'NGN')).toBe('+₦0.50')
  expect(figure('delivered').apart(0.9, 0.95, 'NGN')).toBe('−5 pp')
})

test('a trend has the figure of each step that has one, the oldest first', () => {
  const stepped = [
    row('a', 0.9, { ...at('MTN'), hour: '2026-11-19T03:00:00Z' }),
    row('a', undefined, { ...at('MTN'), hour: '2026-11-19T02:00:00Z' }),
    row('a', 0.7, { ...at('MTN'), hour: '2026-11-19T01:00:00Z' }),
    row('a', 0.1, { ...at('Glo'), hour: '2026-11-19T01:00:00Z' }),
  ]
  const stepped_all = [row('a', 0.5, { hour: '2026-11-19T01:00:00Z' })]
  const single = [row('a', 0.8, at('MTN'))]
  const { rows } = matrixOf(FIGURES[0], { single, summed: [row('a', 0.8)], stepped, stepped_all })
  expect(rows[0]?.cells[0]?.trend).toEqual([0.7, 0.9])
  expect(rows[0]?.all?.trend).toEqual([0.5])
})

test('the median is the bound of the range that has it', () => {
  const [first, second] = REPORT_BOUNDS_S
  expect(medianBound(times())).toBeUndefined()
  expect(medianBound(times(1, 1))).toBe(first)
  expect(medianBound(times(1, 2))).toBe(second)
  const late = [...REPORT_BOUNDS_S.map(() => 0), 3]
  expect(medianBound(times(...late))).toBe(Infinity)
  // The words for it.
  expect(REPORT_BOUNDS_S.at(-1)).toBe(1_800)
  expect(figure('report_time').written(Infinity, 'NGN')).toBe('over half an hour')
})

test('a trend has at most thirty steps, of as many hours as may be asked for', () => {
  expect([1, 24, 72, 168, MAX_HOURS].map(stepHours)).toEqual([1, 1, 3, 6, 24])
  expect(stepHours(MAX_HOURS)).toBeLessThanOrEqual(MAX_STEP_HOURS)
})

test('of an answer that is not whole, the oldest step is left out', () => {
  const rows = [3, 2, 2, 1, 1].map((hour) => row('a', 1, { hour: `2026-11-19T0${hour}:00:00Z` }))
  expect(wholeSteps({ rows, has_more: false })).toHaveLength(5)
  expect(wholeSteps({ rows, has_more: true }).map(({ hour }) => hour?.slice(12, 13))).toEqual(['3', '2', '2'])
})

test('the advice is summed over all carriers', () => {
  const rows = [
    row('a', 1, { advised: 10, saved: 0.1, gained: 1.5 }),
    row('b', 1, { advised: 5, saved: 0.2, gained: -0.5 }),
    row('c', 1),
  ]
  expect(adviceOf(rows)).toEqual({ submitted: 300, advised: 15, saved: 0.3, gained: 1 })
})

test('reports are judged only where there is enough to compare', () => {
  const honest = {
    carrier: 'a',
    otps: 500,
    verified: 400,
    expected: 401,
    factor: 0.998,
    low: 0.95,
    high: 1,
    is_doubtful: false,
    contradicted: 0,
    confirmed: 0,
  }
  const doubtful = { ...honest, carrier: 'b', factor: 0.8, low: 0.7, high: 0.9, is_doubtful: true }
  const alone = { ...honest, carrier: 'c', low: 0, factor: 1 }
  const shown = [honest, doubtful, { ...honest, low: 0 }].map((one) => [judgementOf(one).words, factorWords(one)])
  expect(shown).toEqual([
    ['no doubt', '99.8% (95% to 100%)'],
    ['doubtful', '80% (70% to 90%)'],
    ['too few to compare', undefined],
  ])
  const { expected: _none, ...uncompared } = alone
  expect([judgementOf(uncompared).words, factorWords(uncompared)]).toEqual(['not compared', undefined])

  const at_operator = { country: 'NG', operator: 'MTN' }
  const rows = [
    honest,
    { ...honest, ...at_operator, otps: 9 },
    { ...honest, ...at_operator, operator: 'Glo', otps: 10 },
    { ...honest, ...at_operator, operator: 'Airtel', otps: 0 },
    { ...doubtful, ...at_operator, otps: 1 },
  ]
  expect([...byCarrier(rows)]).toEqual([['a', honest]])
  expect(byOperator(rows).map(({ carrier, otps }) => [carrier, otps])).toEqual([
    ['b', 1],
    ['a', 10],
    ['a', 9],
  ])
})

test('what an address cannot ask for is as if it asked for nothing', () => {
  expect(readFilters({ hours: '168', channel: 'sms', class: 'otp', country: 'NG' })).toEqual({
    hours: 168,
    channel: 'sms',
    class: 'otp',
    country: 'NG',
  })
  const nothing = { hours: 24, channel: undefined, class: undefined, country: undefined }
  expect(readFilters({ hours: '5', channel: 'fax', class: 'all', country: 'Kenya' })).toEqual(nothing)
  expect(readFilters({})).toEqual(nothing)
})

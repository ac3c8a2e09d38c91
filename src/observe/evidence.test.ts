import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hourText, makeEvidence, REJECTIONS, REPORT_BOUNDS_S, type EvidenceKey } from './evidence.ts'

const NOW = Date.parse('2026-11-19T14:30:00Z')
const KEY: EvidenceKey = {
  hour: NOW / 3_600_000 - 0.5,
  carrier: 'one',
  country: 'NG',
  operator: 'MTN',
  channel: 'sms',
  class: 'otp',
}

beforeEach(() => vi.useFakeTimers({ now: NOW }))
afterEach(() => vi.useRealTimers())

test('counts are added up by key, and returned once', () => {
  const evidence = makeEvidence()
  evidence.note(KEY, { submitted: 1, cost: 5 })
  evidence.note({ ...KEY }, { submitted: 2 })
  evidence.note({ ...KEY, class: 'other' }, { submitted: 4 })
  evidence.noteRejected(KEY, 'sender')
  const [first, second, ...others] = evidence.drain()
  expect(first).toMatchObject({
    ...KEY,
    submitted: 3,
    cost: 5,
    rejections: REJECTIONS.map((one) => (one === 'sender' ? 1 : 0)),
  })
  expect(second).toMatchObject({ class: 'other', submitted: 4 })
  expect(others).toEqual([])
  expect(hourText(KEY.hour)).toBe('2026-11-19T14:00:00.000Z')
  expect(evidence.drain()).toEqual([])
})

test.each([
  [0, 0],
  [0.5, 0],
  [0.6, 1],
  [2, 2],
  [2.1, 3],
  [1_800, REPORT_BOUNDS_S.length - 1],
  [1e6, REPORT_BOUNDS_S.length],
])('a report after %d s is in the count %d', (after_s, place) => {
  const evidence = makeEvidence()
  evidence.noteReport(KEY, after_s)
  expect(evidence.drain()[0]?.report_times.indexOf(1)).toBe(place)
})

test('what is counted later is returned when it is due, or with all', () => {
  const evidence = makeEvidence()
  evidence.noteAt(NOW + 60_000, KEY, { judged: 1 })
  evidence.noteAt(NOW + 90_000, KEY, { judged: 1, good: 1 })
  expect(evidence.drain()).toEqual([])
  vi.setSystemTime(NOW + 60_000)
  expect(evidence.drain()).toMatchObject([{ judged: 1, good: 0 }])
  expect(evidence.drain(true)).toMatchObject([{ judged: 1, good: 1 }])
})

test('what could not be written is returned with what was counted since', () => {
  const evidence = makeEvidence()
  evidence.note(KEY, { delivered: 1 })
  evidence.noteReport(KEY, 1)
  const drained = evidence.drain()
  evidence.note(KEY, { delivered: 1 })
  evidence.restore(drained)
  expect(evidence.drain()).toMatchObject([{ delivered: 2, report_times: [0, 1, 0, 0, 0, 0, 0, 0, 0, 0] }])
})

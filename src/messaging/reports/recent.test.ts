import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { draftOf, heldOf } from '../../../test/support/drafts.ts'
import type { LeasedDelivery } from '../intake/leased-row.ts'
import { makeRecent, type Recent } from './recent.ts'
import type { NewReport } from './store.ts'

const ORGANISATION = '0190a000-0000-7000-8000-000000000001'
const MESSAGE = '0190a000-0000-7000-8000-000000000002'

function delivery(more: { stored?: boolean } = {}): LeasedDelivery {
  const draft = draftOf({ id: MESSAGE, sender_id: 'Acme', external_ref: 'ref-1', callback: 'https://example.com/hook' })
  return heldOf(ORGANISATION, draft, more)
}

function report(more: Partial<NewReport> = {}): NewReport {
  return {
    id: 'report-1',
    carrier: 'mtn',
    carrier_message_id: 'abc',
    status: 'delivered',
    code: '000',
    description: 'delivered',
    keys: ['abc'],
    certain: 1,
    plain: true,
    ...more,
  }
}

describe('what was handed over lately', () => {
  let recent: Recent
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01T12:00:00Z') })
    recent = makeRecent()
    tell('2026-01-01T12:00:05.123Z', 0.456)
    recent.note('mtn', 'abc', { delivery: delivery(), route: 'line', report_due_s: 3_600, sent_ms: 0 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const tell = (time: string, and_ms = 0) => recent.noteClock(ORGANISATION, Date.parse(time) + and_ms)
  const found = (more: Partial<NewReport> = {}) => recent.find([report(more)])[0]?.found

  test('is found by what the carrier calls it, with all that is told about it and the time of the database', () => {
    vi.advanceTimersByTime(1_000)
    expect(found()).toEqual({
      id: 'report-1',
      organisation_id: ORGANISATION,
      message_id: MESSAGE,
      recipient: '2348031234567',
      segments: 1,
      kept_id: 'abc',
      of_number: false,
      delivery_status: 'sent',
      was_code: null,
      pages: 1,
      charge: 40_000n,
      route: 'line',
      channel: 'sms',
      sender_id: 'Acme',
      template_id: null,
      external_ref: 'ref-1',
      callback: 'https://example.com/hook',
      has_webhooks: false,
      clock: '2026-01-01T12:00:06.123456+00:00',
    })
  })

  test('is found when the report names its number, in whatever form', () => {
    expect(found({ recipient: '08031234567' })).toMatchObject({ message_id: MESSAGE, of_number: true })
    expect(found({ recipient: '08031234567', keys: ['abc', '2748'] })).toMatchObject({ of_number: true })
  })

  test.each<[string, Partial<NewReport>]>([
    ['a report on another number', { recipient: '2348031234568' }],
    ['any other news than good', { status: 'undelivered' }],
    ['an id that could be read in two ways', { keys: ['abc', '2748'] }],
    ['the less likely reading of an id', { keys: ['2748', 'abc'], recipient: '2348031234567' }],
    ['the same id of another carrier', { carrier: 'glo' }],
    ['another id', { keys: ['abd'] }],
  ])('is not found by %s', (_, more) => {
    expect(found(more)).toBeUndefined()
  })

  test('is not kept when what is told of its message is not known here', () => {
    recent.note('mtn', 'later', {
      delivery: delivery({ stored: true }),
      route: 'line',
      report_due_s: 3_600,
      sent_ms: 0,
    })
    expect(found({ keys: ['later'] })).toBeUndefined()
  })

  test('is forgotten when it is told to', () => {
    recent.forget('mtn', 'abc')
    expect(found()).toBeUndefined()
  })

  test('is forgotten after a while, and well before its report is overdue', () => {
    recent.note('mtn', 'soon', { delivery: delivery(), route: 'line', report_due_s: 4, sent_ms: 0 })
    vi.advanceTimersByTime(1_999)
    expect(found({ keys: ['soon'] })).toBeDefined()
    vi.advanceTimersByTime(2)
    expect(found({ keys: ['soon'] })).toBeUndefined()
    expect(found()).toBeDefined()
    vi.advanceTimersByTime(117_000)
    tell('2026-01-01T12:02:04Z')
    expect(found()).toBeDefined()
    vi.advanceTimersByTime(2_000)
    expect(found()).toBeUndefined()
  })

  test('has the most that the clock there must show: answers take their time', () => {
    tell('2026-01-01T12:00:05.100Z')
    expect(found()?.clock).toBe('2026-01-01T12:00:05.123456+00:00')
    tell('2026-01-01T12:00:05.130Z')
    expect(found()?.clock).toBe('2026-01-01T12:00:05.130000+00:00')
  })

  test('is not found by a clock that was told more than a minute ago, and follows one that was set back', () => {
    vi.advanceTimersByTime(60_001)
    expect(found()).toBeUndefined()
    tell('2026-01-01T12:00:58Z')
    expect(found()?.clock).toBe('2026-01-01T12:00:58.000000+00:00')
  })

  test('is never before it was sent, and the others of its organisation have the same time', () => {
    const later = {
      delivery: delivery(),
      route: 'line',
      report_due_s: 3_600,
      sent_ms: Date.parse('2026-01-01T12:00:09Z'),
    }
    recent.note('mtn', 'later', later)
    const times = recent.find([report(), report({ keys: ['later'] })]).map((one) => one.found.clock)
    expect(times).toEqual(['2026-01-01T12:00:09.000000+00:00', '2026-01-01T12:00:09.000000+00:00'])
    expect(found()?.clock).toBe('2026-01-01T12:00:05.123456+00:00')
  })

  test('has the time of where its organisation lies, and is not found if that was never told', () => {
    const elsewhere = '0190a000-0000-7000-8000-000000000003'
    const one = heldOf(elsewhere, draftOf({ id: MESSAGE }))
    recent.note('mtn', 'there', { delivery: one, route: 'line', report_due_s: 3_600, sent_ms: 0 })
    expect(found({ keys: ['there'] })).toBeUndefined()
    recent.noteClock(elsewhere, Date.parse('2026-01-01T12:00:04Z'))
    expect(found({ keys: ['there'] })?.clock).toBe('2026-01-01T12:00:04.000000+00:00')
    expect(found()?.clock).toBe('2026-01-01T12:00:05.123456+00:00')
  })

  test.each([
    [false, 'ref-1', 'https://example.com/hook/123'],
    [true, 'ref 0803 123', 'https://example.com/hook'],
    [true, undefined, 'https://example.com/of/+234-8031'],
  ])('says whether it may name people: %s for %s and %s', (may_name_people, external_ref, callback) => {
    const named = heldOf(ORGANISATION, draftOf({ id: MESSAGE, external_ref, callback }))
    recent.note('mtn', 'abc', { delivery: named, route: 'line', report_due_s: 3_600, sent_ms: 0 })
    expect(recent.find([report()])).toMatchObject([{ may_name_people }])
  })

  test('is not found for a while in an organisation that is passed over', () => {
    recent.passOver(ORGANISATION)
    expect(found()).toBeUndefined()
    vi.advanceTimersByTime(60_001)
    tell('2026-01-01T12:01:06Z')
    expect(found()).toBeDefined()
  })

  test('is a hundred thousand at most, the newest', () => {
    const one = delivery()
    const note = (n: number) =>
      recent.note('mtn', `id-${n}`, { delivery: one, route: 'line', report_due_s: 3_600, sent_ms: 0 })
    for (let n = 1; n < 100_000; n += 1) note(n)
    expect(found()).toBeDefined()
    note(100_000)
    expect(found()).toBeUndefined()
    expect(found({ keys: ['id-1'] })).toBeUndefined()
    expect(found({ keys: ['id-50000'] })).toBeDefined()
    expect(found({ keys: ['id-100000'] })).toBeDefined()
  })
})

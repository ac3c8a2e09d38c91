import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { draftOf, heldOf } from '../../../test/support/drafts.ts'
import type { LeasedDelivery } from '../intake/leased-row.ts'
import { makeRecentSubmissions, type RecentSubmissions } from './recent-submissions.ts'
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
    ...more,
  }
}

describe('recent submissions', () => {
  let recent: RecentSubmissions
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-01-01T12:00:00Z') })
    recent = makeRecentSubmissions()
    noteClock('2026-01-01T12:00:05.123Z', 0.456)
    recent.note('mtn', 'abc', { delivery: delivery(), route: 'line', report_due_s: 3_600, sent_ms: 0 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const noteClock = (time: string, and_ms = 0) => recent.noteClock(ORGANISATION, Date.parse(time) + and_ms)
  const found = (more: Partial<NewReport> = {}) => recent.find([report(more)])[0]?.found

  test('are found by carrier message id, with the fields of the event and the time of the database', () => {
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
      routing: null,
      sent_datetime: '1970-01-01T00:00:00.000Z',
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

  test('are found when the report names the recipient, also in national format', () => {
    expect(found({ recipient: '08031234567' })).toMatchObject({ message_id: MESSAGE, of_number: true })
    expect(found({ recipient: '08031234567', keys: ['abc', '2748'] })).toMatchObject({ of_number: true })
  })

  test.each<[string, Partial<NewReport>]>([
    ['a report on another number', { recipient: '2348031234568' }],
    ['another status than delivered', { status: 'undelivered' }],
    ['an id that could be read in two ways', { keys: ['abc', '2748'] }],
    ['the less likely reading of an id', { keys: ['2748', 'abc'], recipient: '2348031234567' }],
    ['the same id of another carrier', { carrier: 'glo' }],
    ['another id', { keys: ['abd'] }],
  ])('are not found by %s', (_, more) => {
    expect(found(more)).toBeUndefined()
  })

  test('are not kept when the message of the delivery is not in memory', () => {
    recent.note('mtn', 'later', {
      delivery: delivery({ stored: true }),
      route: 'line',
      report_due_s: 3_600,
      sent_ms: 0,
    })
    expect(found({ keys: ['later'] })).toBeUndefined()
  })

  test('can be forgotten', () => {
    recent.forget('mtn', 'abc')
    expect(found()).toBeUndefined()
  })

  test('expire after two minutes, and before their report is overdue', () => {
    recent.note('mtn', 'soon', { delivery: delivery(), route: 'line', report_due_s: 4, sent_ms: 0 })
    vi.advanceTimersByTime(1_999)
    expect(found({ keys: ['soon'] })).toBeDefined()
    vi.advanceTimersByTime(2)
    expect(found({ keys: ['soon'] })).toBeUndefined()
    expect(found()).toBeDefined()
    vi.advanceTimersByTime(117_000)
    noteClock('2026-01-01T12:02:04Z')
    expect(found()).toBeDefined()
    vi.advanceTimersByTime(2_000)
    expect(found()).toBeUndefined()
  })

  test('use the highest time that the node has answered', () => {
    noteClock('2026-01-01T12:00:05.100Z')
    expect(found()?.clock).toBe('2026-01-01T12:00:05.123456+00:00')
    noteClock('2026-01-01T12:00:05.130Z')
    expect(found()?.clock).toBe('2026-01-01T12:00:05.130000+00:00')
  })

  test('are not found when the clock of the node was noted more than a minute ago; a clock that was set back is followed', () => {
    vi.advanceTimersByTime(60_001)
    expect(found()).toBeUndefined()
    noteClock('2026-01-01T12:00:58Z')
    expect(found()?.clock).toBe('2026-01-01T12:00:58.000000+00:00')
  })

  test('are not settled before they were sent, and all of an organisation get the same time', () => {
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

  test("use the clock of the organisation's node, and are not found while it is unknown", () => {
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
  ])('may_name_people is %s for reference %s and callback %s', (may_name_people, external_ref, callback) => {
    const named = heldOf(ORGANISATION, draftOf({ id: MESSAGE, external_ref, callback }))
    recent.note('mtn', 'abc', { delivery: named, route: 'line', report_due_s: 3_600, sent_ms: 0 })
    expect(recent.find([report()])).toMatchObject([{ may_name_people }])
  })

  test('are not found for a minute after bypass()', () => {
    recent.bypass(ORGANISATION)
    expect(found()).toBeUndefined()
    vi.advanceTimersByTime(60_001)
    noteClock('2026-01-01T12:01:06Z')
    expect(found()).toBeDefined()
  })

  test.each([
    [99_999, true],
    [100_000, false],
  ])('keeps at most 100,000 submissions: the first of %d more is kept: %s', (more, is_kept) => {
    const one = delivery()
    for (let n = 1; n <= more; n += 1) {
      recent.note('mtn', `id-${n}`, { delivery: one, route: 'line', report_due_s: 3_600, sent_ms: 0 })
    }
    expect(found() !== undefined).toBe(is_kept)
    expect(found({ keys: ['id-50000'] })).toBeDefined()
    expect(found({ keys: [`id-${more}`] })).toBeDefined()
  })
})

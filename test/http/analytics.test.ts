import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AnalyticsReport } from '../../src/analytics/schema.ts'
import { addCounted, zeroCounts, type Counted, type Dimension } from '../../src/observe/analytics/figures.ts'
import { addAnalytics, type HourRow } from '../../src/observe/analytics/store.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'

let service: TestService
let by: Organisation
beforeAll(async () => {
  service = await openService({ workers: false })
  by = await service.organisation()
  await count('2026-03-02T08:00:00Z', 'country', {
    NG: { accepted: 6, delivered: 3, failed: 1, cost: 240_000 },
    GH: { accepted: 2 },
  })
  await count('2026-03-02T22:00:00Z', 'country', { NG: { accepted: 1 } })
  await count('2026-03-02T23:00:00Z', 'country', { NG: { accepted: 10, otp_requested: 4, otp_verified: 3 } })
  await count('2026-03-01T08:00:00Z', 'country', { NG: { accepted: 5 }, KE: { accepted: 4 } })
  await count('2025-03-02T08:00:00Z', 'country', { GH: { accepted: 7 } })
})
afterAll(() => service.close())

async function count(hour: string, dimension: Dimension, values: Record<string, Partial<Counted>>): Promise<void> {
  const hour_ms = Date.parse(hour)
  const rows = Object.entries(values).map(([value, counted]): HourRow => ({
    dimension,
    hour_ms,
    value,
    counted: { ...zeroCounts(), ...counted },
  }))
  const all = zeroCounts()
  for (const { counted } of rows) addCounted(all, counted)
  await addAnalytics(service.db, by.id, [{ dimension: 'all', hour_ms, value: '', counted: all }, ...rows])
}

const read = (query: string, who: Pick<Organisation, 'call'> = by) =>
  who.call<AnalyticsReport>('GET', `/analytics?${query}`)
const accepted = ({ series }: { series: AnalyticsReport['series'] }) => series.map((step) => step.accepted)
const DAY = 'from=2026-03-02&until=2026-03-02'

describe('GET /analytics', () => {
  test('returns the days of a period in the organisation’s time zone, each with all steps', async () => {
    const { status, body } = await read('from=2026-03-01&until=2026-03-04')
    expect(status).toBe(200)
    expect(body).toMatchObject({ time_zone: 'Africa/Lagos', interval: 'day', currency: 'NGN', from: '2026-03-01' })
    // 23:00 in UTC is midnight in Lagos.
    expect(accepted(body)).toEqual([9, 9, 10, 0])
    expect(body.series.map(({ start_datetime }) => start_datetime).slice(0, 2)).toEqual([
      '2026-02-28T23:00:00.000000+00:00',
      '2026-03-01T23:00:00.000000+00:00',
    ])
    expect(body.totals).toEqual({
      accepted: 28,
      delivered: 3,
      failed: 1,
      unknown: 0,
      canceled: 0,
      pages: 0,
      cost: 24,
      refunded: 0,
      delivery_rate: 0.75,
      otp: { requested: 4, verified: 3, failed: 0, unverified: 1, conversion: 0.75 },
    })
    expect(body).not.toHaveProperty('values')
    expect(body.series[3]).not.toHaveProperty('delivery_rate')
  })

  test('groups by value, and compares with the previous period or the previous year', async () => {
    const { body } = await read(`${DAY}&by=country&compare=previous_period`)
    const shown = body.values?.map(({ value, accepted: now, previous }) => [value, now, previous?.accepted])
    expect(shown).toEqual([
      ['NG', 7, 5],
      ['GH', 2, 0],
    ])
    expect([body.other?.accepted, body.other?.previous?.accepted]).toEqual([0, 4])
    expect(body.previous).toMatchObject({ from: '2026-03-01', until: '2026-03-01', totals: { accepted: 9 } })
    const year = await read(`${DAY}&by=country&compare=previous_year`)
    expect(year.body.previous).toMatchObject({ from: '2025-03-02', totals: { accepted: 7 } })
    const one = await read(`${DAY}&by=country&value=GH&interval=hour`)
    expect(one.body.totals.accepted).toBe(2)
    expect(accepted(one.body)).toEqual(Array.from({ length: 24 }, (_, n) => (n === 9 ? 2 : 0)))
  })

  test('returns fifty values, and the others summed as other', async () => {
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`S${n}`, { accepted: n + 1 }]))
    await count('2026-05-05T08:00:00Z', 'sender', many)
    const { body } = await read('from=2026-05-05&until=2026-05-05&by=sender')
    expect(body.values).toHaveLength(50)
    expect(body.values?.[0]).toMatchObject({ value: 'S69', accepted: 70 })
    expect(body.values?.[0]).not.toHaveProperty('otp')
    expect(body.other?.accepted).toBe((20 * 21) / 2)
  })

  test('an error code is returned with its meaning and advice', async () => {
    await count('2026-07-05T08:00:00Z', 'error', { '027': { failed: 2 }, '9zz': { failed: 1 } })
    const { body } = await read('from=2026-07-05&until=2026-07-05&by=error')
    expect(body.values?.map(({ value, description, advice }) => [value, description, advice])).toEqual([
      ['027', 'absent subscriber', 'The phone was off or out of coverage: retry later.'],
      ['9zz', undefined, undefined],
    ])
    const { text } = await by.call('GET', '/analytics.csv?from=2026-07-05&until=2026-07-05&by=error')
    expect(text).toContain('error,description,advice,')
    expect(text).toContain('027,absent subscriber,The phone was off or out of coverage: retry later.,')
  })

  test('a template is returned with its name', async () => {
    const { id } = (await by.call<{ id: string }>('POST', '/templates', { name: 'Order', content: 'Hello' })).body
    await count('2026-06-05T08:00:00Z', 'template', {
      [id]: { accepted: 2 },
      '': { accepted: 1 },
      gone: { accepted: 1 },
    })
    const { body } = await read('from=2026-06-05&until=2026-06-05&by=template')
    expect(body.values?.map(({ value, name }) => [value, name])).toEqual([
      [id, 'Order'],
      ['', undefined],
      ['gone', undefined],
    ])
    expect((await read('from=2026-06-05&until=2026-06-05&by=template&value=')).body.totals.accepted).toBe(1)
  })

  test('all validation errors are returned in one response', async () => {
    const { status, body } = await by.call<{ errors: { field: string; type: string }[] }>(
      'GET',
      '/analytics?from=tomorrow&until=2026-02-30&by=recipient&interval=week&compare=never',
    )
    expect(status).toBe(400)
    const faults = body.errors.map(({ field, type }) => `${field} ${type}`).toSorted()
    expect(faults).toEqual(['by enum', 'compare enum', 'from date_invalid', 'interval enum', 'until date_invalid'])
  })

  test('a value with a character that no stored value can contain is rejected', async () => {
    const answer = await by.call<{ error: { errors: object[] } }>('GET', '/analytics?by=channel&value=a%00b')
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.text).toContain('"field":"value"')
  })

  test('a key needs both scopes, and reads only its organisation’s figures', async () => {
    const half = await service.organisation({ of: by, scopes: ['sms'] })
    expect((await read(DAY, half)).status).toBe(403)
    const whole = await service.organisation({ of: by, scopes: ['sms', 'otp'] })
    expect((await read(DAY, whole)).body.totals.accepted).toBe(9)
    const stranger = await service.organisation()
    expect((await read(`${DAY}&by=country`, stranger)).body).toMatchObject({ totals: { accepted: 0 }, values: [] })
  })
})

describe('the time zone of an organisation', () => {
  test('determines where days begin', async () => {
    const changed = await by.call('PATCH', '/settings', { time_zone: 'Asia/Tokyo' })
    expect(changed.body).toMatchObject({ time_zone: 'Asia/Tokyo' })
    const { body } = await read('from=2026-03-02&until=2026-03-03')
    expect([body.time_zone, ...accepted(body)]).toEqual(['Asia/Tokyo', 8, 11])
    const back = await by.call('PATCH', '/settings', { time_zone: null })
    expect(back.body).toMatchObject({ time_zone: 'Africa/Lagos' })
  })

  test('must be a valid one', async () => {
    for (const time_zone of ['Lagos', '+01:00', '', 'x'.repeat(61)]) {
      const { status, body } = await by.call<{ errors: { field: string }[] }>('PATCH', '/settings', { time_zone })
      expect([status, body.errors.map(({ field }) => field)]).toEqual([400, ['time_zone']])
    }
  })
})

describe('GET /analytics.csv', () => {
  test('has a line per value, with the previous period beside it', async () => {
    const { status, headers, text } = await by.call('GET', `/analytics.csv?${DAY}&by=country&compare=previous_period`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    const [head = '', ...lines] = text.replace('\ufeff', '').trimEnd().split('\r\n')
    expect(head).toMatch(/^country,name,accepted,delivered,.*,otp_conversion,previous_accepted,/)
    expect(lines.map((line) => line.split(',').slice(0, 3))).toEqual([
      ['NG', '', '7'],
      ['GH', '', '2'],
      ['', 'other', '0'],
    ])
  })

  test('or a line per step, and validates its parameters in the same way', async () => {
    const { text } = await by.call('GET', `/analytics.csv?${DAY}&interval=hour`)
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(25)
    expect(lines[10]).toMatch(/^2026-03-02T08:00:00.000000\+00:00,8,3,,1,/)
    expect((await by.call('GET', '/analytics.csv?from=never')).status).toBe(400)
  })
})

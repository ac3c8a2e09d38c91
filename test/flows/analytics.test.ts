import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/housekeeping.ts'
import { readPrefixTable } from '../../src/numbers/prefix-table.ts'
import {
  addCounted,
  COUNTED,
  MAX_VALUES,
  zeroCounts,
  OTHER,
  type Counted,
} from '../../src/observe/analytics/figures.ts'
import { addAnalytics, type HourRow } from '../../src/observe/analytics/store.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
let second: TestService
beforeAll(async () => {
  service = await openService()
  second = await openService({ beside: service })
})
afterAll(async () => {
  await second.close()
  await service.close()
})

type Row = Counted & { dimension: string; value: string }

async function counted(by: Organisation): Promise<Row[]> {
  return service.db<Row[]>`
    select dimension, value, sum(accepted)::float8 as accepted, sum(delivered)::float8 as delivered,
      sum(failed)::float8 as failed, sum(unknown)::float8 as unknown, sum(canceled)::float8 as canceled,
      sum(pages)::float8 as pages, sum(cost)::float8 as cost, sum(refunded)::float8 as refunded,
      sum(otp_requested)::float8 as otp_requested, sum(otp_verified)::float8 as otp_verified,
      sum(otp_failed)::float8 as otp_failed, sum(read)::float8 as read
    from analytics where organisation_id = ${by.id} group by dimension, value`
}

type Delivery = {
  recipient: string
  status: string
  code: string | null
  pages: number
  charge: bigint
  refunded: boolean
  route: string
  channel: string
  sender_id: string | null
  template_id: string | null
}

/** The expected counters, computed from the messages and one-time passwords themselves. */
async function expected(by: Organisation): Promise<Map<string, Counted>> {
  const sums = new Map<string, Counted>()
  const add = (key: string, more: Partial<Counted>): void => {
    const own = sums.get(key) ?? zeroCounts()
    addCounted(own, more)
    sums.set(key, own)
  }
  const placeOf = (recipient: string): string[] => {
    const { country, operator } = readPrefixTable().originOf(recipient)
    return [`country ${country}`, `operator ${operator ? `${country} ${operator}` : country}`]
  }
  const deliveries = await service.db<Delivery[]>`
    select recipient, status, code, deliveries.pages, deliveries.charge, refunded, route, channel, sender_id, template_id
    from deliveries join messages using (organisation_id) where organisation_id = ${by.id} and id = message_id`
  for (const one of deliveries) {
    const failed = ['undelivered', 'expired', 'rejected', 'failed'].includes(one.status)
    const refunded = one.refunded ? Number(one.charge) : 0
    const own = {
      accepted: 1,
      pages: one.pages,
      cost: Number(one.charge),
      refunded,
      failed: failed ? 1 : 0,
      ...(failed ? {} : { [one.status]: 1 }),
    }
    const keys = [`channel ${one.channel}`, `sender ${one.sender_id ?? ''}`, `template ${one.template_id ?? ''}`]
    for (const key of ['all ', ...keys, `route ${one.route}`, ...placeOf(one.recipient)]) add(key, own)
    if (failed) add(`error ${one.code ?? one.status}`, { failed: 1, refunded })
  }
  const otps = await service.db<{ recipient: string; status: number }[]>`
    select recipient, status from otps where organisation_id = ${by.id}`
  for (const { recipient, status } of otps) {
    const own = { otp_requested: 1, otp_verified: status === 4 ? 1 : 0, otp_failed: status === 3 ? 1 : 0 }
    for (const key of ['all ', ...placeOf(recipient)]) add(key, own)
  }
  return sums
}

async function made(by: Organisation, path: string, body: object): Promise<string> {
  const { status, text, body: answer } = await by.call<{ id: string }>('POST', path, body)
  if (status !== 200) throw new Error(`${path} was rejected: ${text}`)
  return answer.id
}

/** Messages and one-time passwords of all kinds, by two processes concurrently. */
async function mixedLoad(by: Organisation, other: Organisation): Promise<void> {
  const template_id = await made(by, '/templates', { name: 'Order', content: 'Your order {{n|1}}' })
  const long = 'A long text. '.repeat(15)
  const many = Array.from({ length: 120 }, (_, n) => `2348${['03', '02', '05'][n % 3]}1${String(n).padStart(6, '0')}`)
  await Promise.all([
    made(by, '/sms/send', { recipients: [...many, '233241234567', '447911123456'], content: long, sender_id: 'Shop' }),
    made(other, '/sms/send', { recipients: '2348000000001, 2348000000002, 2348000000003', content: 'Hello' }),
    made(other, '/sms/send', { recipients: '2348000000004, 2348000000009', template_id }),
    ...many
      .slice(0, 20)
      .flatMap((recipients) => [
        made(by, '/sms/send', { recipients, template_id }),
        made(other, '/sms/send', { recipients, content: 'Hello', sender_id: 'News' }),
      ]),
  ])
  const scheduled = await made(by, '/sms/send', {
    recipients: '2348031234567, 233241234567',
    content: 'Later',
    send_at: new Date(Date.now() + 3_600_000).toISOString(),
  })
  expect((await other.call('DELETE', `/sms/${scheduled}`)).status).toBe(204)

  const verified = await made(by, '/otp/request_token', { recipient: '2348031234567', token: '482913' })
  expect((await other.call('POST', '/otp/verify', { id: verified, token: '482913' })).status).toBe(200)
  const guessed = await made(other, '/otp/request_token', { recipient: '233241234567', token: '482913' })
  for (let n = 0; n < 6; n += 1) await by.call('POST', '/otp/verify', { id: guessed, token: '000000' })
  await made(by, '/otp/request_token', { recipient: '2348000000001' })
  await made(by, '/otp/request_token', { recipient: '2348051234567' })
}

const FINAL = ['delivered', 'undelivered', 'expired', 'rejected', 'failed', 'canceled']

test('counters match messages, one-time passwords and the ledger, across processes', async () => {
  const by = await service.organisation({ credit: 100_000 })
  await mixedLoad(by, await second.organisation({ of: by }))
  await until('all deliveries and OTPs to end', async () => {
    const [row] = await service.db<{ open: number }[]>`
      select (select count(*) from intake where organisation_id = ${by.id})::integer
        + (select count(*) from deliveries where organisation_id = ${by.id} and status <> all (${FINAL}))::integer as open`
    return row?.open === 0
  })
  const wanted = await expected(by)
  await until('the counters to be stored', async () => {
    const all = (await counted(by)).find(({ dimension }) => dimension === 'all')
    const due = wanted.get('all ')
    return all && due && COUNTED.every((figure) => all[figure] >= due[figure])
  })
  const rows = await counted(by)
  const found = Object.fromEntries(
    rows.map(({ dimension, value, ...figures }) => [`${dimension} ${value}`, figures] as const),
  )
  expect(found).toEqual(Object.fromEntries(wanted))
  expect(wanted.get('all ')).toMatchObject({ canceled: 2, otp_requested: 4, otp_verified: 1, otp_failed: 2 })
  expect(wanted.get('country GH')).toMatchObject({ otp_requested: 1, otp_failed: 1 })

  const [ledger] = await service.db<{ charged: number; refunded: number }[]>`
    select -sum(amount) filter (where kind = 'message')::float8 as charged,
      sum(amount) filter (where kind = 'refund')::float8 as refunded
    from ledger_lines where organisation_id = ${by.id}`
  const all = wanted.get('all ')
  expect({ charged: all?.cost, refunded: all?.refunded }).toEqual(ledger)

  // Deleting messages does not change the counters.
  await service.db`delete from otps where organisation_id = ${by.id}`
  await service.db`delete from deliveries where organisation_id = ${by.id}`
  expect(await counted(by)).toEqual(rows)
})

const HOUR = Date.parse('2026-03-01T10:00:00Z')

function hourRows(hour_ms: number, senders: readonly string[]): HourRow[] {
  const one = { ...zeroCounts(), accepted: 1 }
  return [
    { dimension: 'all', hour_ms, value: '', counted: { ...one, accepted: senders.length } },
    ...senders.map((value): HourRow => ({ dimension: 'sender', hour_ms, value, counted: one })),
  ]
}

const senders = (from: number, count: number) => Array.from({ length: count }, (_, n) => `S${from + n}`)

describe('an hour', () => {
  test('keeps a limited number of values per dimension, also with two concurrent processes', async () => {
    const by = await service.organisation()
    await Promise.all(
      [0, 60, 120, 180].map((from) => addAnalytics(service.db, by.id, hourRows(HOUR, senders(from, 60)))),
    )
    const rows = (await counted(by)).filter(({ dimension }) => dimension === 'sender')
    expect(rows).toHaveLength(MAX_VALUES + 1)
    expect(rows.find(({ value }) => value === OTHER)?.accepted).toBe(240 - MAX_VALUES)

    // Known values are still counted by name.
    const known = rows.find(({ value }) => value !== OTHER)?.value ?? ''
    await addAnalytics(service.db, by.id, hourRows(HOUR, [known, 'Late']))
    const later = (await counted(by)).filter(({ dimension }) => dimension === 'sender')
    expect(later.find(({ value }) => value === known)?.accepted).toBe(2)
    expect(later.find(({ value }) => value === OTHER)?.accepted).toBe(241 - MAX_VALUES)
    expect((await counted(by)).find(({ dimension }) => dimension === 'all')?.accepted).toBe(242)
  })

  test('is aggregated into its day after a while, in the organisation’s time zone, and deleted after its retention period', async () => {
    const by = await service.organisation()
    expect((await by.call('PATCH', '/settings', { time_zone: 'America/New_York' })).status).toBe(200)
    // Eight in the evening and one in the morning in that time zone: two different days.
    const hours = ['2025-03-09T00:00:00Z', '2025-03-09T05:00:00Z', '2025-03-10T03:00:00Z'].map((text) =>
      Date.parse(text),
    )
    for (const [n, hour_ms] of hours.entries())
      await addAnalytics(service.db, by.id, hourRows(hour_ms, senders(n * 60, 60)))
    const sweep = (more: object) =>
      runHousekeeping({
        db: service.db,
        retention: { ...service.config.settings.retention, window_minutes: 60, ...more },
        fresh: service.config.settings.lookup,
      })
    const days = async () =>
      service.db<{ hour: string; is_day: boolean; accepted: number; senders: number; other: number }[]>`
        select hour, is_day, sum(accepted) filter (where dimension = 'all')::integer as accepted,
          count(*) filter (where dimension = 'sender')::integer as senders,
          coalesce(sum(accepted) filter (where dimension = 'sender' and value = '*'), 0)::integer as other
        from analytics where organisation_id = ${by.id} group by hour, is_day order by hour`
    const before = await counted(by)
    await sweep({ analytics_hours_days: 36_500 })
    expect(await days()).toHaveLength(3)
    for (let round = 0; round < 2; round += 1) {
      await sweep({})
      expect(await days()).toEqual([
        { hour: '2025-03-08T05:00:00.000000+00:00', is_day: true, accepted: 60, senders: 60, other: 0 },
        { hour: '2025-03-09T05:00:00.000000+00:00', is_day: true, accepted: 120, senders: MAX_VALUES + 1, other: 20 },
      ])
    }
    const all = (rows: readonly Row[]) => rows.filter(({ dimension }) => dimension === 'all')
    expect(all(await counted(by))).toEqual(all(before))
    await sweep({ analytics_days: 100 })
    expect(await days()).toEqual([])
  })
})

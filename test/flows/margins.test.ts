import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recomputeDay, scheduleDays } from '../../src/margins/recompute.ts'
import type { MarginsReport } from '../../src/margins/schema.ts'
import { makeWakeups } from '../../src/queue/wakeups.ts'
import { person, type Person } from '../support/person.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

type Refused = { errors?: { field: string; type: string }[] }

const LISTS = '/console/api/price-lists'
const DELIVERED = '2348000000100'
const UNDELIVERED = '2348000000001'
const REJECTED = '2348000000003'
const GLO = '2348051234567'
const KENYA = '254722123456'
const DAY_MS = 86_400_000
const today = () => new Date().toISOString().slice(0, 10)

let service: TestService
let operator: Person
let other: Organisation
/** Deliveries cost 1 and 0.5; a message is charged 4. */
beforeAll(async () => {
  service = await openService({
    credit: 10_000,
    settings: {
      carriers: [
        { kind: 'simulator', name: 'net', report_delay_ms: 20 },
        { kind: 'simulator', name: 'far', report_delay_ms: 20 },
      ],
      routes: [
        { name: 'home', channel: 'sms', prefix: '234', carrier: 'net' },
        { name: 'abroad', channel: 'sms', carrier: 'far' },
      ],
      prices: [{ channel: 'sms', prefix: '', price: 4 }],
    },
  })
  operator = await person(service, null)
  other = await service.organisation({ credit: 1_000 })
  await costList('net', 'net-costs', { price: 1 }, 'delivered')
  await costList('far', 'far-costs', { prefix: '254', price: 0.5 }, 'submitted')
  await until('the costs to be in effect', async () => (await send(service, [DELIVERED], 'delivered'))[0] === 1_0000n)
  await until('the first messages to be counted', async () => (await report()).totals.deliveries > 0)
  await service.db`delete from margins`
  await service.db`delete from deliveries`
})
afterAll(() => service.close())

async function costList(carrier: string, name: string, rule: object, billed_on: string): Promise<void> {
  const answers = [
    await operator.call('POST', LISTS, { name, kind: 'cost' }),
    await operator.call('POST', `${LISTS}/${name}/rules`, { version: 0, channel: 'sms', ...rule }),
    await operator.call('POST', `/console/api/cost-assignments/${carrier}`, { cost_list: name, billed_on }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
}

async function send(by: Organisation, recipients: readonly string[], status: string): Promise<(bigint | null)[]> {
  const sent = await by.call<{ id: string }>('POST', '/sms/send', { recipients, content: 'Hello' })
  expect([sent.status, sent.text]).toEqual([200, expect.any(String)])
  return until(`the deliveries to be ${status}`, async () => {
    const rows = await service.db<{ status: string; cost: bigint | null }[]>`
      select status, cost from deliveries where message_id = ${sent.body.id}`
    const ends = rows.length === recipients.length && rows.every((row) => row.status === status)
    return ends && rows.map(({ cost }) => cost)
  })
}

async function report(query = ''): Promise<MarginsReport> {
  const answer = await operator.call<MarginsReport>('GET', `/console/api/margins?${query}`)
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  return answer.body
}

/** A delivery to France, whose cost is not known. */
const UNKNOWN = { without_cost: 1, revenue_without_cost: 4 }
const EXPECTED = { deliveries: 6, pages: 6, revenue: 24, cost: 3.5, margin: 16.5, ...UNKNOWN }

describe('revenue, cost and margin', () => {
  test('are counted within seconds, corrected by reports, and grouped as asked', async () => {
    await send(service, [DELIVERED, GLO], 'delivered')
    await send(service, [UNDELIVERED], 'undelivered')
    await send(service, [REJECTED], 'rejected')
    await send(other, [DELIVERED, KENYA, '33612345678'], 'delivered')
    await until('the figures', async () => {
      const { totals } = await report()
      return totals.deliveries === EXPECTED.deliveries && totals.cost === EXPECTED.cost
    })
    const by_day = await report()
    expect(by_day).toMatchObject({ until: today(), currency: 'NGN', by: ['day'], totals: EXPECTED, has_more: false })
    expect(by_day.rows).toMatchObject([{ day: today(), ...EXPECTED, margin_rate: 0.825 }])
    const { rows: by_carrier } = await report('by=carrier')
    expect(by_carrier).toMatchObject([
      { carrier: 'net', deliveries: 4, revenue: 16, cost: 3, margin: 13, revenue_without_cost: 0 },
      { carrier: 'far', deliveries: 2, revenue: 8, cost: 0.5, margin: 3.5, margin_rate: 0.875, ...UNKNOWN },
    ])
    const { rows: by_organisation } = await report('by=organisation&carrier=net')
    expect(by_organisation).toMatchObject([
      { organisation_id: service.id, name: 'Tests', revenue: 12, cost: 2 },
      { organisation_id: other.id, revenue: 4, cost: 1 },
    ])
    const { rows: by_operator } = await report(`by=operator&organisation_id=${service.id}`)
    expect(by_operator.find(({ operator: name }) => name === 'Glo')).toMatchObject({
      country: 'NG',
      revenue: 4,
      cost: 1,
    })
    expect((await report('country=ke')).totals).toMatchObject({ deliveries: 1, cost: 0.5 })
    const { totals: unknown } = await report('country=fr')
    expect(unknown).toMatchObject({ deliveries: 1, revenue: 4, margin: 0, ...UNKNOWN })
    expect(unknown).not.toHaveProperty('margin_rate')
  })

  test('computed from the deliveries are the same; with late reports they are right where counting missed them', async () => {
    const before = await report('by=organisation,carrier,country,operator')
    await recomputeAll()
    expect(await report('by=organisation,carrier,country,operator')).toEqual(before)
    await service.db`update deliveries set status = 'delivered' where status = 'undelivered'`
    await service.db`insert into margins (organisation_id, day, carrier, country, operator) values (${service.id}, now(), 'gone', '', '')`
    await recomputeAll()
    expect((await report()).totals).toMatchObject({ cost: EXPECTED.cost + 1, revenue: EXPECTED.revenue })
    expect((await report('by=carrier')).rows.map(({ carrier }) => carrier)).toEqual(['net', 'far'])
  })

  test('of an ended day are computed once the day has ended, and again on the days after it', async () => {
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)
    await service.db`
      update deliveries set message_id = overlay(message_id::text placing
        substring(first_id_at(${`${yesterday}T12:00:00Z`}::timestamptz)::text from 1 for 13) from 1 for 13)::uuid`
    await service.db`delete from margins`
    await service.db`update sweeps set done_until = done_until - interval '1 day' where name = 'margins'`
    const wakeups = await makeWakeups(service.db)
    const queued = await scheduleDays({ db: service.db, wakeups })
    expect(queued % 4).toBe(0)
    expect(queued).toBeGreaterThan(0)
    expect(await scheduleDays({ db: service.db, wakeups })).toBe(0)
    await wakeups.close()
    const { rows } = await until('the day to be computed', async () => {
      const found = await report()
      return found.totals.deliveries === EXPECTED.deliveries && found
    })
    expect(rows).toMatchObject([{ day: yesterday, revenue: EXPECTED.revenue, cost: EXPECTED.cost + 1 }])
    await until('all jobs to be done', async () => {
      const [row] = await service.db<{ count: number }[]>`
        select count(*)::integer as count from jobs where queue = 'margins'`
      return row?.count === 0
    })
  })

  test('are exported as CSV', async () => {
    const answer = await operator.call('GET', '/console/api/margins.csv?by=carrier,day')
    const [head, ...lines] = answer.text.replace('\ufeff', '').trim().split('\r\n')
    expect(head).toBe('day,carrier,deliveries,pages,revenue,cost,margin,margin_rate,without_cost,revenue_without_cost')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d,net,4,4,16,4,12,0\.75,0,0$/)
  })

  test('are for operators only; every faulty field is named', async () => {
    expect((await service.call('GET', '/console/api/margins')).status).toBe(401)
    const query = 'from=2026-02-30&until=yesterday&by=carrier,route&organisation_id=7&country=Kenya'
    for (const path of ['margins', 'margins.csv']) {
      const { status, body } = await operator.call<Refused>('GET', `/console/api/${path}?${query}`)
      expect([status, body.errors?.map(({ field }) => field).toSorted()]).toEqual([
        400,
        ['by', 'country', 'from', 'organisation_id', 'until'],
      ])
    }
    const order = await operator.call<Refused>('GET', '/console/api/margins?from=2026-11-02&until=2026-11-01')
    const long = await operator.call<Refused>(
      'GET',
      '/console/api/margins?from=2020-11-02&until=2026-11-01&carrier=%00',
    )
    expect([order, long].map(({ body }) => body.errors?.map(({ field }) => field))).toEqual([
      ['until'],
      ['until', 'carrier'],
    ])
  })

  test('are exported as metrics', async () => {
    const { text } = await service.call('GET', '/metrics')
    expect(text).toMatch(/gangan_delivery_revenue_total\{carrier="net"\} \d+/)
    expect(text).toMatch(/gangan_delivery_cost_total\{carrier="far"\} 0\.5/)
    expect(text).toMatch(/gangan_delivery_cost_waived_total\{carrier="net"\} 1/)
  })
})

/** Counting has to be over: what is written later would be added. */
async function recomputeAll(): Promise<void> {
  for (const { id } of [service, other]) await recomputeDay(service.db, id, today())
}

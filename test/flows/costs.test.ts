import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { dueCost, type Costs } from '../../src/carriers/costs.ts'
import type { Explanation } from '../../src/explain/schema.ts'
import type { CostAssignment, ImportResult, PriceList } from '../../src/prices/schema.ts'
import type { VendorEmulator } from '../../src/emulators/vendor/vendor.ts'
import { freshDatabase } from '../support/database.ts'
import { draftOf, saleOf } from '../support/drafts.ts'
import { ARRIVES, startVendor } from '../support/http-vendor.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { person, type Person } from '../support/person.ts'
import { makeTestCarrier, startRouteProcess } from '../support/route.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

type Refused = { errors?: { field: string; type: string }[] }

const LISTS = '/console/api/price-lists'
const ASSIGNMENTS = '/console/api/cost-assignments'
/** The simulator decides by these what becomes of a message. */
const DELIVERED = '2348000000100'
const UNDELIVERED = '2348000000001'
const EXPIRED = '2348000000002'
const REJECTED = '2348000000003'
const UNREPORTED = '2348000000005'
const RETRIED = '2348000000009'

let service: TestService
let vendor: VendorEmulator
let vendor_refuses = false
let operator: Person

beforeAll(async () => {
  vendor = await startVendor('termii', () => (vendor_refuses ? { made: 'refused_here' } : ARRIVES))
  const settings = {
    carriers: [
      { kind: 'simulator', name: 'net', report_delay_ms: 20 },
      { kind: 'simulator', name: 'spare', report_delay_ms: 20 },
      vendor.settings('vendor'),
    ],
    routes: [
      { name: 'special', channel: 'sms', prefix: '234800', carrier: 'net' },
      { name: 'line', channel: 'sms', carriers: ['vendor', 'spare'], failover_after_s: 1 },
    ],
    prices: [{ channel: 'sms', prefix: '', price: 4 }],
  }
  service = await openService({ credit: 10_000, settings, config: { sandbox: true } })
  vendor.reports_to = { url: service.url, carrier: 'vendor', public_url: service.config.public_url }
  operator = await person(service, null)
})
afterAll(async () => {
  await service.close()
  await vendor.close()
})

const post = <T = Refused>(path: string, body: object = {}) => operator.call<T>('POST', path, body)
const assign = (carrier: string, body: object) =>
  post<{ assignments: CostAssignment[] } & Refused>(`${ASSIGNMENTS}/${carrier}`, body)

async function costList(name: string, rules: readonly object[]): Promise<void> {
  expect((await post(LISTS, { name, kind: 'cost' })).status).toBe(200)
  for (const [version, rule] of rules.entries()) {
    const set = await post(`${LISTS}/${name}/rules`, { version, channel: 'sms', ...rule })
    expect([set.status, set.text]).toEqual([200, expect.any(String)])
  }
}

type Stored = {
  recipient: string
  status: string
  carrier: string | null
  cost: bigint | null
  cost_if_delivered: boolean | null
}

async function send(recipients: readonly string[], statuses: readonly string[], body: object = {}): Promise<Stored[]> {
  const sent = await service.call<{ id: string }>('POST', '/sms/send', { recipients, content: 'Hello', ...body })
  expect([sent.status, sent.text]).toEqual([200, expect.any(String)])
  return until(
    `the deliveries to be ${statuses.join(', ')}`,
    async () => {
      const rows = await service.db<Stored[]>`
        select recipient, status, carrier, cost, cost_if_delivered from deliveries
        where message_id = ${sent.body.id} order by position`
      return rows.map(({ status }) => status).join() === statuses.join() && rows
    },
    20_000,
  )
}

const dues = (rows: readonly Stored[]) => rows.map((row) => dueCost(row))

/** The assignment is in effect in the process with workers. */
async function costs(recipient: string, cost: bigint | null): Promise<void> {
  await until(
    `${recipient} to cost ${cost}`,
    async () => (await send([recipient], ['delivered']))[0]?.cost === cost,
    10_000,
  )
}

test('without a cost list no cost is recorded', async () => {
  expect(dues(await send([DELIVERED, REJECTED], ['delivered', 'rejected']))).toEqual([null, null])
})

describe('a cost list', () => {
  test('is a price list of another kind, which is for carriers only', async () => {
    await costList('net-costs', [
      { country: 'NG', price: 1 },
      { prefix: '234800', price: 2 },
    ])
    const all = async (query: string) =>
      (await operator.call<{ price_lists: PriceList[] }>('GET', `${LISTS}${query}`)).body.price_lists
    expect((await all('')).map(({ name }) => name)).toEqual(['file'])
    expect(await all('?kind=cost')).toMatchObject([{ name: 'net-costs', kind: 'cost', rules: 2, carriers: [] }])
    const preview = await post<{ lowered: number; unchanged: number }>(`${LISTS}/net-costs/imports?dry_run=true`, {
      csv: 'country,prefix,price\nNG,,0.5\n,234800,2',
    })
    expect(preview.body).toMatchObject({ lowered: 1, unchanged: 1 })
    const organisation = await post(`/console/api/organisations/${service.id}/price-list`, { price_list: 'net-costs' })
    const as_default = await post(`${LISTS}/net-costs/default`)
    await post(LISTS, { name: 'for-customers' })
    const as_costs = await assign('net', { cost_list: 'for-customers' })
    const unknown = await assign('net', { cost_list: 'nowhere' })
    expect([organisation, as_default, as_costs, unknown].map(({ status }) => status)).toEqual([409, 409, 409, 404])
  })

  test('is assigned to a carrier and then cannot be deleted; every faulty field is named', async () => {
    const { body } = await assign('net', { cost_list: 'net-costs', billed_on: 'delivered' })
    expect(body.assignments).toEqual([
      { carrier: 'net', cost_list: 'net-costs', billed_on: 'delivered', use_answers: false, routes: ['special'] },
    ])
    expect((await operator.call('DELETE', `${LISTS}/net-costs`)).status).toBe(409)
    const faulty = await assign('net', { cost_list: 7, billed_on: 'never', use_answers: 'no' })
    expect([faulty.status, faulty.body.errors?.map(({ field }) => field).toSorted()]).toEqual([
      400,
      ['billed_on', 'cost_list', 'use_answers'],
    ])
    const blank = await assign('%20', { cost_list: null, use_answers: true })
    expect([blank.status, blank.body.errors?.map(({ field }) => field)]).toEqual([400, ['carrier', 'cost_list']])
    expect((await assign('a'.repeat(61), { cost_list: null })).status).toBe(400)
    const customer = await service.call('GET', ASSIGNMENTS)
    expect(customer.status).toBe(401)
    const actions = await service.db<{ action: string; subject: string }[]>`
      select action, subject from audit_entries where action like 'costs.%'`
    expect(actions).toEqual([{ action: 'costs.assign', subject: 'net' }])
  })
})

describe('the cost of a delivery', () => {
  test('is due only for what is delivered, where the carrier charges so', async () => {
    await costs(DELIVERED, 2_0000n)
    const numbers = [DELIVERED, UNDELIVERED, EXPIRED, REJECTED, UNREPORTED, RETRIED]
    const statuses = ['delivered', 'undelivered', 'expired', 'rejected', 'sent', 'delivered']
    const rows = await send(numbers, statuses, { content: 'a'.repeat(200) })
    expect(dues(rows)).toEqual([4_0000n, 0n, 0n, null, 4_0000n, 4_0000n])
    expect(rows.map(({ carrier }) => carrier)).toEqual(['net', 'net', 'net', null, 'net', 'net'])
  })

  test('is that of the rule in force, within two seconds after a change, and stays as it was recorded', async () => {
    const [before] = await send([DELIVERED], ['delivered'])
    await post(`${LISTS}/net-costs/rules`, { version: 2, channel: 'sms', prefix: '234800', price: 3 })
    await costs(DELIVERED, 3_0000n)
    expect(before?.cost).toBe(2_0000n)
  })

  test('is due for what is submitted, where the carrier charges so', async () => {
    await assign('net', { cost_list: 'net-costs', billed_on: 'submitted' })
    await until('the assignment to be in effect', async () => {
      const [row] = await send([UNDELIVERED], ['undelivered'])
      return row?.cost_if_delivered === null
    })
    const rows = await send([DELIVERED, UNDELIVERED, REJECTED], ['delivered', 'undelivered', 'rejected'])
    expect(dues(rows)).toEqual([3_0000n, 3_0000n, null])
  })

  test('is that of the carrier that accepted it, also where another one rejected it before', async () => {
    await costList('vendor-costs', [{ price: 1.5 }])
    await costList('spare-costs', [
      { operator: 'MTN', prefix: '234', price: 0.25 },
      { prefix: '234', price: 0.5 },
    ])
    await assign('vendor', { cost_list: 'vendor-costs' })
    await assign('spare', { cost_list: 'spare-costs' })
    await costs('2348031230001', 1_5000n)
    vendor_refuses = true
    const rows = await send(['2348031230002', '2348051230002'], ['delivered', 'delivered'])
    expect(rows.map(({ carrier, cost }) => [carrier, cost])).toEqual([
      ['spare', 2500n],
      ['spare', 5000n],
    ])
    vendor_refuses = false
  })

  test('is shown to operators by the explanation, and never to customers', async () => {
    const sent = await service.call<{ id: string }>('POST', '/sms/send', { recipients: [DELIVERED], content: 'Hello' })
    const path = `/sms/${sent.body.id}/explain`
    const read = async () =>
      (await operator.call<Explanation>('GET', path, undefined, { 'x-organisation-id': service.id })).body.deliveries[0]
    const explained = await until('it to be delivered', async () => {
      const one = await read()
      return one?.status === 'delivered' && one
    })
    expect(explained.cost).toEqual({ cost: 3, margin: 1, reason: 'accepted' })
    expect(explained.sentences).toContain(
      'The cost is 3, since the carrier charges for what it accepts; the margin is 1.',
    )
    const shown = await service.call<Explanation>('GET', path)
    expect(shown.body.deliveries[0]).not.toHaveProperty('cost')
    expect(shown.text).not.toContain('margin')
  })

  test('is no longer recorded once the carrier has no cost list', async () => {
    expect((await assign('net', { cost_list: null })).body.assignments.map(({ carrier }) => carrier)).not.toContain(
      'net',
    )
    await costs(DELIVERED, null)
  })
})

test('a delivery that a carrier may have costs what the carrier charges, due once it is known to be delivered', async () => {
  const database = await freshDatabase()
  const carrier = makeTestCarrier({ name: 'net' })
  carrier.answer = () => ({ kind: 'unknown', description: 'no answer' })
  const own: ReturnType<Costs['of']> = { billed_on: 'delivered', use_answers: false, perPage: () => 7n }
  const costs_of_net: Costs = { in_use: true, of: (name) => (name === 'net' ? own : undefined) }
  const running = await startRouteProcess(database.db, { carriers: [carrier], costs: costs_of_net })
  onTestFinished(async () => {
    await running.stop()
    await database.drop()
  })
  const id = await foundOrganisation(database.db, 1_000_0000n)
  await running.accept(id, [saleOf(draftOf({ deliveries: [{ pages: 2 }] }))])
  const row = await until('the delivery to be unknown', async () => {
    const [found] = await database.db<Stored[]>`
      select recipient, status, carrier, cost, cost_if_delivered from deliveries where status = 'unknown'`
    return found
  })
  expect(row).toMatchObject({ carrier: 'net', cost: 14n, cost_if_delivered: true })
  expect([dueCost(row), dueCost({ ...row, status: 'delivered' })]).toEqual([0n, 14n])
})

describe('a price below the cost of the first carrier', () => {
  const rule = (version: number, price: number) => ({ version, channel: 'sms', prefix: '234803', price })

  test('is allowed, counted or refused, as the price list says', async () => {
    const customer = await service.organisation({ credit: 100 })
    await costList('first-costs', [{ price: 5 }])
    await assign('vendor', { cost_list: 'first-costs' })
    await post(LISTS, { name: 'cheap' })
    await post(`${LISTS}/cheap/rules`, rule(0, 3))
    await post(`/console/api/organisations/${customer.id}/price-list`, { price_list: 'cheap' })
    const estimate = () =>
      customer.call<Refused & { message: string }>('POST', '/sms/estimate', {
        recipients: ['2348031230009'],
        content: 'Hello',
      })
    const counted = async (action: string) =>
      Number(
        new RegExp(`gangan_below_cost_total\\{action="${action}"\\} (\\d+)`).exec(
          (await service.call('GET', '/metrics')).text,
        )?.[1] ?? 0,
      )
    await until('the list to be in effect', async () => (await estimate()).status === 200)
    expect([await counted('warn'), await counted('refuse')]).toEqual([0, 0])
    const set = await operator.call<{ price_list: PriceList }>('PATCH', `${LISTS}/cheap`, { below_cost: 'warn' })
    expect(set.body.price_list).toMatchObject({ name: 'cheap', below_cost: 'warn' })
    await until('it to be counted', async () => (await estimate()).status === 200 && (await counted('warn')) > 0)
    await operator.call('PATCH', `${LISTS}/cheap`, { below_cost: 'refuse' })
    const refused = await until('it to be refused', async () => {
      const answer = await estimate()
      return answer.status === 400 && answer
    })
    expect(refused.body.errors?.map(({ field }) => field)).toEqual(['recipients[0]'])
    expect(refused.text).not.toContain('vendor')
    expect(await counted('refuse')).toBeGreaterThan(0)
    const otp = await customer.call('POST', '/otp/request_token', { recipient: '2348031230009' })
    expect(otp.status).toBe(400)
    await post(`${LISTS}/cheap/rules`, rule(1, 5))
    await until('the price to cover the cost', async () => (await estimate()).status === 200)
    const faults = [
      await operator.call<Refused>('PATCH', `${LISTS}/cheap`, { below_cost: 'never' }),
      await operator.call<Refused>('PATCH', `${LISTS}/first-costs`, { below_cost: 'warn' }),
      await operator.call<Refused>('PATCH', `${LISTS}/file`, { below_cost: 'warn' }),
    ]
    expect(faults.map(({ status }) => status)).toEqual([400, 409, 409])
  })

  test('is listed by the preview of a rate sheet', async () => {
    const csv = 'prefix,country,operator,price\n234803,,,4\n,NG,Glo,4.9\n,NG,,6\n,,,1'
    const preview = await post<ImportResult>(`${LISTS}/cheap/imports?dry_run=true`, { csv })
    expect(preview.body).toMatchObject({
      below_cost: 2,
      below_cost_prices: [
        { prefix: '234803', price: 4, carrier: 'vendor', cost: 5 },
        { prefix: '', country: 'NG', operator: 'Glo', price: 4.9, carrier: 'vendor', cost: 5 },
      ],
    })
  })
})

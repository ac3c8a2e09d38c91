import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { PlanList, ProbePage, ShownPlan } from '../../src/probes/schema.ts'
import type { AuditEntry } from '../../src/users/schema.ts'
import { person, type Person } from '../support/person.ts'
import { openService, type TestService } from '../support/service.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

type Refused = { errors?: { field: string; type: string; message: string }[]; message?: string }

const PATH = '/console/api/probes'
const PLAN = {
  name: 'codes',
  carrier: 'mtn',
  operator: 'mtn',
  sender_id: 'MyBank',
  wordings: ['Your code is {{code}}'],
}
const NUMBER = '2348031234567'

let service: TestService
let operator: Person

beforeAll(async () => {
  service = await openService({
    // Without workers plans that are switched on send nothing.
    workers: false,
    settings: {
      carriers: [
        // No server listens there.
        smppCarrier(9),
        { kind: 'simulator', name: 'simulator' },
        {
          kind: 'phone',
          name: 'drawer',
          probe: true,
          numbers: [{ number: NUMBER }, { number: '+233241234567', operator: 'MTN' }, { number: '2348051234567' }],
        },
      ],
      routes: [{ name: 'sms', channel: 'sms', carrier: 'mtn' }],
    },
  })
  operator = await person(service, null)
})
afterAll(() => service.close())
afterEach(async () => {
  await service.db`delete from probe_plans`
  await service.db`delete from probes`
})

const call = <T = Refused>(method: string, path: string, body?: object) => operator.call<T>(method, PATH + path, body)
const change = (name: string, body: object) => call<{ plan: ShownPlan } & Refused>('PATCH', `/${name}`, body)
const fieldsOf = ({ errors }: Refused) => errors?.map(({ field }) => field).toSorted()

async function create(more: object = {}): Promise<ShownPlan> {
  const made = await call<{ plan: ShownPlan }>('POST', '', { ...PLAN, country: 'NG', ...more })
  expect([made.status, made.text]).toEqual([200, expect.any(String)])
  return made.body.plan
}

describe('a plan', () => {
  test('is created switched off, without a known cost, and is listed, changed, switched on and deleted', async () => {
    expect(await create()).toMatchObject({
      enabled: false,
      country: 'NG',
      operator: 'MTN',
      numbers: 1,
      per_day: 24,
      per_campaign: 0,
      from_hour: 8,
      to_hour: 22,
    })
    const { body } = await call<PlanList>('GET', '')
    expect(body.plans[0]?.expected_cost).toBeUndefined()
    expect(body).toMatchObject({
      carriers: ['mtn'],
      operators: [
        { country: 'NG', operator: 'MTN', numbers: 1 },
        { country: 'GH', operator: 'MTN', numbers: 1 },
        { country: 'NG', operator: 'Glo', numbers: 1 },
      ],
    })
    const moved = await change('codes', { operator: 'glo', per_day: 48 })
    expect(moved.body.plan).toMatchObject({ operator: 'Glo', country: 'NG', per_day: 48, enabled: false })
    const on = await change('codes', { enabled: true })
    expect(on.body.plan).toMatchObject({ enabled: true, next_datetime: expect.any(String), operator: 'Glo' })
    expect((await change('codes', { enabled: false })).body.plan.next_datetime).toBeUndefined()
    expect((await call('DELETE', '/codes')).status).toBe(204)
    expect((await call<PlanList>('GET', '')).body.plans).toEqual([])
    expect((await call('DELETE', '/codes')).status).toBe(404)
    const audit = await operator.call<{ entries: AuditEntry[] }>('GET', '/console/api/audit?installation=true')
    expect(audit.body.entries.slice(0, 5).map(({ action }) => action)).toEqual([
      'probes.delete',
      'probes.update',
      'probes.update',
      'probes.update',
      'probes.create',
    ])
    expect(audit.body.entries[2]).toMatchObject({ before: { enabled: false }, after: { enabled: true } })
  })

  test('has an expected cost by the cost list of its carrier, with the pages of its texts', async () => {
    await operator.call('POST', '/console/api/price-lists', { name: 'mtn-costs', kind: 'cost' })
    const rule = { version: 0, channel: 'sms', prefix: '234803', price: 2.5 }
    expect((await operator.call('POST', '/console/api/price-lists/mtn-costs/rules', rule)).status).toBe(200)
    const assigned = { cost_list: 'mtn-costs', billed_on: 'submitted' }
    expect((await operator.call('POST', '/console/api/cost-assignments/mtn', assigned)).status).toBe(200)
    await create({ per_day: 10, per_campaign: 2, wordings: ['{{code}}', `{{word}} ${'long '.repeat(50)}`] })
    const cost = await until('the cost list', async () => {
      return (await call<PlanList>('GET', '')).body.plans[0]?.expected_cost
    })
    expect(cost).toEqual({ per_probe: 3.75, per_day: 37.5, per_campaign: 7.5, per_month: 1_125 })
    // No rule of the list is for Glo.
    expect((await change('codes', { operator: 'Glo' })).body.plan.expected_cost).toBeUndefined()
  })

  test('with errors is refused with all of them', async () => {
    const bad = {
      name: 'Bad Name',
      carrier: 'simulator',
      operator: 'Nobody',
      sender_id: 'a sender of many characters',
      wordings: ['no placeholder', '{{code}}', 'x{{word}}'],
      per_day: 0,
      per_campaign: 21,
      from_hour: 20,
      to_hour: 8,
    }
    const { status, body } = await call('POST', '', bad)
    expect(status).toBe(400)
    expect(fieldsOf(body)).toEqual([
      'carrier',
      'name',
      'operator',
      'per_campaign',
      'per_day',
      'sender_id',
      'to_hour',
      'wordings[0]',
      'wordings[2]',
    ])
    expect(body.errors?.find(({ field }) => field === 'operator')?.message).toContain('MTN (NG), MTN (GH), Glo (NG)')
    expect(fieldsOf((await call('POST', '', {})).body)).toEqual([
      'carrier',
      'name',
      'operator',
      'sender_id',
      'wordings',
    ])
    expect(fieldsOf((await call('POST', '', { ...PLAN, wordings: 'text' })).body)).toContain('wordings')
    expect(fieldsOf((await call('POST', '', PLAN)).body)).toEqual(['country'])
  })

  test('that exists is not created again, and one that does not is not found', async () => {
    await create()
    expect((await call('POST', '', { ...PLAN, country: 'NG' })).status).toBe(409)
    expect((await change('other', { per_day: 5 })).status).toBe(404)
    expect((await call('POST', '/other/run')).status).toBe(404)
    const { body } = await change('codes', { per_day: 501, from_hour: 22 })
    expect(fieldsOf(body)).toEqual(['per_day', 'to_hour'])
    expect((await call('PATCH', '/%00', { per_day: 5 })).status).toBe(400)
  })

  test('is not run without a phone; without a carrier that runs the probe is held and can be repeated', async () => {
    await create()
    const absent = await call('POST', '/codes/run')
    expect([absent.status, absent.body.message]).toEqual([409, 'No phone with a number of MTN is present.'])
    await service.db`
      insert into phones (id, carrier, name, app, token_hash, seen_datetime)
      values (gen_random_uuid(), 'drawer', 'drawer', 'app', '\\x01', now())`
    const { status, body } = await call<{ probe: object }>('POST', '/codes/run')
    expect([status, body.probe]).toMatchObject([200, { outcome: 'held', recipient: NUMBER, carrier_message_ids: [] }])
  })
})

describe('results', () => {
  const insert = (n: number, carrier: string) => service.db`
    insert into probes (id, plan, carrier, country, operator, sender_id, phone_carrier, recipient, text, mark, outcome,
      carrier_message_ids, report, reported_datetime)
    select first_id_at(now() + ${n} * interval '1 ms'), 'codes', ${carrier}, 'NG', 'MTN', '=Bank', 'drawer', ${NUMBER},
      'Your code is 123456', 'mark-' || ${n}::text, 'accepted', array['id-' || ${n}::text], 'delivered', now()`

  test('are listed newest first, by plan and carrier, in pages', async () => {
    for (const n of [1, 2, 3]) await insert(n, n === 2 ? 'glo' : 'mtn')
    const page = await operator.call<ProbePage & { meta: { pagination: { query_id: string } } }>(
      'GET',
      '/console/api/probe-results?plan=codes&carrier=mtn&limit=1',
    )
    expect(page.body.probes.map(({ carrier_message_ids }) => carrier_message_ids)).toEqual([['id-3']])
    const { query_id } = page.body.meta.pagination
    const next = await operator.call<ProbePage>('GET', `/console/api/probe-results?carrier=mtn&query_id=${query_id}`)
    expect(next.body.probes.map(({ carrier_message_ids }) => carrier_message_ids)).toEqual([['id-1']])
    expect((await operator.call<ProbePage>('GET', '/console/api/probe-results?plan=other')).body.probes).toEqual([])
    expect((await operator.call('GET', '/console/api/probe-results?plan=%00')).status).toBe(400)
  })

  test('are exported with hashed numbers, the same for the same number', async () => {
    for (const n of [1, 2]) await insert(n, 'mtn')
    const { text, headers } = await operator.call('GET', '/console/api/probe-results.csv?carrier=mtn')
    expect(headers.get('content-type')).toContain('text/csv')
    const [head = '', ...lines] = text.trim().split('\r\n')
    expect(head.split(',').slice(1, 6)).toEqual([
      'carrier',
      'carrier_message_ids',
      'country',
      'operator',
      'number_hash',
    ])
    expect(lines).toHaveLength(2)
    expect(text).not.toContain(NUMBER)
    const hashes = lines.map((line) => line.split(',')[5])
    expect(hashes[0]).toMatch(/^[\da-f]{32}$/)
    expect(hashes[0]).toBe(hashes[1])
    expect(lines[0]).toContain(",'=Bank,Your code is 123456,accepted,,delivered,")
  })
})

test('plans and results are for operators only', async () => {
  await create()
  const owner = await person(service, service.id)
  for (const [method, path, body] of [
    ['GET', PATH],
    ['POST', PATH, PLAN],
    ['PATCH', `${PATH}/codes`, { enabled: true }],
    ['DELETE', `${PATH}/codes`],
    ['POST', `${PATH}/codes/run`],
    ['GET', '/console/api/probe-results'],
    ['GET', '/console/api/probe-results.csv'],
  ] as const) {
    expect([method, path, (await owner.call(method, path, body)).status]).toEqual([method, path, 403])
    expect([method, path, (await service.call(method, path, body)).status]).toEqual([method, path, 401])
  }
})

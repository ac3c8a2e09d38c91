import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { makeLimits, type Limits } from '../../src/organisations/limits.ts'
import { campaignOf, estimated, reached } from '../support/campaign.ts'
import { person, type Person } from '../support/person.ts'
import { runGangan } from '../support/process.ts'
import { openService, type Answer, type Organisation, type TestService } from '../support/service.ts'
import { bind, makeAccount } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

const RTHROTTLED = 0x58
const NUMBER = '2348031234567'

let service: TestService
/** Another process of the installation. */
let beside: TestService
let operator: Person

beforeAll(async () => {
  service = await openService({ settings: { smpp_server: { port: 0 } } })
  beside = await openService({ beside: service })
  operator = await person(service, null)
})
afterAll(async () => {
  await beside.close()
  await service.close()
})

type Rates = { requests_per_s: number | null; messages_per_s: number | null }
const NONE: Rates = { requests_per_s: null, messages_per_s: null }

const limit = (by: Organisation, limits: Partial<Rates>) =>
  operator.call('POST', `/console/api/organisations/${by.id}/limits`, { ...NONE, ...limits })

async function limited(limits: Partial<Rates>, credit = 100_000): Promise<Organisation> {
  const by = await service.organisation({ credit })
  expect((await limit(by, limits)).status).toBe(200)
  return by
}

/** The organisation at the other process. */
async function at(process: TestService, { key }: Organisation) {
  return (method: string, path: string, body?: object) =>
    fetch(process.url + path, {
      method,
      headers: { authorization: key, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
}

const send = (by: Organisation, recipients: string | string[] = NUMBER, headers?: Record<string, string>) =>
  by.call<{ id: string }>('POST', '/sms/send', { recipients, content: 'Hello' }, headers)

test('messages beyond the limit are refused with 429 and Retry-After, and charged nothing', async () => {
  const by = await limited({ messages_per_s: 0.2 })
  const first = await send(by, NUMBER, { 'idempotency-key': 'one' })
  expect(first.status).toBe(200)
  const refused = await send(by, NUMBER, { 'idempotency-key': 'two' })
  expect([refused.status, refused.body]).toMatchObject([
    429,
    { status: 429, message: 'Your organisation may send 0.2 messages per second. Retry later.' },
  ])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await by.call('POST', '/otp/request_token', { recipient: NUMBER })).status).toBe(429)
  // A retry of what was accepted gets its response.
  const again = await send(by, NUMBER, { 'idempotency-key': 'one' })
  expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true'])
  expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(100_000 - 4)
  await limit(by, NONE)
  await until('the limit to be lifted', async () => (await send(by)).status === 200)
})

test('a message with more recipients than the limit is accepted, and later ones wait for it', async () => {
  const by = await limited({ messages_per_s: 20 })
  const many = Array.from({ length: 60 }, (_, n) => `23480312${String(n).padStart(5, '0')}`)
  expect((await send(by, many)).status).toBe(200)
  const began = performance.now()
  expect((await send(by)).status).toBe(429)
  await until('its debt to be paid', async () => (await send(by)).status === 200)
  expect(performance.now() - began).toBeGreaterThan(1_500)
})

test('two processes share a limit, and one of them may use all of it', async () => {
  const RATE = 50
  const by = { organisation_id: service.id, messages_per_s: RATE }
  const [one, other] = [makeLimits({ db: service.db }), makeLimits({ db: service.db })]
  const began = performance.now()
  const most = () => RATE * (1 + (performance.now() - began) / 1_000) + 1
  let accepted = 0
  while (!(await one.takeMessages(by, 1))) accepted += 1
  expect(accepted).toBeGreaterThanOrEqual(RATE)
  expect(accepted).toBeLessThanOrEqual(most())
  // Both of them, several at once, until three seconds are over: never more than the rate.
  const flood = async (limits: Limits) => {
    while (performance.now() - began < 3_000) {
      if (!(await limits.takeMessages(by, 1))) accepted += 1
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  await Promise.all([one, one, other, other].map(flood))
  expect(accepted).toBeLessThanOrEqual(most())
  expect(accepted).toBeGreaterThan(RATE)
})

test('what one process has accepted counts in the other', async () => {
  const by = await limited({ messages_per_s: 0.1 })
  const call = await at(beside, by)
  expect((await send(by)).status).toBe(200)
  expect((await call('POST', '/sms/send', { recipients: NUMBER, content: 'Hello' })).status).toBe(429)
})

test('slow traffic below the limit is never refused, by whichever process it comes', async () => {
  const by = await limited({ messages_per_s: 10 })
  const call = await at(beside, by)
  for (let n = 0; n < 8; n += 1) {
    expect((await send(by)).status).toBe(200)
    expect((await call('POST', '/sms/send', { recipients: NUMBER, content: 'Hello' })).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
})

test('requests are limited in every API, and another organisation is not', async () => {
  const by = await limited({ requests_per_s: 0.5 })
  const calls: (() => Promise<Pick<Answer, 'status' | 'headers'>>)[] = [
    () => by.call('GET', '/balance'),
    () => send(by),
    () => by.call('GET', '/lists/contact/columns'),
    () => fetch(`${service.url}/cgi-bin/sendsms?username=x&password=${by.key}&to=${NUMBER}&text=Hi`),
  ]
  await until('the limit to be known', async () => (await by.call('GET', '/balance')).status === 429)
  for (const call of calls) {
    await until('a refusal', async () => {
      const { status, headers } = await call()
      return status === 429 || status === 503 ? Number(headers.get('retry-after') ?? 1) > 0 : false
    })
  }
  for (let n = 0; n < 10; n += 1) expect((await service.call('GET', '/balance')).status).toBe(200)
})

test('SMPP clients are throttled', async () => {
  const by = await limited({ messages_per_s: 0.2 })
  const client = await bind(service.smpp_port, await makeAccount(by))
  const submit = async () => (await client.submit({ destination_addr: NUMBER, short_message: 'Hello' })).command_status
  expect(await submit()).toBe(0)
  expect(await submit()).toBe(RTHROTTLED)
  client.close()
})

test('a campaign waits for the limit and reaches everybody', async () => {
  const by = await limited({ messages_per_s: 400 })
  const people = Array.from({ length: 900 }, (_, n) => ({ to: `0803${String(n).padStart(7, '0')}` }))
  const id = await campaignOf(by, { content: 'Hello', name: 'News' }, people)
  const { estimate } = await estimated(by, id)
  const began = performance.now()
  await by.call('POST', `/campaigns/${id}/start`, { people: estimate?.people, charge: estimate?.charge })
  const { progress } = await reached(by, id, 'finished')
  expect(progress).toMatchObject({ accepted: 900 })
  expect(performance.now() - began).toBeGreaterThan(500)
})

test('limits are set, shown and audited, and refused with all errors', async () => {
  const by = await service.organisation()
  const wrong = await operator.call<{ errors: { field: string }[] }>(
    'POST',
    `/console/api/organisations/${by.id}/limits`,
    { requests_per_s: 0, messages_per_s: 'many' },
  )
  expect([wrong.status, wrong.body.errors.map(({ field }) => field)]).toEqual([
    400,
    ['requests_per_s', 'messages_per_s'],
  ])
  const gangan = (...args: string[]) => runGangan(args, { DATABASE_URL: service.database.url })
  expect(await gangan('organisations', 'limit', by.id, '--messages', '50')).toMatchObject({ code: 0 })
  const shown = await gangan('organisations', 'limit', by.id, '--requests', '7.5', '--json')
  expect(JSON.parse(shown.stdout)).toMatchObject({ requests_per_s: 7.5, messages_per_s: 50 })
  const cleared = await gangan('organisations', 'limit', by.id, '--messages', 'none', '--json')
  expect(JSON.parse(cleared.stdout)).toMatchObject({ requests_per_s: 7.5 })
  const rows = await service.db<Rates[]>`
    select requests_per_s, messages_per_s from organisations where id = ${by.id} or twin_of = ${by.id}`
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ requests_per_s: 7.5, messages_per_s: null })))
  expect(await gangan('organisations', 'limit', by.id, '--messages', '0')).toMatchObject({ code: 2 })
  expect(await gangan('organisations', 'limit', by.id)).toMatchObject({ code: 2 })
  expect(await gangan('organisations', 'limit', 'nobody', '--messages', '1')).toMatchObject({ code: 3 })
  const [entry] = await service.db`
    select action, before, after from audit_entries where organisation_id = ${by.id} order by id desc limit 1`
  expect(entry).toMatchObject({
    action: 'organisation.limit',
    before: { requests_per_s: 7.5, messages_per_s: 50 },
    after: { requests_per_s: 7.5, messages_per_s: null },
  })
})

test('the money is right after all of it', async () => {
  expect(await auditMoney(service.db)).toEqual([])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { addKey, findKeys, limitKey, rotateKey } from '../../src/organisations/manage-keys.ts'
import type { ShownKey } from '../../src/organisations/schema.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { caller, openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
let second: TestService
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  service = await openService()
  second = await openService({ beside: service })
})
afterAll(async () => {
  await second.close()
  await service.close()
  await receiver.close()
})

const unnoted = async (): Promise<void> => {}

async function limited(by: Organisation, daily_spending_limit: number) {
  const made = await addKey(service, by.id, { mode: 'live', daily_spending_limit }, [], unnoted)
  return { ...made.key, call: caller(service.url, made.secret), beside: caller(second.url, made.secret) }
}

const known = async (by: Organisation, id: string): Promise<ShownKey | undefined> =>
  (await findKeys(service, by.id)).find((key) => key.id === id)

/** A page costs 4. */
const message = (n: number) => ({ recipients: `2348032${String(n).padStart(6, '0')}`, content: 'Hello' })

test('racing charges of both processes never exceed the limit of the key, and other keys are not affected', async () => {
  const by = await service.organisation({ credit: 1_000 })
  const key = await limited(by, 43)
  const sent = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      (n % 2 ? key.call : key.beside)(
        'POST',
        '/sms/send',
        message(n),
        n % 3 === 0 ? { 'idempotency-key': `cap-${n}` } : {},
      ),
    ),
  )
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(10)
  const refused = sent.filter(({ status }) => status === 402)
  expect(refused).toHaveLength(30)
  for (const { body } of refused) {
    expect(body).toMatchObject({ errors: [{ field: 'daily_spending_limit', type: 'spending_limit' }] })
  }
  expect(await known(by, key.id)).toMatchObject({ daily_spending_limit: 43, spent_today: 40 })
  expect((await key.call('GET', '/balance')).body).toMatchObject({
    balance: 960,
    daily_spending_limit: 43,
    spent_today: 40,
  })
  expect((await by.call('POST', '/sms/send', message(99))).status).toBe(200)
  expect((await by.call('GET', '/balance')).body).not.toHaveProperty('spent_today')
  expect(await auditMoney(service.db)).toEqual([])
})

test('a retry is not counted again, and a refund does not raise what is left today', async () => {
  const by = await service.organisation({ credit: 1_000 })
  const key = await limited(by, 8)
  const head = { 'idempotency-key': 'once' }
  const rejected = { recipients: '2348000000003', content: 'Hello' }
  const first = await key.call('POST', '/sms/send', rejected, head)
  expect(first.status).toBe(200)
  for (let n = 0; n < 3; n++) expect((await key.call('POST', '/sms/send', rejected, head)).body).toEqual(first.body)
  await until('the refund', async () => {
    const { body } = await by.call<{ balance: number }>('GET', '/balance')
    return body.balance === 1_000
  })
  expect(await known(by, key.id)).toMatchObject({ spent_today: 4 })
  // A refused request may be repeated with its key once the limit allows it.
  const later = { 'idempotency-key': 'later' }
  const three = { recipients: '2348032000001,2348032000002', content: 'Hello' }
  expect((await key.call('POST', '/sms/send', three, later)).status).toBe(402)
  await limitKey(service, by.id, key.id, { daily_spending_limit: 12 }, [], unnoted)
  await until('the new limit', async () => (await key.call('POST', '/sms/send', three, later)).status === 200)
  expect(await known(by, key.id)).toMatchObject({ spent_today: 12 })
})

test('the spending begins anew with the next day, and a rotated key shares that of the key it replaces', async () => {
  const by = await service.organisation({ credit: 1_000 })
  const key = await limited(by, 8)
  expect((await key.call('POST', '/sms/send', message(1))).status).toBe(200)
  const rotated = await rotateKey(service, by.id, key.id, 24, unnoted)
  const next = caller(second.url, rotated.secret)
  expect((await next('POST', '/sms/send', message(2))).status).toBe(200)
  for (const call of [key.call, next]) expect((await call('POST', '/sms/send', message(3))).status).toBe(402)
  expect(await known(by, rotated.key.id)).toMatchObject({ daily_spending_limit: 8, spent_today: 8 })
  await service.db`update balances set spent_day = spent_day - 1 where organisation_id = ${by.id}`
  expect(await known(by, key.id)).toMatchObject({ spent_today: 0 })
  expect((await key.call('POST', '/sms/send', message(4))).status).toBe(200)
  expect(await known(by, key.id)).toMatchObject({ spent_today: 4 })
})

test('it counts one-time passwords and airtime, and is posted once a day', async () => {
  const by = await service.organisation({ credit: 1_000 })
  const key = await limited(by, 60)
  const posted = () => receiver.received.filter(({ json }) => json.type === 'balance.spending_limit')
  expect((await by.call('POST', '/webhooks', { url: receiver.url, events: ['balance.*'] })).status).toBe(200)
  expect((await key.call('POST', '/otp/request_token', { recipient: '2348032000001' })).status).toBe(200)
  const airtime = { network: 'MTN', amount: 50, recipient: '2348032000001' }
  expect((await key.call('POST', '/airtime/buy', airtime)).status).toBe(200)
  for (let n = 0; n < 3; n++) expect((await key.call('POST', '/airtime/buy', airtime)).status).toBe(402)
  const { spent_today = 0 } = (await known(by, key.id)) ?? {}
  expect(spent_today).toBeGreaterThan(50)
  await until('the event', () => posted().length > 0)
  expect(posted().map(({ json }) => json.data)).toEqual([
    { key_id: key.id, key: key.hint, daily_spending_limit: 60, charge: 50, currency: 'NGN' },
  ])
})

test('messages to a list that a key sends count, and stop at its limit', async () => {
  const by = await service.organisation({ credit: 1_000 })
  const key = await limited(by, 7)
  for (const n of [1, 2]) {
    const row = { columns: { Name: `Person ${n}`, Mobile: `234803200010${n}` } }
    expect((await by.call('POST', '/lists/contact/rows', row)).status).toBe(200)
  }
  const list = await by.call<{ id: string }>('POST', '/lists/contact/smartlists', { name: 'All', filters: [] })
  expect(list.status).toBe(200)
  const asked = { smartlist_id: list.body.id, content: 'Hello' }
  const { body } = await key.call<{ id: string }>('POST', '/lists/contact/sends', asked)
  const read = () => by.call<{ status: string; fault?: string }>('GET', `/lists/contact/sends/${body.id}`)
  await until('the send to stop', async () => (await read()).body.status === 'failed')
  expect((await read()).body).toMatchObject({ accepted: 0, fault: expect.stringContaining('daily limit is 7') })
  expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 1_000 })
})

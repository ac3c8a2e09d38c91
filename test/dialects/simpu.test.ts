import { createHmac } from 'node:crypto'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openService, type TestService } from '../support/service.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  service = await openService()
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

type Event = {
  id: string
  type: string
  object: string
  timestamp: string
  data: { object: Record<string, unknown> }
}

/** `Sep 23, 2024, 8:20:01 PM`, as Simpu's documentation shows it. */
const TIMESTAMP = /^(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2}, \d{4}, ([1-9]|1[0-2]):\d\d:\d\d [AP]M$/
/** `2024-09-23T20:19:59.873639` */
const DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/

/** An organisation with a webhook in Simpu's form, and what is posted to it. */
async function listen() {
  const by = await service.organisation()
  const path = `/${by.id}`
  const url = `${receiver.url}${path}`
  const made = await by.call<{ secret: string; format: string }>('POST', '/webhooks', { url, format: 'simpu' })
  expect(made.body.format).toBe('simpu')
  const posts = async (count: number) => {
    await until(`${count} posts`, async () => posted().length >= count)
    return posted()
  }
  const posted = () => receiver.received.filter((one) => one.path === path)
  return { by, url, secret: made.body.secret, posts, organisation_id: by.id.replaceAll('-', '') }
}

const read = (body: string): Event => JSON.parse(body) as Event

test('a Simpu-style webhook is posted and signed in Simpu’s format', async () => {
  const { by, url, secret, posts, organisation_id } = await listen()
  const bought = await by.call<{ id: string; created_datetime: string }>('POST', '/airtime/buy', {
    network: 'MTN',
    amount: 100,
    recipient: '08031234567',
    callback: 'http://127.0.0.1:1/own',
  })
  const sent = await by.call<{ id: string; created_datetime: string }>('POST', '/sms/send', {
    recipients: '08031234567',
    content: 'Hello ₦',
    external_ref: 'order-7',
  })
  const posted = await posts(2)
  const events = posted.map(({ body }) => read(body))
  const airtime = events.find(({ type }) => type === 'AIRTIME_SUCCESS')
  expect(airtime).toEqual({
    data: {
      object: {
        id: bought.body.id,
        object: 'airtime',
        organisation_id,
        callback: 'http://127.0.0.1:1/own',
        amount: '100.0',
        network: 'MTN',
        recipient: '2348031234567',
        status: 'success',
        refunded: false,
        created_datetime: bought.body.created_datetime.replace('+00:00', ''),
      },
    },
    id: expect.stringMatching(/^evt\.airtime_[0-9a-zA-Z]{32}$/),
    object: 'event',
    type: 'AIRTIME_SUCCESS',
    timestamp: expect.stringMatching(TIMESTAMP),
  })
  const text = events.find(({ type }) => type === 'TEXT_DELIVERED')
  expect(text).toMatchObject({
    data: {
      object: {
        id: sent.body.id,
        object: 'text',
        organisation_id,
        callback: url,
        recipient: '2348031234567',
        status: 'delivered',
        external_ref: 'order-7',
        created_datetime: sent.body.created_datetime.replace('+00:00', ''),
      },
    },
    id: expect.stringMatching(/^evt\.text_[0-9a-zA-Z]{32}$/),
    object: 'event',
    timestamp: expect.stringMatching(TIMESTAMP),
  })
  for (const { body, headers } of posted) {
    const expected = createHmac('sha512', secret).update(body).digest('base64')
    expect(headers['x-simpu-webhook-signature']).toBe(expected)
    expect(() => new Verifier(secret).verify(body, headers as Record<string, string>)).not.toThrow()
    const id = String(headers['webhook-id']).replaceAll('-', '')
    expect(read(body).id.endsWith(`_${id}`)).toBe(true)
  }
  const list = await by.call<{ webhooks: { format: string }[] }>('GET', '/webhooks')
  expect(list.body.webhooks[0]?.format).toBe('simpu')
})

test('every event has the fields of Simpu, whatever it is about', async () => {
  const { by, posts, organisation_id } = await listen()
  await by.call('PATCH', '/settings', { low_balance: 100_000_000 })
  const texts = ['2348000000001', '2348000000002', '2348000000003']
  for (const recipients of texts) await by.call('POST', '/sms/send', { recipients, content: 'x' })
  for (const recipient of ['2348000000011', '2348000000012', '2348000000015']) {
    const bought = await by.call('POST', '/airtime/buy', { network: 'MTN', amount: 99.5, recipient })
    expect(bought.status).toBe(200)
  }
  await by.call('POST', '/sandbox/reply', { from: '08031234567', to: 'Gangan', text: 'Hello' })
  const events = (await posts(8)).map(({ body }) => read(body))
  expect(events.map(({ type }) => type).sort()).toEqual([
    'AIRTIME_DUPLICATE',
    'AIRTIME_ERROR',
    'AIRTIME_FAILED',
    'BALANCE_LOW',
    'TEXT_EXPIRED',
    'TEXT_RECEIVED',
    'TEXT_REJECTED',
    'TEXT_UNDELIVERED',
  ])
  for (const { id, type, object, timestamp, data } of events) {
    const [kind = ''] = type.toLowerCase().split('_')
    expect(id).toMatch(new RegExp(`^evt\\.${kind}_[0-9a-f]{32}$`))
    expect(object).toBe('event')
    expect(timestamp).toMatch(TIMESTAMP)
    expect(Math.abs(Date.parse(`${timestamp} UTC`) - Date.now())).toBeLessThan(3_600_000)
    expect(data.object).toMatchObject({ object: kind, organisation_id })
    expect(data.object.callback).toEqual(expect.stringContaining('http://'))
    expect(data.object.created_datetime).toMatch(DATETIME)
  }
  const amounts = events.flatMap(({ data }) => data.object.amount ?? [])
  expect(amounts).toEqual(['99.5', '99.5', '99.5'])
})

test('only forms that are known can be asked for, and others go on as they were', async () => {
  const by = await service.organisation()
  const refused = await by.call('POST', '/webhooks', { url: `${receiver.url}/events`, format: 'klingon' })
  expect(refused.body).toMatchObject({ errors: [{ field: 'format', type: 'enum' }] })
  const made = await by.call<{ format?: string }>('POST', '/webhooks', { url: `${receiver.url}/plain` })
  expect(made.body.format).toBeUndefined()
  receiver.received.length = 0
  await by.call('POST', '/sms/send', { recipients: '08031234567', content: 'x' })
  const [post] = await receiver.wait(1)
  expect(post?.json.type).toBe('text.delivered')
  expect(post?.headers['x-simpu-webhook-signature']).toBeUndefined()
})

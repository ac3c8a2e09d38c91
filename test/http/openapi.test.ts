import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDocument } from '../support/openapi.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** The events that numbers of the sandbox can cause. `text.failed` has the same shape. */
const PROVOKED = [
  'text.delivered',
  'text.undelivered',
  'text.expired',
  'text.rejected',
  'text.clicked',
  'text.received',
  'airtime.success',
  'airtime.failed',
  'airtime.duplicate',
  'airtime.error',
  'webhook.test',
]

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  service = await openService({ credit: 100_000 })
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

test('every event has exactly the documented shape', async () => {
  const { body: webhook } = await service.call<{ id: string }>('POST', '/webhooks', { url: receiver.url })
  await service.call('POST', `/webhooks/${webhook.id}/test`)
  const recipients = ['2348031234567', '2348000000001', '2348000000002', '2348000000003']
  const content = 'See https://example.com/a'
  await service.call('POST', '/sms/send', { recipients, content, is_trackable: true, external_ref: 'all of it' })
  for (const recipient of ['2348031234567', '2348000000011', '2348000000012', '2348000000015']) {
    await service.call('POST', '/airtime/buy', { network: 'MTN', amount: 100, recipient, external_ref: 'all of it' })
  }
  await service.call('POST', '/sandbox/reply', { from: '2348031234567', to: 'Gangan', text: 'STOP' })
  const link = await until('the text on the handset', async () => {
    const path = '/sandbox/messages?recipient=2348031234567'
    const { body } = await service.call<{ messages: { text: string }[] }>('GET', path)
    return body.messages.map(({ text }) => /\/l\/\w+/.exec(text)?.[0]).find(Boolean)
  })
  const headers = {
    'user-agent': 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36',
  }
  await fetch(service.url + link, { redirect: 'manual', headers })
  await until('all events', () => {
    const seen = new Set(receiver.received.map(({ json }) => json.type))
    return PROVOKED.every((type) => seen.has(type))
  })

  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
  const { webhooks } = readDocument()
  const faults = receiver.received.flatMap(({ json }) => {
    const { type } = json
    const schema = webhooks[type]?.post.requestBody.content['application/json']?.schema
    if (!schema) return [`${type} is not described`]
    const validate = ajv.compile(schema)
    const data = Object.keys(schema.properties?.data?.properties ?? {})
    return [
      ...(validate(json) ? [] : (validate.errors ?? []).map((one) => `${type} ${one.instancePath} ${one.message}`)),
      ...Object.keys(json.data)
        .filter((field) => !data.includes(field))
        .map((field) => `${type} has ${field}`),
    ]
  })
  expect(faults).toEqual([])
})

test('a message to a smartlist has a separate operation with one response shape', async () => {
  const list = await service.call<{ id: string }>('POST', '/lists/contact/smartlists', {
    name: 'Adas',
    filters: [{ name: 'Name', operator: 'equal', value: 'Ada' }],
  })
  await service.call('POST', '/lists/contact/rows', { columns: { Name: 'Ada', Mobile: '08035550001' } })
  const asked = { smartlist_id: list.body.id, content: 'Dear {{Name}}' }
  const headers = { 'idempotency-key': 'to the Adas' }
  const first = await service.call<{ id: string }>('POST', '/lists/contact/sends', asked, headers)
  expect(first.body).toMatchObject({ smartlist_id: list.body.id, status: 'queued', meta: { method: 'POST' } })
  const again = await service.call<{ id: string }>('POST', '/lists/contact/sends', asked, headers)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.body.id).toBe(first.body.id)
  await until('the message', async () => {
    const { body } = await service.call<{ accepted: number; status: string }>(
      'GET',
      `/lists/contact/sends/${first.body.id}`,
    )
    return body.status === 'done' && body.accepted === 1
  })
  const refused = await service.call('POST', '/lists/contact/sends', {})
  expect(refused.status).toBe(400)
  expect((refused.body.errors as { field: string }[]).map(({ field }) => field).sort()).toEqual([
    'content',
    'smartlist_id',
    'template_id',
  ])
})

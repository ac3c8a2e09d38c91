import { Client } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caller, openService, type TestService, type Organisation } from '../support/service.ts'

type Refused = { message: string; errors: { field: string; message: string; type: string }[] }

let service: TestService
beforeAll(async () => (service = await openService({ workers: false })))
afterAll(() => service.close())

const list = (items: number, item: unknown): unknown[] => Array.from({ length: items }, () => item)
const kinds = ({ errors }: Refused): string[] => errors.map(({ field, type }) => `${field} ${type}`)

describe('a list that is too long', () => {
  const cases: [string, string, (long: unknown[]) => object, string][] = [
    ['POST', '/lists/contact/rows/query', (filters) => ({ filters }), 'filters'],
    ['POST', '/lists/contact/rows/export', (filters) => ({ filters }), 'filters'],
    ['POST', '/lists/contact/smartlists', (filters) => ({ name: 'All', filters }), 'filters'],
    ['POST', '/sms/send', (personalisation) => ({ recipients: '0803', personalisation }), 'personalisation'],
    ['POST', '/sms/send', (recipients) => ({ recipients, content: 'Hello' }), 'recipients'],
    ['POST', '/webhooks', (events) => ({ url: 'https://example.com', events }), 'events'],
    ['PATCH', '/otp/settings', (test_numbers) => ({ test_numbers }), 'test_numbers'],
    ['POST', '/lookup/phones', (phones) => ({ phones }), 'phones'],
    ['POST', '/optouts', (recipients) => ({ recipients }), 'recipients'],
  ]

  test.each(cases)('is rejected without validating its items: %s %s', async (method, path, body, field) => {
    for (const item of [{}, 1, null]) {
      const { status, body: refused, text } = await service.call<Refused>(method, path, body(list(100_000, item)))
      expect(status).toBe(400)
      expect(kinds(refused)).toEqual([`${field} less_than_equal`])
      expect(text.length).toBeLessThan(1_000)
    }
  })

  test.each(cases)('is limited as its schema declares: %s %s', async (method, path, body, field) => {
    const { status, body: refused } = await service.call<Refused>(method, path, body(list(9_999, {})))
    expect(status).toBe(400)
    const takes_more = field === 'recipients' || field === 'personalisation'
    const faults = kinds(refused).map((one) => one.replace(/\[.*/, ''))
    expect(faults).toEqual(takes_more ? list(100, field) : [`${field} less_than_equal`])
  })

  test('may be one of many, with many errors in each', async () => {
    const rows = list(600, list(201, {}))
    const { status, body } = await service.call<Refused>('POST', '/lists/contact/imports', { rows })
    expect(status).toBe(400)
    expect(kinds(body)).toEqual(Array.from({ length: 100 }, (_, n) => `rows[${n}] less_than_equal`))
  })

  test('may be comma-separated text', async () => {
    const sent = await service.call<Refused>('POST', '/sms/send', { recipients: ','.repeat(500_000), content: 'Hello' })
    expect(kinds(sent.body)).toEqual(['recipients less_than_equal'])
    const looked = await service.call<Refused>('POST', '/lookup/phones', { phones: ','.repeat(500_000) })
    expect(kinds(looked.body)).toEqual(['phones less_than_equal'])
  })
})

test('a body that is too large or no JSON is answered while it is still being sent, and the connection stays usable', async () => {
  const client = new Client(service.url)
  let connections = 0
  client.on('connect', () => connections++)
  const post = async (path: string, body: string) => {
    const headers = { authorization: service.key, 'content-type': 'application/json' }
    const answer = await client.request({ method: 'POST', path, headers, body })
    await answer.body.dump()
    return answer.statusCode
  }
  for (const path of ['/sms/send', '/templates', '/campaigns/x/recipients']) {
    expect(await post(path, `"${'x'.repeat(30_000_000)}"`)).toBe(413)
    expect(await post(path, '{"a":')).toBe(400)
  }
  expect(connections).toBe(1)
  await client.close()
})

describe('a response', () => {
  test('lists a hundred errors and says that there are more', async () => {
    const recipients = Array.from({ length: 101 }, () => 'nobody')
    const { status, body } = await service.call<Refused>('POST', '/sms/send', { recipients, content: 'Hello' })
    expect(status).toBe(400)
    expect(body.errors).toHaveLength(100)
    expect(body.errors.at(-1)?.field).toBe('recipients[99]')
    expect(body.message).toBe('The request is invalid. These are the first 100 of its faults; there are more.')
    const exactly = await service.call<Refused>('POST', '/sms/send', {
      recipients: recipients.slice(1),
      content: 'Hello',
    })
    expect(exactly.body.errors).toHaveLength(100)
    expect(exactly.body.message).toBe('The request is invalid.')
  })

  test('does not repeat long names', async () => {
    const name = 'n'.repeat(9_000)
    const columns = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}${name}`, 'x']))
    const { status, body, text } = await service.call<Refused>('POST', '/lists/contact/rows', { columns })
    expect(status).toBe(400)
    expect(body.errors).toHaveLength(100)
    expect(body.errors[0]?.field).toHaveLength(201)
    expect(text.length).toBeLessThan(50_000)
  })
})

describe('a body', () => {
  const nested = (levels: number): string => `{"content":${'['.repeat(levels)}${']'.repeat(levels)}}`

  test.each(['/sms/send', '/otp/request_token', '/airtime/buy', '/lists/contact/rows'])(
    'is limited in depth: %s',
    async (path) => {
      for (const headers of [{}, { 'idempotency-key': 'deep' }]) {
        const { status, body } = await service.call<Refused>('POST', path, nested(5_000), headers)
        expect(status).toBe(400)
        expect(kinds(body)).toEqual(['body invalid'])
      }
    },
  )

  test('may be nested up to the limit in a field that is ignored', async () => {
    const message = { recipients: '08031234567', content: 'Hello', sender_id: 'Gangan' }
    const extra = JSON.parse(nested(60)) as object
    const { status } = await service.call('POST', '/sms/send', { ...message, extra }, { 'idempotency-key': 'nested' })
    expect(status).toBe(200)
    const deeper = JSON.parse(nested(63)) as object
    const refused = await service.call('POST', '/sms/send', { ...message, extra: deeper }, { 'idempotency-key': 'n2' })
    expect(refused.status).toBe(400)
  })

  test('has no object with more than a thousand fields', async () => {
    const columns = Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`c${n}`, '']))
    const { body } = await service.call<Refused>('POST', '/lists/contact/rows', { columns })
    expect(kinds(body)).toEqual(['columns less_than_equal'])
  })
})

describe('null in an optional field, and the empty text in some', () => {
  let by: Organisation
  beforeAll(async () => (by = await service.organisation()))

  test('counts as absent in a message', async () => {
    const message = { recipients: '08031234567', content: 'Hello' }
    const nothing = {
      sender_id: null,
      channel: null,
      template_id: null,
      personalisation: null,
      external_ref: null,
      is_trackable: null,
      smart_encoding: null,
      route_class: null,
      callback: null,
      send_at: null,
      smartlist_id: null,
    }
    const sent = await by.call('POST', '/sms/send', { ...message, ...nothing })
    expect(sent.status).toBe(200)
    expect(Object.keys(sent.body)).not.toContain('external_ref')
    const empty = await by.call('POST', '/sms/send', { ...message, callback: '', template_id: '', external_ref: '' })
    expect(empty.status).toBe(200)
    expect(Object.keys(empty.body).filter((key) => ['callback', 'template_id', 'external_ref'].includes(key))).toEqual(
      [],
    )
  })

  test('counts as absent elsewhere', async () => {
    const otp = { recipient: '08031234567', length: null, expires_in: null, token: null, channel: null }
    expect((await by.call('POST', '/otp/request_token', otp)).status).toBe(200)
    const airtime = { network: 'MTN', amount: 100, recipient: '08031234567', callback: '', external_ref: null }
    expect((await by.call('POST', '/airtime/buy', airtime)).status).toBe(200)
    const query = { smartlist_id: null, filters: null, limit: null, page: null, query_id: null, sort: null }
    expect((await by.call('POST', '/lists/contact/rows/query', query)).status).toBe(200)
    const filters = [{ column_id: null, name: 'Name', operator: 'not_empty', value: null }]
    expect((await by.call('POST', '/lists/contact/rows/query', { filters })).status).toBe(200)
    const webhook = { url: 'https://example.com/events', events: null, description: null, enabled: null }
    expect((await by.call('POST', '/webhooks', webhook)).status).toBe(200)
  })

  test('is an error in a required field', async () => {
    const { body } = await by.call<Refused>('POST', '/otp/verify', { id: null, token: null })
    expect(kinds(body)).toEqual(['id string_type', 'token string_type'])
  })

  test('removes values that may be removed', async () => {
    await by.call('PATCH', '/settings', { inbound_url: 'https://example.com/inbound' })
    const { body } = await by.call('PATCH', '/settings', { inbound_url: null, name: null })
    expect(body).not.toHaveProperty('inbound_url')
    expect(body).toHaveProperty('name', 'Tests')
  })
})

test('query_id=0 returns the first page of every list', async () => {
  const lists = [
    '/sms?external_ref=x&',
    '/senders?',
    '/optouts?',
    '/inbound?',
    '/templates?',
    '/otp/guard?',
    '/airtime?',
    '/lists/contact/rows?',
    '/lists/contact/smartlists?',
    '/lists/contact/imports?',
    '/balance?',
    '/callbacks?',
    '/webhooks?',
    '/sandbox/messages?',
  ]
  for (const path of lists) {
    for (const query_id of ['0', '']) {
      const { status, body } = await service.call<{ meta: { pagination: { page: number } } }>(
        'GET',
        `${path}query_id=${query_id}`,
      )
      expect([path, status, body.meta?.pagination.page]).toEqual([path, 200, 1])
    }
  }
  const rows = await service.call<{ meta: { pagination: { page: number } } }>('POST', '/lists/contact/rows/query', {
    query_id: '0',
  })
  expect(rows.body.meta.pagination.page).toBe(1)
})

test('two slashes in a path count as one', async () => {
  const { status, body } = await service.call<{ meta: { resource: string } }>('POST', '//sms/send', {
    recipients: '08031234567',
    content: 'Hello',
  })
  expect([status, body.meta.resource]).toEqual([200, '/sms/send'])
  expect((await service.call('GET', '///balance')).status).toBe(200)
  expect((await caller(service.url, '')('POST', '//sms/send', {})).status).toBe(401)
})

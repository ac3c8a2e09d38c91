import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { balance, faults, handset, request, verify } from '../support/otp.ts'

let service: TestService

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

type Settings = Record<string, unknown> & { errors?: { field: string; type: string }[] }

const change = (by: Organisation, body: unknown, headers?: Record<string, string>) =>
  by.call<Settings>('PATCH', '/otp/settings', body, headers)

test('have defaults, and change field by field', async () => {
  const by = await service.organisation()
  const first = await by.call<Settings>('GET', '/otp/settings')
  expect(first.body).toEqual({
    template: '{{token}} is your {{sender}} code, valid for {{minutes}} min. Do not share it.',
    resend_when_late: false,
    resend_times: 1,
    test_numbers: [],
    meta: { method: 'GET', resource: '/otp/settings' },
  })
  await change(by, { origin: 'example.com', fallback_channel: 'whatsapp', fallback_after_s: 30 })
  const { status, body } = await change(by, { template: 'Code {{ token }}', fallback_after_s: 60 })
  expect(status).toBe(200)
  expect(body).toEqual({
    template: 'Code {{ token }}',
    origin: 'example.com',
    fallback_channel: 'whatsapp',
    fallback_after_s: 60,
    resend_when_late: false,
    resend_times: 1,
    test_numbers: [],
    updated_datetime: expect.any(String),
    meta: { method: 'PATCH', resource: '/otp/settings' },
  })
  const back = await change(by, { template: null, origin: null, fallback_channel: null, fallback_after_s: null })
  expect(back.body).toMatchObject({ template: first.body.template })
  expect(back.body).not.toHaveProperty('origin')
  expect(back.body).not.toHaveProperty('fallback_channel')
})

test('set the second message by the evidence, with a longest delay', async () => {
  const by = await service.organisation()
  const resending = async (body: object) => {
    const { status, body: answer } = await change(by, body)
    expect(status).toBe(200)
    return [answer.resend_when_late, answer.resend_after_s]
  }
  expect(await resending({ resend_when_late: true })).toEqual([true, 60])
  expect(await resending({ resend_after_s: 20 })).toEqual([true, 20])
  expect(await resending({ resend_when_late: null })).toEqual([false, 20])
  expect(await resending({ resend_when_late: true })).toEqual([true, 20])
  expect(await resending({ template: 'Code {{token}}' })).toEqual([true, 20])

  const refused = await change(by, { resend_after_s: null, fallback_channel: 'sms', origin: 'x/y' })
  expect(refused.status).toBe(400)
  expect(faults(refused.body)).toEqual(['fallback_after_s missing', 'origin invalid', 'resend_after_s missing'])
  expect((await by.call<Settings>('GET', '/otp/settings')).body).toMatchObject({
    resend_when_late: true,
    resend_after_s: 20,
  })

  expect((await change(by, { resend_times: 3 })).body.resend_times).toBe(3)
  expect((await change(by, { resend_times: null })).body.resend_times).toBe(1)
  expect(await resending({ resend_when_late: false, resend_after_s: null })).toEqual([false, undefined])
})

test('determine the text, which ends with the line from which phones fill in the code', async () => {
  const by = await service.organisation()
  await change(by, { template: 'Kóòdù: {{token}} ({{minutes}})', origin: 'bank.example.com' })
  await request(by, { recipient: '08031230011', token: '482913', expires_in: 7 })
  expect(await handset(by, '2348031230011')).toBe('Kóòdù: 482913 (7)\n\n@bank.example.com #482913')
  const { body } = await by.call<{ messages: { content: string }[] }>('GET', '/sms')
  expect(body.messages[0]?.content).toBe('Kóòdù: ****** (7)\n\n@bank.example.com #******')
})

test('belong to one organisation', async () => {
  const by = await service.organisation()
  await change(by, { template: 'Only {{token}}' })
  const other = await service.organisation()
  expect((await other.call<Settings>('GET', '/otp/settings')).body.template).not.toBe('Only {{token}}')
})

describe('numbers with a fixed token', () => {
  test('are neither sent nor charged, and verify like others', async () => {
    const by = await service.organisation({ credit: 100 })
    const given = await change(by, { test_numbers: [{ recipient: '0803 000 0001', token: '482913' }] })
    expect(given.body.test_numbers).toEqual([{ recipient: '2348030000001' }])
    const { status, body } = await by.call<{ id: string }>('POST', '/otp/request_token', { recipient: '08030000001' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ recipient: '2348030000001', status: 1, status_desc: 'SENT' })
    expect((await verify(by, body.id, '1111')).status).toBe(404)
    expect((await verify(by, body.id, '482913')).status).toBe(200)
    expect(await balance(by)).toBe(100)
    expect((await by.call<{ messages: unknown[] }>('GET', '/sms')).body.messages).toEqual([])
  })

  test('may be removed again', async () => {
    const by = await service.organisation({ credit: 100 })
    await change(by, { test_numbers: [{ recipient: '08030000001', token: '482913' }] })
    expect((await change(by, { template: '{{token}}' })).body.test_numbers).toHaveLength(1)
    expect((await change(by, { test_numbers: [] })).body.test_numbers).toEqual([])
    await by.call('POST', '/otp/request_token', { recipient: '08030000001' })
    expect(await balance(by)).toBe(96)
  })
})

test.each([
  ['a text without the token', { template: 'Hello' }, ['template invalid']],
  [
    'unknown placeholders',
    { template: '{{token}} {{name}} {{x}}' },
    ['template unknown_placeholder', 'template unknown_placeholder'],
  ],
  ['a long text', { template: `{{token}}${'x'.repeat(480)}` }, ['template string_too_long']],
  ['a text with NUL', { template: '{{token}}\u0000' }, ['template invalid']],
  ['a number as text', { template: 5 }, ['template string_type']],
  ['an origin with a path', { origin: 'example.com/login' }, ['origin invalid']],
  ['a hasty second attempt', { resend_after_s: 4 }, ['resend_after_s greater_than_equal']],
  [
    'a late report without a longest delay',
    { resend_when_late: true, resend_after_s: null },
    ['resend_after_s missing'],
  ],
  ['a late report in words', { resend_when_late: 'yes' }, ['resend_when_late boolean_type']],
  ['too many further tokens', { resend_after_s: 20, resend_times: 4 }, ['resend_times less_than_equal']],
  [
    'several further tokens without a delay',
    { resend_times: 2, origin: 'x/y' },
    ['origin invalid', 'resend_after_s missing'],
  ],
  ['half a fallback', { fallback_channel: 'sms' }, ['fallback_after_s missing']],
  ['the other half', { fallback_after_s: 30 }, ['fallback_channel missing']],
  ['a hasty fallback', { fallback_channel: 'sms', fallback_after_s: 4 }, ['fallback_after_s greater_than_equal']],
  ['an unknown channel', { fallback_channel: 'fax', fallback_after_s: 30 }, ['fallback_channel enum']],
  [
    'bad test numbers',
    { test_numbers: [{ recipient: 'x', token: '1' }, { recipient: '08030000001' }] },
    ['test_numbers[1].token missing'],
  ],
  [
    'worse test numbers',
    { test_numbers: [{ recipient: 'x', token: '1' }] },
    ['test_numbers[0].recipient phone_invalid', 'test_numbers[0].token string_too_short'],
  ],
])('responds with 400 to %s', async (_, body, expected) => {
  const by = await service.organisation()
  const answer = await change(by, body)
  expect(answer.status).toBe(400)
  expect(faults(answer.body)).toEqual(expected)
})

test('responds with 401, 403, 405, 413 and 415', async () => {
  for (const method of ['GET', 'PATCH']) {
    const body = method === 'PATCH' ? {} : undefined
    expect((await service.call(method, '/otp/settings', body, { authorization: 'x' })).status).toBe(401)
    const without = await service.organisation({ scopes: ['sms'] })
    expect((await without.call(method, '/otp/settings', body)).status).toBe(403)
  }
  expect((await service.call('PUT', '/otp/settings', {})).status).toBe(405)
  expect((await change(service, { x: 'x'.repeat(1024 * 1024) })).status).toBe(413)
  expect((await change(service, 'x=1', { 'content-type': 'text/plain' })).status).toBe(415)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { balance, faults, handset, request, type Otp } from '../support/otp.ts'

let service: TestService

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const ask = (body: unknown, headers?: Record<string, string>, by: Organisation = service) =>
  by.call<Otp>('POST', '/otp/request_token', body, headers)

describe('a request that is accepted', () => {
  test('returns exactly the documented record, and is charged as a message', async () => {
    const by = await service.organisation({ credit: 100 })
    const { status, body, headers, text } = await ask({ recipient: '+234 803 123 4567', unknown_field: 1 }, {}, by)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      recipient: '2348031234567',
      status: 1,
      status_desc: 'SENT',
      created_datetime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
    })
    expect(Object.keys(JSON.parse(text) as object)).toEqual([
      'id',
      'recipient',
      'status',
      'status_desc',
      'created_datetime',
    ])
    expect(await balance(by)).toBe(96)
  })

  test('costs what its channel costs, and the channel may be in any case', async () => {
    const by = await service.organisation({ credit: 100 })
    expect((await ask({ recipient: '08031234568', channel: 'WhatsApp' }, {}, by)).status).toBe(200)
    expect(await balance(by)).toBe(94)
    expect(await handset(by, '2348031234568', 'whatsapp')).toMatch(/^\d{4} is your Gangan code/)
  })

  test('writes four digits and fifteen minutes into the text, or the requested values', async () => {
    const by = await service.organisation()
    await ask({ recipient: '08031230001' }, {}, by)
    expect(await handset(by, '2348031230001')).toMatch(
      /^\d{4} is your Gangan code, valid for 15 min\. Do not share it\.$/,
    )
    await ask({ recipient: '08031230002', length: 8, expires_in: 60 }, {}, by)
    expect(await handset(by, '2348031230002')).toMatch(/^\d{8} is your Gangan code, valid for 60 min\./)
    await ask({ recipient: '08031230003', length: 99, token: 'aB3dE6gH9j' }, {}, by)
    expect(await handset(by, '2348031230003')).toMatch(/^aB3dE6gH9j is your/)
  })

  test('is also a message, whose stored content hides the token', async () => {
    const { body } = await request(service, { recipient: '08031230004', token: '48291377' })
    const message = await service.call<{ content: string; recipients: string[] }>('GET', `/sms/${body.id}`)
    expect(message.body).toMatchObject({
      recipients: ['2348031230004'],
      content: '******** is your Gangan code, valid for 15 min. Do not share it.',
    })
  })

  test('is carried out once per Idempotency-Key', async () => {
    const by = await service.organisation({ credit: 100 })
    const body = { recipient: '08031234567', token: '482913' }
    const first = await ask(body, { 'idempotency-key': 'login 1' }, by)
    const again = await ask(body, { 'idempotency-key': 'login 1' }, by)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.text).toBe(first.text)
    expect(await balance(by)).toBe(96)
    const other = await ask({ ...body, token: '482914' }, { 'idempotency-key': 'login 1' }, by)
    expect(other.status).toBe(409)
  })
})

describe('a request that is refused', () => {
  test.each([
    ['no body', undefined, ['recipient missing']],
    ['a list', [], ['body dict_type']],
    ['broken JSON', '{"a":', ['body json_invalid']],
    ['a number as recipient', { recipient: 2348031234567 }, ['recipient string_type']],
    ['no phone number', { recipient: 'nonsense' }, ['recipient phone_invalid']],
    ['an empty one', { recipient: '' }, ['recipient phone_invalid']],
    ['two of them', { recipient: '08031234567,08031234568' }, ['recipient phone_invalid']],
    ['too short a length', { recipient: '08031234567', length: 3 }, ['length greater_than_equal']],
    ['too long a length', { recipient: '08031234567', length: 9 }, ['length less_than_equal']],
    ['half a digit', { recipient: '08031234567', length: 4.5 }, ['length number_type']],
    ['a text as length', { recipient: '08031234567', length: '6' }, ['length number_type']],
    ['no time', { recipient: '08031234567', expires_in: 0 }, ['expires_in greater_than_equal']],
    ['too much time', { recipient: '08031234567', expires_in: 61 }, ['expires_in less_than_equal']],
    [
      'half a minute',
      { recipient: '08031234567', expires_in: 0.5 },
      ['expires_in greater_than_equal', 'expires_in number_type'],
    ],
    ['a short token', { recipient: '08031234567', token: '123' }, ['token string_too_short']],
    ['a long token', { recipient: '08031234567', token: '12345678901' }, ['token string_too_long']],
    ['a token with a dash', { recipient: '08031234567', token: '12-34' }, ['token invalid']],
    ['a numeric token', { recipient: '08031234567', token: 1234 }, ['token string_type']],
    ['a pigeon', { recipient: '08031234567', channel: 'pigeon' }, ['channel enum']],
    ['a numeric channel', { recipient: '08031234567', channel: 1 }, ['channel string_type']],
    [
      'several errors',
      { length: 9, expires_in: 'x', channel: 'fax' },
      ['channel enum', 'expires_in number_type', 'length less_than_equal', 'recipient missing'],
    ],
  ])('%s', async (_, body, expected) => {
    const answer = await ask(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ status: 400, message: expect.any(String) })
    expect(faults(answer.body)).toEqual(expected)
  })

  test('needs a sender on sms, not on whatsapp', async () => {
    const by = await service.organisation({ sender: null })
    expect(faults((await ask({ recipient: '08031230009' }, {}, by)).body)).toEqual(['sender_id missing'])
    expect((await ask({ recipient: '08031230009', channel: 'whatsapp' }, {}, by)).status).toBe(200)
    expect(await handset(by, '2348031230009', 'whatsapp')).toMatch(/^\d{4} is your verification code/)
  })

  test('responds with 402 if the balance does not cover it, and stores nothing', async () => {
    const by = await service.organisation({ credit: 3 })
    const answer = await ask({ recipient: '08031234567' }, {}, by)
    expect(answer.status).toBe(402)
    expect(faults(answer.body)).toEqual(['balance insufficient_balance'])
    expect((await by.call('GET', '/otp/get-by-recipient?recipient=08031234567')).body).toEqual([])
    expect(await balance(by)).toBe(3)
  })

  test('responds with 401, 403, 405, 413 and 415', async () => {
    const body = { recipient: '08031234567' }
    expect((await ask(body, { authorization: 'gg_live_nobody' })).status).toBe(401)
    expect((await ask(body, {}, await service.organisation({ scopes: ['sms'] }))).status).toBe(403)
    const other = await service.call('PUT', '/otp/request_token', body)
    expect(other.status).toBe(405)
    expect(other.headers.get('allow')).toBe('POST')
    expect((await ask({ ...body, x: 'x'.repeat(1024 * 1024) })).status).toBe(413)
    expect((await ask('x=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { everyDelivery } from '../support/every.ts'

type Fault = { field: string; type: string }
type Sent = {
  id: string
  recipients: string[]
  created_datetime: string
  meta: { method: string; resource: string; estimate: Record<string, unknown> & { available_balance: number } }
  errors: Fault[]
}

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const send = (body: unknown, headers?: Record<string, string>, by: Organisation = service) =>
  by.call<Sent>('POST', '/sms/send', body, headers)

const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`).sort()

describe('a message that is accepted', () => {
  test('is answered in the documented shape, charged, and returns the new balance', async () => {
    const by = await service.organisation({ credit: 100 })
    const { status, body, headers } = await send(
      {
        recipients: '+234 803 123 4567, 08051234567',
        content: 'Hello',
        external_ref: 'order 1',
        callback: 'http://127.0.0.1:1/x',
        unknown_field: 1,
      },
      {},
      by,
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-request-id')).toMatch(/./)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      recipients: ['2348031234567', '2348051234567'],
      sender_id: 'Gangan',
      channel: 'sms',
      is_trackable: false,
      content: 'Hello',
      external_ref: 'order 1',
      callback: 'http://127.0.0.1:1/x',
      created_datetime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
      meta: {
        method: 'POST',
        resource: '/sms/send',
        estimate: { available_balance: 92, charge: 8, encoding: 'GSM', message_length: 5, pages: 1 },
      },
    })
  })

  test('to one number has the domestic price, however the number is written', async () => {
    const spellings = [
      '08031234567',
      '8031234567',
      '+803 123 4567',
      '23408031234567',
      '+23408031234567',
      '2348031234567',
    ]
    const { body } = await send({ recipients: spellings, content: 'Hello' })
    expect(body).toMatchObject({ recipients: ['2348031234567'], meta: { estimate: { charge: 4 } } })
    const abroad = await send({ recipients: ['14155552671', '8613912345678'], content: 'Hello' })
    expect(abroad.body).toMatchObject({
      recipients: ['14155552671', '8613912345678'],
      meta: { estimate: { charge: 70 } },
    })
  })

  test('accepts an array, any case of the channel, and removes duplicates', async () => {
    const { status, body } = await send({
      recipients: ['08031234567', '2348031234567', '+2348051234567'],
      channel: 'WhatsApp',
      content: 'Hello',
    })
    expect(status).toBe(200)
    expect(body.recipients).toEqual(['2348031234567', '2348051234567'])
    expect(body.meta.estimate.charge).toBe(12)
  })

  test('stores is_trackable', async () => {
    const { body } = await send({ recipients: '08031234567', content: 'Hello', is_trackable: true })
    expect(body).toMatchObject({ is_trackable: true })
    expect((await service.call('GET', `/sms/${body.id}`)).body).toMatchObject({ is_trackable: true })
  })

  test.each([
    ['a'.repeat(160), 'GSM', 160, 1],
    ['a'.repeat(161), 'GSM', 161, 2],
    [`${'a'.repeat(152)}€${'a'.repeat(10)}`, 'GSM', 164, 2],
    ['ọ'.repeat(70), 'UCS-2', 70, 1],
    ['ọ'.repeat(71), 'UCS-2', 71, 2],
  ])('counts pages like phones: %s', async (content, encoding, message_length, pages) => {
    const { body } = await send({ recipients: '08031234567', content })
    expect(body.meta.estimate).toMatchObject({ encoding, message_length, pages, charge: 4 * pages })
  })

  test('costs the price of its prefix, or the default', async () => {
    const { body } = await send({ recipients: '2348031234567,+447700900123', content: 'Hello' })
    expect(body.meta.estimate.charge).toBe(4 + 35)
  })

  test('may go to 10,000 recipients', async () => {
    const by = await service.organisation({ credit: 40_000 })
    const recipients = Array.from({ length: 10_000 }, (_, n) => `234803${String(n).padStart(7, '0')}`).join(',')
    const { status, body } = await send({ recipients, content: 'Hello' }, {}, by)
    expect(status).toBe(200)
    expect(body.recipients).toHaveLength(10_000)
    expect(body.meta.estimate).toMatchObject({ charge: 40_000, available_balance: 0 })
    const [row] =
      await service.db`select count(*)::integer as count from ${everyDelivery(service.db)} delivery where message_id = ${body.id}`
    expect(row?.count).toBe(10_000)
  })
})

describe('a message that is rejected', () => {
  test('returns all validation errors, and changes nothing', async () => {
    const by = await service.organisation({ credit: 100 })
    const { status, body } = await send(
      {
        recipients: '08031234567, nonsense, 123',
        sender_id: 'far too long for one',
        channel: 'pigeon',
        personalisation: [{ substitutions: { name: 1 } }],
        is_trackable: 'yes',
        external_ref: 7,
        callback: 'not a url',
      },
      {},
      by,
    )
    expect(status).toBe(400)
    expect(faults(body.errors)).toEqual([
      'callback url_parsing',
      'channel enum',
      'content missing',
      'external_ref string_type',
      'is_trackable boolean_type',
      'personalisation[0].substitutions.name string_type',
      'personalisation[0].to missing',
      'recipients[1] phone_invalid',
      'recipients[2] phone_invalid',
      'sender_id string_too_long',
      'template_id missing',
    ])
    const balance = await by.call<{ balance: number }>('GET', '/balance')
    expect(balance.body.balance).toBe(100)
  })

  test.each([
    ['no body', undefined, ['content missing', 'recipients missing', 'template_id missing']],
    ['a list', [], ['body dict_type']],
    ['a text', '"x"', ['body dict_type']],
    ['null', 'null', ['body dict_type']],
    ['broken JSON', '{"a":', ['body json_invalid']],
    ['a number as recipients', { recipients: 5, content: 'x' }, ['recipients string_type']],
    [
      'numbers that are too short or too long for their country',
      { recipients: '08031234567,080312345,+234 803 123 45678', content: 'x' },
      ['recipients[1] phone_invalid', 'recipients[2] phone_invalid'],
    ],
    ['a number among recipients', { recipients: ['08031234567', 5], content: 'x' }, ['recipients[1] string_type']],
    ['no recipient', { recipients: ' ', content: 'x' }, ['recipients string_too_short']],
    ['an empty list of them', { recipients: [], content: 'x' }, ['recipients missing']],
    ['an empty text', { recipients: '08031234567', content: '' }, ['content string_too_short']],
    ['a text with NUL', { recipients: '08031234567', content: 'a\u0000' }, ['content invalid']],
    [
      'a callback with NUL',
      { recipients: '08031234567', content: 'x', callback: 'http://127.0.0.1/\u0000' },
      ['callback url_parsing'],
    ],
    [
      'a substitution with NUL',
      { recipients: '08031234567', content: 'x', personalisation: [{ to: '1', substitutions: { a: '\u0000' } }] },
      ['personalisation[0].substitutions invalid'],
    ],
    ['eleven pages', { recipients: '08031234567', content: 'a'.repeat(1_531) }, ['content string_too_long']],
    ['a sender with an umlaut', { recipients: '08031234567', content: 'x', sender_id: 'Ä' }, ['sender_id invalid']],
    ['an empty sender', { recipients: '08031234567', content: 'x', sender_id: '' }, ['sender_id string_too_short']],
    ['a numeric sender', { recipients: '08031234567', content: 'x', sender_id: 5 }, ['sender_id string_type']],
    [
      'too many recipients',
      { recipients: Array.from({ length: 10_001 }, () => '08031234567').join(','), content: 'x' },
      ['recipients less_than_equal'],
    ],
  ])('%s', async (_, body, expected) => {
    const answer = await send(body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ status: 400, message: expect.any(String) })
    expect(faults(answer.body.errors)).toEqual(expected)
  })

  test('needs a sender if the organisation has no default, on sms only', async () => {
    const by = await service.organisation({ sender: null })
    const body = { recipients: '08031234567', content: 'x' }
    const refused = await send(body, {}, by)
    expect(faults(refused.body.errors)).toEqual(['sender_id missing'])
    const taken = await send({ ...body, channel: 'whatsapp' }, {}, by)
    expect(taken.status).toBe(200)
    expect(taken.body).not.toHaveProperty('sender_id')
  })

  test('responds with 402 if the balance does not cover it', async () => {
    const by = await service.organisation({ credit: 7 })
    const answer = await send({ recipients: '08031234567,08051234567', content: 'x' }, {}, by)
    expect(answer.status).toBe(402)
    expect(answer.body).toMatchObject({ status: 402, errors: [{ field: 'balance', type: 'insufficient_balance' }] })
    const messages = await by.call<{ messages: unknown[] }>('GET', '/sms')
    expect(messages.body.messages).toEqual([])
  })

  test('responds with 404 for a template that does not exist', async () => {
    const answer = await send({ recipients: '08031234567', template_id: 'none' })
    expect(answer.status).toBe(404)
    expect(faults(answer.body.errors)).toEqual(['template_id not_found'])
  })

  test('responds with 401 without a key, and with an unknown, invalid, revoked or expired one', async () => {
    const body = { recipients: '08031234567', content: 'x' }
    for (const authorization of ['', 'gg_live_nobody', `${service.key.slice(0, -1)}!`, `${service.key}x`]) {
      const answer = await send(body, { authorization })
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({ status: 401, message: expect.any(String) })
    }
    const expired = await service.organisation()
    await service.db`update api_keys set expires_datetime = now() - interval '1 s' where organisation_id = ${expired.id}`
    expect((await send(body, {}, expired)).status).toBe(401)
    const revoked = await service.organisation()
    await service.db`update api_keys set revoked_datetime = now() where organisation_id = ${revoked.id}`
    expect((await send(body, {}, revoked)).status).toBe(401)
  })

  test('responds with 403 if the key lacks the scope', async () => {
    const by = await service.organisation({ scopes: ['otp'] })
    expect((await send({ recipients: '08031234567', content: 'x' }, {}, by)).status).toBe(403)
  })

  test('responds with 405, 413 and 415', async () => {
    const other = await service.call('PUT', '/sms/send', {})
    expect(other.status).toBe(405)
    expect(other.headers.get('allow')).toBe('POST')
    const large = await send({ recipients: '08031234567', content: 'x'.repeat(8 * 1024 * 1024) })
    expect(large.status).toBe(413)
    const form = await send('recipients=1', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(form.status).toBe(415)
    expect(form.body).toMatchObject({ status: 415 })
  })

  test('the prefix Bearer and blanks around the key are optional', async () => {
    const body = { recipients: '08031234567', content: 'x' }
    expect((await send(body, { authorization: `Bearer ${service.key}` })).status).toBe(200)
    expect((await send(body, { authorization: `   ${service.key} ` })).status).toBe(200)
  })
})

import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everyDelivery, everyMessage } from '../support/every.ts'
import { emptyIntake } from '../support/intake.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'

type Estimate = { available_balance: number; charge: number; encoding: string; message_length: number; pages: number }
type Text = Estimate & {
  text: string
  recipients: number
  foreign_characters: object[]
  smart_encoding?: object
  gsm?: object
}
type Answer = {
  recipients: number
  texts: Text[]
  texts_total: number
  smart_encoding: { applied: boolean; charge: number }
  gsm: { charge: number }
  meta: { method: string; resource: string; estimate: Estimate }
  errors: { field: string; type: string }[]
}

let service: TestService
beforeAll(async () => {
  service = await openService({ settings: { public_url: 'https://gg.ng' }, workers: false })
})
afterAll(() => service.close())

const ADA = '2348031234567'
const estimate = (body: unknown, by: Organisation = service) => by.call<Answer>('POST', '/sms/estimate', body)
const send = (body: unknown, by: Organisation = service) => by.call<Answer>('POST', '/sms/send', body)
const faults = (body: Answer) => body.errors.map(({ field, type }) => `${field} ${type}`).sort()
const typographic = '\u201cIt\u2019s ready\u201d \u2013 come by\u2026'
const plain = '"It\'s ready" - come by...'

describe('an estimate', () => {
  test('returns the pages and the price of a message, and has no effects', async () => {
    const by = await service.organisation({ credit: 100 })
    const { status, body } = await estimate({ recipients: `${ADA}, 08051234567, ${ADA}`, content: 'Hello' }, by)
    expect(status).toBe(200)
    expect(body).toEqual({
      recipients: 2,
      texts: [
        {
          text: 'Hello',
          recipients: 2,
          encoding: 'GSM',
          message_length: 5,
          pages: 1,
          charge: 8,
          foreign_characters: [],
        },
      ],
      texts_total: 1,
      smart_encoding: { applied: false, charge: 8 },
      gsm: { charge: 8 },
      is_covered: true,
      meta: {
        method: 'POST',
        resource: '/sms/estimate',
        estimate: { available_balance: 92, charge: 8, encoding: 'GSM', message_length: 5, pages: 1 },
      },
    })
    expect((await by.call<{ messages: object[] }>('GET', '/sms')).body.messages).toEqual([])
    expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(100)
  })

  test('names the characters that force UCS-2, their positions, and the additional price', async () => {
    const content = `${'a'.repeat(100)} ₦500 \u2013 ₦600 😀`
    const { body } = await estimate({ recipients: ADA, content })
    expect(body.texts).toMatchObject([
      {
        encoding: 'UCS-2',
        message_length: 115,
        pages: 2,
        charge: 8,
        foreign_characters: [
          { character: '₦', code_point: 'U+20A6', positions: [101, 108] },
          { character: '\u2013', code_point: 'U+2013', positions: [106], look_alike: '-' },
          { character: '😀', code_point: 'U+1F600', positions: [113] },
        ],
        gsm: { message_length: 114, pages: 1, charge: 4 },
      },
    ])
    expect(body.texts[0]).not.toHaveProperty('smart_encoding') // Smart encoding could not convert all of it to GSM.
    expect(body).toMatchObject({ smart_encoding: { applied: false, charge: 8 }, gsm: { charge: 4 } })
  })

  test('returns the effect of smart encoding, before and after enabling it', async () => {
    const content = `${typographic}${'x'.repeat(60)}`
    const without = (await estimate({ recipients: ADA, content })).body
    const smart = { encoding: 'GSM', message_length: plain.length + 60, pages: 1, charge: 4 }
    expect(without).toMatchObject({
      texts: [
        { text: content, encoding: 'UCS-2', pages: 2, smart_encoding: { text: `${plain}${'x'.repeat(60)}`, ...smart } },
      ],
      smart_encoding: { applied: false, charge: 4 },
      meta: { estimate: { charge: 8 } },
    })
    const with_it = (await estimate({ recipients: ADA, content, smart_encoding: true })).body
    expect(with_it).toMatchObject({
      texts: [{ text: `${plain}${'x'.repeat(60)}`, ...smart, foreign_characters: [] }],
      smart_encoding: { applied: true, charge: 4 },
      meta: { estimate: { charge: 4, encoding: 'GSM' } },
    })
  })

  test('returns different texts separately, the longest first', async () => {
    const { body: template } = await service.call<{ id: string }>('POST', '/templates', {
      name: 'x',
      content: 'Hi {{a}}',
    })
    const recipients = Array.from({ length: 30 }, (_, n) => `23480300000${String(n).padStart(2, '0')}`)
    const personalisation = recipients.map((to, n) => ({
      to,
      substitutions: { a: n === 29 ? 'x'.repeat(200) : String(Math.floor(n / 2)) },
    }))
    const { body } = await estimate({ recipients, template_id: template.id, personalisation })
    expect(body).toMatchObject({ recipients: 30, texts_total: 16, meta: { estimate: { charge: 4 * 31, pages: 2 } } })
    expect(body.texts).toHaveLength(16)
    expect(body.texts[0]).toMatchObject({ recipients: 1, pages: 2, charge: 8 })
    expect(body.texts[1]).toMatchObject({ text: 'Hi 0', recipients: 2, pages: 1, charge: 8 })
  })

  test('counts tracked links in their short form', async () => {
    const content = `See https://example.com/${'x'.repeat(200)}`
    const { body } = await estimate({ recipients: ADA, content, is_trackable: true })
    expect(body.texts).toMatchObject([{ text: 'See https://gg.ng/l/xxxxxxx', pages: 1 }])
    const [row] = await service.db`select count(*)::integer as count from links`
    expect(row?.count).toBe(0)
  })

  test('does not require a sufficient balance, but returns it', async () => {
    const by = await service.organisation({ credit: 1 })
    expect((await estimate({ recipients: ADA, content: 'x' }, by)).body.meta.estimate).toMatchObject({
      charge: 4,
      available_balance: -3,
    })
  })

  test('returns neither pages nor replacements on WhatsApp', async () => {
    const content = `${typographic}${'x'.repeat(200)}`
    const { body } = await estimate({ recipients: ADA, content, channel: 'whatsapp', smart_encoding: true })
    expect(body).toMatchObject({
      texts: [{ text: content, pages: 1, charge: 6 }],
      smart_encoding: { applied: false, charge: 6 },
    })
  })

  test('any text: the estimate equals the response to the send', async () => {
    const by = await service.organisation({ credit: 1_000_000 })
    const unit = fc.constantFrom(...Array.from('aZ €[é₦\u2019\u2026😀'), 'https://example.com/a ')
    const any_content = fc.string({ unit, minLength: 1, maxLength: 200, size: 'max' })
    await fc.assert(
      fc.asyncProperty(any_content, fc.boolean(), fc.boolean(), async (content, smart_encoding, is_trackable) => {
        const body = { recipients: [ADA, '447700900123'], content, smart_encoding, is_trackable }
        const estimated = await estimate(body, by)
        const sent = await send(body, by)
        expect(estimated.status).toBe(sent.status)
        expect(estimated.body.meta?.estimate).toEqual(sent.body.meta?.estimate)
        expect(estimated.body.errors).toEqual(sent.body.errors)
      }),
      { numRuns: 60 },
    )
  })
})

describe('smart encoding', () => {
  test('is a setting of the organisation, which a request may override', async () => {
    const by = await service.organisation()
    expect((await by.call('PATCH', '/settings', { smart_encoding: true })).status).toBe(200)
    const sent = await send({ recipients: ADA, content: typographic }, by)
    expect(sent.body).toMatchObject({ content: plain, meta: { estimate: { encoding: 'GSM' } } })
    const kept = await send({ recipients: ADA, content: typographic, smart_encoding: false }, by)
    expect(kept.body).toMatchObject({ content: typographic, meta: { estimate: { encoding: 'UCS-2' } } })
  })

  test('applies to templates too, whether the texts are equal or personal', async () => {
    for (const content of [typographic, `${typographic} {{a|x}}`]) {
      const { body: template } = await service.call<{ id: string }>('POST', '/templates', { name: 'x', content })
      const asked = { recipients: ADA, template_id: template.id, smart_encoding: true }
      const { body } = await service.call<{ id: string; meta: Answer['meta'] }>('POST', '/sms/send', asked)
      expect(body.meta.estimate.encoding).toBe('GSM')
      const [row] = await service.db`
        select coalesce(text, content) as text from ${everyDelivery(service.db)} delivery
        join ${everyMessage(service.db)} message on id = message_id
        where id = ${body.id}`
      expect(row?.text).toBe(content.replace(typographic, plain).replace('{{a|x}}', 'x'))
    }
  })

  test('never changes an OTP', async () => {
    const by = await service.organisation()
    expect((await by.call('PATCH', '/settings', { smart_encoding: true })).status).toBe(200)
    const template = '\u201c{{token}}\u201d \u2013 see https://example.com'
    expect((await by.call('PATCH', '/otp/settings', { template })).status).toBe(200)
    expect((await by.call('POST', '/otp/request_token', { recipient: ADA, token: '4711' })).status).toBe(200)
    await emptyIntake(service.db, by.id)
    const [row] = await service.db`select content, encoding from messages where organisation_id = ${by.id}`
    expect(row).toEqual({ content: '\u201c****\u201d \u2013 see https://example.com', encoding: 'UCS-2' })
  })
})

describe('is rejected like a send', () => {
  test.each([
    ['nothing', {}, ['content missing', 'recipients missing', 'template_id missing']],
    ['a smartlist', { smartlist_id: 'x', content: 'x' }, ['recipients missing', 'smartlist_id invalid']],
    ['eleven pages', { recipients: ADA, content: 'a'.repeat(1_531) }, ['content string_too_long']],
    [
      'a wrong switch',
      { recipients: ADA, content: 'a', smart_encoding: 'yes', is_trackable: 1 },
      ['is_trackable boolean_type', 'smart_encoding boolean_type'],
    ],
  ])('%s', async (_, body, expected) => {
    const { status, body: answer } = await estimate(body)
    expect(status).toBe(400)
    expect(faults(answer)).toEqual(expected)
  })

  test('responds with 401, 403 and 404', async () => {
    const body = { recipients: ADA, content: 'x' }
    expect((await service.call('POST', '/sms/estimate', body, { authorization: '' })).status).toBe(401)
    expect((await estimate(body, await service.organisation({ scopes: ['otp'] }))).status).toBe(403)
    expect((await estimate({ recipients: ADA, template_id: 'none' })).status).toBe(404)
  })
})

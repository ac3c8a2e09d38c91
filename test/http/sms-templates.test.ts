import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STANDARD_PAGES } from '../../src/values/sms/page-form.ts'
import { measureText, splitText } from '../../src/values/sms/sms-text.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'

type Estimate = { available_balance: number; charge: number; encoding: string; message_length: number; pages: number }
type Message = {
  id: string
  recipients: string[]
  content: string
  template_id: string
  template_version: number
  deliveries: { recipient: string; text: string; pages: number; charge: number }[]
  meta: { estimate: Estimate }
  errors: { field: string; type: string; message: string }[]
}

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const ADA = '2348031234567'
const BOLA = '2348051234567'
const send = (body: unknown, by: Organisation = service) => by.call<Message>('POST', '/sms/send', body)
const read = (id: string, by: Organisation = service) => by.call<Message>('GET', `/sms/${id}`)
const faults = (body: Message) => body.errors.map(({ field, type }) => `${field} ${type}`).sort()
const balance = async (by: Organisation) => (await by.call<{ balance: number }>('GET', '/balance')).body.balance

async function template(content: string, by: Organisation = service): Promise<string> {
  return (await by.call<{ id: string }>('POST', '/templates', { name: 'Words', content })).body.id
}

describe('a message from a template', () => {
  test('has a text, pages and a price per recipient', async () => {
    const by = await service.organisation({ credit: 100 })
    const template_id = await template('Hello {{name|there}}. {{note}}', by)
    const long = 'x'.repeat(150)
    const personalisation = [
      { to: '0803 123 4567', substitutions: { name: 'Ada', note: 'Yes.', unused: 'x' } },
      { to: BOLA, substitutions: { note: long } },
    ]
    const { status, body } = await send({ recipients: `${ADA}, ${BOLA}`, template_id, personalisation }, by)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      content: 'Hello {{name|there}}. {{note}}',
      template_id,
      template_version: 1,
      personalisation,
      meta: { estimate: { charge: 4 + 8, available_balance: 88, encoding: 'GSM', message_length: 163, pages: 2 } },
    })
    const { deliveries } = (await read(body.id, by)).body
    expect(deliveries).toMatchObject([
      { recipient: ADA, text: 'Hello Ada. Yes.', pages: 1, charge: 4 },
      { recipient: BOLA, text: `Hello there. ${long}`, pages: 2, charge: 8 },
    ])
    const shown = await until('both phones', async () => {
      type Handsets = { messages: { recipient: string; text: string }[] }
      const { messages } = (await by.call<Handsets>('GET', '/sandbox/messages')).body
      return messages.length === 2 && messages
    })
    expect(new Map(shown.map(({ recipient, text }) => [recipient, text]))).toEqual(
      new Map(deliveries.map(({ recipient, text }) => [recipient, text])),
    )
  })

  test('keeps the sent text when the template changes', async () => {
    const template_id = await template('First: {{a}}')
    const personalisation = [{ to: ADA, substitutions: { a: '1' } }]
    const first = (await send({ recipients: ADA, template_id, personalisation })).body
    await service.call('PATCH', `/templates/${template_id}`, { content: 'Second: {{a}}' })
    const second = (await send({ recipients: ADA, template_id, personalisation })).body
    await service.call('DELETE', `/templates/${template_id}`)
    expect((await read(first.id)).body).toMatchObject({
      template_id,
      template_version: 1,
      content: 'First: {{a}}',
      deliveries: [{ text: 'First: 1' }],
    })
    expect((await read(second.id)).body).toMatchObject({ template_version: 2, deliveries: [{ text: 'Second: 1' }] })
    expect((await send({ recipients: ADA, template_id })).status).toBe(404)
  })

  test('takes precedence over content, and needs no values without placeholders', async () => {
    const template_id = await template('The template')
    const { body } = await send({ recipients: ADA, template_id, content: 'The content' })
    expect(body.content).toBe('The template')
    expect((await read(body.id)).body.deliveries[0]).not.toHaveProperty('text')
  })

  test('is sent to each number once, with the last of several values', async () => {
    const template_id = await template('{{a}}{{b}}')
    const personalisation = [
      { to: ADA, substitutions: { a: '1', b: '2' } },
      { to: '+234 803 123 4567', substitutions: { b: '3' } },
    ]
    const { body } = await send({ recipients: [ADA, '08031234567'], template_id, personalisation })
    expect((await read(body.id)).body.deliveries).toMatchObject([{ text: '13' }])
  })

  test('takes the values of one number from a thousand items, whatever their names', async () => {
    const names = Array.from({ length: 1_000 }, (_, n) => `n${n}`)
    const template_id = await template('{{n0}} {{n500}} {{n999}} {{__proto__}} {{toString|none}}')
    const personalisation = [...names, '__proto__'].map((name) => ({ to: ADA, substitutions: { [name]: `<${name}>` } }))
    const { body } = await send({ recipients: ADA, template_id, personalisation })
    expect((await read(body.id)).body).toMatchObject({
      personalisation,
      deliveries: [{ text: '<n0> <n500> <n999> <__proto__> none' }],
    })
    const missing = await send({ recipients: ADA, template_id, personalisation: personalisation.slice(1) })
    expect(faults(missing.body)).toEqual(['personalisation[999].substitutions.n0 unknown_placeholder'])
  })

  test('may need UCS-2 for one recipient only', async () => {
    const template_id = await template('{{a}}')
    const personalisation = [
      { to: ADA, substitutions: { a: 'x'.repeat(160) } },
      { to: BOLA, substitutions: { a: 'ọ'.repeat(71) } },
    ]
    const { body } = await send({ recipients: [ADA, BOLA], template_id, personalisation })
    expect(body.meta.estimate).toMatchObject({ charge: 12, encoding: 'UCS-2', message_length: 71, pages: 2 })
  })
})

test('unknown fields of a personalisation are ignored', async () => {
  const substitutions = { a: 'x' }
  const personalisation = [{ to: ADA, substitutions, note: '\ud83d\u0000' }]
  const { status, body } = await send({ recipients: ADA, template_id: await template('{{a}}'), personalisation })
  expect(status).toBe(200)
  expect((await service.call('GET', `/sms/${body.id}`)).body.personalisation).toEqual([{ to: ADA, substitutions }])
})

test('double braces in content are sent unchanged', async () => {
  const personalisation = [{ to: ADA, substitutions: { name: 'Ada' } }]
  const { body } = await send({ recipients: ADA, content: 'Hello {{name}}', personalisation })
  expect(body).toMatchObject({ content: 'Hello {{name}}', personalisation })
  expect((await read(body.id)).body.deliveries[0]).not.toHaveProperty('text')
})

describe('is rejected before any charge', () => {
  test('if the template does not exist, together with other errors', async () => {
    const { status, body } = await send({ recipients: '12', template_id: 'nope', callback: 'bad' })
    expect(status).toBe(400)
    expect(faults(body).sort()).toEqual([
      'callback url_parsing',
      'recipients[0] phone_invalid',
      'template_id not_found',
    ])
  })

  test('with all errors together', async () => {
    const by = await service.organisation({ credit: 100 })
    const template_id = await template('{{a}} {{b}} {{c|x}} {{constructor}} {{a}}', by)
    const { status, body } = await send(
      {
        recipients: [ADA, BOLA, '2348090000000', '2348090000001', '2348090000002', '2348090000003'],
        template_id,
        sender_id: 'far too long for one',
        personalisation: [
          { to: BOLA, substitutions: { b: '2', constructor: 'ok' } },
          { to: '2347000000000', substitutions: { a: '1', b: '2' } },
          { to: 'nobody', substitutions: {} },
          { to: ADA, substitutions: { a: '1', b: 'y'.repeat(2_000), constructor: 'z' } },
        ],
      },
      by,
    )
    expect(status).toBe(400)
    expect(faults(body)).toEqual([
      'personalisation unknown_placeholder',
      'personalisation unknown_placeholder',
      'personalisation unknown_placeholder',
      'personalisation[0].substitutions.a unknown_placeholder',
      'personalisation[1].to invalid',
      'personalisation[2].to phone_invalid',
      'personalisation[3] string_too_long',
      'sender_id string_too_long',
    ])
    expect(body.errors.map(({ message }) => message)).toContain(
      'There is no value for {{a}} for 2348090000000, 2348090000001, 2348090000002 and 1 more.',
    )
    expect(await balance(by)).toBe(100)
    expect((await by.call<{ messages: unknown[] }>('GET', '/sms')).body.messages).toEqual([])
  })

  test.each([
    ['no values at all', { recipients: ADA }, ['personalisation unknown_placeholder']],
    [
      'a faulty recipient hides whether a number is among them',
      { recipients: `${ADA},x`, personalisation: [{ to: BOLA, substitutions: {} }] },
      ['personalisation unknown_placeholder', 'recipients[1] phone_invalid'],
    ],
    [
      'NUL in a value',
      { recipients: ADA, personalisation: [{ to: ADA, substitutions: { a: '\u0000' } }] },
      ['personalisation[0] invalid', 'personalisation[0].substitutions invalid'],
    ],
    [
      'half a character in a value, a name or a number',
      {
        recipients: ADA,
        personalisation: [
          { to: ADA, substitutions: { a: 'x\ud83d' } },
          { to: ADA, substitutions: { a: 'x', '\udc00': '' } },
          { to: '\ud83d', substitutions: { a: 'x' } },
        ],
      },
      [
        'personalisation[0].substitutions invalid',
        'personalisation[1].substitutions invalid',
        'personalisation[2].to invalid',
        'personalisation[2].to phone_invalid',
      ],
    ],
    [
      'an empty text',
      { recipients: ADA, personalisation: [{ to: ADA, substitutions: { a: '' } }] },
      ['personalisation[0] string_too_short'],
    ],
    [
      'far too long a text',
      { recipients: ADA, personalisation: [{ to: ADA, substitutions: { a: 'y'.repeat(4_000) } }] },
      ['personalisation[0] string_too_long'],
    ],
    [
      'a value longer than any text',
      { recipients: ADA, personalisation: [{ to: ADA, substitutions: { a: 'y'.repeat(100_000) } }] },
      ['personalisation[0].substitutions.a string_too_long'],
    ],
    [
      'a misshapen one',
      { recipients: ADA, personalisation: [{ to: ADA }] },
      ['personalisation[0].substitutions missing'],
    ],
  ])('%s', async (_, body, expected) => {
    const answer = await send({ ...body, template_id: await template('{{a}}') })
    expect(answer.status).toBe(400)
    expect(faults(answer.body)).toEqual(expected)
  })
})

test('any message from a template: no text exceeds the estimate, and the segments of each join to it', async () => {
  const by = await service.organisation({ credit: 1_000_000 })
  const value = fc.string({ unit: fc.constantFrom(...Array.from('aZ €[é₦ç😀\u2019\n')), maxLength: 130, size: 'max' })
  const people = fc.array(fc.record({ a: value, b: value }, { requiredKeys: ['a'] }), { minLength: 1, maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(people, fc.boolean(), fc.boolean(), async (values, smart_encoding, is_trackable) => {
      const template_id = await template('{{a}} https://example.com/{{b|x}} {{b|}}.', by)
      const recipients = values.map((_, n) => `23480300000${String(n).padStart(2, '0')}`)
      const personalisation = values.map((substitutions, n) => ({ to: recipients[n], substitutions }))
      const asked = { recipients, template_id, personalisation, smart_encoding, is_trackable }
      const { status, body } = await send(asked, by)
      fc.pre(status === 200) // Texts that are too long are rejected.
      const { deliveries } = (await read(body.id, by)).body
      const sizes = deliveries.map(({ text }) => measureText(text, STANDARD_PAGES))
      const { estimate } = body.meta
      for (const [n, { text, pages, charge }] of deliveries.entries()) {
        const { segments } = splitText(text, STANDARD_PAGES)
        expect(segments.join('')).toBe(text)
        expect(segments).toHaveLength(pages)
        expect(pages).toBeLessThanOrEqual(estimate.pages)
        expect(pages).toBe(sizes[n]?.pages)
        expect(charge).toBe(4 * pages)
      }
      expect(Math.max(...sizes.map(({ pages }) => pages))).toBe(estimate.pages)
      expect(estimate.charge).toBe(deliveries.reduce((sum, { charge }) => sum + charge, 0))
    }),
    { numRuns: 40 },
  )
})

test('ten thousand texts are stored while other requests are answered', async () => {
  const by = await service.organisation({ credit: 120_000 })
  const template_id = await template(`Hello {{name}}, ${'your order is on its way, '.repeat(12)}{{note}}`, by)
  const recipients = Array.from({ length: 10_000 }, (_, n) => `234803${String(n).padStart(7, '0')}`)
  const personalisation = recipients.map((to, n) => ({ to, substitutions: { name: `Person ${n}`, note: `#${n}` } }))
  let answered = 0
  let sent: Message | undefined
  const sending = (async () => {
    sent = (await send({ recipients, template_id, personalisation }, by)).body
  })()
  while (!sent) {
    expect((await service.call('GET', '/health')).status).toBe(200)
    if (!sent) answered += 1
  }
  await sending
  expect(answered).toBeGreaterThan(3)
  expect(sent.meta.estimate).toMatchObject({ pages: 3, charge: 120_000, available_balance: 0 })
  const { deliveries } = (await read(sent.id, by)).body
  expect(deliveries).toHaveLength(10_000)
  expect(deliveries[9_999]?.text).toMatch(/^Hello Person 9999, .*#9999$/)
})

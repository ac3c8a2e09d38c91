import { afterAll, beforeAll, expect, test } from 'vitest'
import { PNG } from '../support/files.ts'
import { faults } from '../support/otp.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const ADA = '2348031234567'
const BOLA = '2348057654321'

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const content = 'Hello {{name|there}}, your order {{order}} is on its way.'

async function makeTemplate(whatsapp: object): Promise<string> {
  const about = { name: 'shipped', language: 'en', parameters: ['name', 'order'] }
  const made = await service.call<{ id: string }>('POST', '/templates', {
    name: 'Shipped',
    content,
    whatsapp: { ...about, ...whatsapp },
  })
  expect(made.status).toBe(200)
  return made.body.id
}

const send = (template_id: string, values: Record<string, Record<string, string>>) =>
  service.call<{ id: string; errors?: { field: string; type: string }[] }>('POST', '/sms/send', {
    recipients: Object.keys(values),
    channel: 'whatsapp',
    template_id,
    personalisation: Object.entries(values).map(([to, substitutions]) => ({ to, substitutions })),
  })

type Shown = { message_id: string; recipient: string; text: string; whatsapp: object }

async function shown(message_id: string, recipient = ADA): Promise<Shown> {
  return until('it on the phone', async () => {
    const { body } = await service.call<{ messages: Shown[] }>('GET', `/sandbox/messages?recipient=${recipient}`)
    return body.messages.find((one) => one.message_id === message_id)
  })
}

async function upload(): Promise<string> {
  const { body } = await service.call<{ id: string }>('POST', '/media', PNG, { 'content-type': 'image/png' })
  return body.id
}

test('a phone shows the header and the buttons of a template with the values of its owner, and answers with a button', async () => {
  const id = await makeTemplate({
    header: { image: { link: 'https://shop.example/{{order}}.jpg' } },
    buttons: [
      { index: 0, payload: 'got {{order}}' },
      { index: 1, url: '{{order}}?to={{name|you}}' },
      { index: 3, code: 'SPRING' },
    ],
  })
  const { body } = await send(id, { [ADA]: { name: 'Ada', order: '1042' }, [BOLA]: { order: '1043' } })
  expect(await shown(body.id)).toMatchObject({ text: 'Hello Ada, your order 1042 is on its way.' })
  expect((await shown(body.id)).whatsapp).toEqual({
    template: { name: 'shipped', language: 'en' },
    header: { image: { link: 'https://shop.example/1042.jpg' } },
    buttons: [
      { index: 0, payload: 'got 1042' },
      { index: 1, url: '1042?to=Ada' },
      { index: 3, code: 'SPRING' },
    ],
  })
  expect((await shown(body.id, BOLA)).whatsapp).toMatchObject({
    header: { image: { link: 'https://shop.example/1043.jpg' } },
    buttons: [{ payload: 'got 1043' }, { url: '1043?to=you' }, { code: 'SPRING' }],
  })
  const button_reply = { id: 'got 1042', title: 'Got it' }
  const whatsapp = { button_reply, reply_to: body.id }
  const pressed = { from: ADA, to: 'WhatsApp', channel: 'whatsapp', whatsapp }
  const answer = await service.call('POST', '/sandbox/reply', pressed)
  expect(answer).toMatchObject({ status: 200, body: { text: 'Got it', whatsapp: { button_reply, reply_to: body.id } } })
})

test.each([
  ['a text', { text: 'Order {{order}}' }, { header: { text: 'Order 7' } }],
  [
    'a document',
    { document: { link: 'https://shop.example/a.pdf', filename: 'Invoice {{order}}.pdf' } },
    { header: { document: { link: 'https://shop.example/a.pdf', filename: 'Invoice 7.pdf' } } },
  ],
  [
    'a place',
    { location: { latitude: '6.4281', longitude: '3.4219', name: 'Shop {{order}}' } },
    { location: { latitude: 6.4281, longitude: 3.4219, name: 'Shop 7' } },
  ],
])('a header with %s', async (_, header, expected) => {
  const { body } = await send(await makeTemplate({ header }), { [ADA]: { order: '7' } })
  expect((await shown(body.id)).whatsapp).toEqual({ template: { name: 'shipped', language: 'en' }, ...expected })
})

test('a file of ours, and the cards of a carousel', async () => {
  const photo = await upload()
  const card = (product: string) => ({
    header: { image: { id: '{{photo}}' } },
    texts: [product],
    buttons: [{ index: 0, payload: product }],
  })
  const id = await makeTemplate({ cards: [card('Shoes'), card('{{order}}')] })
  const { body } = await send(id, { [ADA]: { order: 'Hat', photo } })
  const expected = (product: string) => ({ ...card(product), header: { image: { id: photo } } })
  const { whatsapp } = await shown(body.id)
  expect(whatsapp).toEqual({
    template: { name: 'shipped', language: 'en' },
    cards: [expected('Shoes'), expected('Hat')],
  })
})

test.each([
  ['a file that does not exist', { id: '019a8475-0000-7000-8000-000000000001' }, 'id', 'not_found'],
  ['an address that is not https', { photo: 'http://shop.example' }, 'photo', 'url_parsing'],
])('%s is refused before a charge', async (_, substitutions, field, type) => {
  const header = field === 'id' ? { image: { id: '{{id}}' } } : { image: { link: '{{photo}}' } }
  const balance = async () => (await service.call('GET', '/balance')).body
  const before = await balance()
  const refused = await send(await makeTemplate({ header }), { [ADA]: { order: '7', ...substitutions } })
  expect(faults(refused.body)).toEqual([`personalisation[0].substitutions.${field} ${type}`])
  expect(await balance()).toEqual(before)
})

test('a value of a button that no recipient has is refused', async () => {
  const id = await makeTemplate({ buttons: [{ index: 0, payload: '{{key}}' }] })
  const { status, body } = await send(id, { [ADA]: { order: '7' } })
  expect([status, faults(body)]).toEqual([400, ['personalisation[0].substitutions.key unknown_placeholder']])
})

test('no values are needed for a number that has opted out', async () => {
  await service.call('POST', '/sandbox/reply', { from: BOLA, to: 'WhatsApp', channel: 'whatsapp', text: 'STOP' })
  const id = await makeTemplate({ buttons: [{ index: 0, payload: '{{key}}' }] })
  const { status, body } = await send(id, { [ADA]: { order: '7', key: 'a' }, [BOLA]: { order: '8' } })
  expect(status).toBe(200)
  expect((await shown(body.id)).whatsapp).toMatchObject({ buttons: [{ payload: 'a' }] })
})

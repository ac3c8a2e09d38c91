import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { assignNumber } from '../../src/senders/decide.ts'
import {
  inbound,
  NUMBER,
  ORDER_UPDATE,
  postWebhook,
  SECOND,
  startMetaServer,
  statusOf,
  webhookBody,
  type MetaServer,
} from '../support/meta-server.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { clientOf, loginOf, startApplication } from './twilio-setup.ts'

let meta: MetaServer
let service: TestService
let by: Organisation
let client: ReturnType<typeof clientOf>
let application: Awaited<ReturnType<typeof startApplication>>

const FROM = `whatsapp:+${NUMBER.display}`
const PHOTO = {
  ...ORDER_UPDATE,
  name: 'photo',
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Hello {{1}}, order {{2}} is there.' },
    { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' }] },
  ],
}

beforeAll(async () => {
  meta = await startMetaServer()
  meta.templates = [ORDER_UPDATE, PHOTO]
  const numbers = [{ phone_number_id: SECOND.phone_number_id, digits: SECOND.display }]
  service = await openService({
    settings: {
      carriers: [
        { kind: 'simulator', name: 'simulator', report_delay_ms: 20 },
        meta.settings({ digits: NUMBER.display, numbers }),
      ],
      routes: [
        { name: 'sms', channel: 'sms', carrier: 'simulator' },
        { name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' },
      ],
    },
    config: { sandbox: true },
  })
  application = await startApplication()
  await until('the templates', async () => (await service.db`select 1 from whatsapp_templates`).length === 2, 60_000)
})
afterAll(async () => {
  await service.close()
  await application.close()
  await meta.close()
})
beforeEach(async () => {
  by = await service.organisation()
  const { account_sid, auth_token } = await loginOf(service, by)
  client = clientOf(service, account_sid, auth_token)
  meta.taken.length = 0
  application.posted.length = 0
})

let next_number = 2_348_039_000_000
async function friend(to = NUMBER): Promise<string> {
  const from = String((next_number += 1))
  await postWebhook(service, webhookBody([{ messages: [inbound(`wamid.${from}`, from, 'Hi')] }], to))
  return from
}
const sentTo = (to: string) => until(`a message to ${to}`, () => meta.taken.find((one) => one.to === to))

test('a text is sent, and its status is posted until it is read', async () => {
  const to = await friend()
  const statusCallback = `${application.url}/status`
  const created = await client.messages.create({ to: `whatsapp:+${to}`, from: FROM, body: 'Hello', statusCallback })
  expect(created).toMatchObject({ to: `whatsapp:+${to}`, from: FROM, body: 'Hello', status: 'queued', numMedia: '0' })
  const message = await sentTo(to)
  expect(message).toMatchObject({ type: 'text', text: { body: 'Hello' } })
  await until('its status', async () => (await client.messages(created.sid).fetch()).status === 'sent')
  await postWebhook(service, webhookBody([{ statuses: [statusOf(message, 'delivered')] }]))
  await until('its status', async () => (await client.messages(created.sid).fetch()).status === 'delivered')
  await until('the callback', () =>
    application.posted.some(({ params }) => params.MessageSid === created.sid && params.MessageStatus === 'delivered'),
  )
})

test.each([
  ['https://shop.example/a.jpg', 'Yours', { type: 'image', image: { caption: 'Yours' } }],
  ['https://shop.example/a.pdf?x=1', 'Yours', { type: 'document', document: { caption: 'Yours' } }],
  ['https://shop.example/a.mp4', undefined, { type: 'video' }],
  ['https://shop.example/a.ogg', undefined, { type: 'audio' }],
  ['https://shop.example/a.webp', undefined, { type: 'sticker' }],
])('MediaUrl %s is sent as the file that it is', async (link, body, expected) => {
  const to = await friend()
  const wish = { to: `whatsapp:+${to}`, from: FROM, mediaUrl: [link], ...(body === undefined ? {} : { body }) }
  expect(await client.messages.create(wish)).toMatchObject({ status: 'queued', numMedia: '1' })
  const message = await sentTo(to)
  expect(message).toMatchObject(expected)
  expect(message).toMatchObject({ [expected.type]: { link } })
})

async function template(whatsapp: object, content = 'Hello {{1}}, order {{2}} is there.'): Promise<string> {
  const { body } = await by.call<{ id: string }>('POST', '/templates', { name: 'order', content, whatsapp })
  return `HX${body.id.replaceAll('-', '')}`
}

test('ContentSid with ContentVariables is sent as the template, to strangers too', async () => {
  const contentSid = await template({ name: 'order_update', language: 'en', parameters: ['1', '2'] })
  const to = String((next_number += 1))
  const contentVariables = JSON.stringify({ 1: 'Ada', 2: '1042' })
  const created = await client.messages.create({ to: `whatsapp:+${to}`, from: FROM, contentSid, contentVariables })
  expect(created).toMatchObject({ status: 'queued' })
  expect((await sentTo(to)).template).toEqual({
    name: 'order_update',
    language: { code: 'en', policy: 'deterministic' },
    components: [
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Ada' },
          { type: 'text', text: '1042' },
        ],
      },
    ],
  })
  const sent = await until('the record', async () => {
    const fetched = await client.messages(created.sid).fetch()
    return fetched.status === 'sent' && fetched
  })
  expect(sent.body).toBe('Hello Ada, order 1042 is there.')
})

test('ContentVariables fill header and buttons, too', async () => {
  const contentSid = await template({
    name: 'photo',
    language: 'en',
    parameters: ['1', '2'],
    header: { image: { link: 'https://shop.example/{{2}}.jpg' } },
    buttons: [{ index: 0, url: '{{2}}' }],
  })
  const to = String((next_number += 1))
  const contentVariables = JSON.stringify({ 1: 'Ada', 2: '1042' })
  await client.messages.create({ to: `whatsapp:+${to}`, from: FROM, contentSid, contentVariables })
  expect((await sentTo(to)).template?.components).toMatchObject([
    { type: 'body' },
    { type: 'header', parameters: [{ type: 'image', image: { link: 'https://shop.example/1042.jpg' } }] },
    { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '1042' }] },
  ])
})

test('From is a number of the organisation, and not that of another one', async () => {
  const owner = await service.organisation()
  await assignNumber(service, owner.id, SECOND.display)
  const to = await friend(SECOND)
  const wish = { to: `whatsapp:+${to}`, from: `whatsapp:+${SECOND.display}`, body: 'Hello' }
  await expect(client.messages.create(wish)).rejects.toMatchObject({ status: 400 })
  const { account_sid, auth_token } = await loginOf(service, owner)
  await clientOf(service, account_sid, auth_token).messages.create(wish)
  expect(meta.numberOf((await sentTo(to)).wamid)).toEqual(SECOND)
  expect(meta.taken).toHaveLength(1)
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { everyMessage } from '../support/every.ts'
import { temporaryFolder } from '../support/folder.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import {
  inbound,
  LOGIN_CODE,
  NUMBER,
  ORDER_UPDATE,
  postWebhook,
  startMetaServer,
  statusOf,
  webhookBody,
  type MetaServer,
  type Taken,
} from '../support/meta-server.ts'
import { balance, faults, handset, request } from '../support/otp.ts'
import { runGangan } from '../support/process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

let meta: MetaServer
let service: TestService
let receiver: Receiver
let by: Organisation

const NAMED = {
  ...ORDER_UPDATE,
  name: 'named_update',
  components: [{ type: 'BODY', text: 'Hello {{first_name}}, your order {{order}} is on its way.' }],
}
const PICTURE = { ...ORDER_UPDATE, name: 'picture', components: [{ type: 'HEADER', format: 'IMAGE' }] }
const PAUSED = { ...ORDER_UPDATE, name: 'paused_one', status: 'PAUSED' }

beforeAll(async () => {
  meta = await startMetaServer()
  meta.templates = [LOGIN_CODE, ORDER_UPDATE, NAMED, PICTURE, PAUSED]
  meta.page = 2
  receiver = await startReceiver()
  const { otp_template: _none, ...without_otp_template } = meta.settings()
  service = await openService({
    settings: {
      carriers: [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }, without_otp_template],
      routes: [
        { name: 'sms', channel: 'sms', carrier: 'simulator' },
        { name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' },
      ],
    },
    config: { sandbox: true },
  })
  const synced = async () => (await service.db`select 1 from whatsapp_templates`).length === 5
  await until('the templates, page after page', synced, 60_000)
})
afterAll(async () => {
  await service.close()
  await receiver.close()
  await meta.close()
})
beforeEach(async () => {
  by = await service.organisation({ credit: 100 })
  meta.taken.length = 0
  receiver.received.length = 0
})

let next_number = 2_348_032_000_000
const stranger = (): string => String((next_number += 1))
/** A person who wrote the given number of hours ago. */
async function friend(hours = 0): Promise<string> {
  const recipient = stranger()
  await postWebhook(
    service,
    webhookBody([
      { messages: [inbound(`wamid.${recipient}`, recipient, 'Hi', Math.floor(Date.now() / 1_000) - hours * 3_600)] },
    ]),
  )
  return recipient
}

type Sent = {
  id: string
  errors?: { field: string; type: string; message: string }[]
  meta: { estimate: { charge: number; pages: number } }
}
const send = (recipients: string, more: object = { content: 'Hello' }) =>
  by.call<Sent>('POST', '/sms/send', { recipients, channel: 'whatsapp', ...more })
const taken = (count = 1): Promise<Taken[]> =>
  until(`${count} accepted`, () => meta.taken.length >= count && meta.taken)

async function template(
  wish: object,
  content = 'Hello {{name|there}}, your order {{order}} is on its way.',
): Promise<string> {
  const { body, text } = await by.call<{ id: string }>('POST', '/templates', { name: 'Shipped', content, ...wish })
  expect(text).toContain('"id"')
  return body.id
}
const ORDER = { name: 'order_update', language: 'en', parameters: ['name', 'order'] }
const values = (to: string, substitutions: object) => ({ personalisation: [{ to, substitutions }] })

describe('free text', () => {
  test('is accepted within 24 hours of the last message of a person', async () => {
    const recipient = await friend(23)
    expect((await send(recipient)).status).toBe(200)
    expect((await taken())[0]).toMatchObject({ to: recipient, type: 'text' })
  })

  test('is rejected outside of the window, naming each recipient, without a charge', async () => {
    const recipients = [await friend(25), await friend(1), stranger()]
    const { status, body } = await send(recipients.join(','))
    expect(status).toBe(400)
    expect(faults(body)).toEqual(['recipients[0] invalid', 'recipients[2] invalid'])
    expect(body.errors?.[0]?.message).toContain('24 hours')
    expect(await balance(by)).toBe(100)
    const estimate = await by.call<Sent>('POST', '/sms/estimate', {
      recipients: recipients[2],
      channel: 'whatsapp',
      content: 'x',
    })
    expect(faults(estimate.body)).toEqual(['recipients[0] invalid'])
    expect(
      (await service.db`select 1 from ${everyMessage(service.db)} message where organisation_id = ${by.id}`).length,
    ).toBe(0)
  })

  test('falls back to SMS if so configured, at the price and with the pages of an SMS', async () => {
    await by.call('PATCH', '/settings', { whatsapp_fallback: true })
    const [open, closed] = [await friend(), stranger()]
    const content = 'x'.repeat(161)
    const asked = { recipients: `${open},${closed}`, channel: 'whatsapp', content }
    const { body: estimated } = await by.call<Sent & { texts: object[] }>('POST', '/sms/estimate', asked)
    const { status, body } = await send(`${open},${closed}`, { content, callback: `${receiver.url}/reports` })
    expect(status).toBe(200)
    expect(body.meta.estimate).toMatchObject({ charge: 6 + 2 * 4, pages: 2 })
    expect(estimated.meta.estimate).toEqual(body.meta.estimate)
    expect(estimated.texts).toMatchObject([{ recipients: 2, pages: 2, charge: 6 + 2 * 4 }])
    expect(await balance(by)).toBe(86)
    expect(await handset(by, closed, 'sms')).toBe(content)
    const [message] = await taken()
    expect(message?.to).toBe(open)
    await postWebhook(service, webhookBody([{ statuses: [statusOf(message!, 'delivered')] }]))
    const reports = await receiver.wait(2)
    const summaries = reports.map(
      ({ json: { data } }) => `${data.recipient} ${String(data.channel)} ${String(data.pages)} ${data.status}`,
    )
    expect(summaries.sort()).toEqual([`${open} whatsapp 1 delivered`, `${closed} sms 2 delivered`].sort())
  })

  test('to a list is sent to the recipients in the window; the others are skipped without a charge', async () => {
    const [open, closed] = [await friend(), stranger()]
    const { body: table } = await by.call<{ columns: { id: string; name: string }[] }>('GET', '/lists/contact')
    for (const phone of [open, closed]) {
      await by.call('POST', '/lists/contact/rows', { columns: { Mobile: phone } })
    }
    expect(table.columns.length).toBeGreaterThan(1)
    const list = await by.call<{ id: string }>('POST', '/lists/contact/smartlists', { name: 'all', filters: [] })
    const sent = await by.call<{ id: string }>('POST', '/sms/send', {
      smartlist_id: list.body.id,
      channel: 'whatsapp',
      content: 'Hello',
    })
    expect(sent.status).toBe(200)
    await until('the end', async () => {
      const { body } = await by.call<{ status: string }>('GET', `/campaigns/${sent.body.id}`)
      return body.status === 'finished'
    })
    const campaign = await by.call<{ estimate: { left_out: object } }>('GET', `/campaigns/${sent.body.id}`)
    expect(campaign.body.estimate.left_out).toEqual({ no_window: 1 })
    const rows = await service.db`select recipient from deliveries where organisation_id = ${by.id}`
    expect(rows).toEqual([{ recipient: open }])
    expect(await balance(by)).toBe(94)
  })
})

describe('a template', () => {
  test('is sent with its values in order, to any recipient', async () => {
    const [one, other] = [stranger(), stranger()]
    const template_id = await template({ whatsapp: ORDER })
    const personalisation = [
      { to: one, substitutions: { name: 'Ada', order: '1042' } },
      { to: other, substitutions: { order: 'two\nlines' } },
    ]
    const { status, text } = await send(`${one},${other}`, { template_id, personalisation })
    expect([status, text]).toEqual([200, expect.any(String)])
    const messages = await taken(2)
    const of = (to: string) => messages.find((message) => message.to === to)
    expect(of(one)).toMatchObject({
      type: 'template',
      template: {
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
      },
    })
    expect(of(other)?.template?.components[0]?.parameters.map((parameter) => parameter.text)).toEqual([
      'there',
      'two lines',
    ])
    expect(of(one)?.text).toBeUndefined()
  })

  test('reads no values from inherited properties', async () => {
    const recipient = stranger()
    const wish = { whatsapp: { ...ORDER, parameters: ['constructor', 'order'] } }
    const template_id = await template(wish, 'Hello {{constructor|there}}, your order {{order}}.')
    expect((await send(recipient, { template_id, ...values(recipient, { order: '7' }) })).status).toBe(200)
    const [message] = await taken()
    expect(message?.template?.components[0]?.parameters.map(({ text }) => text)).toEqual(['there', '7'])
  })

  test('with named values is sent with their names, also when it is scheduled', async () => {
    const recipient = stranger()
    const template_id = await template({ whatsapp: { ...ORDER, name: 'named_update' } })
    const send_at = new Date(Date.now() + 1_500).toISOString()
    await send(recipient, { template_id, send_at, ...values(recipient, { name: 'Ada', order: '7' }) })
    const [message] = await taken()
    expect(message?.template?.components[0]?.parameters).toEqual([
      { type: 'text', parameter_name: 'first_name', text: 'Ada' },
      { type: 'text', parameter_name: 'order', text: '7' },
    ])
  })

  test.each([
    ['another number of values', { ...ORDER, parameters: ['order'] }, 'it takes 2 values, but 1 were given'],
    ['a name Meta does not know', { ...ORDER, name: 'nobody' }, 'Meta does not know it'],
    ['another language', { ...ORDER, language: 'fr' }, 'Meta does not know it'],
    ['a paused one', { ...ORDER, name: 'paused_one' }, 'its state is paused'],
    ['a picture', { ...ORDER, name: 'picture', parameters: [] }, 'its header takes a value of the type image'],
  ])('with %s is rejected before a charge', async (_, whatsapp, reason) => {
    const recipient = stranger()
    const template_id = await template({ whatsapp })
    const { status, body } = await send(recipient, { template_id, ...values(recipient, { name: 'Ada', order: '7' }) })
    expect([status, ...faults(body)]).toEqual([400, 'template_id invalid'])
    expect(body.errors?.[0]?.message).toContain(reason)
    expect(await balance(by)).toBe(100)
  })

  test('that Meta pauses is rejected from then on', async () => {
    const recipient = stranger()
    const template_id = await template({ whatsapp: { ...ORDER, name: 'named_update' } })
    const update = { event: 'PAUSED', message_template_name: 'named_update', message_template_language: 'en' }
    const change = { field: 'message_template_status_update', value: update }
    await postWebhook(service, JSON.stringify({ entry: [{ id: NUMBER.waba_id, changes: [change] }] }))
    const answer = await send(recipient, { template_id, ...values(recipient, { name: 'Ada', order: '7' }) })
    expect(answer.status).toBe(400)
    await postWebhook(
      service,
      JSON.stringify({
        entry: [{ id: NUMBER.waba_id, changes: [{ ...change, value: { ...update, event: 'APPROVED' } }] }],
      }),
    )
    expect((await send(recipient, { template_id, ...values(recipient, { name: 'Ada', order: '7' }) })).status).toBe(200)
  })

  test('is sent as plain text by SMS', async () => {
    const recipient = stranger()
    const template_id = await template({ whatsapp: ORDER })
    await send(recipient, { template_id, channel: 'sms', ...values(recipient, { order: '7' }) })
    expect(await handset(by, recipient, 'sms')).toBe('Hello there, your order 7 is on its way.')
  })

  test('keeps its WhatsApp template through its versions', async () => {
    const id = await template({ whatsapp: ORDER })
    const read = async (query = '') =>
      (await by.call<{ version: number; whatsapp?: object }>('GET', `/templates/${id}${query}`)).body
    expect(await read()).toMatchObject({ version: 1, whatsapp: ORDER })
    expect((await by.call<{ version: number }>('PATCH', `/templates/${id}`, { whatsapp: ORDER })).body.version).toBe(1)
    const other = { ...ORDER, language: 'en_GB' }
    expect((await by.call('PATCH', `/templates/${id}`, { whatsapp: other })).body).toMatchObject({
      version: 2,
      whatsapp: other,
    })
    expect((await by.call('PATCH', `/templates/${id}`, { name: 'Else' })).body).toMatchObject({
      version: 3,
      whatsapp: other,
    })
    expect(
      (await by.call<{ whatsapp?: object }>('PATCH', `/templates/${id}`, { whatsapp: null })).body.whatsapp,
    ).toBeUndefined()
    expect((await read('?version=1')).whatsapp).toEqual(ORDER)
    const list = await by.call<{ templates: { whatsapp?: object }[] }>('GET', '/templates')
    expect(list.body.templates[0]?.whatsapp).toBeUndefined()
    const lacking = { name: 'x', content: 'Hello', whatsapp: { ...ORDER, parameters: ['name'] } }
    expect(faults((await by.call<Sent>('POST', '/templates', lacking)).body)).toEqual([
      'whatsapp.parameters[0] unknown_placeholder',
    ])
    expect(faults((await by.call<Sent>('PATCH', `/templates/${id}`, { whatsapp: { name: 7 } })).body)).toEqual([
      'whatsapp.language missing',
      'whatsapp.name string_type',
      'whatsapp.parameters missing',
    ])
  })
})

describe('a one-time password without an authentication template', () => {
  test('is free text: rejected before a charge, or sent within the window', async () => {
    const refused = await request(by, { recipient: stranger(), channel: 'whatsapp' })
    expect([refused.status, ...faults(refused.body)]).toEqual([400, 'channel invalid'])
    expect(await balance(by)).toBe(100)
    const recipient = await friend()
    expect((await request(by, { recipient, channel: 'whatsapp' })).status).toBe(200)
    expect((await taken())[0]).toMatchObject({ to: recipient, type: 'text' })
  })
})

describe('gangan whatsapp', () => {
  test('reads the templates, shows them, and resumes a paused number', async () => {
    const folder = await temporaryFolder()
    const path = join(folder.path, 'gangan.json')
    const gangan = (...args: string[]) =>
      runGangan(['whatsapp', ...args], { DATABASE_URL: service.database.url, GANGAN_CONFIG: path })
    const carrier = meta.settings()
    const write = (more: object) =>
      writeFileSync(path, JSON.stringify({ carriers: [{ ...carrier, ...more }], routes: [] }))
    write({})
    meta.templates = [...meta.templates, { ...ORDER_UPDATE, name: 'brand_new' }]
    expect(await gangan('sync')).toMatchObject({ code: 0, stdout: 'meta: 6 templates.\n' })
    await service.db`
      insert into carrier_pauses (carrier, until, code, reason) values ('meta', now() + interval '1 hour', '190', 'gone')`
    const status = await gangan('status', 'meta')
    expect(status.stdout).toMatch(/^meta: paused for \d+ s \(190: gone\)/)
    expect(status.stdout).toMatch(/brand_new +en +UTILITY +APPROVED +1, 2/)
    expect(await gangan('resume')).toMatchObject({ code: 0, stdout: 'meta: resumed.\n' })
    write({ access_token: 'an old one' })
    expect(await gangan('sync')).toMatchObject({ code: 5, stderr: expect.stringContaining('(#190)') })
    expect((await service.db`select 1 from whatsapp_templates`).length).toBe(6)
    expect(await gangan('sync', 'nobody')).toMatchObject({ code: 3 })
    await folder.remove()
  }, 240_000)
})

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
/** Somebody who wrote so many hours ago. */
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
const taken = (count = 1): Promise<Taken[]> => until(`${count} taken`, () => meta.taken.length >= count && meta.taken)

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
  test('is taken within 24 hours of what a person wrote', async () => {
    const recipient = await friend(23)
    expect((await send(recipient)).status).toBe(200)
    expect((await taken())[0]).toMatchObject({ to: recipient, type: 'text' })
  })

  test('is refused outside of them, naming each, and nothing is charged', async () => {
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

  test('falls back to SMS where the organisation wants it, at the price and in the pages of an SMS', async () => {
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
    const told = reports.map(
      ({ json: { data } }) => `${data.recipient} ${String(data.channel)} ${String(data.pages)} ${data.status}`,
    )
    expect(told.sort()).toEqual([`${open} whatsapp 1 delivered`, `${closed} sms 2 delivered`].sort())
  })

  test('to a list is sent to those who may get it, and the others are left out without a charge', async () => {
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

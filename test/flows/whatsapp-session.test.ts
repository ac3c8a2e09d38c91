import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import {
  failure,
  inbound,
  NUMBER,
  postWebhook,
  pricingOf,
  startMetaServer,
  statusOf,
  webhookBody,
  type MetaServer,
  type Taken,
} from '../support/meta-server.ts'
import { everyMessage } from '../support/every.ts'
import { balance, faults } from '../support/otp.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

let meta: MetaServer
let service: TestService
let receiver: Receiver
let by: Organisation

beforeAll(async () => {
  meta = await startMetaServer()
  receiver = await startReceiver()
  service = await openService({
    settings: {
      carriers: [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }, meta.settings()],
      routes: [
        { name: 'sms', channel: 'sms', carrier: 'simulator' },
        { name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' },
      ],
    },
    config: { sandbox: true },
  })
  await until('the templates', async () => (await service.db`select 1 from whatsapp_templates`).length === 2, 60_000)
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

let next_number = 2_348_035_000_000
const stranger = (): string => String((next_number += 1))

/** The number's owner is the organisation of the test, so that what a person writes is theirs. */
async function friend(text = 'Hi'): Promise<{ recipient: string; wamid: string }> {
  const recipient = stranger()
  const wamid = `wamid.IN${recipient}`
  await postWebhook(service, webhookBody([{ messages: [inbound(wamid, recipient, text)] }]))
  return { recipient, wamid }
}

async function ownNumber(): Promise<void> {
  await service.db`delete from senders where sender_id = ${NUMBER.display}`
  await by.call('POST', '/senders', { sender_id: NUMBER.display })
  await service.db`update senders set state = 'approved' where organisation_id = ${by.id}`
}

type Sent = { id: string; content: string; errors?: { field: string; type: string; message: string }[] }
const send = (recipients: string, more: object) =>
  by.call<Sent>('POST', '/sms/send', { recipients, channel: 'whatsapp', ...more })
const taken = (count = 1): Promise<Taken[]> =>
  until(`${count} accepted`, () => meta.taken.length >= count && meta.taken)

const link = 'https://shop.example/a.jpg'

describe('content within the window', () => {
  const KINDS: [string, object, object][] = [
    [
      'text with a preview',
      { content: 'See https://shop.example', whatsapp: { preview_url: true } },
      { type: 'text', text: { body: 'See https://shop.example', preview_url: true } },
    ],
    [
      'an image with a caption',
      { content: 'Yours', whatsapp: { image: { link } } },
      { type: 'image', image: { link, caption: 'Yours' } },
    ],
    [
      'a document',
      { whatsapp: { document: { link, filename: 'a.pdf' } } },
      { type: 'document', document: { link, filename: 'a.pdf' } },
    ],
    ['a sticker', { whatsapp: { sticker: { link } } }, { type: 'sticker', sticker: { link } }],
    [
      'reply buttons',
      {
        content: 'Well?',
        whatsapp: { reply_buttons: [{ id: 'y', title: 'Yes' }], header: { text: 'A question' }, footer: 'Thanks' },
      },
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          header: { type: 'text', text: 'A question' },
          body: { text: 'Well?' },
          footer: { text: 'Thanks' },
          action: { buttons: [{ type: 'reply', reply: { id: 'y', title: 'Yes' } }] },
        },
      },
    ],
    [
      'a list',
      { content: 'Choose', whatsapp: { list: { button: 'Open', sections: [{ rows: [{ id: '1', title: 'One' }] }] } } },
      {
        interactive: {
          type: 'list',
          body: { text: 'Choose' },
          action: { button: 'Open', sections: [{ rows: [{ id: '1', title: 'One' }] }] },
        },
      },
    ],
    [
      'a button that opens an address',
      { content: 'Here', whatsapp: { url_button: { title: 'Track', url: 'https://shop.example/1' } } },
      {
        interactive: {
          type: 'cta_url',
          body: { text: 'Here' },
          action: { name: 'cta_url', parameters: { display_text: 'Track', url: 'https://shop.example/1' } },
        },
      },
    ],
    [
      'a location',
      { whatsapp: { location: { latitude: 6.4, longitude: 3.4, name: 'Shop' } } },
      { type: 'location', location: { latitude: 6.4, longitude: 3.4, name: 'Shop' } },
    ],
    [
      'contacts',
      {
        whatsapp: {
          contacts: [{ name: { formatted_name: 'Ada Obi', first_name: 'Ada' }, phones: [{ phone: '+2348031234567' }] }],
        },
      },
      {
        type: 'contacts',
        contacts: [{ name: { formatted_name: 'Ada Obi', first_name: 'Ada' }, phones: [{ phone: '+2348031234567' }] }],
      },
    ],
  ]
  test.each(KINDS)('%s', async (_, body, expected) => {
    const { recipient } = await friend()
    const { status, text } = await send(recipient, body)
    expect([status, text]).toEqual([200, expect.any(String)])
    expect((await taken())[0]).toMatchObject({ to: recipient, ...expected })
    expect(await balance(by)).toBe(94)
  })

  test('quotes a received text, or reacts to it', async () => {
    await ownNumber()
    const { recipient, wamid } = await friend('Where is my order?')
    const { body } = await by.call<{ inbound: { id: string; from: string }[] }>('GET', '/inbound')
    const reply_to = body.inbound.find(({ from }) => from === recipient)?.id
    expect((await send(recipient, { content: 'On its way.', whatsapp: { reply_to } })).status).toBe(200)
    expect((await taken())[0]).toMatchObject({ context: { message_id: wamid }, text: { body: 'On its way.' } })
    await service.db`update whatsapp_users set sent_datetime = null`
    const reaction = await send(recipient, { whatsapp: { reaction: '👍', reply_to } })
    expect(reaction.body.content).toBe('👍')
    expect((await taken(2))[1]).toMatchObject({ type: 'reaction', reaction: { message_id: wamid, emoji: '👍' } })
    const other = await friend()
    const wrong = await send(other.recipient, { content: 'x', whatsapp: { reply_to } })
    expect(faults(wrong.body)).toEqual(['whatsapp.reply_to not_found'])
    const several = await send(`${recipient},${other.recipient}`, { content: 'x', whatsapp: { reply_to } })
    expect(faults(several.body)).toEqual(['whatsapp.reply_to invalid'])
  })

  test('keeps its text apart: of a template, and with tracked links', async () => {
    const { recipient } = await friend()
    const made = await by.call<{ id: string }>('POST', '/templates', {
      name: 'x',
      content: 'Hi {{name}}: https://a.example/b',
    })
    const values = { template_id: made.body.id, personalisation: [{ to: recipient, substitutions: { name: 'Ada' } }] }
    const whatsapp = { reply_buttons: [{ id: 'y', title: 'Yes' }] }
    expect((await send(recipient, { ...values, is_trackable: true, whatsapp })).status).toBe(200)
    const [message] = (await taken()) as (Taken & { interactive?: { body: { text: string } } })[]
    expect(message?.interactive?.body.text).toMatch(/^Hi Ada: http.*\/l\/\w+$/)
  })
})

describe('what a person sends', () => {
  type Text = { id: string; text: string; whatsapp?: Record<string, unknown> }
  const threadOf = async (phone: string) =>
    (
      await by.call<{ messages: (Text & { direction: string; read_datetime?: string })[] }>(
        'GET',
        `/conversations/${phone}`,
      )
    ).body.messages

  test('keeps what it is, and what it answers, in conversations and events', async () => {
    await ownNumber()
    await by.call('POST', '/webhooks', { url: `${receiver.url}/texts`, events: ['text.received'] })
    const { recipient, wamid } = await friend('Where is it?')
    const { body: sent } = await send(recipient, {
      content: 'Well?',
      whatsapp: { reply_buttons: [{ id: 'y', title: 'Yes' }] },
    })
    const [message] = await taken()
    await until('its record', async () => (await threadOf(recipient))[0]?.id === sent.id && meta.taken.length === 1)
    await until(
      'its id',
      async () => (await service.db`select 1 from submissions where message_id = ${sent.id}`).length > 0,
    )
    const from = (type: string, value: object, more: object = {}) => {
      const id = `wamid.${type}${recipient}`
      return { ...inbound(id, recipient, ''), text: undefined, type, [type]: value, ...more }
    }
    const quoted = { context: { id: message?.wamid } }
    const choice = { type: 'button_reply', button_reply: { id: 'y', title: 'Yes' } }
    const place = { latitude: 6.4, longitude: 3.4, name: 'Home', address: '1 Marina' }
    const messages = [
      from('interactive', choice, quoted),
      from('location', place),
      from('reaction', { message_id: wamid, emoji: '👍' }),
      from('order', { product_items: [] }, { context: { id: 'wamid.unknown' } }),
    ]
    expect(await postWebhook(service, webhookBody([{ messages }]))).toBe(200)
    expect(await postWebhook(service, webhookBody([{ messages }]))).toBe(200)
    const whole = await threadOf(recipient)
    const first = whole.at(-1)
    expect(whole.map(({ direction, text, whatsapp }) => [direction, text, whatsapp])).toEqual([
      ['in', '[order]', { type: 'order' }],
      ['in', '👍', { type: 'reaction', reaction: '👍', reply_to: first?.id }],
      ['in', 'Home', { type: 'location', location: place }],
      ['in', 'Yes', { ...choice, reply_to: sent.id }],
      ['out', 'Well?', { reply_buttons: [{ id: 'y', title: 'Yes' }] }],
      ['in', 'Where is it?', { type: 'text' }],
    ])
    const { body } = await by.call<{ inbound: Text[] }>('GET', `/inbound?from=${recipient}`)
    expect(body.inbound[3]).toMatchObject({ text: 'Yes', whatsapp: { ...choice, reply_to: sent.id } })
    const posts = await receiver.wait(5)
    const event = posts.find(({ json }) => (json.data as { text?: string } | undefined)?.text === 'Yes')
    expect(event?.json.data).toMatchObject({ whatsapp: { ...choice, reply_to: sent.id } })
  })

  test('shows in the conversation when a message was read', async () => {
    await ownNumber()
    const { recipient } = await friend()
    await send(recipient, { content: 'Hello' })
    const [message] = await taken()
    await until('its record', async () => (await threadOf(recipient))[0]?.direction === 'out')
    if (!message) throw new Error('nothing was accepted')
    const status = async () => {
      expect(await postWebhook(service, webhookBody([{ statuses: [statusOf(message, 'read')] }]))).toBe(200)
      return (await threadOf(recipient))[0]?.read_datetime
    }
    await until('the receipt', status)
  })
})

describe('is refused before a charge', () => {
  test('outside the window, naming the template; also where texts go by SMS', async () => {
    await by.call('PATCH', '/settings', { whatsapp_fallback: true })
    const { status, body } = await send(stranger(), { content: 'Yours', whatsapp: { image: { link } } })
    expect([status, ...faults(body)]).toEqual([400, 'recipients[0] invalid'])
    expect(body.errors?.[0]?.message).toContain('Send a template_id')
    const text = await send(stranger(), { content: 'Yours', whatsapp: { preview_url: true } })
    expect(text.status).toBe(200)
    expect(await balance(by)).toBe(96)
  })

  const WRONG: [string, object, string[]][] = [
    ['two kinds', { whatsapp: { image: { link }, video: { link } } }, ['whatsapp invalid']],
    ['a text with a sticker', { content: 'x', whatsapp: { sticker: { link } } }, ['content invalid']],
    ['no text with buttons', { whatsapp: { reply_buttons: [{ id: 'y', title: 'Yes' }] } }, ['content missing']],
    ['a long caption', { content: 'x'.repeat(1_025), whatsapp: { image: { link } } }, ['content string_too_long']],
    ['an http link', { whatsapp: { image: { link: 'http://a.example/b' } } }, ['whatsapp.image.link url_parsing']],
    [
      'unknown fields',
      { content: 'x', whatsapp: { image: { link, captoin: 'x' }, buttons: [] } },
      ['whatsapp.buttons invalid', 'whatsapp.image.captoin invalid'],
    ],
    [
      'a header without buttons',
      { content: 'x', whatsapp: { header: { text: 'x' }, footer: 'y' } },
      ['whatsapp.footer invalid', 'whatsapp.header invalid'],
    ],
    [
      'a reaction to nothing',
      { whatsapp: { reaction: 'good' } },
      ['whatsapp.reaction invalid', 'whatsapp.reply_to missing'],
    ],
    [
      'a NUL character',
      { content: 'x', whatsapp: { reply_buttons: [{ id: 'a\u0000', title: 'Yes' }] } },
      ['whatsapp.reply_buttons[0].id invalid'],
    ],
    [
      'another channel',
      { channel: 'sms', sender_id: 'Gangan', content: 'x', whatsapp: { preview_url: true } },
      ['whatsapp invalid'],
    ],
    [
      'wrong lengths, with other faults',
      { send_at: 'soon', content: 'x', whatsapp: { reply_buttons: [{ id: 'y', title: 'x'.repeat(21) }] } },
      ['send_at date_invalid', 'whatsapp.reply_buttons[0].title string_too_long'],
    ],
  ]
  test.each(WRONG)('%s', async (_, more, fields) => {
    const { recipient } = await friend()
    const { status, body } = await send(recipient, more)
    expect([status, ...faults(body)]).toEqual([400, ...fields])
    expect(await balance(by)).toBe(100)
    const kept = service.db`select 1 from ${everyMessage(service.db)} message where organisation_id = ${by.id}`
    expect((await kept).length).toBe(0)
  })

  test('a template that is a WhatsApp template, and a list', async () => {
    const whatsapp = { name: 'order_update', language: 'en', parameters: [] }
    const made = await by.call<{ id: string }>('POST', '/templates', { name: 'x', content: 'x', whatsapp })
    const { recipient } = await friend()
    const both = await send(recipient, { template_id: made.body.id, whatsapp: { image: { link } } })
    expect(faults(both.body)).toContain('whatsapp invalid')
    const list = { smartlist_id: made.body.id, channel: 'whatsapp', content: 'x', whatsapp: { image: { link } } }
    expect(faults((await by.call<Sent>('POST', '/sms/send', list)).body)).toContain('whatsapp invalid')
  })
})

describe('read receipts', () => {
  const deliveryOf = async (id: string) =>
    (await by.call<{ deliveries: Record<string, unknown>[] }>('GET', `/sms/${id}`)).body.deliveries[0]
  const post = (...statuses: object[]) => postWebhook(service, webhookBody([{ statuses }]))
  const at = (status: object, timestamp: number) => ({ ...status, timestamp: String(timestamp) })

  async function sent(more: object = {}): Promise<{ id: string; message: Taken }> {
    const { recipient } = await friend()
    const { body } = await send(recipient, { content: 'Hello', ...more })
    const message = await until('it', () => meta.taken.find(({ to }) => to === recipient))
    await until('its record', async () => (await deliveryOf(body.id))?.status === 'sent')
    return { id: body.id, message }
  }

  test('are stored and posted once, with the price category; in any order, and repeated', async () => {
    const { id, message } = await sent({ callback: `${receiver.url}/reports`, external_ref: 'order-7' })
    const read = at(statusOf(message, 'read'), 1_790_000_000)
    const delivered = statusOf(message, 'delivered', pricingOf('utility'))
    for (const status of [read, statusOf(message, 'sent', pricingOf('marketing')), delivered, read]) {
      expect(await post(status)).toBe(200)
    }
    const delivery = await until('both', async () => {
      const found = await deliveryOf(id)
      return found?.price_category !== undefined && found
    })
    expect(delivery).toMatchObject({
      status: 'delivered',
      price_category: 'utility',
      read_datetime: expect.stringContaining('2026-09-21T'),
    })
    const events = await receiver.wait(2)
    expect(events.map(({ json }) => json.type).sort()).toEqual(['text.delivered', 'text.read'])
    expect(events.find(({ json }) => json.type === 'text.read')?.json.data).toMatchObject({
      id,
      recipient: message.to,
      status: 'delivered',
      channel: 'whatsapp',
      external_ref: 'order-7',
      read_datetime: delivery.read_datetime,
    })
    const [row] = await service.db`select count(*)::integer as count from callbacks where subject_id = ${id}`
    expect(row).toEqual({ count: 2 })
  })

  test('a price category without a read receipt does not mark the message as read', async () => {
    const { id, message } = await sent()
    expect(await post(statusOf(message, 'delivered', pricingOf('utility')))).toBe(200)
    const delivery = await until('its category', async () => {
      const found = await deliveryOf(id)
      return found?.price_category !== undefined && found
    })
    expect(delivery).toMatchObject({ price_category: 'utility' })
    expect(delivery).not.toHaveProperty('read_datetime')
  })

  test('count in analytics', async () => {
    const { message } = await sent()
    await post(statusOf(message, 'read'))
    const figures = await until('the figures', async () => {
      const { body } = await by.call<{ totals: { read?: number; delivered: number } }>('GET', '/analytics')
      return body.totals.read !== undefined && body.totals
    })
    expect(figures).toMatchObject({ delivered: 1, read: 1 })
  })

  test('concurrent ones have one event', async () => {
    const { id, message } = await sent({ callback: `${receiver.url}/reports` })
    const posts = Array.from({ length: 8 }, () => post(statusOf(message, 'read', pricingOf('service', false))))
    expect(new Set(await Promise.all(posts))).toEqual(new Set([200]))
    await receiver.wait(2)
    const rows = await service.db`select type from callbacks where subject_id = ${id} order by type`
    expect(rows.map((row) => row.type)).toEqual(['text.delivered', 'text.read'])
    expect(await deliveryOf(id)).toMatchObject({ price_category: 'service' })
  })

  test('of a message that is not stored yet is refused, so that Meta repeats it; of a deleted one it is dropped', async () => {
    const quiet = await openService({
      settings: {
        carriers: [{ kind: 'simulator', name: 'simulator' }, meta.settings()],
        routes: [{ name: 'whatsapp', channel: 'whatsapp', carrier: 'meta' }],
      },
      config: { sandbox: true },
      workers: false,
    })
    const recipient = stranger()
    await quiet.db`insert into whatsapp_users (carrier, recipient, received_datetime) values ('meta', ${recipient}, now())`
    const asked = { recipients: recipient, channel: 'whatsapp', content: 'Hello' }
    const { body } = await quiet.call<Sent>('POST', '/sms/send', asked)
    const about = {
      wamid: 'wamid.early',
      to: recipient,
      biz_opaque_callback_data: `${quiet.id} ${body.id} ${recipient}`,
    }
    const read = webhookBody([{ statuses: [statusOf(about, 'read')] }])
    expect(await postWebhook(quiet, read)).toBe(503)
    await quiet.db`delete from intake`
    expect(await postWebhook(quiet, read)).toBe(200)
    await quiet.close()
  })

  test('a message that failed has no receipt', async () => {
    const { id, message } = await sent()
    await post(failure(message, 131052))
    const delivery = await until('the end', async () => {
      const found = await deliveryOf(id)
      return found?.status === 'rejected' && found
    })
    expect(delivery).toMatchObject({ advice: expect.stringContaining('link to the file'), refunded: true })
    expect(delivery.read_datetime).toBeUndefined()
  })
})

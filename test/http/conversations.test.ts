import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiveTexts } from '../../src/messaging/inbound/receive.ts'
import { deleteExpired } from '../../src/db/retention.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { makeWakeups, type Wakeups } from '../../src/queue/wakeups.ts'
import { newId } from '../../src/values/id.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

type Listed = { phone: string; text?: string; direction: string; unread: number; received: number; channel: string }
type List = { conversations: Listed[]; meta: { pagination: { count_total: number; query_id: string } } }
type Entry = { id: string; direction: string; text?: string; status?: string; charge?: number; keyword?: string }
type Thread = {
  conversation: {
    phone: string
    unread: number
    received: number
    opted_out: boolean
    window_until?: string
    sender_id?: string
  }
  messages: Entry[]
  meta: { pagination: { next_page: string; query_id?: string } }
}

const ADA = '2348031234567'
const BOLA = '2348057654321'
const CHIKE = '2348091112223'

let service: TestService
let wakeups: Wakeups
beforeAll(async () => {
  service = await openService()
  wakeups = await makeWakeups(service.db)
})
afterAll(async () => {
  await wakeups.close()
  await service.close()
})

const write = (by: Organisation, from: string, text: string, more: object = {}) =>
  by.call<{ id: string }>('POST', '/sandbox/reply', { from, to: 'Gangan', text, ...more })
const list = async (by: Organisation, query = '') => (await by.call<List>('GET', `/conversations${query}`)).body
const thread = async (by: Organisation, phone: string, query = '') =>
  (await by.call<Thread>('GET', `/conversations/${phone}${query}`)).body
const texts = (entries: readonly Entry[]) => entries.map(({ direction, text }) => `${direction} ${text}`)

describe('a conversation', () => {
  test('begins with an inbound text, and contains all messages in both directions, newest first', async () => {
    const by = await service.organisation()
    await by.call('POST', '/sms/send', { recipients: `${ADA},${BOLA}`, content: 'Sale!' })
    expect((await list(by)).conversations).toEqual([])
    expect((await by.call('GET', `/conversations/${ADA}`)).status).toBe(404)
    await write(by, ADA, 'How much?')
    await by.call('POST', '/sms/send', { recipients: ADA, content: 'Ten' })
    const answer = await by.call<{ id: string; sender_id: string }>('POST', '/conversations/08031234567/messages', {
      content: 'Or nine',
    })
    expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ sender_id: 'Gangan' })])
    await write(by, ADA, 'Deal')
    const whole = await thread(by, '+234 803 123 4567')
    expect(texts(whole.messages)).toEqual(['in Deal', 'out Or nine', 'out Ten', 'in How much?', 'out Sale!'])
    expect(whole.conversation).toMatchObject({
      phone: ADA,
      received: 2,
      unread: 2,
      opted_out: false,
      sender_id: 'Gangan',
    })
    expect(whole.messages[1]).toMatchObject({ id: answer.body.id, charge: 4 })
    await until('delivered', async () => (await thread(by, ADA)).messages[1]?.status === 'delivered')
    const paged: string[] = []
    for (let query = '?limit=2'; query !== '';) {
      const { messages, meta } = await thread(by, ADA, query)
      paged.push(...texts(messages))
      query = meta.pagination.query_id === undefined ? '' : `?limit=2&query_id=${meta.pagination.query_id}`
    }
    expect(paged).toEqual(texts(whole.messages))
  })

  test('is listed with its newest message, and sorted by it', async () => {
    const by = await service.organisation()
    await write(by, ADA, 'one')
    await write(by, BOLA, 'two')
    const shown = async () =>
      (await list(by)).conversations.map(({ phone, direction, text }) => [phone, direction, text])
    expect(await shown()).toEqual([
      [BOLA, 'in', 'two'],
      [ADA, 'in', 'one'],
    ])
    await by.call('POST', '/sms/send', { recipients: ADA, content: 'to everybody' })
    expect((await shown())[0]?.[0]).toBe(BOLA)
    await by.call('POST', `/conversations/${ADA}/messages`, { content: 'yes?' })
    expect((await shown())[0]).toEqual([ADA, 'out', 'yes?'])
    const first = await list(by, '?limit=1')
    expect(first.meta.pagination.count_total).toBe(2)
    const next = await list(by, `?limit=1&query_id=${first.meta.pagination.query_id}`)
    expect(next.conversations.map(({ phone }) => phone)).toEqual([BOLA])
    expect((await by.call('GET', '/conversations?limit=0')).status).toBe(400)
    expect((await by.call('GET', `/conversations/${ADA}?query_id=x`)).status).toBe(400)
  })

  test('is unread until marked as read, and a text that arrives meanwhile stays unread', async () => {
    const by = await service.organisation()
    await write(by, ADA, 'one')
    await write(by, ADA, 'two')
    const { received } = (await thread(by, ADA)).conversation
    await write(by, ADA, 'three')
    const mark = (body: object) => by.call('POST', `/conversations/${ADA}/read`, body)
    expect((await mark({ received })).status).toBe(204)
    expect((await thread(by, ADA)).conversation).toMatchObject({ received: 3, unread: 1 })
    await mark({ received: 1 }) // Late, or a retry.
    expect((await thread(by, ADA)).conversation.unread).toBe(1)
    await mark({ received: 1_000 }) // A message that does not exist cannot be marked as read.
    await write(by, ADA, 'four')
    expect((await thread(by, ADA)).conversation.unread).toBe(1)
    await mark({})
    expect((await list(by)).conversations[0]?.unread).toBe(0)
    expect((await mark({ received: -1 })).status).toBe(400)
    expect((await by.call('POST', `/conversations/${BOLA}/read`, {})).status).toBe(404)
  })

  test('counts every text once, also concurrent ones', async () => {
    const by = await service.organisation()
    await Promise.all(Array.from({ length: 20 }, (_, n) => write(by, n % 2 ? ADA : BOLA, `text ${n}`)))
    const { conversations } = await list(by)
    expect(conversations.map(({ received }) => received)).toEqual([10, 10])
    const again = { carrier: 'mtn', to: 'x', text: 'Hi', channel: 'sms' as const, received_id: newId() }
    const live = { notifyTexts: () => {} }
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const deps = {
      db: service.db,
      log,
      wakeups,
      meters: makeMeters(),
      live,
      notifyChange: () => {},
      pseudonymOf: () => '',
    }
    await receiveTexts(deps, [{ ...again, from: ADA }]) // To a number without an organisation.
    expect((await list(by)).conversations.map(({ received }) => received)).toEqual([10, 10])
  })

  test('is visible to its organisation only', async () => {
    const [by, another] = [await service.organisation(), await service.organisation()]
    await write(by, ADA, 'secret')
    await write(another, ADA, 'mine')
    expect(texts((await thread(another, ADA)).messages)).toEqual(['in mine'])
    await another.call('POST', `/conversations/${ADA}/read`, {})
    expect((await thread(by, ADA)).conversation.unread).toBe(1)
    expect((await list(another)).conversations).toHaveLength(1)
  })

  test('contains no one-time password', async () => {
    const by = await service.organisation()
    await by.call('POST', '/otp/request_token', { recipient: ADA, token: '739182' })
    await write(by, ADA, 'what?')
    const { messages } = await thread(by, ADA)
    expect(messages).toHaveLength(2)
    expect(JSON.stringify(messages)).not.toContain('739182')
  })

  test('is deleted after its retention period without messages', async () => {
    const by = await service.organisation()
    await write(by, ADA, 'old')
    await write(by, BOLA, 'new')
    await service.db`
      update conversations set id = first_id_at(now() - interval '91 days')
      where organisation_id = ${by.id} and phone = ${ADA}`
    await deleteExpired(service.db, { table: 'conversations', older_than: '90 days', limit_per_organisation: 1_000 })
    expect((await list(by)).conversations.map(({ phone }) => phone)).toEqual([BOLA])
  })
})

describe('a reply', () => {
  test('is charged once with an Idempotency-Key, and validated like any message', async () => {
    const by = await service.organisation()
    await write(by, ADA, 'Hi')
    const answer = (body: object, key = 'a') =>
      by.call<{ id: string }>('POST', `/conversations/${ADA}/messages`, body, { 'idempotency-key': key })
    const [one, two] = [await answer({ content: 'Hello' }), await answer({ content: 'Hello' })]
    expect(two.body.id).toBe(one.body.id)
    expect(two.headers.get('idempotent-replayed')).toBe('true')
    expect((await answer({ content: 'Other' })).status).toBe(409)
    await write(by, BOLA, 'Hi')
    const headers = { 'idempotency-key': 'a' }
    expect((await by.call('POST', `/conversations/${BOLA}/messages`, { content: 'Hello' }, headers)).status).toBe(409)
    expect((await answer({}, 'b')).status).toBe(400)
    expect((await answer({ content: 'x'.repeat(2_000) }, 'c')).status).toBe(400)
    expect((await by.call('POST', `/conversations/${CHIKE}/messages`, { content: 'Hi' })).status).toBe(404)
    const poor = await service.organisation({ credit: 0 })
    await write(poor, ADA, 'Hi')
    expect((await poor.call('POST', `/conversations/${ADA}/messages`, { content: 'Hi' })).status).toBe(402)
    expect((await list(poor)).conversations[0]?.direction).toBe('in')
  })

  test('uses the channel the person wrote on, and returns WhatsApp’s window', async () => {
    const by = await service.organisation()
    await write(by, ADA, 'Hi', { channel: 'whatsapp' })
    const { conversation } = await thread(by, ADA)
    const left_h = (Date.parse(conversation.window_until ?? '') - Date.now()) / 3_600_000
    expect(left_h).toBeGreaterThan(23)
    expect(left_h).toBeLessThanOrEqual(24.01)
    expect(conversation).not.toHaveProperty('sender_id')
    const sent = await by.call<{ channel: string }>('POST', `/conversations/${ADA}/messages`, { content: 'Hello' })
    expect(sent.body.channel).toBe('whatsapp')
  })

  test('is answered with a template and its values, with content, and in reply to a text', async () => {
    const by = await service.organisation()
    const { body: asked } = await write(by, ADA, 'When?', { channel: 'whatsapp' })
    const made = await by.call<{ id: string }>('POST', '/templates', { name: 'x', content: 'Hi {{name}}' })
    const answer = (body: object) =>
      by.call<{ id: string; errors: { field: string; type: string }[] }>('POST', `/conversations/${ADA}/messages`, body)
    const wrong = await answer({ template_id: made.body.id, substitutions: {} })
    expect(wrong.status).toBe(400)
    expect(wrong.body.errors).toEqual([
      expect.objectContaining({ field: 'substitutions.name', type: 'unknown_placeholder' }),
    ])
    expect((await answer({})).status).toBe(400)
    expect((await answer({ template_id: made.body.id, substitutions: { name: 'Ada' } })).status).toBe(200)
    const reply_buttons = [{ id: 'am', title: 'Morning' }]
    expect((await answer({ content: 'Well?', whatsapp: { reply_buttons, reply_to: asked.id } })).status).toBe(200)
    expect((await answer({ whatsapp: { reaction: '👍', reply_to: asked.id } })).status).toBe(200)
    const other = await answer({ content: 'x', whatsapp: { reply_to: newId() } })
    expect(other.body.errors).toEqual([expect.objectContaining({ field: 'whatsapp.reply_to', type: 'not_found' })])
    const { messages } = await until('all three', async () => {
      const whole = await thread(by, ADA)
      return whole.messages.every(({ direction, status }) => direction === 'in' || status === 'delivered') && whole
    })
    expect(messages).toEqual([
      expect.objectContaining({ text: '👍', whatsapp: { reaction: '👍', reply_to: asked.id } }),
      expect.objectContaining({ text: 'Well?', whatsapp: { reply_buttons, reply_to: asked.id } }),
      expect.objectContaining({ text: 'Hi Ada' }),
      expect.objectContaining({ text: 'When?', whatsapp: { type: 'text' } }),
    ])
  })

  test('has a window at the simulator, if that is configured', async () => {
    const carriers = [{ kind: 'simulator', name: 'simulator', whatsapp_window: true }]
    const strict = await openService({ settings: { carriers }, workers: false })
    const send = (recipients: string, more: object = { content: 'Hi' }) =>
      strict.call<{ errors?: { field: string; message: string }[] }>('POST', '/sms/send', {
        recipients,
        channel: 'whatsapp',
        ...more,
      })
    const closed = await send(ADA)
    expect([closed.status, closed.body.errors?.[0]?.field]).toEqual([400, 'recipients[0]'])
    expect(closed.body.errors?.[0]?.message).toContain('24 hours')
    await write(strict, ADA, 'Hi')
    expect((await send(ADA)).status).toBe(400)
    await write(strict, ADA, 'Hi', { channel: 'whatsapp' })
    expect((await send(ADA)).status).toBe(200)
    expect((await send(`${ADA},${BOLA}`)).body.errors?.map(({ field }) => field)).toEqual(['recipients[1]'])
    await strict.db`update inbound_messages set created_datetime = now() - interval '24 hours' where channel = 'whatsapp'`
    expect((await send(ADA)).status).toBe(400)
    const whatsapp = { name: 'order_update', language: 'en', parameters: [] }
    const made = await strict.call<{ id: string }>('POST', '/templates', { name: 'x', content: 'Hi', whatsapp })
    expect((await send(BOLA, { template_id: made.body.id })).status).toBe(200)
    expect((await strict.call('POST', '/sms/send', { recipients: BOLA, content: 'Hi' })).status).toBe(200)
    await strict.close()
  })

  test('cannot reach a person who opted out, which the conversation shows', async () => {
    const by = await service.organisation()
    await write(by, ADA, 'STOP')
    const stopped = await thread(by, ADA)
    expect(stopped.conversation.opted_out).toBe(true)
    expect(stopped.messages[0]?.keyword).toBe('stop')
    await write(by, ADA, 'START')
    expect((await thread(by, ADA)).conversation.opted_out).toBe(false)
  })
})

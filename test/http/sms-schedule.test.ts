import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'

type Fault = { field: string; type: string }
type Delivery = {
  recipient: string
  status: string
  charge: number
  refunded: boolean
  send_at?: string
  code?: string
}
type Message = {
  id: string
  send_at?: string
  deliveries: Delivery[]
  errors: Fault[]
  meta: { estimate: { charge: number; available_balance: number } }
}
type Account = { balance: number; entries: { kind: string; amount: number }[] }

const DAY_MS = 86_400_000

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
const answered = (iso: string) => `${iso.slice(0, 23)}000+00:00`
const send = (by: Organisation, more: object) =>
  by.call<Message>('POST', '/sms/send', { recipients: '08031234567', content: 'Hello', ...more })
const read = async (by: Organisation, id: string) => (await by.call<Message>('GET', `/sms/${id}`)).body
const account = async (by: Organisation) => (await by.call<Account>('GET', '/balance')).body
const states = ({ deliveries }: Message) => deliveries.map(({ status }) => status)

describe('send_at', () => {
  test('is charged immediately, returned, and sent at its time', async () => {
    const by = await service.organisation()
    const send_at = inMs(1_500)
    const { status, body } = await send(by, { send_at, recipients: '08031234567,08051234567' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ send_at: answered(send_at), meta: { estimate: { available_balance: 992 } } })
    const waiting = await read(by, body.id)
    expect(waiting.send_at).toBe(answered(send_at))
    expect(waiting.deliveries).toMatchObject([
      { status: 'scheduled', charge: 4, send_at: answered(send_at) },
      { status: 'scheduled', charge: 4 },
    ])
    const list = await by.call<{ messages: Message[] }>('GET', '/sms')
    expect(list.body.messages[0]?.send_at).toBe(answered(send_at))
    await until('the deliveries', async () => states(await read(by, body.id)).every((state) => state === 'delivered'))
    const [shown] = await service.db<{ early: boolean }[]>`
      select bool_or(created_datetime < ${send_at}::timestamptz) as early from sandbox_messages where message_id = ${body.id}`
    expect(shown?.early).toBe(false)
    expect((await account(by)).balance).toBe(992)
  })

  test('of a personalised message keeps each text, its pages and its price', async () => {
    const by = await service.organisation()
    const content = '{{word}}, Ada'
    const template = await by.call<{ id: string }>('POST', '/templates', { name: 'Hi', content })
    const { body } = await send(by, {
      content: undefined,
      template_id: template.body.id,
      send_at: inMs(1_000),
      recipients: '08031234567,08051234567',
      personalisation: [
        { to: '08031234567', substitutions: { word: 'Hello' } },
        { to: '08051234567', substitutions: { word: 'Good day '.repeat(20).trim() } },
      ],
    })
    expect(body.meta.estimate.charge).toBe(12)
    expect((await read(by, body.id)).deliveries).toMatchObject([
      { status: 'scheduled', text: 'Hello, Ada', pages: 1, charge: 4 },
      { status: 'scheduled', pages: 2, charge: 8 },
    ])
    const shown = await until('the phone', async () => {
      const handset = await by.call<{ messages: { text: string }[] }>('GET', '/sandbox/messages?recipient=08031234567')
      return handset.body.messages[0]
    })
    expect(shown.text).toBe('Hello, Ada')
  })

  test.each(['2026-02-30T10:00:00Z', '2030-01-01', 'soon', inMs(-120_000), inMs(35 * DAY_MS + 60_000)])(
    'of %j is rejected',
    async (send_at) => {
      const { status, body } = await send(service, { send_at })
      expect(status).toBe(400)
      expect(body.errors).toMatchObject([{ field: 'send_at', type: 'date_invalid' }])
    },
  )

  test('must be text, and is validated together with the other fields', async () => {
    const { body } = await send(service, { send_at: 1_794_909_600, recipients: 'x' })
    expect(body.errors.map(({ field, type }) => `${field} ${type}`).sort()).toEqual([
      'recipients[0] phone_invalid',
      'send_at string_type',
    ])
    expect((await send(service, { send_at: 'soon', content: '' })).body.errors).toHaveLength(2)
  })

  test('in the recent past means now', async () => {
    const by = await service.organisation()
    const { body } = await send(by, { send_at: inMs(-5_000) })
    expect(body).not.toHaveProperty('send_at')
    await until('the delivery', async () => states(await read(by, body.id))[0] === 'delivered')
  })

  test('is answered the same again under an Idempotency-Key, and charged once', async () => {
    const by = await service.organisation()
    const message = { send_at: inMs(DAY_MS), recipients: '08031234567', content: 'x' }
    const headers = { 'idempotency-key': 'later' }
    const first = await by.call('POST', '/sms/send', message, headers)
    const again = await by.call('POST', '/sms/send', message, headers)
    expect(again.text).toBe(first.text)
    expect((await account(by)).balance).toBe(996)
  })

  test('gets the first response again, although it would be rejected by now', async () => {
    const by = await service.organisation()
    const template = await by.call<{ id: string }>('POST', '/templates', { name: 'Short-lived', content: 'Hello' })
    const message = { recipients: '08031234567', template_id: template.body.id }
    const first = await by.call('POST', '/sms/send', message, { 'idempotency-key': 'before' })
    expect(first.status).toBe(200)
    expect((await by.call('DELETE', `/templates/${template.body.id}`)).status).toBe(204)
    const again = await by.call('POST', '/sms/send', message, { 'idempotency-key': 'before' })
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const other = { ...message, recipients: '08051234567' }
    expect((await by.call('POST', '/sms/send', other, { 'idempotency-key': 'before' })).status).toBe(404)
    expect((await by.call('POST', '/sms/send', message, { 'idempotency-key': 'after' })).status).toBe(404)
    expect((await account(by)).balance).toBe(996)
  })

  test('is rejected without sufficient balance', async () => {
    const by = await service.organisation({ credit: 3 })
    expect((await send(by, { send_at: inMs(DAY_MS) })).status).toBe(402)
    expect((await by.call<{ messages: object[] }>('GET', '/sms')).body.messages).toEqual([])
  })

  test('of a smartlist reads the list at that time, and can be canceled before', async () => {
    const by = await service.organisation()
    await by.call('POST', '/lists/contact/rows', { columns: { Mobile: '08031234567' } })
    const list = await by.call<{ id: string }>('POST', '/lists/contact/smartlists', { name: 'All', filters: [] })
    type Send = { id: string; status: string; accepted: number; send_at: string }
    const at = (ms: number) =>
      by.call<Send>('POST', '/sms/send', { smartlist_id: list.body.id, content: 'Hi', send_at: inMs(ms) })
    const [soon, later, canceled] = [await at(4_000), await at(34 * DAY_MS), await at(4_000)]
    expect(soon.body).toMatchObject({ status: 'queued', send_at: expect.stringMatching(/\+00:00$/) })
    expect((await by.call('DELETE', `/lists/contact/sends/${canceled.body.id}`)).status).toBe(204)
    await by.call('POST', '/lists/contact/rows', { columns: { Mobile: '08051234567' } })
    const state = async ({ id }: Send) => (await by.call<Send>('GET', `/lists/contact/sends/${id}`)).body
    const done = await until('the send', async () => {
      const now = await state(soon.body)
      return now.status === 'done' && now
    })
    expect(done.accepted).toBe(2)
    expect((await state(later.body)).status).toBe('queued')
    expect(await state(canceled.body)).toMatchObject({ status: 'canceled', accepted: 0 })
    expect((await account(by)).balance).toBe(992)
  })
})

describe('DELETE /sms/{id}', () => {
  test('cancels a scheduled message and refunds every delivery once', async () => {
    const by = await service.organisation()
    const { body } = await send(by, { send_at: inMs(DAY_MS), recipients: '08031234567,08051234567,+14155550123' })
    const before = (await account(by)).balance
    const answer = await by.call('DELETE', `/sms/${body.id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    const taken_back = await read(by, body.id)
    expect(states(taken_back)).toEqual(['canceled', 'canceled', 'canceled'])
    expect(taken_back.deliveries.every(({ refunded }) => refunded)).toBe(true)
    const { balance, entries } = await account(by)
    expect([before, balance]).toEqual([1_000 - 4 - 4 - 35, 1_000])
    expect(
      entries
        .filter(({ kind }) => kind === 'refund')
        .map(({ amount }) => amount)
        .sort(),
    ).toEqual([35, 4, 4])
    expect((await by.call('DELETE', `/sms/${body.id}`)).status).toBe(409)
    expect((await account(by)).balance).toBe(1_000)
    const jobs = await service.db`select 1 from jobs where subject_id = ${body.id}`
    expect(jobs).toHaveLength(0)
    expect(await auditMoney(service.db)).toEqual([])
  })

  test('of a message that was not scheduled, or is due, is too late', async () => {
    const by = await service.organisation()
    const { body } = await send(by, {})
    expect((await by.call('DELETE', `/sms/${body.id}`)).status).toBe(409)
    await until('the delivery', async () => states(await read(by, body.id))[0] === 'delivered')
    expect((await by.call('DELETE', `/sms/${body.id}`)).status).toBe(409)
  })

  test('of an unknown or another organisation’s message is 404', async () => {
    const [by, another] = [await service.organisation(), await service.organisation()]
    const { body } = await send(by, { send_at: inMs(DAY_MS) })
    expect((await another.call('DELETE', `/sms/${body.id}`)).status).toBe(404)
    expect((await by.call('DELETE', `/sms/${newId()}`)).status).toBe(404)
    expect((await by.call('DELETE', '/sms/x')).status).toBe(404)
    expect(states(await read(by, body.id))).toEqual(['scheduled'])
    const scoped = await service.organisation({ scopes: ['otp'] })
    expect((await scoped.call('DELETE', `/sms/${body.id}`)).status).toBe(403)
  })
})

describe('quiet hours', () => {
  /** Quiet hours in Lagos that include the next hours, whenever the test runs. */
  function quietNow(): { quiet_from: string; quiet_until: string } {
    const clock = (ms: number) => new Date(Date.now() + 3_600_000 + ms).toISOString().slice(11, 16)
    return { quiet_from: clock(-3_600_000), quiet_until: clock(3 * 3_600_000) }
  }

  test("delay promotional messages until they end in the recipient's time zone, and no others", async () => {
    const by = await service.organisation()
    const hours = quietNow()
    expect((await by.call('PATCH', '/settings', hours)).status).toBe(200)
    // Eleven or twelve hours from Lagos these are no quiet hours.
    const { body } = await send(by, { route_class: 'promotional', recipients: '08031234567,+64211234567' })
    expect(body).not.toHaveProperty('send_at')
    const [lagos, auckland] = (await read(by, body.id)).deliveries
    expect(lagos).toMatchObject({ status: 'scheduled' })
    const local = new Date(Date.parse(lagos?.send_at ?? '') + 3_600_000).toISOString()
    expect(local.slice(11, 19)).toBe(`${hours.quiet_until}:00`)
    expect(auckland).not.toHaveProperty('send_at')
    const plain = await send(by, {})
    await until('the other message', async () => states(await read(by, plain.body.id))[0] === 'delivered')
    await until('the other recipient', async () => states(await read(by, body.id))[1] === 'delivered')

    expect((await by.call('DELETE', `/sms/${body.id}`)).status).toBe(204)
    expect(states(await read(by, body.id))).toEqual(['canceled', 'delivered'])
    expect((await account(by)).balance).toBe(1_000 - 35 - 4)
  })

  test('move a send_at within them to their end', async () => {
    const by = await service.organisation()
    await by.call('PATCH', '/settings', { quiet_from: '20:00', quiet_until: '08:00' })
    const day = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10)
    const at = async (clock: string) => {
      const { body } = await send(by, { route_class: 'promotional', send_at: `${day}T${clock}:00+01:00` })
      return (await read(by, body.id)).deliveries[0]?.send_at
    }
    expect(await at('06:30')).toBe(`${day}T07:00:00.000000+00:00`)
    expect(await at('12:00')).toBe(`${day}T11:00:00.000000+00:00`)
  })

  test('do not delay deliveries that are rejected', async () => {
    const by = await service.organisation()
    await by.call('PATCH', '/settings', quietNow())
    await by.call('POST', '/optouts', { recipients: '08031234567' })
    const { body } = await send(by, { route_class: 'promotional' })
    const [delivery] = await until('the end', async () => {
      const { deliveries } = await read(by, body.id)
      return deliveries[0]?.status === 'rejected' && deliveries
    })
    expect(delivery).toMatchObject({ code: 'opted_out', charge: 0 })
  })
})

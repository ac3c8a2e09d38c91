import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { receiveTexts, type InboundDeps } from '../../src/messaging/inbound/receive.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { makeWakeups, type Wakeups } from '../../src/queue/wakeups.ts'
import { decideSender } from '../../src/senders/decide.ts'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { runGangan } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

type Fault = { field: string; type: string }
type Text = { id: string; from: string; to: string; channel: string; text: string; keyword?: string; errors: Fault[] }
type List = { inbound: Text[]; meta: { pagination: { count_total: number; query_id: string } } }

let service: TestService
let wakeups: Wakeups
beforeAll(async () => {
  service = await openService({ workers: true })
  wakeups = await makeWakeups(service.db)
})
afterAll(async () => {
  await wakeups.close()
  await service.close()
})

const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`).sort()
const reply = (by: Organisation, body: object) => by.call<Text>('POST', '/sandbox/reply', body)
const textsOf = async (by: Organisation, query = '') =>
  (await by.call<List>('GET', `/inbound${query}`)).body.inbound.map(({ text }) => text)

describe('POST /sandbox/reply', () => {
  test('responds with the stored text', async () => {
    const by = await service.organisation()
    const { status, body } = await reply(by, { from: '0803 123 4567', to: 'Gangan', text: 'Hello ₦' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ from: '2348031234567', to: 'Gangan', channel: 'sms', text: 'Hello ₦' })
    expect(body).not.toHaveProperty('keyword')
    expect((await reply(by, { from: '08031234567', to: 'G', text: 'help!', channel: 'whatsapp' })).body).toMatchObject({
      keyword: 'help',
      channel: 'whatsapp',
    })
  })

  test.each([
    [{}, 'from missing, text missing, to missing'],
    [{ from: '08031234567', to: 'G', channel: 'whatsapp', whatsapp: {} }, 'text missing'],
    [{ from: 'x', to: 'G', text: 'x' }, 'from phone_invalid'],
    [{ from: '08031234567', to: '', text: '' }, 'text string_too_short, to string_too_short'],
    [
      { from: 1, to: 'x'.repeat(21), text: 'x'.repeat(4_097) },
      'from string_type, text string_too_long, to string_too_long',
    ],
    [{ from: '08031234567', to: 'a\u0000', text: '\u0000' }, 'text invalid, to invalid'],
    [{ from: '08031234567', to: 'G', text: 'x', channel: 'fax' }, 'channel enum'],
  ])('rejects %j', async (body, expected) => {
    const answer = await reply(service, body)
    expect(answer.status).toBe(400)
    expect(faults(answer.body.errors)).toEqual(expected.split(', '))
  })

  const pressed = { button_reply: { id: 'am', title: 'Morning' } }
  const place = { latitude: 6.4, longitude: 3.4, name: 'Our shop' }
  test.each([
    [pressed, 'Morning', 'button_reply'],
    [{ list_reply: { id: '1', title: 'One', description: 'First' } }, 'One', 'list_reply'],
    [{ location: place }, 'Our shop', 'location'],
    [{ contacts: [{ name: { formatted_name: 'Ada Obi' } }] }, 'Ada Obi', 'contacts'],
  ])('on WhatsApp, chooses and shares: %j', async (whatsapp, text, type) => {
    const by = await service.organisation()
    const { status, body } = await reply(by, { from: '08031234567', to: 'G', channel: 'whatsapp', whatsapp })
    expect([status, body.errors]).toEqual([200, undefined])
    expect(body).toMatchObject({ text, whatsapp: { type, ...whatsapp } })
    expect((await by.call('GET', `/inbound/${body.id}`)).body).toMatchObject({ text, whatsapp: { type, ...whatsapp } })
  })

  test('answers a message that the handset shows, or a text that it sent', async () => {
    const by = await service.organisation({ credit: 100 })
    const from = '2348031234567'
    const buttons = { reply_buttons: [{ id: 'am', title: 'Morning' }], footer: 'Thanks' }
    const asked = { recipients: from, channel: 'whatsapp', content: 'When?', whatsapp: buttons }
    const { body: sent } = await by.call<{ id: string }>('POST', '/sms/send', asked)
    const shown = await until('the message', async () => {
      const { body } = await by.call<{ messages: { message_id: string }[] }>('GET', '/sandbox/messages')
      return body.messages[0]
    })
    expect(shown).toMatchObject({ message_id: sent.id, text: 'When?', whatsapp: buttons })
    const answer = (whatsapp: object, by_phone = from) =>
      reply(by, { from: by_phone, to: 'G', channel: 'whatsapp', whatsapp })
    const { body: first } = await answer({ ...pressed, reply_to: sent.id })
    expect(first).toMatchObject({ text: 'Morning', whatsapp: { ...pressed, reply_to: sent.id } })
    expect((await answer({ reaction: '👍', reply_to: first.id })).body.text).toBe('👍')
    expect((await answer({ reaction: '', reply_to: first.id })).body).toMatchObject({
      text: '[reaction]',
      whatsapp: { type: 'reaction', reaction: '' },
    })
    const refused: [object, string[], string?][] = [
      [{ ...pressed, reply_to: sent.id }, ['whatsapp.reply_to not_found'], '2348057654321'],
      [{ ...pressed, reply_to: newId() }, ['whatsapp.reply_to not_found']],
      [{ ...pressed, reply_to: 'x' }, ['whatsapp.reply_to not_found']],
      [{ ...pressed, location: place }, ['whatsapp invalid']],
      [{ reaction: 'good' }, ['whatsapp.reaction invalid', 'whatsapp.reply_to missing']],
      [{ button_reply: { id: 'a\u0000', title: 'x' } }, ['whatsapp.button_reply.id invalid']],
      [
        { location: { latitude: 91, longitude: 0 }, x: 1 },
        ['whatsapp.location.latitude less_than_equal', 'whatsapp.x invalid'],
      ],
    ]
    for (const [whatsapp, expected, phone] of refused) {
      const { status, body } = await answer(whatsapp, phone)
      expect([status, ...faults(body.errors)]).toEqual([400, ...expected])
    }
    const sms = await reply(by, { from, to: 'G', whatsapp: pressed })
    expect(faults(sms.body.errors)).toEqual(['whatsapp invalid'])
    expect((await by.call<List>('GET', '/inbound')).body.meta.pagination.count_total).toBe(3)
  })

  test('normalises numbers, and keeps names and short codes as given', async () => {
    for (const [to, shown] of [
      ['08012345678', '2348012345678'],
      [' Gangan ', 'Gangan'],
      ['33445', '33445'],
    ]) {
      const { body } = await reply(service, { from: '8031234567', to, text: 'Hi' })
      expect(body).toMatchObject({ from: '2348031234567', to: shown })
    }
  })

  test('requires the sandbox or a test key', async () => {
    const live = await openService({ config: { sandbox: false }, workers: false })
    const body = { from: '08031234567', to: 'Gangan', text: 'STOP' }
    expect((await reply(live, body)).status).toBe(404)
    const twin = await live.organisation({ of: live, mode: 'test' })
    expect((await reply(twin, body)).status).toBe(200)
    expect(await textsOf(live)).toEqual([])
    expect(await textsOf(twin)).toEqual(['STOP'])
    await live.close()
  })
})

describe('/inbound', () => {
  test('is listed newest first, by number and page by page', async () => {
    const by = await service.organisation()
    for (const text of ['one', 'two', 'three']) await reply(by, { from: '08031234567', to: 'Gangan', text })
    await reply(by, { from: '08051234567', to: 'Gangan', text: 'other' })
    expect(await textsOf(by)).toEqual(['other', 'three', 'two', 'one'])
    expect(await textsOf(by, '?from=0803 123 4567')).toEqual(['three', 'two', 'one'])
    const first = await by.call<List>('GET', '/inbound?limit=3')
    expect(first.body.meta.pagination.count_total).toBe(4)
    expect(await textsOf(by, `?limit=3&query_id=${first.body.meta.pagination.query_id}`)).toEqual(['one'])
    expect((await by.call('GET', '/inbound?from=x')).status).toBe(400)
    expect((await by.call('GET', '/inbound?limit=x')).status).toBe(400)
  })

  test('is read by its id, in its organisation only', async () => {
    const [by, another] = [await service.organisation(), await service.organisation()]
    const { body } = await reply(by, { from: '08031234567', to: 'Gangan', text: 'Hi' })
    const read = await by.call<Text>('GET', `/inbound/${body.id}`)
    expect(read.body).toMatchObject({ id: body.id, text: 'Hi' })
    expect((await another.call('GET', `/inbound/${body.id}`)).status).toBe(404)
    expect((await by.call('GET', `/inbound/${newId()}`)).status).toBe(404)
    expect((await by.call('GET', '/inbound/x')).status).toBe(404)
    expect(await textsOf(another)).toEqual([])
    const scoped = await service.organisation({ scopes: ['otp'] })
    expect((await scoped.call('GET', '/inbound')).status).toBe(403)
  })
})

describe('a text from a carrier', () => {
  const warnings: object[] = []
  function deps(): InboundDeps {
    const pseudonymOf = (): string => 'erased-nobody'
    const log = { info: () => {}, warn: (details: object) => void warnings.push(details), error: () => {} }
    const live = { notifyTexts: () => {} }
    return { db: service.db, log, wakeups, meters: makeMeters(), live, notifyChange: () => {}, pseudonymOf }
  }
  const text = (more: object) => ({
    carrier: 'mtn',
    from: '2348031234567',
    to: '33445',
    text: 'Hi',
    channel: 'sms' as const,
    received_id: newId(),
    ...more,
  })

  async function ownerOf(number: string): Promise<Organisation> {
    const by = await service.organisation()
    const { body } = await by.call<{ id: string }>('POST', '/senders', { sender_id: number })
    await decideSender({ db: service.db }, by.id, body.id, { state: 'approved', reason: null })
    return by
  }

  test('goes to the organisation that owns the number, in whatever format the carrier writes it', async () => {
    const [short, long] = [await ownerOf('33445'), await ownerOf('2348012345678')]
    await receiveTexts(deps(), [text({}), text({ to: '+2348012345678', text: 'Long' }), text({ text: 'Again' })])
    expect(await textsOf(short)).toEqual(['Again', 'Hi'])
    expect(await textsOf(long)).toEqual(['Long'])
  })

  test('is stored and posted once, however often it is delivered', async () => {
    const receiver = await startReceiver()
    const by = await ownerOf('33446')
    await by.call('PATCH', '/settings', { inbound_url: receiver.url })
    const same = text({ to: '33446', text: 'STOP', received_id: 'abc' })
    await receiveTexts(deps(), [same, same])
    await Promise.all(Array.from({ length: 10 }, () => receiveTexts(deps(), [same, text({ ...same, carrier: 'glo' })])))
    expect(await textsOf(by)).toEqual(['STOP', 'STOP'])
    const { body } = await by.call<{ callbacks: object[] }>('GET', '/callbacks')
    expect(body.callbacks).toHaveLength(2)
    await receiver.wait(2)
    // A late repetition of a STOP does not undo a START.
    await receiveTexts(deps(), [text({ to: '33446', text: 'Start' })])
    await receiveTexts(deps(), [same])
    expect((await by.call<{ optouts: object[] }>('GET', '/optouts')).body.optouts).toEqual([])
    await receiver.close()
  })

  test('counts with the last keyword of its batch', async () => {
    const by = await ownerOf('33447')
    const words = ['STOP', 'START', 'Stop'].map((word) => text({ to: '33447', text: word }))
    await receiveTexts(deps(), [...words, text({ to: '33447', from: 'MTN', text: 'STOP' })])
    const { body } = await by.call<{ optouts: object[] }>('GET', '/optouts')
    expect(body.optouts).toMatchObject([{ recipient: '2348031234567' }])
  })

  test('to an unknown number is stored for the operator, and logged', async () => {
    await receiveTexts(deps(), [text({ to: '99999', text: 'Who are\u0000 you?' })])
    expect(warnings).toContainEqual({ count: 1, to: ['99999'] })
    const { stdout } = await runGangan(['inbound', 'list'], { DATABASE_URL: service.database.url })
    expect(stdout).toMatch(/2348031234567 {2}99999 {2}"Who are you\?"/)
    expect(await runGangan(['inbound', 'x'], { DATABASE_URL: service.database.url })).toMatchObject({ code: 2 })
  })

  test('belongs to the only organisation of an installation that has one', async () => {
    const alone = await openService({ workers: false })
    await receiveTexts({ ...deps(), db: alone.db }, [text({ to: '77777' })])
    expect(await textsOf(alone)).toEqual(['Hi'])
    await alone.close()
  })
})

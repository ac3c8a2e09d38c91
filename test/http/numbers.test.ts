import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOf, loginOf } from '../dialects/twilio-setup.ts'
import { openService, type Answer, type TestService } from '../support/service.ts'
import { bind, makeAccount } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

type Refused = { errors: { field: string; type: string }[] }

const NUMBER = '2348031234567'
/** The same number as people and programs write it. */
const SPELLINGS = [
  '0092348031234567',
  '009 234 803 123 4567',
  'tel:+234-803-123-4567',
  'tel:8031234567;phone-context=+234',
  '٠٨٠٣١٢٣٤٥٦٧',
  '۰۸۰۳۱۲۳۴۵۶۷',
  '０８０３１２３４５６７',
]
/**
 * Numbers of a length that no number in Nigeria, the USA or Great Britain has, and extensions, which cannot receive
 * messages.
 */
const REFUSED = ['080312345', '+23480312345', '1234567', '+44791112345', `tel:+${NUMBER};ext=12`]

let service: TestService

beforeAll(async () => {
  service = await openService({ settings: { smpp_server: { port: 0 } }, credit: 10_000 })
})
afterAll(() => service.close())

const balance = async () => (await service.call<{ balance: number }>('GET', '/balance')).body.balance

/** All requests that contain a number, with the name of the field. */
const PLACES: [field: string, ask: (number: string) => Promise<Answer<Refused>>][] = [
  ['recipients[0]', (to) => service.call('POST', '/sms/send', { recipients: [to], content: 'Hello' })],
  ['recipients[0]', (to) => service.call('POST', '/sms/estimate', { recipients: [to], content: 'Hello' })],
  ['recipient', (to) => service.call('POST', '/otp/request_token', { recipient: to })],
  ['recipient', (to) => service.call('POST', '/airtime/buy', { recipient: to, amount: 100, network: 'MTN' })],
  ['phone', (to) => service.call('POST', '/lookup/phone', { phone: to })],
  ['recipients[0]', (to) => service.call('POST', '/optouts', { recipients: [to] })],
  ['from', (to) => service.call('POST', '/sandbox/reply', { from: to, to: 'Gangan', text: 'Hello' })],
]

describe.each(PLACES)('%s', (field, ask) => {
  test.each(REFUSED)('rejects %s and charges nothing', async (number) => {
    const before = await balance()
    const { status, body } = await ask(number)
    expect([status, body.errors.map((fault) => [fault.field, fault.type])]).toEqual([400, [[field, 'phone_invalid']]])
    expect(await balance()).toBe(before)
  })
})

test.each(SPELLINGS)('%s is normalised', async (spelled) => {
  const body = { recipients: [spelled, NUMBER], content: 'Hello' }
  const { status, body: sent } = await service.call<{ recipients: string[] }>('POST', '/sms/send', body)
  expect([status, sent.recipients]).toEqual([200, [NUMBER]])
})

test('the numbers of the simulator are accepted', async () => {
  const recipients = Array.from({ length: 16 }, (_, n) => `23480000000${String(n + 1).padStart(2, '0')}`)
  const { body } = await service.call<{ recipients: string[] }>('POST', '/sms/send', { recipients, content: 'Hello' })
  expect(body.recipients).toEqual(recipients)
})

test('a sender may be a short code or a number of any length', async () => {
  const send = (sender_id: string) =>
    service.call('POST', '/senders', { sender_id }).then(({ status, body }) => [status, body.sender_id])
  expect(await send('32811')).toEqual([200, '32811'])
  expect(await send('080312345')).toEqual([200, '23480312345'])
})

test('invalid numbers are rejected with Twilio’s error code, and over SMPP with an invalid destination address', async () => {
  const { account_sid, auth_token } = await loginOf(service, service)
  const client = clientOf(service, account_sid, auth_token)
  const create = (to: string) => client.messages.create({ to, from: 'Gangan', body: 'Hello' })
  await expect(create('080312345')).rejects.toMatchObject({ status: 400, code: 21211 })
  expect((await create('0092348031234567')).to).toBe(`+${NUMBER}`)
  const bound = await bind(service.smpp_port, await makeAccount(service, { system_id: 'numbers' }))
  const submit = (destination_addr: string) => bound.submit({ destination_addr, short_message: 'Hello' })
  expect((await submit('080312345')).command_status).toBe(0x0b)
  expect((await submit('0092348031234567')).command_status).toBe(0)
  bound.close()
})

test('a contact keeps the value as given, and is skipped in sends', async () => {
  const by = await service.organisation()
  const rows = [{ columns: { Mobile: '080312345' } }, { columns: { Mobile: '٠٨٠٣١٢٣٤٥٦٧' } }]
  expect((await by.call('POST', '/lists/contact/rows/bulk', { rows })).status).toBe(200)
  const list = await by.call<{ id: string }>('POST', '/lists/contact/smartlists', { name: 'All', filters: [] })
  const sent = await by.call<{ id: string }>('POST', '/sms/send', { smartlist_id: list.body.id, content: 'Hello' })
  const done = await until('the send to end', async () => {
    const { body } = await by.call('GET', `/lists/contact/sends/${sent.body.id}`)
    return body.status === 'done' && body
  })
  expect(done).toMatchObject({ rows: 2, accepted: 1, charge: 4 })
  const query = { filters: [{ name: 'Mobile', operator: 'end_with', value: '12345' }] }
  const found = await by.call<{ rows: { columns: Record<string, string> }[] }>(
    'POST',
    '/lists/contact/rows/query',
    query,
  )
  expect(found.body.rows.flatMap(({ columns }) => Object.values(columns))).toEqual(['080312345'])
})

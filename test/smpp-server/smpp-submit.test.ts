import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import { bind, makeAccount, type Login, type SmppClient } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'

type Message = {
  content: string
  sender_id: string
  callback?: string
  deliveries: { recipient: string; status: string; send_at?: string; pages: number; charge: number }[]
}

let service: TestService
let login: Login
let client: SmppClient

beforeAll(async () => {
  service = await openService({ settings: { smpp_server: { port: 0 } } })
  login = await makeAccount(service, { system_id: 'shop' })
  client = await bind(service.smpp_port, login)
})
afterAll(async () => {
  client.close()
  await service.close()
})

async function readMessage(id: string, owner: Organisation = service): Promise<Message> {
  const { status, body } = await owner.call<Message>('GET', `/sms/${id}`)
  expect(status).toBe(200)
  return body
}

async function balance(owner: Organisation = service): Promise<number> {
  return (await owner.call<{ balance: number }>('GET', '/balance')).body.balance
}

let next = 0
const number = () => `23480312${String((next += 1)).padStart(5, '0')}`

/** A segment of 255, in a payload. */
const segment = (n: number, text: string) => ({
  data_coding: 3,
  message_payload: { message: Buffer.from(text) },
  sar_msg_ref_num: 255,
  sar_total_segments: 255,
  sar_segment_seqnum: n,
})

const header = (...octets: number[]) => ({ esm_class: 0x40, short_message: Buffer.from([...octets, 65]) })
const sar = (sar_total_segments: number, sar_segment_seqnum: number) => ({
  sar_msg_ref_num: 7,
  sar_total_segments,
  sar_segment_seqnum,
})

/** Headers and parameters with a segment number outside the total. */
const MISNUMBERED: [object, number][] = [
  [header(5, 0, 3, 9, 0, 0), 0x43],
  [header(5, 0, 3, 9, 0, 1), 0x43],
  [header(5, 0, 3, 9, 2, 0), 0x43],
  [header(5, 0, 3, 9, 2, 3), 0x43],
  [header(6, 8, 4, 1, 9, 2, 3), 0x43],
  [header(4, 0, 2, 9, 2), 0x43],
  [header(3, 0, 3, 9, 2, 1), 0x43],
  [sar(0, 1), 0xc4],
  [sar(2, 0), 0xc4],
  [sar(2, 3), 0xc4],
]

/** Reserved by SMPP 3.4 (5.2.19) and 3GPP TS 23.038 (4), or compressed. */
const RESERVED_CODINGS = [10, 11, 12, 13, 15, 0x1c, 0x20, 0x38, 0x80, 0xa5, 0xbf, 0xc4, 0xd7, 0xe4, 0xf8, 0xff]

describe('a submit', () => {
  test('is answered with our id once stored, charged once, and reported in text and TLVs', async () => {
    const before = await balance()
    const to = number()
    const { command_status, message_id } = await client.submit({ destination_addr: to, short_message: 'Hello' })
    expect(command_status).toBe(0)
    expect(await readMessage(message_id)).toMatchObject({
      content: 'Hello',
      sender_id: 'Gangan',
      deliveries: [{ recipient: to, charge: 4 }],
    })
    expect((await readMessage(message_id)).callback).toBeUndefined()
    expect(before - (await balance())).toBe(4)
    const report = await until('the report', () => client.reports().find(({ id }) => id === message_id))
    expect(report).toMatchObject({ stat: 'DELIVRD', dlvrd: '001', err: '000', from: to, to: 'Gangan' })
    const pdu = client.delivered.find((one) => one.receipted_message_id === message_id)
    expect(pdu).toMatchObject({ message_state: 2, esm_class: 4 })
    expect([report.quoted, pdu?.user_message_reference]).toEqual(['Hello', undefined])
    await until('the outbox to be empty', async () => {
      const [row] = await service.db<{ n: number }[]>`select count(*)::integer as n from smpp_outbox`
      return row?.n === 0
    })
  })

  test('accepts all alphabets', async () => {
    const texts: [object, string][] = [
      [{ data_coding: 0, short_message: Buffer.from([0x00, 0x1b, 0x65, 0x05]) }, '@€é'],
      [{ data_coding: 3, short_message: Buffer.from('Ça va?', 'latin1') }, 'Ça va?'],
      [{ data_coding: 8, short_message: Buffer.from('Ẹ káàbọ̀ 👋', 'utf16le').swap16() }, 'Ẹ káàbọ̀ 👋'],
      [{ data_coding: 1, short_message: Buffer.from('Plain', 'latin1') }, 'Plain'],
      [{ data_coding: 6, short_message: Buffer.from([0xbf, 0xe0]) }, 'Пр'],
      [{ data_coding: 0, message_payload: { message: Buffer.from('x'.repeat(300)) } }, 'x'.repeat(300)],
    ]
    for (const [fields, text] of texts) {
      const { command_status, message_id } = await client.submit({ destination_addr: number(), ...fields })
      expect(command_status).toBe(0)
      expect((await readMessage(message_id)).content).toBe(text)
    }
  })

  test('accepts message classes, waiting indications and single segments', async () => {
    const fields = [
      { data_coding: 0xf0 },
      { data_coding: 0x10 },
      { data_coding: 0xc8 },
      { data_coding: 0xd1 },
      header(5, 0, 3, 9, 1, 1),
      sar(1, 1),
      { sar_msg_ref_num: 7, sar_total_segments: 0 },
    ]
    for (const one of fields) {
      const submit = { destination_addr: number(), short_message: 'Hello', ...one }
      expect([one, (await client.submit(submit)).command_status]).toEqual([one, 0])
    }
  })

  test('is reported with its reference and its first twenty characters, in any alphabet', async () => {
    const text = 'Pay €5 @ Ẹ_shop 👋\nnow, and more'
    const { message_id } = await client.submit({
      destination_addr: number(),
      data_coding: 8,
      short_message: Buffer.from(text, 'utf16le').swap16(),
      user_message_reference: 0xfe01,
    })
    const report = await until('the report', () => client.reports().find(({ id }) => id === message_id))
    expect(report.quoted).toBe('Pay ?5 ? ??shop ? no')
    const pdu = client.delivered.find((one) => one.receipted_message_id === message_id)
    expect(pdu?.user_message_reference).toBe(0xfe01)
  })

  test('that is canceled is reported as DELETED, if failure reports were requested', async () => {
    const later = { short_message: 'Later', schedule_delivery_time: '000001000000000R', user_message_reference: 7 }
    const ids: string[] = []
    for (const registered_delivery of [1, 2, 3, 0]) {
      const { message_id } = await client.submit({ destination_addr: number(), ...later, registered_delivery })
      expect((await client.ask('cancel_sm', { message_id })).command_status).toBe(0)
      ids.push(message_id)
    }
    const over_http = await client.submit({ destination_addr: number(), ...later })
    expect((await service.call('DELETE', `/sms/${over_http.message_id}`)).status).toBe(204)
    ids.push(over_http.message_id)
    const reported = () => client.reports().filter(({ id = '' }) => ids.includes(id))
    await until('the report of the last', () => reported().some(({ id }) => id === over_http.message_id))
    expect(reported().map(({ id, stat, quoted }) => [ids.indexOf(id ?? ''), stat, quoted])).toEqual([
      [0, 'DELETED', 'Later'],
      [1, 'DELETED', 'Later'],
      [4, 'DELETED', 'Later'],
    ])
    const pdus = client.delivered.filter((one) => ids.includes(String(one.receipted_message_id)))
    expect(pdus.map((one) => [one.message_state, one.user_message_reference])).toEqual(pdus.map(() => [4, 7]))
  })

  test('is joined from its segments, in any order', async () => {
    const to = number()
    const half = Buffer.from([0xd8, 0x3d])
    const other = Buffer.from([0xdc, 0x4b, 0x00, 0x21])
    const udh = (n: number) => Buffer.from([5, 0, 3, 77, 2, n])
    const part = (n: number, octets: Buffer) =>
      client.submit({
        destination_addr: to,
        esm_class: 0x40,
        data_coding: 8,
        short_message: Buffer.concat([udh(n), octets]),
        ...(n === 2 ? { user_message_reference: 4_242 } : {}),
      })
    const before = await balance()
    const answers = [await part(2, other), await part(1, half)]
    expect(answers.map(({ command_status }) => command_status)).toEqual([0, 0])
    const [second = '', first = ''] = answers.map(({ message_id }) => message_id)
    const id = first.slice(0, 36)
    expect([first, second]).toEqual([`${id}-1`, `${id}-2`])
    expect((await readMessage(id)).content).toBe('👋!')
    expect(before - (await balance())).toBe(4)
    await until('a report of each segment', () =>
      [first, second].every((one) => client.reports().some(({ id: reported }) => reported === one)),
    )
    const references = [first, second].map(
      (one) => client.delivered.find((pdu) => pdu.receipted_message_id === one)?.user_message_reference,
    )
    expect(references).toEqual([undefined, 4_242])
    const [left] = await service.db<{ n: number }[]>`select count(*)::integer as n from smpp_long_texts`
    expect(left?.n).toBe(0)
  })

  test('is joined from segments numbered by sar parameters and sent concurrently', async () => {
    const to = number()
    const parts = Array.from({ length: 9 }, (_, n) =>
      client.ask('data_sm', {
        source_addr: 'Gangan',
        destination_addr: to,
        data_coding: 3,
        message_payload: { message: Buffer.from(`${n + 1} `.repeat(20)) },
        sar_msg_ref_num: 4_711,
        sar_total_segments: 9,
        sar_segment_seqnum: n + 1,
      }),
    )
    const answers = await Promise.all(parts)
    expect(answers.map(({ command_status }) => command_status)).toEqual(answers.map(() => 0))
    const id = String(answers[0]?.message_id).slice(0, 36)
    const wanted = Array.from({ length: 9 }, (_, n) => `${n + 1} `.repeat(20)).join('')
    expect((await readMessage(id)).content).toBe(wanted)
    const sent = await service.call<{ messages: { recipients: string[] }[] }>('GET', '/sms?limit=100')
    expect(sent.body.messages.filter(({ recipients }) => recipients[0] === to)).toHaveLength(1)
  })

  test('in segments is accepted up to the maximum length of a message', async () => {
    const to = number()
    const submit = async (n: number, text: string) =>
      (await client.submit({ destination_addr: to, short_message: '', ...segment(n, text) })).command_status
    const kept = async () => {
      const [row] = await service.db<{ segments: string[] }[]>`
        select array_remove(segments, null) as segments from smpp_long_texts where recipient = ${to}`
      return row?.segments.map(({ length }) => length)
    }
    for (let n = 1; n <= 32; n += 1) expect(await submit(n, 'x'.repeat(255))).toBe(0)
    expect(await submit(33, 'x'.repeat(255))).toBe(0x01)
    expect(await kept()).toEqual(Array.from({ length: 32 }, () => 255))
    expect(await submit(33, 'x'.repeat(32))).toBe(0)
    expect(await submit(34, 'x')).toBe(0x01)
  })

  test('is scheduled, queried and canceled', async () => {
    const before = await balance()
    const { message_id } = await client.submit({
      destination_addr: number(),
      short_message: 'Later',
      schedule_delivery_time: '000001000000000R',
      validity_period: '000002000000000R',
    })
    const [delivery] = (await readMessage(message_id)).deliveries
    expect(Date.parse(delivery?.send_at ?? '') - Date.now()).toBeGreaterThan(86_000_000)
    expect(await client.ask('query_sm', { message_id })).toMatchObject({ command_status: 0, message_state: 1 })
    expect((await client.ask('cancel_sm', { message_id })).command_status).toBe(0)
    expect((await client.ask('cancel_sm', { message_id })).command_status).toBe(0x11)
    expect(await client.ask('query_sm', { message_id })).toMatchObject({ command_status: 0, message_state: 4 })
    expect(await balance()).toBe(before)
    expect((await client.ask('replace_sm', { message_id, short_message: 'x' })).command_status).toBe(0x13)
    expect((await client.ask('query_sm', { message_id: 'nonsense' })).command_status).toBe(0x0c)
  })

  test('that cannot be sent is refused with a status for each cause, and changes nothing', async () => {
    const before = await balance()
    const good = { destination_addr: number(), short_message: 'Hello' }
    const cases: [object, number][] = [
      [{ destination_addr: '12' }, 0x0b],
      [{ destination_addr: '' }, 0x0b],
      [{ source_addr: 'Much too long a name' }, 0x0a],
      [{ source_addr: 'Sm@rt' }, 0x0a],
      [{ short_message: '' }, 0x01],
      [{ short_message: '', ...segment(1, 'x'.repeat(256)) }, 0x01],
      [{ data_coding: 4, short_message: Buffer.from([1, 2, 3]) }, 0x104],
      [{ replace_if_present_flag: 1 }, 0x54],
      [{ priority_flag: 4 }, 0x06],
      [{ sm_default_msg_id: 1 }, 0x63],
      [{ schedule_delivery_time: 'soon' }, 0x61],
      [{ schedule_delivery_time: '991231000000000+' }, 0x61],
      [{ validity_period: '200101000000000+' }, 0x62],
      [{ esm_class: 0x04 }, 0x43],
      [{ esm_class: 0x40, short_message: Buffer.from([6, 5, 4, 0x0b, 0x84, 0, 0, 65]) }, 0x43],
      ...MISNUMBERED,
      ...RESERVED_CODINGS.map((data_coding): [object, number] => [
        { data_coding, short_message: Buffer.from('Hi') },
        0x104,
      ]),
      [{ message_payload: { message: Buffer.from('And this?') } }, 0xc1],
    ]
    for (const [fields, status] of cases) {
      expect([fields, (await client.submit({ ...good, ...fields })).command_status]).toEqual([fields, status])
    }
    expect(await balance()).toBe(before)
  })

  test('to an opted-out recipient and one without balance have different statuses', async () => {
    const poor = await service.organisation({ credit: 5 })
    const own = await bind(service.smpp_port, await makeAccount(poor))
    const to = number()
    await poor.call('POST', '/optouts', { recipients: [to] })
    expect((await own.submit({ destination_addr: to, short_message: 'Hello' })).command_status).toBe(0x401)
    expect((await own.submit({ destination_addr: number(), short_message: 'Hello' })).command_status).toBe(0)
    expect((await own.submit({ destination_addr: number(), short_message: 'Hello' })).command_status).toBe(0x400)
    expect(await balance(poor)).toBe(1)
    own.close()
  })

  test('selects its reports by registered_delivery', async () => {
    const failing = '2348000000002'
    const wishes = [0, 1, 2, 3]
    const ids = await Promise.all(
      wishes.flatMap((registered_delivery) =>
        [failing, number()].map(async (destination_addr) => {
          const { message_id } = await client.submit({ destination_addr, short_message: 'Hello', registered_delivery })
          return { registered_delivery, destination_addr, message_id }
        }),
      ),
    )
    const reported = () => ids.filter(({ message_id }) => client.reports().some(({ id }) => id === message_id))
    await until('four reports', () => reported().length >= 4)
    const last = await client.submit({ destination_addr: number(), short_message: 'Last' })
    await until('the report of the last', () => client.reports().some(({ id }) => id === last.message_id))
    expect(reported().map((one) => [one.registered_delivery, one.destination_addr === failing])).toEqual([
      [1, true],
      [1, false],
      [2, true],
      [3, false],
    ])
  })
})

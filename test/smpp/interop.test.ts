import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import theirs, { type TheirPdu, type TheirSession } from 'smpp'
import { afterEach, describe, expect, test } from 'vitest'
import { decodeText } from '../../src/carriers/codec/decode-text.ts'
import { encodeText } from '../../src/carriers/codec/encode-text.ts'
import type { TextProfile } from '../../src/carriers/codec/page-form.ts'
import { readReceipt } from '../../src/carriers/codec/receipt.ts'
import { startSmsc } from '../../src/emulators/smsc/smsc.ts'
import type { SmscOptions } from '../../src/emulators/smsc/settings.ts'
import { startTestSession } from '../support/smpp.ts'
import { until } from '../support/until.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const LONG_TEXT = 'All human beings are born free and equal in dignity and rights. '.repeat(4)
const LONG_WIDE = '₦5,000 paid. Ẹ kú iṣẹ́ o! '.repeat(6)

describe('our session with an npm smpp server', () => {
  async function startTheirServer() {
    const submits: TheirPdu[] = []
    const seen = { unbound: 0, enquired: 0 }
    let session: TheirSession | undefined
    const server = theirs.createServer((arrived) => {
      session = arrived
      arrived.on('error', () => undefined)
      for (const kind of ['bind_transceiver', 'bind_receiver', 'bind_transmitter']) {
        arrived.on(kind, (pdu) => {
          const wrong = pdu['password'] !== 'secret'
          arrived.send(pdu.response(wrong ? { command_status: 0x0e } : { sc_interface_version: 0x34 }))
        })
      }
      arrived.on('submit_sm', (pdu) => {
        submits.push(pdu)
        arrived.send(pdu.response({ message_id: `id-${submits.length}` }))
      })
      arrived.on('query_sm', (pdu) => arrived.send(pdu.response({ message_id: pdu.message_id, message_state: 2 })))
      arrived.on('cancel_sm', (pdu) => arrived.send(pdu.response()))
      arrived.on('enquire_link', (pdu) => {
        seen.enquired++
        arrived.send(pdu.response())
      })
      arrived.on('unbind', (pdu) => {
        seen.unbound++
        arrived.send(pdu.response())
        arrived.close()
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closing.push(() => new Promise((resolve) => server.close(resolve)))
    return { port: (server.address() as AddressInfo).port, submits, seen, session: () => session! }
  }

  async function bindToTheirs(wish: Parameters<typeof startTestSession>[1] = {}) {
    const server = await startTheirServer()
    const session = startTestSession(server.port, wish)
    closing.push(() => session.stop())
    await session.bound()
    return { server, session }
  }

  test('binds, submits, and unbinds', async () => {
    const { server, session } = await bindToTheirs()
    const [segment] = encodeText('Hello @ [€]', { alphabet: 'gsm7', long: 'udh8' }, 1)
    const answer = await session.submit({
      ...segment!,
      source_addr_ton: 5,
      source_addr: 'BANK',
      destination_addr: '2348031234567',
      registered_delivery: 1,
      validity_period: '000000001500000R',
    })
    expect(answer).toEqual({ command_status: 0, message_id: 'id-1' })
    expect(server.submits[0]).toMatchObject({
      source_addr: 'BANK',
      destination_addr: '2348031234567',
      registered_delivery: 1,
      short_message: { message: 'Hello @ [€]' },
    })
    await session.stop()
    expect(server.seen.unbound).toBe(1)
  })

  test.each<[string, string, TextProfile]>([
    ['a long text', LONG_TEXT, { alphabet: 'gsm7', long: 'udh8' }],
    ['a long text with a 16-bit reference', LONG_TEXT, { alphabet: 'gsm7', long: 'udh16' }],
    ['a long UCS-2 text', LONG_WIDE, { alphabet: 'gsm7', long: 'udh8' }],
    ['a short UCS-2 text', '₦5 😀', { alphabet: 'gsm7', long: 'udh8' }],
  ])('sends %s', async (_name, text, profile) => {
    const { server, session } = await bindToTheirs()
    const segments = encodeText(text, profile, 0x2a)
    const answers = await Promise.all(
      segments.map((segment) => session.submit({ ...segment, destination_addr: '234' })),
    )
    expect(answers.map(({ command_status }) => command_status)).toEqual(segments.map(() => 0))
    expect(server.submits.map(({ short_message }) => short_message.message).join('')).toBe(text)
    const numbers = server.submits.map(({ short_message }) => short_message.udh?.[0]?.subarray(-2).join(' of '))
    expect(numbers).toEqual(
      segments.map((_part, n) => (segments.length === 1 ? undefined : `${segments.length} of ${n + 1}`)),
    )
  })

  test('sends a long text in the payload, and by SAR', async () => {
    const { server, session } = await bindToTheirs()
    for (const long of ['payload', 'sar'] as const) {
      for (const segment of encodeText(LONG_TEXT, { alphabet: 'gsm7', long }, 0x2a)) {
        await session.submit({ ...segment, destination_addr: '234' })
      }
    }
    const [payload, first, second] = server.submits
    expect((payload!['message_payload'] as { message: string }).message).toBe(LONG_TEXT)
    expect(first).toMatchObject({ sar_msg_ref_num: 0x2a, sar_total_segments: 2, sar_segment_seqnum: 1 })
    expect(second).toMatchObject({ sar_msg_ref_num: 0x2a, sar_total_segments: 2, sar_segment_seqnum: 2 })
    expect(first!.short_message.message + second!.short_message.message).toBe(LONG_TEXT)
  })

  test('receives a report and a text, and acknowledges them', async () => {
    const { server, session } = await bindToTheirs()
    const statuses: number[] = []
    const noteStatus = (answer: TheirPdu) => void statuses.push(answer.command_status)
    server.session().deliver_sm(
      {
        source_addr: '2348031234567',
        destination_addr: 'BANK',
        esm_class: 4,
        short_message: 'id:id-1 sub:001 dlvrd:001 submit date:2601151200 done date:2601151201 stat:DELIVRD err:000',
        receipted_message_id: 'id-1',
        message_state: 2,
      },
      noteStatus,
    )
    server
      .session()
      .deliver_sm({ source_addr: '234', destination_addr: '32811', short_message: 'STOP {now}' }, noteStatus)
    server.session().deliver_sm({ source_addr: '234', destination_addr: '32811', short_message: 'Ẹ kú' }, noteStatus)
    await until('acknowledgements', () => statuses.length === 3)
    expect(statuses).toEqual([0, 0, 0])
    const [report, text, wide] = session.delivered
    expect(readReceipt(report!)).toMatchObject({ message_id: 'id-1', state: 'delivered' })
    expect(readReceipt(text!)).toBeNull()
    expect(decodeText(text!, 'gsm7').text).toBe('STOP {now}')
    expect(decodeText(wide!, 'gsm7').text).toBe('Ẹ kú')
  })

  test('sends query_sm, cancel_sm and enquire_link', async () => {
    const { server, session } = await bindToTheirs({ enquire_interval_ms: 50 })
    expect(await session.query({ message_id: 'id-1' })).toMatchObject({ command_status: 0, message_state: 2 })
    expect(await session.cancel({ message_id: 'id-1' })).toEqual({ command_status: 0 })
    await until('enquire_link', () => server.seen.enquired > 1)
    expect(session.state().name).toBe('bound')
  })

  test('reports wrong credentials when the password is refused', async () => {
    const server = await startTheirServer()
    const session = startTestSession(server.port, { password: 'guess' })
    closing.push(() => session.stop())
    const state = await until('the refusal', () => session.states.find(({ name }) => name === 'waiting'))
    expect(state).toMatchObject({ fault: 'credentials', reason: 'the SMSC refused the bind: RINVPASWD' })
  })
})

describe('an npm smpp client with the SMSC emulator', () => {
  async function bindTheirClient(wish: SmscOptions = {}) {
    const smsc = await startSmsc(wish)
    closing.push(() => smsc.stop())
    const client = await new Promise<TheirSession>((resolve) => {
      const session = theirs.connect({ host: '127.0.0.1', port: smsc.port }, () => resolve(session))
    })
    client.on('error', () => undefined)
    closing.push(async () => client.close())
    const delivered: TheirPdu[] = []
    client.on('deliver_sm', (pdu) => {
      delivered.push(pdu)
      client.send(pdu.response())
    })
    const ask = (
      command: 'bind_transceiver' | 'submit_sm' | 'query_sm' | 'cancel_sm' | 'unbind' | 'enquire_link',
      fields = {},
    ) => new Promise<TheirPdu>((resolve) => client[command](fields, resolve))
    const bound = await ask('bind_transceiver', { system_id: 'gangan', password: 'secret' })
    return { smsc, ask, bound, delivered }
  }

  test('binds, and receives sc_interface_version', async () => {
    const { bound } = await bindTheirClient()
    expect(bound).toMatchObject({ command_status: 0, system_id: 'gangan-smsc', sc_interface_version: 0x34 })
  })

  test.each([
    ['wrong name', { system_id: 'other', password: 'secret' }, 0x0f],
    ['wrong password', { system_id: 'gangan', password: 'other' }, 0x0e],
  ])('is refused for a %s', async (_name, account, command_status) => {
    const { bound } = await bindTheirClient({ accounts: [account] })
    expect(bound.command_status).toBe(command_status)
  })

  test('submits texts that handsets display, and receives reports', async () => {
    const { smsc, ask, delivered } = await bindTheirClient({ reports: { report_id: 'hex' } })
    const fields = { source_addr: 'BANK', destination_addr: '234', registered_delivery: 1 }
    const plain = await ask('submit_sm', { ...fields, short_message: 'Hello @ [€]' })
    const wide = await ask('submit_sm', { ...fields, short_message: '₦5 😀' })
    expect([plain.command_status, wide.command_status]).toEqual([0, 0])
    await until('reports', () => smsc.counts.reports_taken === 2)
    expect(smsc.handsets.shown.map(({ text }) => text)).toEqual(['Hello @ [€]', '₦5 😀'])
    expect(delivered[0]).toMatchObject({
      esm_class: 4,
      receipted_message_id: BigInt(plain.message_id).toString(16),
      message_state: 2,
    })
    expect(delivered[0]?.short_message.message).toMatch(
      /^id:[\da-f]+ sub:001 .* stat:DELIVRD err:000 text:Hello @ \[€\]$/,
    )
  })

  test('submits the segments of a long text, which the handset joins', async () => {
    const { smsc, ask } = await bindTheirClient()
    const send = (n: number, message: string) =>
      ask('submit_sm', { destination_addr: '234', short_message: { udh: Buffer.from([5, 0, 3, 9, 2, n]), message } })
    await send(2, 'and this the end')
    await send(1, 'This is the beginning ')
    expect(smsc.handsets.shown).toEqual([
      { from: '', to: '234', text: 'This is the beginning and this the end', segments: 2 },
    ])
  })

  test('receives a long text from a handset', async () => {
    const { smsc, delivered } = await bindTheirClient()
    await smsc.sendText({ from: '234', to: '32811', text: LONG_WIDE })
    expect(delivered.map(({ short_message }) => short_message.message).join('')).toBe(LONG_WIDE)
  })

  test('queries, cancels, enquires and unbinds', async () => {
    const { smsc, ask } = await bindTheirClient({ reports: { delay_ms: [60_000, 60_000] } })
    const { message_id } = await ask('submit_sm', {
      destination_addr: '234',
      short_message: 'x',
      registered_delivery: 1,
    })
    expect(await ask('query_sm', { message_id })).toMatchObject({ command_status: 0, message_state: 1 })
    expect(await ask('cancel_sm', { message_id })).toMatchObject({ command_status: 0 })
    expect(await ask('query_sm', { message_id: 'none' })).toMatchObject({ command_status: 0x67 })
    expect(await ask('enquire_link')).toMatchObject({ command_status: 0 })
    expect(await ask('unbind')).toMatchObject({ command_status: 0 })
    expect(smsc.counts).toMatchObject({ queries: 2, cancels: 1, unbinds: 1, faults: 0 })
  })
})

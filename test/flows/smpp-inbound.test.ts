import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ReceivedText } from '../../src/carriers/message-carrier.ts'
import { startInbound, type Inbound } from '../../src/carriers/inbound/inbound.ts'
import { makeReceive } from '../../src/carriers/smpp/carrier/receive.ts'
import { makePdu, TAG } from '../../src/carriers/codec/pdu.ts'
import { SmppSettings } from '../../src/carriers/smpp/schema.ts'
import { BIND_DEFAULTS } from '../../src/carriers/smpp/session/bind-settings.ts'
import type { SmppSession } from '../../src/carriers/smpp/session/session.ts'
import { startSession } from '../../src/carriers/smpp/session/start-session.ts'
import { startSmsc, type Smsc } from '../../src/emulators/smsc/smsc.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { withDefaults } from '../../src/values/schema/check.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { smppCarrier } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'

const LONG = 'To whom it may concern: '.repeat(14).trim()
const log = { info: () => {}, warn: (_: object, sentence: string) => void warned.push(sentence), error: () => {} }

let database: TestDatabase
let smsc: Smsc
let session: SmppSession
let inbound: Inbound
let receive: ReturnType<typeof makeReceive>
let taken: ReceivedText[]
let warned: string[]
let refuse: boolean
/** Called between storing a text and our response. */
let onStored: () => void

beforeEach(async () => {
  taken = []
  warned = []
  refuse = false
  onStored = () => {}
  database = await freshDatabase()
  smsc = await startSmsc({ deliver_retry_ms: 50 })
  open()
  await until('the bind', () => smsc.bound === 1)
})
afterEach(async () => {
  await session.stop()
  await inbound.stop()
  await smsc.stop()
  await database.drop()
})

/** Forwards texts like a process; those forwarded before are known by their ids. */
function open(more: { wait_s?: number; sweep_every_ms?: number } = {}): void {
  const settings = withDefaults(SmppSettings, smppCarrier(smsc.port)) as SmppSettings
  inbound = startInbound({ db: database.db, log, takeTexts, ...more }, 'mtn')
  const deps = { log, meters: makeMeters(), takeReport: async () => {}, inbound, default_country: 'NG' }
  const bind = { ...BIND_DEFAULTS, host: '127.0.0.1', port: smsc.port, system_id: 'gangan', password: 'secret' }
  receive = makeReceive(deps, settings)
  session = startSession({ log, onDeliver: receive, onState: () => {} }, bind)
}

async function takeTexts(texts: readonly ReceivedText[]): Promise<void> {
  if (refuse) throw new Error('not now')
  for (const text of texts) if (!taken.some(({ received_id }) => received_id === text.received_id)) taken.push(text)
  onStored()
}

const unread = async () => (await database.db`select 1 from inbound_pdus`).length

const segmentsLeft = async () => (await database.db`select 1 from inbound_segments`).length

describe('an inbound text', () => {
  test('is forwarded', async () => {
    await smsc.sendText({ from: '+2348031234567', to: '32811', text: 'STOP ₦' })
    expect(taken).toEqual([
      {
        carrier: 'mtn',
        from: '2348031234567',
        to: '32811',
        text: 'STOP ₦',
        channel: 'sms',
        received_id: expect.any(String),
      },
    ])
  })

  test('is requested again if it cannot be stored', async () => {
    refuse = true
    const sent = smsc.sendText({ from: '2348031234567', to: '32811', text: 'Hello' })
    await until('a second attempt', () => smsc.counts.retried > 1)
    refuse = false
    await sent
    expect(taken).toHaveLength(1)
  })

  test.each(['udh8', 'udh16', 'sar', 'payload'] as const)('in %s is joined', async (long) => {
    await smsc.sendText({ from: '2348031234567', to: '32811', text: LONG, long })
    await until('the text', () => taken.length === 1)
    expect(taken[0]?.text).toBe(LONG)
    await until('its segments to be deleted', async () => (await segmentsLeft()) === 0)
  })

  test('is joined if it was split in the middle of a character, NUL or not', async () => {
    const segments = ['Hello \ud83d', '\ude00\u0000\ud83d\ude01, ', 'Ada\ud83d']
    for (const [n, text] of segments.entries()) {
      const concatenation = { reference: 5, total: segments.length, segment: n + 1 }
      await inbound.take('2348031234567', '32811', { text, concatenation }, Buffer.from(text))
    }
    expect(taken.map(({ text }) => text)).toEqual(['Hello 😀😁, Ada\ud83d'])
  })

  test('that claims to be a segment and is too long is a separate text, and logged', async () => {
    const segmentOf = (octets: number) =>
      makePdu('deliver_sm', {
        source_addr: '2348031234567',
        destination_addr: '32811',
        tlvs: [
          { tag: TAG.message_payload, value: Buffer.alloc(octets, 'x') },
          { tag: TAG.sar_msg_ref_num, value: Buffer.from([0, 7]) },
          { tag: TAG.sar_total_segments, value: Buffer.from([255]) },
          { tag: TAG.sar_segment_seqnum, value: Buffer.from([1]) },
        ],
      })
    await receive(segmentOf(255))
    expect([taken.length, await segmentsLeft()]).toEqual([0, 1])
    await receive(segmentOf(60_000))
    expect(taken.map(({ text }) => text)).toEqual(['x'.repeat(60_000)])
    expect(await segmentsLeft()).toBe(1)
    expect(warned).toEqual(['a segment is longer than the maximum; it is received as a whole text'])
  })

  test('is joined from segments received before and after a restart', async () => {
    await database.db`
      insert into inbound_segments (carrier, sender, destination, reference, segments, segment, text)
      values ('mtn', '2348031234567', '32811', 1, 3, 1, 'from before. ')`
    await smsc.sendText({ from: '2348031234567', to: '32811', text: LONG })
    await until('the text', () => taken.length === 1)
    expect(taken[0]?.text).toMatch(/^from before\. /)
  })

  test('that was complete when the process died is forwarded once', async () => {
    await session.stop()
    await inbound.stop()
    const segments = ['one ', 'two ', 'three']
    for (const [n, text] of segments.entries()) {
      await database.db`
        insert into inbound_segments (carrier, sender, destination, reference, segments, segment, text)
        values ('mtn', '2348031234567', '32811', 7, 3, ${n + 1}, ${text})`
    }
    open({ sweep_every_ms: 20 })
    await until('the text', () => taken.length > 0)
    await until('its segments to be deleted', async () => (await segmentsLeft()) === 0)
    expect(taken.map(({ text }) => text)).toEqual(['one two three'])
  })

  test('whose last segment never arrives is forwarded incomplete', async () => {
    await session.stop()
    await inbound.stop()
    await database.db`
      insert into inbound_segments (carrier, sender, destination, reference, segments, segment, text, received_datetime)
      values ('mtn', '2348031234567', '32811', 8, 3, 2, 'the middle', now() - interval '2 h 1 s'),
        ('mtn', '2348031234567', '32811', 9, 3, 2, 'not yet', now() - interval '1 h')`
    open({ sweep_every_ms: 20 })
    await until('the text', () => taken.length > 0)
    expect(taken.map(({ text }) => text)).toEqual(['the middle'])
    await until('its segment to be deleted', async () => (await segmentsLeft()) === 1)
  })
})

/** A message centre that got no response delivers the same again, with identical fields. */
describe('a text whose response was lost', () => {
  const HELLO = { from: '2348031234567', to: '32811', text: 'Yes' }
  const cutOnce = () => {
    onStored = () => {
      onStored = () => {}
      smsc.cut()
    }
  }

  test('is delivered again on the next connection, and stored once', async () => {
    cutOnce()
    await smsc.sendText(HELLO)
    expect(smsc.counts.retried).toBe(1)
    expect(taken).toHaveLength(1)
  })

  test('is delivered again when it is unknown whether it was stored, and stored once', async () => {
    onStored = () => {
      onStored = () => {}
      throw new Error('the response to the commit was lost')
    }
    await smsc.sendText(HELLO)
    expect(smsc.counts.retried).toBe(1)
    expect(taken).toHaveLength(1)
  })

  test('is delivered again when the whole has been forwarded, and no segment of it is left', async () => {
    cutOnce()
    await smsc.sendText({ ...HELLO, text: LONG })
    expect(smsc.counts.retried).toBeGreaterThan(0)
    await until('the segments to be deleted', async () => (await segmentsLeft()) === 0)
    expect(taken.map(({ text }) => text)).toEqual([LONG])
  })

  test('differs from the same text written again: once the centre has read our response it is another text', async () => {
    await smsc.sendText(HELLO)
    await until('the response to be acknowledged', async () => (await unread()) === 0)
    await smsc.sendText(HELLO)
    expect(taken).toHaveLength(2)
    expect(new Set(taken.map(({ received_id }) => received_id)).size).toBe(2)
  })

  test('is remembered for an hour at most', async () => {
    await inbound.stop()
    await session.stop()
    await database.db`
      insert into inbound_pdus (carrier, digest, received_id, received_datetime)
      values ('mtn', '\\x01', 'old', now() - interval '61 min'), ('mtn', '\\x02', 'young', now() - interval '59 min')`
    open({ sweep_every_ms: 20 })
    await until('the old one to be deleted', async () => (await unread()) === 1)
    expect(await database.db`select received_id from inbound_pdus`).toEqual([{ received_id: 'young' }])
  })
})

import { afterEach, describe, expect, test } from 'vitest'
import { decodeText } from '../../src/carriers/codec/decode-text.ts'
import { encodeText } from '../../src/carriers/codec/encode-text.ts'
import { readReceipt } from '../../src/carriers/codec/receipt.ts'
import { startSmsc } from '../../src/emulators/smsc/smsc.ts'
import type { IdForm, ReportSettings, SmscOptions } from '../../src/emulators/smsc/settings.ts'
import { statusName } from '../../src/carriers/codec/status.ts'
import { startTestSession, type TestSession } from '../support/smpp.ts'
import { until } from '../support/until.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function smscAndSession(wish: SmscOptions = {}, bind: Parameters<typeof startTestSession>[1] = {}) {
  const smsc = await startSmsc(wish)
  closing.push(() => smsc.stop())
  const session = startTestSession(smsc.port, { window: 100, ...bind })
  closing.push(() => session.stop())
  await session.bound()
  return { smsc, session }
}

const submit = (session: TestSession, text = 'Hello') => {
  const [segment] = encodeText(text, { alphabet: 'gsm7', long: 'udh8' }, 1)
  return session.submit({ ...segment!, source_addr: 'BANK', destination_addr: '234', registered_delivery: 1 })
}

describe('reports', () => {
  test.each<[IdForm, IdForm, (id: string) => string]>([
    ['decimal', 'decimal', (id) => id],
    ['decimal', 'hex', (id) => BigInt(id).toString(16)],
    ['decimal', 'upper_case', (id) => BigInt(id).toString(16).toUpperCase()],
    ['decimal', 'zero_padded', (id) => id.padStart(24, '0')],
    ['hex', 'decimal', (id) => BigInt(`0x${id}`).toString()],
  ])('identify a message answered with a %s id by its %s form', async (answer_id, report_id, spelled) => {
    const { session } = await smscAndSession({ reports: { answer_id, report_id } })
    const { message_id } = await submit(session)
    await until('the report', () => session.delivered.length === 1)
    expect(readReceipt(session.delivered[0]!)?.message_id).toBe(spelled(message_id!))
  })

  test.each<ReportSettings['form']>(['text', 'tlv', 'both', 'unflagged'])('in form %s are read', async (form) => {
    const { session } = await smscAndSession({ reports: { form, stats: { UNDELIV: 1 } } })
    await submit(session)
    await until('the report', () => session.delivered.length === 1)
    expect(readReceipt(session.delivered[0]!)).toMatchObject({ state: 'undelivered', final: true })
  })

  test('are sent before the answer, if configured', async () => {
    const { session } = await smscAndSession({ latency_ms: [50, 50], reports: { early_share: 1 } })
    await submit(session)
    const order = session.pdus.filter(({ direction }) => direction === 'in').map(({ command }) => command)
    expect(order.indexOf('deliver_sm')).toBeLessThan(order.indexOf('submit_sm_resp'))
    expect(order).toContain('deliver_sm')
  })

  test('are sent twice, never, or only if requested', async () => {
    const { smsc, session } = await smscAndSession({ reports: { twice_share: 1 } })
    await submit(session)
    await until('both reports', () => session.delivered.length === 2)
    smsc.change({ reports: { twice_share: 0, none_share: 1 } })
    await submit(session)
    smsc.change({ reports: { none_share: 0 } })
    await session.submit({ destination_addr: '234' })
    await session.submit({ destination_addr: '234', registered_delivery: 2 })
    await submit(session)
    await until('the last report', () => smsc.counts.reports_taken === 3)
    expect(session.delivered).toHaveLength(3)
  })

  test('are sent on another bind, if configured', async () => {
    const { smsc, session } = await smscAndSession({ reports: { other_bind_share: 1 } })
    const other = startTestSession(smsc.port)
    closing.push(() => other.stop())
    await other.bound()
    await submit(session)
    await until('the report', () => other.delivered.length === 1)
    expect(session.delivered).toEqual([])
  })

  test('are kept until a receiver binds', async () => {
    const { smsc, session } = await smscAndSession({ reports: { delay_ms: [100, 100] } })
    await submit(session)
    await session.stop()
    await until('the report', () => smsc.counts.reports === 1)
    const next = startTestSession(smsc.port)
    closing.push(() => next.stop())
    await until('the report', () => smsc.counts.reports_taken === 1)
    expect(next.delivered).toHaveLength(1)
  })

  test('are not sent on a connection that is closing', async () => {
    const { smsc, session } = await smscAndSession()
    const stopping = session.stop()
    await new Promise<void>((resolve) => {
      const look = () => (smsc.counts.unbinds === 1 ? resolve() : void setImmediate(look))
      look()
    })
    // Its connection is closing and not yet closed.
    const taken = smsc.sendText({ from: '234', to: '32811', text: 'Hello', system_id: 'gangan' })
    await stopping
    const other = startTestSession(smsc.port)
    closing.push(() => other.stop())
    await taken
    expect([session.delivered.length, other.delivered.length]).toEqual([0, 1])
  })

  test('are resent until they are acknowledged', async () => {
    const smsc = await startSmsc({ deliver_retry_ms: 10 })
    closing.push(() => smsc.stop())
    let refusals = 3
    const session = startTestSession(smsc.port, {}, { onDeliver: async () => (refusals-- > 0 ? 0x14 : 0) })
    closing.push(() => session.stop())
    await session.bound()
    await submit(session)
    await until('it is taken', () => smsc.counts.reports_taken === 1)
    expect(smsc.counts.retried).toBe(3)
  })
})

describe('configured errors', () => {
  test('the same seed repeats the same errors', async () => {
    const outcomes = async (seed: number) => {
      const { session } = await smscAndSession({ seed, errors: { RSYSERR: 0.2, RMSGQFUL: 0.2 } })
      const answers = await Promise.all(Array.from({ length: 100 }, () => submit(session)))
      return answers.map(({ command_status }) => statusName(command_status)).join(' ')
    }
    const first = await outcomes(7)
    expect(await outcomes(7)).toBe(first)
    expect(await outcomes(8)).not.toBe(first)
    for (const word of ['ROK', 'RSYSERR', 'RMSGQFUL']) expect(first).toContain(word)
  })

  test('submits beyond the throughput are throttled, and accepted later', async () => {
    const { smsc, session } = await smscAndSession({ throughput: 40 })
    const answers = await Promise.all(Array.from({ length: 60 }, () => submit(session)))
    expect(answers.every(({ command_status }) => command_status === 0)).toBe(true)
    expect(smsc.counts.throttled).toBeGreaterThan(0)
    expect(smsc.counts.accepted).toBe(60)
  })

  test('cuts before and after acceptance: no text is lost unnoticed or displayed twice', async () => {
    const { smsc, session } = await smscAndSession({ seed: 3, cut_before_share: 0.03, cut_after_share: 0.03 })
    const fates = new Map<string, string>()
    for (let n = 0; n < 300; n++) {
      await session.bound()
      const text = `Text ${n}`
      const fate = submit(session, text).then(
        () => 'answered',
        (fault: { fate: string }) => fault.fate,
      )
      fates.set(text, await fate)
    }
    const shown = smsc.handsets.shown.map(({ text }) => text)
    expect(new Set(shown).size).toBe(shown.length)
    const by = (fate: string) => [...fates].filter((entry) => entry[1] === fate).map(([text]) => text)
    expect(by('answered').every((text) => shown.includes(text))).toBe(true)
    expect(by('not_sent').some((text) => shown.includes(text))).toBe(false)
    expect(by('unanswered').length).toBeGreaterThan(5)
    expect(smsc.counts.cut).toBeGreaterThan(5)
  })
})

describe('handsets', () => {
  test.each(['udh8', 'udh16', 'sar', 'payload'] as const)('join long texts sent by %s', async (long) => {
    const { smsc, session } = await smscAndSession()
    const text = 'Ẹ kú àárọ̀, ₦5,000. '.repeat(12)
    const segments = encodeText(text, { alphabet: 'gsm7', long }, 9).reverse()
    await Promise.all(
      segments.map((segment) => session.submit({ ...segment, source_addr: 'A', destination_addr: '234' })),
    )
    expect(smsc.handsets.shown).toEqual([{ from: 'A', to: '234', text, segments: segments.length }])
    expect(smsc.handsets.incomplete).toBe(0)
  })

  test.each(['udh8', 'udh16', 'sar', 'payload'] as const)('send long texts by %s', async (long) => {
    const { smsc, session } = await smscAndSession({ alphabet: 'gsm7-packed' })
    const text = 'I want to stop these messages please. '.repeat(8)
    await smsc.sendText({ from: '234', to: '32811', text, long })
    const segments = session.delivered.map((pdu) => decodeText(pdu, 'gsm7-packed'))
    expect(segments.map((segment) => segment.text).join('')).toBe(text)
  })

  test('cannot send a text before an ESME has bound', async () => {
    const smsc = await startSmsc()
    closing.push(() => smsc.stop())
    await expect(smsc.sendText({ from: '1', to: '2', text: 'x' })).rejects.toThrow('No ESME has bound yet')
  })
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { decideConfig } from '../../src/config/config.ts'
import { makeReadTraces } from '../../src/messaging/read/trace-store.ts'
import { makeTraceCache } from '../../src/observe/trace/trace-cache.ts'
import { listeningPort } from '../../src/values/listening-port.ts'
import { startCollector, type CollectedSpan, type Collector } from '../support/collector.ts'
import { routeTo, startVendor } from '../support/http-vendor.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const CALLER = { trace: '4bf92f3577b34da6a3ce929d0e0e4736', span: '00f067aa0ba902b7' }
const TO = '2348031234567'
const STEPS = ['POST /sms/send', 'callback', 'charge', 'report', 'submit']

let collector: Collector
let receiver: Receiver
/** Accepts and submits nothing. */
let front: TestService
/** Submits, receives reports and posts callbacks. */
let back: TestService

const tracesOf = (name: string, more: Record<string, string> = {}) =>
  decideConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: name, ...more }, {}).traces

beforeAll(async () => {
  collector = await startCollector()
  receiver = await startReceiver()
  front = await openService({ workers: false, config: { traces: tracesOf('front') } })
  back = await openService({ beside: front, config: { traces: tracesOf('back') } })
})
beforeEach(() => {
  collector.answer = () => 200
})
afterAll(async () => {
  await back.close()
  await front.close()
  await receiver.close()
  await collector.close()
})

async function send(headers: Record<string, string> = {}, more: object = {}): Promise<string> {
  const body = { recipients: TO, content: 'Hello', callback: receiver.url, ...more }
  const answer = await front.call<{ id: string }>('POST', '/sms/send', body, headers)
  expect(answer.status).toBe(200)
  return answer.body.id
}

const traceOf = (id: string) => id.replaceAll('-', '')
const traceparent = (flags: string) => ({ traceparent: `00-${CALLER.trace}-${CALLER.span}-${flags}` })
const callbackOf = (id: string) =>
  until('its callback', () => receiver.received.find(({ json }) => json.data.id === id))

/** All spans of a message, once they are collected. */
async function stepsOf(trace_id: string, message_id: string, steps = STEPS): Promise<CollectedSpan[]> {
  const own = () =>
    collector
      .of(trace_id)
      .filter(({ name, attributes }) => name.startsWith('POST') || attributes['gangan.message_id'] === message_id)
  return until(`the spans of ${message_id}`, () => {
    const names = new Set(own().map(({ name }) => name))
    return steps.every((name) => names.has(name)) && own()
  })
}

describe('a message', () => {
  test('is one trace from the request to the callback, across processes', async () => {
    const id = await send()
    const spans = await stepsOf(traceOf(id), id)
    expect(spans.map(({ name }) => name).sort()).toEqual(STEPS)
    const by = Object.fromEntries(spans.map((span) => [span.name, span]))
    const request = by['POST /sms/send']
    expect(request).toMatchObject({ kind: 2, attributes: { 'http.response.status_code': '200' } })
    expect(request?.parentSpanId).toBeUndefined()
    expect(by.charge?.parentSpanId).toBe(request?.spanId)
    for (const step of ['submit', 'report', 'callback']) expect(by[step]?.parentSpanId).toBe(by.charge?.spanId)
    expect(by.charge?.resource['service.name']).toBe('front')
    expect(by.submit).toMatchObject({
      resource: { 'service.name': 'back' },
      attributes: { 'gangan.carrier': 'simulator', 'gangan.outcome': 'accepted', 'gangan.attempt': '1' },
    })
    expect(by.report?.attributes).toMatchObject({ 'gangan.status': 'delivered' })
    expect(by.callback?.attributes).toMatchObject({ 'http.response.status_code': '200' })
    for (const { startTimeUnixNano, endTimeUnixNano } of spans) {
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true)
    }
    expect((await callbackOf(id)).headers.traceparent).toBe(`00-${traceOf(id)}-${by.callback?.spanId}-01`)
    expect(JSON.stringify(spans)).not.toContain(TO)
  })

  test('belongs to the trace of a caller who sends one, including the callback', async () => {
    const id = await send(traceparent('01'))
    const spans = await stepsOf(CALLER.trace, id)
    const request = spans.find(({ name }) => name.startsWith('POST'))
    expect(request?.parentSpanId).toBe(CALLER.span)
    expect(collector.of(traceOf(id))).toEqual([])
    expect((await callbackOf(id)).headers.traceparent).toMatch(new RegExp(`^00-${CALLER.trace}-[0-9a-f]{16}-01$`))
    const [row] = await front.db<{ trace: string }[]>`select trace from messages where id = ${id}`
    expect(traceOf(row?.trace ?? '')).toBe(CALLER.trace)
  })

  test('that is scheduled or retried stays in it', async () => {
    const own = { traceparent: `00-${CALLER.trace.replace('4bf9', 'aaaa')}-${CALLER.span}-01` }
    const trace_id = CALLER.trace.replace('4bf9', 'aaaa')
    const soon = new Date(Date.now() + 1_500).toISOString()
    const later = await send(own, { send_at: soon })
    const again = await send(own, { recipients: '2348000000009' }) // Fails twice temporarily.
    const tries = await until(
      'three attempts',
      async () => {
        const spans = (await stepsOf(trace_id, again, ['charge'])).filter(({ name }) => name === 'submit')
        return spans.length === 3 && spans
      },
      60_000,
    )
    expect(tries.map(({ attributes }) => attributes['gangan.outcome'])).toEqual(['temporary', 'temporary', 'accepted'])
    expect(tries.map(({ status }) => status?.message)).toEqual(['temporary', 'temporary', undefined])
    await stepsOf(trace_id, later)
  }, 60_000)

  test('whose caller does not sample it has no span in any process', async () => {
    const id = await send({ traceparent: `00-${CALLER.trace.replace('4bf9', 'bbbb')}-${CALLER.span}-00` })
    const told_later = await send()
    expect((await callbackOf(id)).headers.traceparent).toBeUndefined()
    await stepsOf(traceOf(told_later), told_later) // All pending spans are exported with it.
    expect(collector.of(traceOf(id))).toEqual([])
    expect(collector.of(CALLER.trace.replace('4bf9', 'bbbb'))).toEqual([])
  })

  test('with an invalid header begins a new trace', async () => {
    const bad = [`00-${'0'.repeat(32)}-${CALLER.span}-01`, 'ff-1', `00-${CALLER.trace}-${CALLER.span}-01-more`]
    const ids = await Promise.all(bad.map((header) => send({ traceparent: header })))
    for (const id of ids) {
      const spans = await stepsOf(traceOf(id), id, ['POST /sms/send', 'charge'])
      expect(spans.find(({ name }) => name.startsWith('POST'))?.parentSpanId).toBeUndefined()
    }
  })
})

test('the trace of a message is read from the database if it is not cached, in one query for concurrent readers', async () => {
  const trace_id = CALLER.trace.replace('4bf9', 'cccc')
  const header = { traceparent: `00-${trace_id}-${CALLER.span}-01` }
  const ids = await Promise.all([send(header), send(header), send()])
  await Promise.all(ids.map(callbackOf))
  const readTraces = makeReadTraces(front.db)
  let reads = 0
  const known = makeTraceCache((...asked) => {
    reads += 1
    return readTraces(...asked)
  })
  const find = () => Promise.all(ids.map((id) => known.find(front.id, id)))
  expect(await find()).toEqual([trace_id, trace_id, null])
  expect(await find()).toEqual([trace_id, trace_id, null])
  expect(reads).toBe(1)
  const broken = makeTraceCache(() => Promise.reject(new Error('the database is unreachable')))
  expect(await broken.find(front.id, ids[0] ?? '')).toBeNull()
})

test('a one-time password and a rejected request are traced, too', async () => {
  const otp = await front.call<{ id: string }>('POST', '/otp/request_token', { recipient: TO }, traceparent('01'))
  expect(otp.status).toBe(200)
  const spans = await until('its spans', () => {
    const request = collector.of(CALLER.trace).find(({ name }) => name === 'POST /otp/request_token')
    const charge = collector.of(CALLER.trace).find(({ parentSpanId }) => request && parentSpanId === request.spanId)
    const rest = collector.of(CALLER.trace).filter(({ parentSpanId }) => charge && parentSpanId === charge.spanId)
    return rest.some(({ name }) => name === 'submit') && [request, charge, ...rest]
  })
  expect(spans[1]).toMatchObject({ name: 'charge', attributes: { 'gangan.outcome': 'charged' } })

  const request_id = 'refused-one'
  expect((await front.call('POST', '/sms/send', {}, { 'x-request-id': request_id })).status).toBe(400)
  const refused = await until('the rejection', () =>
    collector.spans.find(({ attributes }) => attributes['gangan.request_id'] === request_id),
  )
  expect(refused).toMatchObject({ name: 'POST /sms/send', attributes: { 'http.response.status_code': '400' } })
})

test('a vendor that is called over HTTP receives the trace', async () => {
  const asked: (string | undefined)[] = []
  const vendor = createServer(({ method, headers }, response) => {
    if (method === 'POST') asked.push(headers.traceparent?.toString())
    response.writeHead(500).end() // It is unknown whether it accepted the message.
  }).listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  const stand_in = await startVendor('termii')
  const known = stand_in.settings('vendor')
  const carrier = {
    ...known,
    options: { ...Object(known.options), base_url: `http://127.0.0.1:${listeningPort(vendor)}` },
  }
  const service = await openService({
    settings: { carriers: [carrier], routes: [routeTo('vendor')] },
    config: { sandbox: true, traces: tracesOf('with a vendor') },
  })
  onTestFinished(async () => {
    await service.close()
    await stand_in.close()
    vendor.closeAllConnections()
    vendor.close()
  })
  const sent = await service.call<{ id: string }>('POST', '/sms/send', { recipients: TO, content: 'Hello' })
  const steps = await stepsOf(traceOf(sent.body.id), sent.body.id, ['submit'])
  const step = steps.find(({ name }) => name === 'submit')
  expect(asked).toContain(`00-${traceOf(sent.body.id)}-${step?.spanId}-01`)
  expect(step).toMatchObject({ kind: 3, status: { code: 2, message: 'unknown' } })
})

test('a write for a batch has links to the charges in it', async () => {
  const before = new Set(collector.spans)
  const ids = await Promise.all(Array.from({ length: 20 }, () => send()))
  const links = await until('twenty links', () => {
    const writes = collector.spans.filter((span) => !before.has(span) && span.name === 'write burst')
    const found = writes.flatMap((span) => span.links ?? [])
    return found.length >= ids.length && found
  })
  const charges = await until('their charges', () => {
    const found = collector.spans.filter(({ name, traceId }) => name === 'charge' && ids.map(traceOf).includes(traceId))
    return found.length === ids.length && found
  })
  expect(new Set(links.map(({ spanId }) => spanId))).toEqual(new Set(charges.map(({ spanId }) => spanId)))
})

test('a collector that is unreachable, hangs or rejects affects no messages', async () => {
  const away = await startCollector()
  const traces = decideConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: away.url, OTEL_EXPORTER_OTLP_TIMEOUT: '200' }, {}).traces
  const service = await openService({ config: { traces } })
  onTestFinished(() => service.close())
  away.answer = () => undefined // Accepts the connection and sends nothing.
  const post = () => service.call('POST', '/sms/send', { recipients: TO, content: 'Hello', callback: receiver.url })
  const first = await Promise.all(Array.from({ length: 20 }, post))
  await until('a post to it', () => away.headers.length > 0)
  expect(first.map(({ status }) => status)).toEqual(first.map(() => 200))
  await away.close() // And now it is closed.
  const second = await Promise.all(Array.from({ length: 200 }, post))
  expect(second.map(({ status }) => status)).toEqual(second.map(() => 200))
  const ids = [...first, ...second].map(({ body }) => body.id)
  await until('all callbacks', () => {
    const known = new Set(receiver.received.map(({ json }) => json.data.id))
    return ids.every((id) => known.has(String(id)))
  })
  const complaints = () => service.log_lines.filter(({ sentence }) => sentence.includes('collector'))
  await until('a log entry', () => complaints().length > 0)
  expect(complaints()).toHaveLength(1)
  expect(complaints()[0]?.details).not.toEqual({ reason: 'fetch failed' }) // Which sends nothing.
})

test('without tracing no statement is made for it, and with tracing in one process neither', async () => {
  const counts = await Promise.all(
    [undefined, tracesOf('alone')].map(async (traces) => {
      const service = await openService({ config: { traces } })
      onTestFinished(() => service.close())
      return service
    }),
  )
  const asked: string[][] = []
  for (const service of counts) {
    const statements: string[] = []
    const restore = listenToStatements(statements)
    try {
      for (let n = 0; n < 5; n += 1) {
        const body = { recipients: TO, content: `Hello ${n}`, callback: receiver.url }
        const answer = await service.call<{ id: string }>('POST', '/sms/send', body, traceparent('01'))
        await callbackOf(answer.body.id)
      }
    } finally {
      restore()
    }
    asked.push(statements)
  }
  const [off = [], on = []] = asked
  const count = (all: readonly string[], word: string) => all.filter((text) => text.includes(word)).length
  for (const step of ['accept_messages(', 'record_intake(']) {
    expect(count(off, step)).toBe(5)
    expect(count(on, step)).toBe(5)
  }
  expect(count(off, 'trace from messages')).toBe(0)
  expect(count(on, 'trace from messages')).toBe(0)
})

/** Records the text of all statements of this process, until it is stopped. */
function listenToStatements(statements: string[]): () => void {
  const { prototype } = Client
  const query = Reflect.get(prototype, 'query')
  const listen = function listen(this: unknown, ...given: unknown[]): unknown {
    const [first] = given
    statements.push(typeof first === 'string' ? first : String(Reflect.get(Object(first), 'text')))
    return Reflect.apply(query, this, given)
  }
  Object.assign(prototype, { query: listen })
  return () => void Object.assign(prototype, { query })
}

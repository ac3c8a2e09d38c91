import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeMeters } from '../../src/observe/meters.ts'
import { startExporter } from '../../src/observe/trace/exporter.ts'
import { newSpanId, traceOf } from '../../src/observe/trace/ids.ts'
import type { Span } from '../../src/observe/trace/otlp.ts'
import { newId } from '../../src/values/id.ts'
import { startCollector, type Collector } from '../support/collector.ts'
import { until } from '../support/until.ts'

const QUEUE = 8_192

let collector: Collector
beforeEach(async () => {
  collector = await startCollector()
})
afterEach(() => collector.close())

function open() {
  const meters = makeMeters()
  const sentences: string[] = []
  const note = (_: object, sentence: string) => void sentences.push(sentence)
  const log = { info: note, warn: note, error: note }
  const settings = {
    url: `${collector.url}/v1/traces`,
    headers: { 'api-key': 'abc' },
    timeout_ms: 10_000,
    resource: { 'service.name': 'tests' },
    sampler: { ratio: 1, asks_caller: true },
  }
  const exporter = startExporter({ log, meters }, settings)
  const count = async (outcome: string): Promise<number> => {
    const { values } = await meters.spans.get()
    return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0
  }
  return { exporter, count, sentences }
}

function spans(count: number): Span[] {
  const made: Omit<Span, 'trace_id' | 'span_id'> = {
    name: 'step',
    kind: 'internal',
    start_ms: 1,
    end_ms: 2.5,
    attributes: { text: 'a', number: 3, share: 0.5, truth: true, nothing: undefined },
  }
  return Array.from({ length: count }, () => ({ ...made, trace_id: traceOf(newId()), span_id: newSpanId() }))
}

describe('spans', () => {
  test('are sent to the collector in batches, in its format, with its headers', async () => {
    const { exporter, count } = open()
    spans(1_200).forEach((span) => exporter.add(span))
    await until('all of them', () => collector.spans.length === 1_200)
    expect(collector.headers).toHaveLength(3)
    expect(collector.headers[0]).toMatchObject({ 'api-key': 'abc', 'content-type': 'application/json' })
    expect(collector.spans[0]).toMatchObject({
      kind: 1,
      startTimeUnixNano: '1000000',
      endTimeUnixNano: '2500000',
      attributes: { text: 'a', number: '3', share: 0.5, truth: true },
      resource: { 'service.name': 'tests' },
    })
    await exporter.stop()
    expect(await count('exported')).toBe(1_200)
  })

  test('that exist at shutdown are exported by it', async () => {
    const { exporter, count } = open()
    spans(10).forEach((span) => exporter.add(span))
    await exporter.stop()
    expect(collector.spans).toHaveLength(10)
    spans(1).forEach((span) => exporter.add(span))
    expect(await count('dropped')).toBe(1)
  })

  test('are buffered while the collector is unreachable, up to a limit, and exported when it is back', async () => {
    const { exporter, count, sentences } = open()
    collector.answer = () => 503
    spans(QUEUE + 100).forEach((span) => exporter.add(span))
    expect(await count('dropped')).toBe(100)
    await until('a log entry', () => sentences.length > 0)
    collector.answer = () => 200
    await until('all of them', () => collector.spans.length === QUEUE)
    await exporter.stop()
    expect(await count('exported')).toBe(QUEUE)
    expect(sentences).toHaveLength(1)
  })

  test('that a collector rejects are not sent again, and counted', async () => {
    const { exporter, count } = open()
    collector.answer = () => 400
    spans(3).forEach((span) => exporter.add(span))
    await until('the rejection', async () => (await count('refused')) === 3)
    await exporter.stop()
    expect(collector.headers).toHaveLength(1)
  })

  test('do not delay shutdown when the collector hangs', async () => {
    const { exporter, count } = open()
    collector.answer = () => undefined
    spans(3).forEach((span) => exporter.add(span))
    await exporter.stop()
    expect(await count('dropped')).toBe(3)
  })
})

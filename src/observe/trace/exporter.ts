import type { Meters } from '../meters.ts'
import { makeHttpClient } from '../../values/http/client.ts'
import type { Log } from '../../values/log.ts'
import { writeOtlp, type Span } from './otlp.ts'
import type { TraceSettings } from './settings.ts'

export type Exporter = {
  /** Queues a span; never blocks, whatever the collector does. */
  add(span: Span): void
  /** Exports the queued spans, for at most a second. */
  stop(): Promise<void>
}

/** Queued spans, including those in flight: about 4 MB. Further spans are dropped and counted. */
const MAX_QUEUED = 8_192
const BATCH = 512
const INTERVAL_MS = 1_000
const MAX_PAUSE_MS = 30_000
const STOP_MS = 1_000
const MAX_ANSWER_BYTES = 64 * 1024
/** Statuses that OTLP defines as retryable. */
const RETRYABLE = new Set([408, 429, 502, 503, 504])

/** Posts spans to a collector, one batch at a time. */
export function startExporter(
  { log, meters }: { log: Log; meters: Pick<Meters, 'spans'> },
  { url, headers, timeout_ms, resource }: TraceSettings,
): Exporter {
  const waiting: Span[] = []
  const http = makeHttpClient({ timeout_ms, connections: 1, max_answer_bytes: MAX_ANSWER_BYTES })
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let failures = 0
  let running = true

  function add(span: Span): void {
    if (waiting.length >= MAX_QUEUED || !running) return meters.spans.inc({ outcome: 'dropped' })
    waiting.push(span)
    if (!sending) plan(INTERVAL_MS)
  }

  function plan(wait_ms: number): void {
    timer ??= setTimeout(() => {
      timer = undefined
      sending = sendAll().finally(() => {
        sending = undefined
        if (waiting.length > 0 && running) plan(pause())
      })
    }, wait_ms).unref()
  }

  /** Exponential backoff while the collector is unreachable. */
  function pause(): number {
    return Math.min(MAX_PAUSE_MS, INTERVAL_MS * 2 ** Math.min(10, failures))
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      const fault = await post(batch)
      if (fault?.retryable) return note(fault.reason)
      waiting.splice(0, batch.length)
      meters.spans.inc({ outcome: fault ? 'refused' : 'exported' }, batch.length)
      if (fault) note(fault.reason)
      else failures = 0
    }
  }

  /** Logs the first failure in a row. */
  function note(reason: string): void {
    failures += 1
    if (failures === 1) log.warn({ reason }, 'the trace collector does not accept spans')
  }

  async function post(batch: readonly Span[]): Promise<{ retryable: boolean; reason: string } | undefined> {
    const body = writeOtlp(resource, batch)
    const answer = await http.call({
      method: 'POST',
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    if (answer.kind !== 'answered') return { retryable: true, reason: answer.description }
    if (answer.status >= 200 && answer.status < 300) return undefined
    return { retryable: RETRYABLE.has(answer.status), reason: `HTTP ${answer.status}` }
  }

  async function flush(): Promise<void> {
    await sending
    await sendAll()
  }

  return {
    add,
    async stop() {
      running = false
      clearTimeout(timer)
      const late = setTimeout(() => void http.stop(), STOP_MS)
      await flush()
      clearTimeout(late)
      await http.stop()
      meters.spans.inc({ outcome: 'dropped' }, waiting.length)
    },
  }
}

import type { Meters } from '../meters.ts'
import { makeHttpClient } from '../../values/http/client.ts'
import type { Log } from '../../values/log.ts'
import { writeOtlp, type Span } from './otlp.ts'
import type { TraceSettings } from './settings.ts'

export type Exporter = {
  /** Costs a push, and nothing else, whatever the collector does. */
  add(span: Span): void
  /** Tells what waits, as far as that goes within a second. */
  stop(): Promise<void>
}

/** Spans that wait for the collector, those under way among them: about 4 MB. What comes then is dropped and counted. */
const MOST_WAITING = 8_192
const BATCH = 512
const EVERY_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
const STOP_MS = 1_000
const MAX_ANSWER_BYTES = 64 * 1024
/** Worth another try (OTLP). */
const PASSING = new Set([408, 429, 502, 503, 504])

/** Posts spans to a collector, a batch after the other. */
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
    if (waiting.length >= MOST_WAITING || !running) return meters.spans.inc({ outcome: 'dropped' })
    waiting.push(span)
    if (!sending) plan(EVERY_MS)
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

  /** Ever longer while the collector is away. */
  function pause(): number {
    return Math.min(LONGEST_PAUSE_MS, EVERY_MS * 2 ** Math.min(10, failures))
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH)
      const fault = await post(batch)
      if (fault?.passing) return note(fault.reason)
      waiting.splice(0, batch.length)
      meters.spans.inc({ outcome: fault ? 'refused' : 'exported' }, batch.length)
      if (fault) note(fault.reason)
      else failures = 0
    }
  }

  /** Once, until it is well again. */
  function note(reason: string): void {
    failures += 1
    if (failures === 1) log.warn({ reason }, 'the collector of traces does not take them')
  }

  async function post(batch: readonly Span[]): Promise<{ passing: boolean; reason: string } | undefined> {
    const body = writeOtlp(resource, batch)
    const answer = await http.call({
      method: 'POST',
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    })
    if (answer.kind !== 'answered') return { passing: true, reason: answer.description }
    if (answer.status >= 200 && answer.status < 300) return undefined
    return { passing: PASSING.has(answer.status), reason: `HTTP ${answer.status}` }
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

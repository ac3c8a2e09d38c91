import type { Meters } from '../meters.ts'
import type { Log } from '../../values/log.ts'
import { codeOf, messageOf } from '../../values/thrown.ts'
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
/** What a collector answers is looked at no further than this. */
const MAX_ANSWER_BYTES = 64 * 1024
/** Worth another try (OTLP). */
const PASSING = new Set([408, 429, 502, 503, 504])

/** Posts spans to a collector, a batch after the other. */
export function startExporter(
  { log, meters }: { log: Log; meters: Pick<Meters, 'spans'> },
  { url, headers, timeout_ms, resource }: TraceSettings,
): Exporter {
  const waiting: Span[] = []
  const stopping = new AbortController()
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
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: writeOtlp(resource, batch),
        redirect: 'manual',
        signal: AbortSignal.any([AbortSignal.timeout(timeout_ms), stopping.signal]),
      })
      await readAway(response)
      if (response.ok) return undefined
      return { passing: PASSING.has(response.status), reason: `HTTP ${response.status}` }
    } catch (fault) {
      return { passing: true, reason: reasonOf(fault) }
    }
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
      const late = setTimeout(() => stopping.abort(), STOP_MS)
      await flush()
      clearTimeout(late)
      meters.spans.inc({ outcome: 'dropped' }, waiting.length)
    },
  }
}

/** What `fetch` throws only says that it failed; the cause says why. */
function reasonOf(fault: unknown): string {
  const cause = fault instanceof Error && fault.cause !== undefined ? fault.cause : fault
  return codeOf(cause) ?? messageOf(cause)
}

/** So that the connection can be used again. */
async function readAway({ body }: Response): Promise<void> {
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    if (length > MAX_ANSWER_BYTES) break // which closes it
  }
}

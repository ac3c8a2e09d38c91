import { faultInWords } from '../db/fault-words.ts'
import { isDatabaseUnreachable } from '../db/unreachable.ts'
import type { Log } from '../values/log.ts'
import { isRecord } from '../values/record.ts'

const PROBE_INTERVAL_MS = 1_000
const SUMMARY_INTERVAL_MS = 30_000
/** After an outage: statements that it interrupted may still fail during this time. */
const AFTERMATH_MS = 5_000
const MAX_HELD = 1_000

type Line = { level: 'warn' | 'error'; details: object; sentence: string }

/**
 * A log that reports an outage of the database once when it begins, once when it ends, and in a summary every 30 seconds
 * between, instead of once for every statement that fails.
 *
 * States: available → probing (an error names the database as unreachable; such lines are held) → available, with the held
 * lines written, if the database answers; otherwise unavailable, with the lines counted, until it answers.
 */
export function summariseOutages(log: Log, answers: () => Promise<boolean>): Log {
  let state: 'available' | 'probing' | 'unavailable' = 'available'
  let held: Line[] = []
  let faults = 0
  let began_ms = 0
  let summary_ms = 0
  let ended_ms = -Infinity

  function note(level: Line['level'], details: object, sentence: string): void {
    const err = isRecord(details) ? details.err : undefined
    if (!isDatabaseUnreachable(err)) return log[level](details, sentence)
    faults += 1
    if (state === 'unavailable') return
    if (held.length >= MAX_HELD) return log[level](details, sentence)
    held.push({ level, details, sentence })
    if (state === 'available') void probe(err)
  }

  async function probe(cause: unknown): Promise<void> {
    state = 'probing'
    const is_available = await answers()
    const lines = held
    held = []
    if (is_available) {
      state = 'available'
      faults = 0
      if (performance.now() - ended_ms < AFTERMATH_MS) return
      for (const { level, details, sentence } of lines) log[level](details, sentence)
      return
    }
    state = 'unavailable'
    began_ms = summary_ms = performance.now()
    log.error({ reason: faultInWords(cause) }, 'the database is unavailable')
    setTimeout(() => void probeAgain(), PROBE_INTERVAL_MS).unref()
  }

  async function probeAgain(): Promise<void> {
    const is_available = await answers()
    const now = performance.now()
    const details = { for_s: Math.round((now - began_ms) / 1_000), faults }
    if (is_available) {
      state = 'available'
      faults = 0
      ended_ms = now
      return log.warn(details, 'the database is available again')
    }
    if (now - summary_ms >= SUMMARY_INTERVAL_MS) {
      summary_ms = now
      log.warn(details, 'the database is still unavailable')
    }
    setTimeout(() => void probeAgain(), PROBE_INTERVAL_MS).unref()
  }

  return {
    info: (details, sentence) => log.info(details, sentence),
    warn: (details, sentence) => note('warn', details, sentence),
    error: (details, sentence) => note('error', details, sentence),
    ...(log.written ? { written: log.written } : {}),
  }
}

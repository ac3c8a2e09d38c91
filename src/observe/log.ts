import pino, { type Logger } from 'pino'
import type { Log } from '../values/log.ts'

/** A write per line would cost as much as answering a request; nobody reads logs faster than this. */
const WRITE_AT_LINES = 128
const WRITE_EVERY_MS = 200
const LONGEST_WRITE = 256 * 1024

/** Structured lines on standard output, written in batches. */
export function makeLog(level: string): Logger & Log {
  const options = { level, base: null, serializers: { err: faultDetails } }
  const output = pino.destination({ dest: 1, sync: false, maxWrite: LONGEST_WRITE })
  let lines: string[] = []
  const writeOut = (): void => {
    if (lines.length === 0) return
    output.write(lines.join(''))
    lines = []
  }
  const write = (line: string): void => {
    if (lines.push(line) >= WRITE_AT_LINES) writeOut()
  }
  setInterval(writeOut, WRITE_EVERY_MS).unref()
  process.once('exit', () => {
    output.flushSync()
    // The process does not wait for a write begun now.
    pino.destination({ dest: 1, sync: true }).write(lines.join(''))
  })
  const log = pino(options, { write })
  const { info } = log.levels.values
  const written = (details: string, sentence: string): void => {
    if (log.isLevelEnabled('info')) write(`{"level":${info},"time":${Date.now()},${details},"msg":"${sentence}"}\n`)
  }
  return Object.assign(log, { written })
}

/**
 * What may be logged of a fault. PostgreSQL's `detail` quotes the row, which holds phone numbers and texts, so only
 * these are kept.
 */
function faultDetails(fault: unknown): object {
  if (!(fault instanceof Error)) return { message: String(fault) }
  const { name, message, stack, cause } = fault
  const code = 'code' in fault ? fault.code : undefined
  return {
    name,
    message,
    code,
    stack,
    ...(cause === undefined ? {} : { cause: cause instanceof Error ? cause.message : typeof cause }),
  }
}

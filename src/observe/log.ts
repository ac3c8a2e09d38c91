import pino, { type Logger } from 'pino'
import type { Log } from '../values/log.ts'

/** Lines are written in batches: a write per line would cost as much as answering a request. */
const BATCH_LINES = 128
const WRITE_INTERVAL_MS = 200
const MAX_WRITE_BYTES = 256 * 1024

/** Structured lines on standard output, written in batches. */
export function makeLog(level: string): Logger & Log {
  const options = { level, base: null, serializers: { err: faultDetails } }
  const output = pino.destination({ dest: 1, sync: false, maxWrite: MAX_WRITE_BYTES })
  let lines: string[] = []
  let timer: NodeJS.Timeout | undefined
  const writeOut = (): void => {
    clearTimeout(timer)
    timer = undefined
    output.write(lines.join(''))
    lines = []
  }
  const write = (line: string): void => {
    if (lines.push(line) >= BATCH_LINES) return writeOut()
    timer ??= setTimeout(writeOut, WRITE_INTERVAL_MS).unref()
  }
  process.once('exit', () => {
    output.flushSync()
    // Synchronously: the process does not wait for an asynchronous write.
    pino.destination({ dest: 1, sync: true }).write(lines.join(''))
  })
  const log = pino(options, { write })
  const { info } = log.levels.values
  const written = (details: string, sentence: string): void => {
    if (log.isLevelEnabled('info')) write(`{"level":${info},"time":${Date.now()},${details},"msg":"${sentence}"}\n`)
  }
  return Object.assign(log, { written })
}

/** The loggable fields of an error. PostgreSQL's `detail` quotes rows, which hold phone numbers and texts. */
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

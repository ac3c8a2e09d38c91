import pino, { type Logger } from 'pino'

/** A write per line would cost as much as answering a request; nobody reads logs faster than this. */
const WRITE_AT_BYTES = 8 * 1024
const WRITE_EVERY_MS = 200

/** Structured lines on standard output, written in batches. */
export function makeLog(level: string): Logger {
  const options = { level, base: null, serializers: { err: faultDetails } }
  const output = pino.destination({ dest: 1, sync: false, minLength: WRITE_AT_BYTES })
  setInterval(() => output.flush(), WRITE_EVERY_MS).unref()
  return pino(options, output)
}

/**
 * What may be logged of a fault. PostgreSQL's `detail` quotes the row, which holds phone numbers and texts, so only
 * these are kept.
 */
function faultDetails(fault: unknown): object {
  if (!(fault instanceof Error)) return { message: String(fault) }
  const { name, message, stack, cause } = fault
  const code = (fault as { code?: unknown }).code
  return {
    name,
    message,
    code,
    stack,
    ...(cause === undefined ? {} : { cause: cause instanceof Error ? cause.message : typeof cause }),
  }
}

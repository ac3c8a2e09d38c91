import pino, { type Logger } from 'pino'

/** Structured lines on standard output, written in batches. */
export function makeLog(level: string): Logger {
  const options = { level, base: null, serializers: { err: faultDetails } }
  return pino(options, pino.destination({ dest: 1, sync: false }))
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

import { newId } from '../../values/id.ts'

/**
 * The trace id of a message is its own id: 16 bytes whose last seven are random, as W3C recommends. So every process that
 * has the message knows its trace and its root span, and nothing is stored.
 */
export function traceOf(message_id: string): string {
  return message_id.replaceAll('-', '')
}

/** The span in which a message was charged. Never all zeros: the bytes include the UUID's variant. */
export function spanOf(message_id: string): string {
  return message_id.slice(19, 23) + message_id.slice(24)
}

export function newSpanId(): string {
  return spanOf(newId())
}

/** The caller's trace (`traceparent`, W3C Trace Context). */
export type Parent = { trace_id: string; span_id: string; sampled: boolean }

// A later version may append fields; 255 is not a version.
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x20-\x7e]{0,200})?$/
const NOTHING = /^0+$/

/** Undefined if malformed: W3C requires a new trace then, not an error. */
export function readTraceparent(header: unknown): Parent | undefined {
  const [, version, trace_id = '', span_id = '', flags = '', more] =
    (typeof header === 'string' && TRACEPARENT.exec(header)) || []
  if (version === undefined || (version === '00' && more !== undefined)) return undefined
  if (NOTHING.test(trace_id) || NOTHING.test(span_id)) return undefined
  return { trace_id, span_id, sampled: (parseInt(flags, 16) & 1) === 1 }
}

/** The header that propagates a sampled trace. */
export function writeTraceparent({ trace_id, span_id }: { trace_id: string; span_id: string }): string {
  return `00-${trace_id}-${span_id}-01`
}

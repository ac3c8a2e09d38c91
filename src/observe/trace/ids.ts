import { newId } from '../../values/id.ts'

/**
 * A message's id is its trace: 16 bytes of which the last seven are random, as W3C asks of a trace id. So whoever has the
 * message, in whatever process, knows its trace and the span its steps hang from, and nothing need be stored for it.
 */
export function traceOf(message_id: string): string {
  return message_id.replaceAll('-', '')
}

/** The span in which a message was charged; never all zeros, for a UUID names its variant there. */
export function spanOf(message_id: string): string {
  return message_id.slice(19, 23) + message_id.slice(24)
}

export function newSpanId(): string {
  return spanOf(newId())
}

/** What a caller tells of the trace it is in (`traceparent`, W3C Trace Context). */
export type Parent = { trace_id: string; span_id: string; sampled: boolean }

// A later version may have more behind; 255 is no version.
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[\x20-\x7e]{0,200})?$/
const NOTHING = /^0+$/

/** Undefined for anything that is none: W3C wants a new trace then, not a refusal. */
export function readTraceparent(header: unknown): Parent | undefined {
  const [, version, trace_id = '', span_id = '', flags = '', more] =
    (typeof header === 'string' && TRACEPARENT.exec(header)) || []
  if (version === undefined || (version === '00' && more !== undefined)) return undefined
  if (NOTHING.test(trace_id) || NOTHING.test(span_id)) return undefined
  return { trace_id, span_id, sampled: (parseInt(flags, 16) & 1) === 1 }
}

/** Only what is sampled is told to others. */
export function writeTraceparent({ trace_id, span_id }: { trace_id: string; span_id: string }): string {
  return `00-${trace_id}-${span_id}-01`
}

/** A span as it is exported to a collector. */
export type Span = {
  trace_id: string
  span_id: string
  parent_span_id?: string | undefined
  name: string
  kind: keyof typeof KINDS
  /** Milliseconds since 1970, with fractions. */
  start_ms: number
  end_ms: number
  attributes: Record<string, string | number | boolean | undefined>
  links?: readonly SpanRef[] | undefined
  /** The error; absent on success. */
  fault?: string | undefined
}

export type SpanRef = { trace_id: string; span_id: string }

/** The numbers of `SpanKind`. */
const KINDS = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const
const STATUS_ERROR = 2

/** The body of a post to `/v1/traces` (OTLP/HTTP in JSON, OpenTelemetry's opentelemetry-proto). */
export function writeOtlp(resource: Record<string, string>, spans: readonly Span[]): string {
  const scope = { name: 'gangan' }
  return JSON.stringify({
    resourceSpans: [
      { resource: { attributes: attributesOf(resource) }, scopeSpans: [{ scope, spans: spans.map(spanOf) }] },
    ],
  })
}

function spanOf(span: Span): object {
  const { trace_id, span_id, parent_span_id, name, kind, start_ms, end_ms, attributes, links, fault } = span
  return {
    traceId: trace_id,
    spanId: span_id,
    ...(parent_span_id === undefined ? {} : { parentSpanId: parent_span_id }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(start_ms),
    endTimeUnixNano: nanoseconds(end_ms),
    attributes: attributesOf(attributes),
    ...(links ? { links: links.map((link) => ({ traceId: link.trace_id, spanId: link.span_id })) } : {}),
    ...(fault === undefined ? {} : { status: { code: STATUS_ERROR, message: fault } }),
  }
}

function attributesOf(given: Span['attributes']): object[] {
  return Object.entries(given).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: valueOf(value) }]))
}

/** OTLP writes integers as strings, because they may have 64 bits. */
function valueOf(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** To the microsecond: a JavaScript number has no more precision. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`
}

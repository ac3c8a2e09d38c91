import { AsyncLocalStorage } from 'node:async_hooks'
import { newId } from '../../values/id.ts'
import { startExporter, type Exporter } from './exporter.ts'
import { newSpanId, readTraceparent, spanOf, traceOf, type Parent } from './ids.ts'
import { makeKnownTraces, type ReadTraces } from './known.ts'
import type { Span, SpanRef } from './otlp.ts'
import { isSampled } from './sampler.ts'
import type { TraceSettings } from './settings.ts'

/** A request on its way; which trace it is in may only be known when its first message has an id. */
export type RequestTrace = {
  span_id: string
  start_ms: number
  caller: Parent | undefined
  trace_id: string | undefined
  sampled: boolean
}

/** What there is to tell of a step, besides where it belongs. */
export type Step = Pick<Span, 'name' | 'kind' | 'start_ms' | 'attributes' | 'fault' | 'links'> & {
  span_id?: string
  parent_span_id?: string | undefined
}

/** A message as it is accepted. */
export type AcceptedTrace = {
  /** What has to travel with the message: which trace it is in, where that does not follow from its id. */
  stored: string | undefined
  /** The request it came with. */
  parent_span_id: string | undefined
  /** Its charge; undefined when it is not sampled. */
  charge: SpanRef | undefined
}

export type Tracer = ReturnType<typeof makeTracer>

/** A message whose id would be sampled, and whose caller said that it is not. */
const NOT_SAMPLED = '0'.repeat(32)

/**
 * One message, one trace: the caller's, where it told one, else the one its id names. Its steps hang from the span in
 * which it was charged, whose id follows from that of the message, too.
 */
export function makeTracer(
  deps: Parameters<typeof startExporter>[0] & { readTraces: ReadTraces },
  settings: TraceSettings,
) {
  const { sampler } = settings
  const exporter: Exporter = startExporter(deps, settings)
  const requests = new AsyncLocalStorage<RequestTrace>()
  const known = makeKnownTraces(deps.readTraces)

  /** Field by field: to spread a step into a span takes five times as long. */
  function add(step: Step, trace_id: string, span_id: string, parent_span_id: string | undefined): void {
    const { name, kind, start_ms, attributes, links, fault } = step
    const end_ms = Math.max(start_ms, nowMs()) // a clock may be set back meanwhile
    exporter.add({ trace_id, span_id, parent_span_id, name, kind, start_ms, end_ms, attributes, links, fault })
  }

  function chargeOf(message_id: string, stored: string | null | undefined): SpanRef | undefined {
    const trace_id = stored ?? traceOf(message_id)
    if (trace_id === NOT_SAMPLED || (!stored && !isSampled(sampler, trace_id))) return undefined
    return { trace_id, span_id: spanOf(message_id) }
  }

  return {
    beginRequest(traceparent: unknown): RequestTrace {
      const caller = readTraceparent(traceparent)
      const sampled = caller !== undefined && isSampled(sampler, caller.trace_id, caller)
      return { span_id: newSpanId(), start_ms: nowMs(), caller, trace_id: caller?.trace_id, sampled }
    },

    /** What `work` accepts belongs to the request. */
    within: <T>(request: RequestTrace, work: () => T): T => requests.run(request, work),

    endRequest(request: RequestTrace, step: Pick<Step, 'name' | 'attributes' | 'fault'>): void {
      const trace_id = request.trace_id ?? traceOf(newId())
      if (!(request.trace_id === undefined ? isSampled(sampler, trace_id) : request.sampled)) return
      const { span_id, start_ms, caller } = request
      const { name, attributes, fault } = step
      add({ name, kind: 'server', start_ms, attributes, fault }, trace_id, span_id, caller?.span_id)
    },

    accept(message_id: string): AcceptedTrace {
      const request = requests.getStore()
      const own = traceOf(message_id)
      if (request && request.trace_id === undefined) {
        request.trace_id = own
        request.sampled = isSampled(sampler, own)
      }
      const stored = storedOf(request, own)
      known.note(message_id, stored ?? null)
      return { stored, parent_span_id: request?.span_id, charge: chargeOf(message_id, stored) }
    },

    /** The span that a message's later steps hang from; undefined when it is not sampled. */
    chargeOf(message_id: string, stored: string | null | undefined): SpanRef | undefined {
      known.note(message_id, stored ?? null)
      return chargeOf(message_id, stored)
    },

    /** The same, where only the message's id is at hand. */
    async findCharge(organisation_id: string, message_id: string): Promise<SpanRef | undefined> {
      return chargeOf(message_id, await known.find(organisation_id, message_id))
    },

    /** A step of a message that is over. */
    tell: (charge: SpanRef, step: Step) => add(step, charge.trace_id, step.span_id ?? newSpanId(), charge.span_id),

    /** What hangs from no message: its charge itself, or a trace of its own. */
    tellRoot: (step: Step, trace_id = traceOf(newId())) =>
      add(step, trace_id, step.span_id ?? newSpanId(), step.parent_span_id),

    stop: () => exporter.stop(),
  }

  function storedOf(request: RequestTrace | undefined, own: string): string | undefined {
    if (!request || request.trace_id === own) return undefined
    if (request.sampled) return request.trace_id
    return isSampled(sampler, own) ? NOT_SAMPLED : undefined
  }
}

/** Off by more than this, the wall clock was set, or the machine slept: the counter of the process knows neither. */
const CLOCK_MOVED_MS = 50
let origin_ms = performance.timeOrigin

/** Finer than `Date.now()`, and still the time that other machines have, after months as well. */
export function nowMs(): number {
  const [ms, clock_ms] = [origin_ms + performance.now(), Date.now()]
  if (Math.abs(clock_ms - ms) < CLOCK_MOVED_MS) return ms
  origin_ms += clock_ms - ms
  return clock_ms
}

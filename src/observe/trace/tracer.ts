import { AsyncLocalStorage } from 'node:async_hooks'
import { newId } from '../../values/id.ts'
import { startExporter, type Exporter } from './exporter.ts'
import { newSpanId, readTraceparent, spanOf, traceOf, type Parent } from './ids.ts'
import { makeTraceCache, type ReadTraces } from './trace-cache.ts'
import type { Span, SpanRef } from './otlp.ts'
import { isSampled } from './sampler.ts'
import type { TraceSettings } from './settings.ts'

/** A request in progress. Its trace may be known only once its first message has an id. */
export type RequestTrace = {
  span_id: string
  start_ms: number
  caller: Parent | undefined
  trace_id: string | undefined
  sampled: boolean
}

/** A span without its place in the trace. */
export type Step = Pick<Span, 'name' | 'kind' | 'start_ms' | 'attributes' | 'fault' | 'links'> & {
  span_id?: string
  parent_span_id?: string | undefined
}

/** The trace of a message that is being accepted. */
export type AcceptedTrace = {
  /** The trace to store with the message, where it does not follow from its id. */
  stored: string | undefined
  /** The span of its request. */
  parent_span_id: string | undefined
  /** The span of its charge; undefined if not sampled. */
  charge: SpanRef | undefined
}

export type Tracer = ReturnType<typeof makeTracer>

/** Stored for a message whose caller decided against sampling. */
const NOT_SAMPLED = '0'.repeat(32)

/**
 * Traces messages: one trace per message, the caller's if it sent one, else the one that follows from the message id. Its
 * steps are children of the span in which it was charged, whose id follows from the message id, too.
 */
export function makeTracer(
  deps: Parameters<typeof startExporter>[0] & { readTraces: ReadTraces },
  settings: TraceSettings,
) {
  const { sampler } = settings
  const exporter: Exporter = startExporter(deps, settings)
  const requests = new AsyncLocalStorage<RequestTrace>()
  const cache = makeTraceCache(deps.readTraces)

  /** Field by field: object spread takes five times as long. */
  function add(step: Step, trace_id: string, span_id: string, parent_span_id: string | undefined): void {
    const { name, kind, start_ms, attributes, links, fault } = step
    const end_ms = Math.max(start_ms, nowMs()) // the clock may have been set back
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

    /** Runs `work`; messages accepted in it belong to the request. */
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
      cache.note(message_id, stored ?? null)
      return { stored, parent_span_id: request?.span_id, charge: chargeOf(message_id, stored) }
    },

    /** The parent span of a message's later steps; undefined if not sampled. */
    chargeOf(message_id: string, stored: string | null | undefined): SpanRef | undefined {
      cache.note(message_id, stored ?? null)
      return chargeOf(message_id, stored)
    },

    /** The same, where only the message id is known. */
    async findCharge(organisation_id: string, message_id: string): Promise<SpanRef | undefined> {
      return chargeOf(message_id, await cache.find(organisation_id, message_id))
    },

    /** Adds a completed step of a message. */
    addStep: (charge: SpanRef, step: Step) => add(step, charge.trace_id, step.span_id ?? newSpanId(), charge.span_id),

    /** Adds a span without a parent message: a charge, or the root of another trace. */
    addRoot: (step: Step, trace_id = traceOf(newId())) =>
      add(step, trace_id, step.span_id ?? newSpanId(), step.parent_span_id),

    stop: () => exporter.stop(),
  }

  function storedOf(request: RequestTrace | undefined, own: string): string | undefined {
    if (!request || request.trace_id === own) return undefined
    if (request.sampled) return request.trace_id
    return isSampled(sampler, own) ? NOT_SAMPLED : undefined
  }
}

/** A larger difference means that the wall clock was set or the machine was suspended. */
const CLOCK_MOVED_MS = 50
let origin_ms = performance.timeOrigin

/** Wall-clock time in milliseconds with fractions, which follows changes of the system clock. */
export function nowMs(): number {
  const [ms, clock_ms] = [origin_ms + performance.now(), Date.now()]
  if (Math.abs(clock_ms - ms) < CLOCK_MOVED_MS) return ms
  origin_ms += clock_ms - ms
  return clock_ms
}

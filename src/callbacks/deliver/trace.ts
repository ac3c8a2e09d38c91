import { newSpanId, writeTraceparent } from '../../observe/trace/ids.ts'
import { nowMs, type Tracer } from '../../observe/trace/tracer.ts'
import type { PostOutcome } from '../post/outcome.ts'
import type { PendingCallback } from './deliver-store.ts'

/** A post that is part of a trace: its `traceparent` header, and the end of its span. */
export type TracedPost = { traceparent: string; end(outcome: PostOutcome): void }

/** Starts the span of an attempt; undefined when its message is not sampled. */
export type TraceCallback = (organisation_id: string, callback: PendingCallback) => Promise<TracedPost | undefined>

/** Events of messages belong to the trace of the message; others have none. */
export function makeTraceCallback(tracer: Tracer): TraceCallback {
  return async (organisation_id, { type, subject_id, attempts, url }) => {
    if (!OF_MESSAGES.has(type)) return undefined
    const charge = await tracer.findCharge(organisation_id, subject_id)
    if (!charge) return undefined
    const span_id = newSpanId()
    const start_ms = nowMs()
    return {
      traceparent: writeTraceparent({ trace_id: charge.trace_id, span_id }),
      end(outcome) {
        const status = outcome.kind === 'answered' ? outcome.status : undefined
        const is_delivered = status !== undefined && status >= 200 && status < 300
        tracer.addStep(charge, {
          span_id,
          name: 'callback',
          kind: 'client',
          start_ms,
          attributes: {
            'gangan.message_id': subject_id,
            'gangan.event': type,
            'gangan.attempt': attempts + 1,
            'server.address': URL.canParse(url) ? new URL(url).hostname : undefined,
            'http.request.method': 'POST',
            'http.response.status_code': status,
          },
          fault: is_delivered ? undefined : outcome.kind === 'failed' ? outcome.reason : `HTTP ${status}`,
        })
      },
    }
  }
}

const OF_MESSAGES = new Set([
  'text.queued',
  'text.sent',
  'text.delivered',
  'text.undelivered',
  'text.expired',
  'text.rejected',
  'text.failed',
  'text.clicked',
  'text.read',
])

import type { Meters } from '../../../observe/meters.ts'
import { makeBoundedCache } from '../../../values/concurrency/bounded-cache.ts'
import type { BindFigures, PduSummary, SeenPdu } from '../../schema.ts'
import type { SmppSession } from '../session/session.ts'
import { present } from '../../../values/record.ts'

export type BindWatch = {
  onPdu(direction: 'in' | 'out', summary: PduSummary): void
  figures(session: SmppSession): BindFigures
  /** The latest ones, newest last; undefined when there is none since the previous call. */
  pdus(): SeenPdu[] | undefined
  /** Removes the figures of a bind that this process no longer holds. */
  end(): void
}

const KEPT_PDUS = 200
const BUCKETS_MS = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000]
/** Submits in flight whose latency is measured. */
const MAX_OPEN = 10_000

/** Counts submits, answers and latencies of one bind from its PDUs. */
export function watchBind(meters: Meters, names: { carrier: string; bind: string }): BindWatch {
  const { carrier } = names
  const counts = [...BUCKETS_MS, null].map((up_to) => ({ up_to, count: 0 }))
  const errors: Record<string, number> = {}
  const sent_at = makeBoundedCache<number, number>(MAX_OPEN)
  // Formatted only when read: most are dropped before.
  const seen: { direction: 'in' | 'out'; at_ms: number; summary: PduSummary }[] = []
  const latency = meters.smpp_latency.labels({ carrier })
  const answers = new Map<string, { inc(): void }>()
  let submitted = 0
  let received = 0
  let fresh = false
  let last_error: BindFigures['last_error'] = null

  function answered({ sequence_number, command_status }: PduSummary): void {
    const status = command_status
    const answer = answers.get(status) ?? meters.smpp_answers.labels({ carrier, status })
    answers.set(status, answer)
    answer.inc()
    if (status !== 'ROK') {
      errors[status] = (errors[status] ?? 0) + 1
      last_error = { status, at: new Date().toISOString() }
    }
    const sent = sent_at.get(sequence_number)
    if (sent === undefined) return
    sent_at.delete(sequence_number)
    const took_ms = performance.now() - sent
    latency.observe(took_ms / 1_000)
    const bucket = counts.find(({ up_to }) => up_to === null || took_ms <= up_to)
    if (bucket) bucket.count += 1
  }

  return {
    onPdu(direction, summary) {
      if (direction === 'out' && summary.command === 'submit_sm') {
        submitted += 1
        sent_at.set(summary.sequence_number, performance.now())
      } else if (direction === 'in' && summary.command === 'submit_sm_resp') answered(summary)
      else if (direction === 'in' && (summary.command === 'deliver_sm' || summary.command === 'data_sm')) received += 1
      if (seen.length >= 2 * KEPT_PDUS) seen.splice(0, KEPT_PDUS)
      seen.push({ direction, at_ms: Date.now(), summary })
      fresh = true
    },

    figures(session) {
      const { name: state, since, reason, retry_in_ms, certificate_expires } = session.state()
      const load = session.load()
      meters.smpp_bound.set(names, state === 'bound' ? 1 : 0)
      meters.smpp_inflight.set(names, load.inflight)
      const line = { window: session.window, ...load, paused_ms: Math.round(load.paused_ms) }
      const counted = { submitted, received, latency_ms: counts, errors, last_error }
      const certificate = present('certificate_expires', certificate_expires)
      return { state, since: new Date(since).toISOString(), reason, retry_in_ms, ...certificate, ...line, ...counted }
    },

    pdus() {
      if (!fresh) return undefined
      fresh = false
      return seen
        .slice(-KEPT_PDUS)
        .map(({ direction, at_ms, summary }) => ({ direction, at: new Date(at_ms).toISOString(), ...summary }))
    },

    end() {
      meters.smpp_bound.remove(names)
      meters.smpp_inflight.remove(names)
    },
  }
}

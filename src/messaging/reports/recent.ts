import type { HeldDelivery } from '../intake/held-row.ts'
import type { Arrived, Found, NewReport } from './store.ts'

/** A delivery that a carrier has taken, under the one id it gave it. */
type HandedOver = { delivery: HeldDelivery; route: string; report_due_s: number }

/**
 * What this process has lately written down as handed over. Most reports come within seconds, to the process that sent
 * the message: what they speak of need not be read, which on a cluster takes two questions to two servers. It is only
 * ever a short cut: what is not found here, or could mean something else as well, is looked up.
 */
export type Recent = {
  note(carrier: string, id: string, handed_over: HandedOver): void
  /** Those of the reports that say `delivered` of something kept here, with what they speak of. */
  find(reports: readonly NewReport[]): Arrived[]
  forget(carrier: string, id: string): void
  /** The time of the database, and when it was asked for by the clock that only goes forward. */
  noteClock(clock: string, asked_ms: number): void
  /** The organisation has endpoints that want to hear of everything; for those more must be read. */
  noteWebhooks(organisation_id: string): void
}

const MOST = 50_000
const KEPT_MS = 120_000
/** The clocks may drift apart, and somebody may set one. */
const CLOCK_KEPT_MS = 60_000
const WEBHOOKS_KEPT_MS = 60_000
const TELLING_DIGITS = 8

/** Copied out of the row it came with, which goes. */
type Kept = Omit<Found, 'id' | 'kept_id' | 'of_number' | 'clock'> & { until_ms: number }

export function makeRecent(): Recent {
  const kept = new Map<string, Kept>()
  const with_webhooks = new Map<string, number>()
  /** What the database's clock showed, at most, when ours that only goes forward began. */
  let began_at_ms = 0
  let clock_until_ms = -Infinity

  function findOne(report: NewReport, now_ms: number, clock: string): Found | undefined {
    const [key] = report.keys
    if (report.status !== 'delivered' || key === undefined) return undefined
    const known = kept.get(keyOf(report.carrier, key))
    if (!known || now_ms > known.until_ms || now_ms < (with_webhooks.get(known.organisation_id) ?? 0)) return undefined
    const of_number = report.recipient !== undefined && lastDigits(report.recipient) === lastDigits(known.recipient)
    // An id that can be read in two ways is believed for the number it names, in the likelier of them.
    if (!of_number && (report.recipient !== undefined || report.keys.length > 1)) return undefined
    const { until_ms: _, ...found } = known
    return { ...found, id: report.id, kept_id: key, of_number, clock }
  }

  return {
    note(carrier, id, { delivery, route, report_due_s }) {
      const { message_id, recipient, pages, charge, channel, sender_id, row, message } = delivery
      if (!message) return
      const key = keyOf(carrier, id)
      kept.delete(key)
      kept.set(key, {
        organisation_id: row.organisation_id,
        message_id,
        recipient,
        segments: 1,
        delivery_status: 'sent',
        was_code: null,
        pages,
        charge,
        route,
        channel,
        sender_id,
        ...message,
        has_webhooks: false,
        // Once a report is overdue its delivery is no longer just `sent`.
        until_ms: performance.now() + Math.min(KEPT_MS, 500 * report_due_s),
      })
      if (kept.size <= MOST) return
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    },

    find(reports) {
      const now_ms = performance.now()
      if (now_ms > clock_until_ms) return []
      const clock = new Date(began_at_ms + now_ms).toISOString().replace('Z', '000+00:00')
      return reports.flatMap((report) => {
        const found = findOne(report, now_ms, clock)
        return found ? [{ found, report }] : []
      })
    },

    forget: (carrier, id) => void kept.delete(keyOf(carrier, id)),

    noteClock(clock, asked_ms) {
      const measured_ms = Date.parse(clock) - asked_ms
      const now_ms = performance.now()
      // The answer took its time: the least there was is nearest.
      began_at_ms = now_ms > clock_until_ms ? measured_ms : Math.min(began_at_ms, measured_ms)
      if (now_ms > clock_until_ms) clock_until_ms = now_ms + CLOCK_KEPT_MS
    },

    noteWebhooks(organisation_id) {
      if (with_webhooks.size > MOST) with_webhooks.clear()
      with_webhooks.set(organisation_id, performance.now() + WEBHOOKS_KEPT_MS)
    },
  }
}

/** Reports write numbers nationally, too. */
function lastDigits(number: string): string {
  return number.slice(-TELLING_DIGITS)
}

function keyOf(carrier: string, id: string): string {
  return `${carrier} ${id}`
}

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
  find(reports: readonly NewReport[]): Remembered[]
  forget(carrier: string, id: string): void
  /** The time of the database, just heard, and when it was asked for by the clock that only goes forward. */
  noteClock(clock: string, asked_ms: number): void
  /** Of this organisation more must be read for a while: it has endpoints that want to hear of everything, or erases people. */
  passOver(organisation_id: string): void
}

/** `may_name_people`: in what is remembered of it there are digits enough for a phone number, besides its own. */
export type Remembered = Arrived & { may_name_people: boolean }

const MOST = 50_000
const KEPT_MS = 120_000
/** The clocks may drift apart, and somebody may set one. */
const CLOCK_KEPT_MS = 60_000
/** An answer that took longer does not tell the time: it was read somewhere in between. */
const CLOCK_WITHIN_MS = 50
const PASSED_OVER_MS = 60_000
/** The shortest numbers there are, with their country code. */
const DIGITS_OF_A_NUMBER = 7
const TELLING_DIGITS = 8

/** Copied out of the row it came with, which goes. */
type Kept = Omit<Found, 'id' | 'kept_id' | 'of_number' | 'clock'> & { until_ms: number; may_name_people: boolean }

export function makeRecent(): Recent {
  const kept = new Map<string, Kept>()
  const passed_over = new Map<string, number>()
  /** What the database's clock showed, at least, when ours that only goes forward began: times are never ahead of it. */
  let began_at_ms = 0
  let clock_until_ms = -Infinity

  function findOne(report: NewReport, now_ms: number, clock: string): Remembered[] {
    const [key] = report.keys
    if (report.status !== 'delivered' || key === undefined) return []
    const known = kept.get(keyOf(report.carrier, key))
    if (!known || now_ms > known.until_ms || now_ms < (passed_over.get(known.organisation_id) ?? 0)) return []
    const of_number = report.recipient !== undefined && lastDigits(report.recipient) === lastDigits(known.recipient)
    // An id that can be read in two ways is believed for the number it names, in the likelier of them.
    if (!of_number && (report.recipient !== undefined || report.keys.length > 1)) return []
    const { until_ms: _, may_name_people, ...found } = known
    return [{ found: { ...found, id: report.id, kept_id: key, of_number, clock }, report, may_name_people }]
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
        may_name_people: [message.external_ref, message.callback].some(mayNamePeople),
      })
      if (kept.size <= MOST) return
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    },

    find(reports) {
      const now_ms = performance.now()
      if (now_ms > clock_until_ms) return []
      const clock = new Date(began_at_ms + now_ms).toISOString().replace('Z', '000+00:00')
      return reports.flatMap((report) => findOne(report, now_ms, clock))
    },

    forget: (carrier, id) => void kept.delete(keyOf(carrier, id)),

    noteClock(clock, asked_ms) {
      const now_ms = performance.now()
      if (now_ms - asked_ms > CLOCK_WITHIN_MS) return
      const measured_ms = Date.parse(clock) - now_ms
      // The answer took its time: the most there was is nearest.
      began_at_ms = now_ms > clock_until_ms ? measured_ms : Math.max(began_at_ms, measured_ms)
      if (now_ms > clock_until_ms) clock_until_ms = now_ms + CLOCK_KEPT_MS
    },

    passOver(organisation_id) {
      if (passed_over.size > MOST) passed_over.clear()
      passed_over.set(organisation_id, performance.now() + PASSED_OVER_MS)
    },
  }
}

function mayNamePeople(text: string | null | undefined): boolean {
  return (text?.replace(/\D/g, '').length ?? 0) >= DIGITS_OF_A_NUMBER
}

/** Reports write numbers nationally, too. */
function lastDigits(number: string): string {
  return number.slice(-TELLING_DIGITS)
}

function keyOf(carrier: string, id: string): string {
  return `${carrier} ${id}`
}

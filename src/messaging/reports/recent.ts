import type { HeldDelivery } from '../intake/held-row.ts'
import type { Arrived, Found } from './find-store.ts'
import type { NewReport } from './store.ts'

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
  /** The time where this organisation lies, in ms since 1970, as an answer just told it: it cannot be less there by now. */
  noteClock(organisation_id: string, clock_ms: number): void
  /** Of this organisation more must be read for a while: it has endpoints that want to hear of everything, or erases people. */
  passOver(organisation_id: string): void
}

/** `may_name_people`: in what is remembered of it there are digits enough for a phone number, besides its own. */
export type Remembered = Arrived & { may_name_people: boolean }

const MOST = 50_000
const KEPT_MS = 120_000
/** The clocks may drift apart, and somebody may set one. */
const CLOCK_KEPT_MS = 60_000
const PASSED_OVER_MS = 60_000
/** The shortest numbers there are, with their country code. */
const DIGITS_OF_A_NUMBER = 7
const TELLING_DIGITS = 8

/** `found` is copied out of the row it came with, which goes. */
type Kept = {
  found: Omit<Found, 'id' | 'kept_id' | 'of_number' | 'clock'>
  until_ms: number
  may_name_people: boolean
}

/** What a clock showed, at least, when ours that only goes forward began. */
type Clock = { began_at_ms: number; until_ms: number }

export function makeRecent(): Recent {
  const kept = new Map<string, Kept>()
  const passed_over = new Map<string, number>()
  const clocks = new Map<string, Clock>()

  function findOne(report: NewReport, now_ms: number, timeBy: (clock: Clock) => string): Remembered[] {
    const [key] = report.keys
    if (report.status !== 'delivered' || key === undefined) return []
    const known = kept.get(keyOf(report.carrier, key))
    if (!known || now_ms > known.until_ms) return []
    const { found, may_name_people } = known
    const clock = clocks.get(found.organisation_id)
    if (!clock || now_ms < (passed_over.get(found.organisation_id) ?? 0)) return []
    const of_number = report.recipient !== undefined && lastDigits(report.recipient) === lastDigits(found.recipient)
    // An id that can be read in two ways is believed for the number it names, in the likelier of them.
    if (!of_number && (report.recipient !== undefined || report.keys.length > 1)) return []
    return [{ found: foundOf(found, report.id, key, of_number, timeBy(clock)), report, may_name_people }]
  }

  return {
    note(carrier, id, { delivery, route, report_due_s }) {
      const { message_id, recipient, pages, charge, channel, sender_id, row, message } = delivery
      if (!message) return
      const key = keyOf(carrier, id)
      kept.delete(key)
      const { template_id, external_ref, callback } = message
      kept.set(key, {
        found: {
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
          template_id,
          external_ref,
          callback,
          has_webhooks: false,
        },
        // Once a report is overdue its delivery is no longer just `sent`.
        until_ms: performance.now() + Math.min(KEPT_MS, 500 * report_due_s),
        may_name_people: mayNamePeople(external_ref) || mayNamePeople(callback),
      })
      if (kept.size <= MOST) return
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    },

    find(reports) {
      const now_ms = performance.now()
      const times = new Map<Clock, string>()
      const timeBy = (clock: Clock): string => {
        const time = times.get(clock) ?? timeOf(clock.began_at_ms + now_ms)
        times.set(clock, time)
        return time
      }
      return reports.flatMap((report) => findOne(report, now_ms, timeBy))
    },

    forget: (carrier, id) => void kept.delete(keyOf(carrier, id)),

    noteClock(organisation_id, clock_ms) {
      const now_ms = performance.now()
      const known = clocks.get(organisation_id)
      const began_at_ms = clock_ms - now_ms
      // An answer takes its time: the most that any has told is nearest.
      if (known && now_ms < known.until_ms) known.began_at_ms = Math.max(known.began_at_ms, began_at_ms)
      else {
        if (clocks.size > MOST) clocks.clear()
        clocks.set(organisation_id, { began_at_ms, until_ms: now_ms + CLOCK_KEPT_MS })
      }
    },

    passOver(organisation_id) {
      if (passed_over.size > MOST) passed_over.clear()
      passed_over.set(organisation_id, performance.now() + PASSED_OVER_MS)
    },
  }
}

/** Field by field: to spread what is kept takes ten times as long, and what comes of it is slow to read. */
function foundOf(kept: Kept['found'], id: string, kept_id: string, of_number: boolean, clock: string): Found {
  return {
    id,
    organisation_id: kept.organisation_id,
    message_id: kept.message_id,
    recipient: kept.recipient,
    segments: kept.segments,
    kept_id,
    of_number,
    clock,
    delivery_status: kept.delivery_status,
    was_code: kept.was_code,
    pages: kept.pages,
    charge: kept.charge,
    route: kept.route,
    channel: kept.channel,
    sender_id: kept.sender_id,
    template_id: kept.template_id,
    external_ref: kept.external_ref,
    callback: kept.callback,
    has_webhooks: kept.has_webhooks,
  }
}

function mayNamePeople(text: string | null): boolean {
  return text !== null && text.replace(/\D/g, '').length >= DIGITS_OF_A_NUMBER
}

/** As the database writes it, to the microsecond. */
function timeOf(ms: number): string {
  const whole_ms = Math.floor(ms)
  const micros = Math.floor((ms - whole_ms) * 1_000)
  return `${new Date(whole_ms).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}+00:00`
}

/** Reports write numbers nationally, too. */
function lastDigits(number: string): string {
  return number.slice(-TELLING_DIGITS)
}

function keyOf(carrier: string, id: string): string {
  return `${carrier} ${id}`
}

import type { LeasedDelivery } from '../intake/leased-row.ts'
import type { Arrived, Found } from './find-store.ts'
import type { NewReport } from './store.ts'

/** A delivery that a carrier has taken, under the one id it gave it; `sent_ms`: the time that was written down then. */
type HandedOver = { delivery: LeasedDelivery; route: string; report_due_s: number; sent_ms: number }

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

/** Of each generation. */
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
  sent_ms: number
  may_name_people: boolean
}

/** What a report speaks of, before it is known what time it is there. */
type Match = { report: NewReport; key: string; of_number: boolean; kept: Kept; least_ms: number }

/** What a clock showed, at least, when ours that only goes forward began. */
type Clock = { began_at_ms: number; until_ms: number }

export function makeRecent(): Recent {
  // Two generations: what nobody asks for goes with the older one, and nothing has to be looked for to make room.
  let newer = new Map<string, Kept>()
  let older = new Map<string, Kept>()
  let newer_until_ms = performance.now() + KEPT_MS
  const passed_over = new Map<string, number>()
  const clocks = new Map<string, Clock>()

  function makeRoom(now_ms: number): void {
    if (now_ms < newer_until_ms && newer.size < MOST) return
    older = newer
    newer = new Map()
    newer_until_ms = now_ms + KEPT_MS
  }

  function match(report: NewReport, now_ms: number): Match | undefined {
    const [key] = report.keys
    if (report.status !== 'delivered' || key === undefined) return undefined
    const name = keyOf(report.carrier, key)
    const kept = newer.get(name) ?? older.get(name)
    if (!kept || now_ms > kept.until_ms) return undefined
    const { organisation_id, recipient } = kept.found
    const clock = clocks.get(organisation_id)
    if (!clock || now_ms > clock.until_ms || now_ms < (passed_over.get(organisation_id) ?? 0)) return undefined
    const of_number = report.recipient !== undefined && lastDigits(report.recipient) === lastDigits(recipient)
    // An id that can be read in two ways is believed for the number it names, in the likelier of them.
    if (!of_number && (report.recipient !== undefined || report.keys.length > 1)) return undefined
    return { report, key, of_number, kept, least_ms: Math.max(clock.began_at_ms + now_ms, kept.sent_ms) }
  }

  return {
    note(carrier, id, { delivery, route, report_due_s, sent_ms }) {
      const { message_id, recipient, pages, charge, channel, sender_id, row, message } = delivery
      if (!message) return
      const now_ms = performance.now()
      makeRoom(now_ms)
      const { template_id, external_ref, callback } = message
      newer.set(keyOf(carrier, id), {
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
        until_ms: now_ms + Math.min(KEPT_MS, 500 * report_due_s),
        sent_ms,
        may_name_people: mayNamePeople(external_ref) || mayNamePeople(callback),
      })
    },

    find(reports) {
      const now_ms = performance.now()
      const matches = reports.flatMap((report) => match(report, now_ms) ?? [])
      // Those of an organisation are settled together, and have one time.
      const times = new Map<string, number>()
      for (const { kept, least_ms } of matches) {
        const { organisation_id } = kept.found
        times.set(organisation_id, Math.max(times.get(organisation_id) ?? 0, least_ms))
      }
      const written = new Map([...times].map(([organisation_id, ms]) => [organisation_id, timeOf(ms)]))
      return matches.map(({ report, key, of_number, kept: { found, may_name_people } }) => ({
        found: foundOf(found, report.id, key, of_number, written.get(found.organisation_id) ?? ''),
        report,
        may_name_people,
      }))
    },

    forget(carrier, id) {
      newer.delete(keyOf(carrier, id))
      older.delete(keyOf(carrier, id))
    },

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

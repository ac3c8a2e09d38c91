import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'
import type { LeasedDelivery } from '../intake/leased-row.ts'
import { routingOf } from '../routing.ts'
import type { ReportedDelivery, ReportMatch } from './find-delivery-store.ts'
import type { NewReport } from './store.ts'

/** A delivery that a carrier has accepted under one id; `sent_ms`: the time recorded for it. */
type Submission = { delivery: LeasedDelivery; route: string; report_due_s: number; sent_ms: number }

/**
 * The submissions that this process recorded lately. Most reports arrive within seconds at the process that sent the
 * message; finding their delivery in memory saves two queries to two servers of a cluster. It is only a cache: a report
 * that is not found here, or is ambiguous, is looked up.
 */
export type RecentSubmissions = {
  note(carrier: string, id: string, submission: Submission): void
  /** The `delivered` reports on remembered submissions, with their deliveries. */
  find(reports: readonly NewReport[]): RecentMatch[]
  forget(carrier: string, id: string): void
  /** Notes the time (ms since 1970) that the organisation's node has just answered; its clock cannot show less by now. */
  noteClock(organisation_id: string, clock_ms: number): void
  /** Looks up all reports of this organisation for a while: it has webhooks, or is erasing a person. */
  bypass(organisation_id: string): void
}

/** `may_name_people`: its reference or callback has enough digits to contain a phone number. */
export type RecentMatch = ReportMatch & { may_name_people: boolean }

const MAX_SUBMISSIONS = 100_000
const MAX_ORGANISATIONS = 100_000
const TTL_MS = 120_000
/** Clocks may drift or be set. */
const CLOCK_TTL_MS = 60_000
const BYPASS_MS = 60_000
/** The shortest phone numbers, with their country code. */
const MIN_NUMBER_DIGITS = 7
/** Reports may write numbers nationally: the last digits are compared. */
const COMPARED_DIGITS = 8

/** `found` is a copy: the row of the intake that it was read from is deleted. */
type Kept = {
  found: Omit<ReportedDelivery, 'id' | 'kept_id' | 'of_number' | 'clock'>
  until_ms: number
  sent_ms: number
  may_name_people: boolean
}

/** A match whose settling time is not known yet: it is at least `least_ms`. */
type Match = { report: NewReport; key: string; of_number: boolean; kept: Kept; least_ms: number }

/** The lowest time that the node's clock showed when our monotonic clock was at zero. */
type Clock = { began_at_ms: number; until_ms: number }

export function makeRecentSubmissions(): RecentSubmissions {
  const submissions = makeBoundedCache<string, Kept>(MAX_SUBMISSIONS)
  const bypassed_until_ms = makeBoundedCache<string, number>(MAX_ORGANISATIONS)
  const clocks = makeBoundedCache<string, Clock>(MAX_ORGANISATIONS)

  function match(report: NewReport, now_ms: number): Match | undefined {
    const [key] = report.keys
    if (report.status !== 'delivered' || key === undefined) return undefined
    const kept = submissions.get(keyOf(report.carrier, key))
    if (!kept || now_ms > kept.until_ms) return undefined
    const { organisation_id, recipient } = kept.found
    const clock = clocks.get(organisation_id)
    if (!clock || now_ms > clock.until_ms || now_ms < (bypassed_until_ms.get(organisation_id) ?? 0)) return undefined
    const of_number = report.recipient !== undefined && lastDigits(report.recipient) === lastDigits(recipient)
    // An ambiguous id counts only in its likelier reading, and only if the report names the recipient.
    if (!of_number && (report.recipient !== undefined || report.keys.length > 1)) return undefined
    return { report, key, of_number, kept, least_ms: Math.max(clock.began_at_ms + now_ms, kept.sent_ms) }
  }

  return {
    note(carrier, id, { delivery, route, report_due_s, sent_ms }) {
      const { message_id, recipient, pages, charge, channel, sender_id, row, message } = delivery
      if (!message) return
      const { template_id, external_ref, callback } = message
      submissions.set(keyOf(carrier, id), {
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
          routing: routingOf(delivery),
          sent_datetime: new Date(sent_ms).toISOString(),
          channel,
          sender_id,
          template_id,
          external_ref,
          callback,
          has_webhooks: false,
        },
        // Once its report is overdue, the delivery is no longer `sent`.
        until_ms: performance.now() + Math.min(TTL_MS, 500 * report_due_s),
        sent_ms,
        may_name_people: mayNamePeople(external_ref) || mayNamePeople(callback),
      })
    },

    find(reports) {
      const now_ms = performance.now()
      const matches = reports.flatMap((report) => match(report, now_ms) ?? [])
      // The reports of an organisation are settled in one statement, with one time.
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

    forget: (carrier, id) => submissions.delete(keyOf(carrier, id)),

    noteClock(organisation_id, clock_ms) {
      const now_ms = performance.now()
      const known = clocks.get(organisation_id)
      const began_at_ms = clock_ms - now_ms
      // Answers arrive late by different amounts: the highest value is the most accurate.
      if (known && now_ms < known.until_ms) known.began_at_ms = Math.max(known.began_at_ms, began_at_ms)
      else clocks.set(organisation_id, { began_at_ms, until_ms: now_ms + CLOCK_TTL_MS })
    },

    bypass: (organisation_id) => bypassed_until_ms.set(organisation_id, performance.now() + BYPASS_MS),
  }
}

/** Field by field: object spread takes ten times as long, and its result is slow to read. */
function foundOf(
  kept: Kept['found'],
  id: string,
  kept_id: string,
  of_number: boolean,
  clock: string,
): ReportedDelivery {
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
    routing: kept.routing,
    sent_datetime: kept.sent_datetime,
    channel: kept.channel,
    sender_id: kept.sender_id,
    template_id: kept.template_id,
    external_ref: kept.external_ref,
    callback: kept.callback,
    has_webhooks: kept.has_webhooks,
  }
}

function mayNamePeople(text: string | null): boolean {
  return text !== null && text.replace(/\D/g, '').length >= MIN_NUMBER_DIGITS
}

/** In the database's format, to the microsecond. */
function timeOf(ms: number): string {
  const whole_ms = Math.floor(ms)
  const micros = Math.floor((ms - whole_ms) * 1_000)
  return `${new Date(whole_ms).toISOString().slice(0, -1)}${String(micros).padStart(3, '0')}+00:00`
}

function lastDigits(number: string): string {
  return number.slice(-COMPARED_DIGITS)
}

function keyOf(carrier: string, id: string): string {
  return `${carrier} ${id}`
}

import { makeReached, type Reached } from './reached.ts'

/** One-time passwords, which recipients await and verify, and all other messages. */
export type MessageClass = 'otp' | 'other'

/** Why carriers do not accept messages: the order of the counts of an `EvidenceRow`. */
export const REJECTIONS = ['number', 'recipient', 'sender', 'text', 'temporary', 'unanswered', 'other'] as const
export type Rejection = (typeof REJECTIONS)[number]

/** Seconds from the acceptance by the carrier to its report: the upper bounds of the counts; the last count has no bound. */
export const REPORT_BOUNDS_S = [0.5, 1, 2, 5, 10, 30, 60, 300, 1_800] as const

export type EvidenceFigures = {
  /** Accepted by the carrier. */
  submitted: number
  delivered: number
  /** Reported as not delivered. */
  undelivered: number
  /** The report is overdue. */
  no_report: number
  /** One-time passwords that were verified. */
  verified: number
  /** In ten-thousandths. */
  cost: number
  /** Accepted, and their time to be verified or delivered is over. */
  judged: number
  /** Of these, verified (one-time passwords) or delivered (others). */
  good: number
  /** One-time passwords reported as delivered soon after they were submitted, and their time to be verified is over. */
  claimed: number
  /** Of these, verified. */
  proven: number
  /** Reports `delivered` on numbers that another carrier recently reported as not in use. */
  contradicted: number
  /** Reports `delivered` on numbers that another carrier recently reached. */
  confirmed: number
  /** For which the evidence advised another carrier. */
  advised: number
  /** What that would have saved, in ten-thousandths. */
  saved: number
  /** How many more messages would have arrived, in ten-thousandths. */
  gained: number
}
/** The names of all figures, which are columns of the table. */
export const EVIDENCE_FIGURES = [
  'submitted',
  'delivered',
  'undelivered',
  'no_report',
  'verified',
  'cost',
  'judged',
  'good',
  'claimed',
  'proven',
  'contradicted',
  'confirmed',
  'advised',
  'saved',
  'gained',
] as const satisfies readonly (keyof EvidenceFigures)[]

/** What figures belong to; `hour` counts from 1970 and is that in which the message was accepted. */
export type EvidenceKey = {
  hour: number
  carrier: string
  country: string
  operator: string
  channel: string
  class: MessageClass
}

export type EvidenceRow = EvidenceKey & EvidenceFigures & { rejections: number[]; report_times: number[] }

/** A one-time password that was verified. Which carrier sent its message is looked up when the counts are written. */
export type Verified = { organisation_id: string; message_id: string; recipient: string }

/** A one-time password whose carrier wants feedback on it, also if it is not verified until then. */
export type AwaitedOtp = Verified & { ends_ms: number }

/** What became of messages, counted in memory. */
export type Evidence = {
  note(key: EvidenceKey, figures: Partial<EvidenceFigures>): void
  noteRejected(key: EvidenceKey, cause: Rejection): void
  noteReport(key: EvidenceKey, after_s: number): void
  /** Counts at a later moment, in milliseconds since 1970. */
  noteAt(due_ms: number, key: EvidenceKey, figures: Partial<EvidenceFigures>): void
  noteVerified(verified: Verified): void
  noteAwaited(otp: AwaitedOtp): void
  /** What carriers recently reported about the same numbers. */
  reached: Reached
  /** Counts again what could not be written. */
  restore(rows: readonly EvidenceRow[]): void
  /** Returns and resets what is due; with `all` also what is due later. */
  drain(all?: boolean): EvidenceRow[]
  drainVerified(): Verified[]
  drainAwaited(): AwaitedOtp[]
}

/** Verifications, and one-time passwords with feedback, that wait for the next write. More are not counted. */
const MAX_VERIFIED = 20_000

export function makeEvidence(): Evidence {
  let rows = new Map<string, EvidenceRow>()
  /** What is counted later, by the second. */
  const later = new Map<number, Map<string, EvidenceRow>>()
  let verified: Verified[] = []
  let awaited: AwaitedOtp[] = []

  return {
    reached: makeReached(),
    note: (key, figures) => addTo(rowIn(rows, key), figures),
    noteRejected(key, cause) {
      const { rejections } = rowIn(rows, key)
      const place = REJECTIONS.indexOf(cause)
      rejections[place] = (rejections[place] ?? 0) + 1
    },
    noteReport(key, after_s) {
      const { report_times } = rowIn(rows, key)
      const place = REPORT_BOUNDS_S.findIndex((bound) => after_s <= bound)
      const at = place < 0 ? REPORT_BOUNDS_S.length : place
      report_times[at] = (report_times[at] ?? 0) + 1
    },
    noteAt(due_ms, key, figures) {
      const second = Math.ceil(due_ms / 1_000)
      let own = later.get(second)
      if (!own) later.set(second, (own = new Map()))
      addTo(rowIn(own, key), figures)
    },
    noteVerified(one) {
      if (verified.length < MAX_VERIFIED) verified.push(one)
    },
    noteAwaited(one) {
      if (awaited.length < MAX_VERIFIED) awaited.push(one)
    },
    restore: (given) => addAll(rows, given),
    drain(all = false) {
      const now_s = Date.now() / 1_000
      for (const [second, own] of later) {
        if (!all && second > now_s) continue
        addAll(rows, own.values())
        later.delete(second)
      }
      const drained = [...rows.values()]
      rows = new Map()
      return drained
    },
    drainVerified() {
      const drained = verified
      verified = []
      return drained
    },
    drainAwaited() {
      const drained = awaited
      awaited = []
      return drained
    },
  }
}

const HOUR_MS = 3_600_000

export function hourOf(at_ms: number): number {
  return Math.floor(at_ms / HOUR_MS)
}

/** As in `2026-11-19T14:00:00.000Z`. */
export function hourText(hour: number): string {
  return new Date(hour * HOUR_MS).toISOString()
}

function rowIn(rows: Map<string, EvidenceRow>, key: EvidenceKey): EvidenceRow {
  const { hour, carrier, country, operator, channel, class: its_class } = key
  const name = `${hour} ${channel} ${its_class} ${carrier}\n${country} ${operator}`
  let own = rows.get(name)
  if (!own) {
    own = { hour, carrier, country, operator, channel, class: its_class, ...ZERO, rejections: [], report_times: [] }
    own.rejections = REJECTIONS.map(() => 0)
    own.report_times = [...REPORT_BOUNDS_S, Infinity].map(() => 0)
    rows.set(name, own)
  }
  return own
}

function addAll(rows: Map<string, EvidenceRow>, more: Iterable<EvidenceRow>): void {
  for (const one of more) {
    const own = rowIn(rows, one)
    addTo(own, one)
    for (const [n, count] of one.rejections.entries()) own.rejections[n] = (own.rejections[n] ?? 0) + count
    for (const [n, count] of one.report_times.entries()) own.report_times[n] = (own.report_times[n] ?? 0) + count
  }
}

const ZERO: EvidenceFigures = {
  submitted: 0,
  delivered: 0,
  undelivered: 0,
  no_report: 0,
  verified: 0,
  cost: 0,
  judged: 0,
  good: 0,
  claimed: 0,
  proven: 0,
  contradicted: 0,
  confirmed: 0,
  advised: 0,
  saved: 0,
  gained: 0,
}

function addTo(to: EvidenceFigures, more: Partial<EvidenceFigures>): void {
  for (const figure of EVIDENCE_FIGURES) to[figure] += more[figure] ?? 0
}

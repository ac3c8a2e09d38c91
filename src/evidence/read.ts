import type { Db } from '../db/connect.ts'
import { REPORT_BOUNDS_S, type Rejection } from '../observe/evidence.ts'
import { isStorable } from '../values/input/storable.ts'
import { moneyToNumber } from '../values/money.ts'
import { present } from '../values/record.ts'
import { refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { sumEvidence, type EvidenceRange, type SummedEvidence } from './read-store.ts'
import {
  EVIDENCE_BY,
  MAX_SHOWN,
  type EvidenceBy,
  type EvidenceQuery,
  type EvidenceReport,
  type EvidenceRowShown,
} from './schema.ts'

const HOUR_MS = 3_600_000
const DEFAULT_HOURS = 24
const DEFAULT_BY: readonly EvidenceBy[] = ['carrier', 'country', 'operator', 'channel', 'class']

/** What became of the messages that carriers were given, for operators. Refuses with all faults. */
export async function readEvidence(
  { db, currency }: { db: Db; currency: string },
  query: EvidenceQuery,
  shape_faults: readonly Fault[] = [],
): Promise<EvidenceReport> {
  const { by, ...range } = readQuery(query, shape_faults)
  const found = await sumEvidence(db, range, by, MAX_SHOWN + 1)
  const hour_ms = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  return {
    since: new Date(hour_ms - (range.hours - 1) * HOUR_MS).toISOString(),
    currency,
    by,
    rows: found.slice(0, MAX_SHOWN).map(shownRow),
    has_more: found.length > MAX_SHOWN,
  }
}

/** What identifies a row. An operator is one of a country. */
export function keysOf(by: readonly EvidenceBy[]): EvidenceBy[] {
  return by.flatMap((one) => (one === 'operator' && !by.includes('country') ? ['country' as const, one] : [one]))
}

function readQuery(query: EvidenceQuery, shape_faults: readonly Fault[]): EvidenceRange & { by: EvidenceBy[] } {
  const faults = [...shape_faults]
  const misshapen = new Set(faults.map(({ field }) => field))
  const sound = <F extends keyof EvidenceQuery>(field: F) =>
    misshapen.has(field) || query[field] === '' ? undefined : query[field]
  const words = sound('by')
    ?.split(',')
    .map((word) => word.trim())
  const by = words ? EVIDENCE_BY.filter((one) => words.includes(one)) : [...DEFAULT_BY]
  if (words?.some((word) => EVIDENCE_BY.every((one) => one !== word))) {
    faults.push({ field: 'by', message: `Some of ${EVIDENCE_BY.join(', ')}, separated by commas.`, type: 'enum' })
  }
  const [carrier, country] = [sound('carrier'), sound('country')?.toUpperCase()]
  for (const [field, value] of Object.entries({ carrier, country })) {
    if (value !== undefined && !isStorable(value)) {
      faults.push({ field, message: 'This value holds a character that cannot be stored.', type: 'invalid' })
    }
  }
  refuseIfFaulty(faults)
  const [channel, its_class] = [sound('channel'), sound('class')]
  const range = { hours: sound('hours') ?? DEFAULT_HOURS, step_hours: sound('step_hours') ?? 1 }
  return { ...range, by, carrier, country, channel, class: its_class }
}

function shownRow(row: SummedEvidence): EvidenceRowShown {
  const { submitted, delivered, undelivered, no_report, verified, rejections, report_times, judged, good } = row
  return {
    ...present('hour', row.hour),
    ...present('carrier', row.carrier),
    ...present('country', row.country),
    ...present('operator', row.operator),
    ...present('channel', row.channel),
    ...present('class', row.class),
    submitted,
    rejected: countsOf(rejections),
    delivered,
    undelivered,
    no_report,
    ...present('delivered_share', shareOf(delivered, delivered + undelivered + no_report)),
    report_times: [...REPORT_BOUNDS_S, undefined].map((up_to_s, n) => ({
      ...present('up_to_s', up_to_s),
      count: report_times[n] ?? 0,
    })),
    verified,
    ...present('verified_share', shareOf(good, judged)),
    cost: moneyToNumber(row.cost),
    advised: row.advised,
    saved: moneyToNumber(row.saved),
    gained: row.gained / GAINED_UNITS,
  }
}

const GAINED_UNITS = 10_000

function countsOf(rejections: readonly number[]): EvidenceRowShown['rejected'] {
  const [number = 0, recipient = 0, sender = 0, text = 0, temporary = 0, unanswered = 0, other = 0] = rejections
  return { number, recipient, sender, text, temporary, unanswered, other } satisfies Record<Rejection, number>
}

function shareOf(part: number, all: number): number | undefined {
  return all > 0 ? Math.round((10_000 * part) / all) / 10_000 : undefined
}

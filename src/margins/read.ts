import type { Db } from '../db/connect.ts'
import { listNames } from '../organisations/store.ts'
import { isStorable } from '../values/input/storable.ts'
import { csvLine } from '../values/csv-write.ts'
import { isId } from '../values/id.ts'
import { moneyToNumber } from '../values/money.ts'
import { present } from '../values/record.ts'
import { refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { daysBetween, daysLater, isDate } from '../values/time/time-zone.ts'
import { sumMargins, type MarginsRange, type SummedMargins } from './read-store.ts'
import {
  MARGINS_BY,
  MAX_DAYS,
  MAX_EXPORTED,
  MAX_SHOWN,
  type MarginFigures,
  type MarginsBy,
  type MarginsQuery,
  type MarginsReport,
  type MarginsRow,
} from './schema.ts'

type Deps = { db: Db; currency: string }

const DEFAULT_DAYS = 30

/** Revenue, cost and margin of a period, for operators. Refuses with all faults. */
export async function readMargins(
  deps: Deps,
  query: MarginsQuery,
  shape_faults: readonly Fault[] = [],
): Promise<MarginsReport> {
  return readReport(deps, query, shape_faults, MAX_SHOWN)
}

/** The same as CSV, with more rows. */
export async function* exportMargins(report: MarginsReport): AsyncGenerator<string> {
  const { by, rows } = report
  const keys = keysOf(by)
  yield `\ufeff${csvLine([...keys, ...FIGURES])}`
  for (const row of rows) {
    yield csvLine([...keys, ...FIGURES].map((name) => String(row[name] ?? '')))
  }
}

export async function readForExport(
  deps: Deps,
  query: MarginsQuery,
  shape_faults: readonly Fault[] = [],
): Promise<MarginsReport> {
  return readReport(deps, query, shape_faults, MAX_EXPORTED)
}

const FIGURES = [
  'deliveries',
  'pages',
  'revenue',
  'cost',
  'margin',
  'margin_rate',
  'without_cost',
  'revenue_without_cost',
] as const

/** What identifies a row. */
export function keysOf(by: readonly MarginsBy[]): (keyof MarginsRow)[] {
  const keys: Record<MarginsBy, readonly (keyof MarginsRow)[]> = {
    day: ['day'],
    organisation: ['organisation_id', 'name'],
    carrier: ['carrier'],
    country: ['country'],
    operator: by.includes('country') ? ['operator'] : ['country', 'operator'],
  }
  return by.flatMap((one) => [...keys[one]])
}

async function readReport(
  { db, currency }: Deps,
  query: MarginsQuery,
  shape_faults: readonly Fault[],
  limit: number,
): Promise<MarginsReport> {
  const { by, ...range } = readQuery(query, shape_faults)
  const [[total], found] = await Promise.all([sumMargins(db, range, [], 1), sumMargins(db, range, by, limit + 1)])
  const ids = by.includes('organisation') ? found.flatMap(({ organisation_id }) => organisation_id ?? []) : []
  const names = new Map((await listNames(db, [...new Set(ids)])).map(({ id, name }) => [id, name]))
  return {
    from: range.from,
    until: range.until,
    currency,
    by,
    totals: shownFigures(total),
    rows: found.slice(0, limit).map((row) => shownRow(row, names)),
    has_more: found.length > limit,
  }
}

function readQuery(query: MarginsQuery, shape_faults: readonly Fault[]): MarginsRange & { by: MarginsBy[] } {
  const faults = [...shape_faults]
  const misshapen = new Set(faults.map(({ field }) => field))
  const sound = <F extends keyof MarginsQuery>(field: F) =>
    misshapen.has(field) || query[field] === '' ? undefined : query[field]

  function readDate(field: 'from' | 'until'): string | undefined {
    const given = sound(field)
    if (given === undefined || (isDate(given) && given >= '2000-01-01' && given <= '2199-12-31')) return given
    faults.push({ field, message: 'This is not a date such as 2026-11-01.', type: 'date_invalid' })
    return undefined
  }

  const until = readDate('until') ?? new Date().toISOString().slice(0, 10)
  const from = readDate('from') ?? daysLater(until, 1 - DEFAULT_DAYS)
  const days = daysBetween(from, until) + 1
  if (faults.every(({ field }) => field !== 'from' && field !== 'until')) {
    if (days < 1) {
      faults.push({ field: 'until', message: 'The last day is before the first.', type: 'greater_than_equal' })
    } else if (days > MAX_DAYS) {
      faults.push({ field: 'until', message: `A period has at most ${MAX_DAYS} days.`, type: 'less_than_equal' })
    }
  }
  const words = (sound('by') ?? 'day').split(',').map((word) => word.trim())
  const by = MARGINS_BY.filter((one) => words.includes(one))
  if (words.some((word) => MARGINS_BY.every((one) => one !== word))) {
    faults.push({ field: 'by', message: `Some of ${MARGINS_BY.join(', ')}, separated by commas.`, type: 'enum' })
  }
  const organisation_id = sound('organisation_id')
  if (organisation_id !== undefined && !isId(organisation_id)) {
    faults.push({ field: 'organisation_id', message: 'This is not the id of an organisation.', type: 'invalid' })
  }
  const [carrier, country] = [sound('carrier'), sound('country')?.toUpperCase()]
  for (const [field, value] of Object.entries({ carrier, country })) {
    if (value !== undefined && !isStorable(value)) {
      faults.push({ field, message: 'This value holds a character that cannot be stored.', type: 'invalid' })
    }
  }
  refuseIfFaulty(faults)
  return { from, until, by, organisation_id, carrier, country }
}

function shownRow(row: SummedMargins, names: ReadonlyMap<string, string>): MarginsRow {
  const { day, organisation_id, carrier, country, operator } = row
  return {
    ...present('day', day),
    ...present('organisation_id', organisation_id),
    ...present('name', organisation_id === null ? null : names.get(organisation_id)),
    ...present('carrier', carrier),
    ...present('country', country),
    ...present('operator', operator),
    ...shownFigures(row),
  }
}

function shownFigures(row: SummedMargins | undefined): MarginFigures {
  const { deliveries = 0, pages = 0, revenue = 0n, cost = 0n, without_cost = 0, revenue_without_cost = 0n } = row ?? {}
  const compared = revenue - revenue_without_cost
  const margin = compared - cost
  const rate = compared > 0n ? Math.round((Number(margin) / Number(compared)) * 10_000) / 10_000 : undefined
  return {
    deliveries,
    pages,
    revenue: moneyToNumber(revenue),
    cost: moneyToNumber(cost),
    margin: moneyToNumber(margin),
    ...present('margin_rate', rate),
    without_cost,
    revenue_without_cost: moneyToNumber(revenue_without_cost),
  }
}

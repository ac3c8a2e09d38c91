import type { EvidenceRowShown } from '../../api-types.ts'
import { number, t } from '../../text/text.ts'
import { percent } from '../../ui/Figure.tsx'
import { money } from '../../ui/Money.tsx'
import { duration } from '../../ui/Time.tsx'
import { valueName } from '../analytics/analytics.ts'

export const EVIDENCE = '/console/api/evidence'

/** Operators of numbers that the matrix has a column for: those with the most messages. */
export const MAX_COLUMNS = 5
/** Carriers are compared at an operator from this many messages on. */
const LEAST_COMPARED = 30
/** As good as the best one. */
const CLOSE = 0.02
/** Not much worse than the best one. */
const NEAR = 0.1

/** A figure of the matrix. */
export type EvidenceFigure = {
  name: string
  title: string
  of: (row: EvidenceRowShown) => number | undefined
  written: (value: number, currency: string) => string
  better: 'high' | 'low'
  /** How far a value is from the best one: in parts of the whole, or of the best value. */
  distance: (value: number, best: number) => number
  /** The same in words. */
  apart: (value: number, best: number, currency: string) => string
}

const points = (value: number, best: number): string =>
  t('{points} pp||percentage points', {
    points: number(100 * (value - best), { maximumFractionDigits: 1, signDisplay: 'exceptZero' }),
  })
const share = {
  written: (value: number) => percent(value),
  distance: (value: number, best: number) => Math.abs(value - best),
  apart: points,
}

/** The first is shown unless another is chosen. */
export const FIGURES: readonly [EvidenceFigure, ...EvidenceFigure[]] = [
  {
    name: 'delivered',
    title: t('Delivered share'),
    of: ({ delivered_share }) => delivered_share,
    better: 'high',
    ...share,
  },
  {
    name: 'verified',
    title: t('Verified share'),
    of: ({ verified_share }) => verified_share,
    better: 'high',
    ...share,
  },
  {
    name: 'no_report',
    title: t('No report'),
    of: ({ delivered, undelivered, no_report }) => part(no_report, delivered + undelivered + no_report),
    better: 'low',
    ...share,
  },
  {
    name: 'report_time',
    title: t('Report time (median)'),
    of: ({ report_times }) => medianBound(report_times),
    written: (value) =>
      value === Infinity ? t('over half an hour||a time') : t('up to {time}', { time: duration(1_000 * value) }),
    better: 'low',
    distance: (value, best) => (value === best ? 0 : 1),
    apart: () => t('slower'),
  },
  {
    name: 'cost',
    title: t('Cost per message'),
    of: ({ cost, submitted }) => (cost > 0 ? part(cost, submitted) : undefined),
    written: (value, currency) => money(rounded(value), currency),
    better: 'low',
    distance: (value, best) => (value - best) / best,
    apart: (value, best, currency) => money(rounded(value - best), currency, true),
  },
]

/** The operator of a number, within its country. */
export type Operator = { country: string; operator: string }

export type Cell = {
  row: EvidenceRowShown
  value: number | undefined
  /** Compared with the other carriers of the column; undefined: there is nothing to compare. */
  standing: { tone: 'good' | 'warn' | 'bad'; best: number; is_best: boolean } | undefined
  /** The figure by the step, the oldest first. Steps without it are left out. */
  trend: readonly number[]
}

export type Matrix = {
  columns: readonly Operator[]
  rows: readonly { carrier: string; all: Cell | undefined; cells: readonly (Cell | undefined)[] }[]
  /** How many operators have no column. */
  left_out: number
}

/**
 * Carriers by operators. `single` are the figures by both, `summed` those by carrier; `stepped` and `stepped_all` are the
 * same by the hour.
 */
export function matrixOf(
  figure: EvidenceFigure,
  read: Record<'single' | 'summed' | 'stepped' | 'stepped_all', readonly EvidenceRowShown[]>,
): Matrix {
  const operators = new Map<string, Operator & { submitted: number }>()
  for (const { country = '', operator = '', submitted } of read.single) {
    const known = operators.get(operatorKey({ country, operator }))
    operators.set(operatorKey({ country, operator }), {
      country,
      operator,
      submitted: submitted + (known?.submitted ?? 0),
    })
  }
  const columns = [...operators.values()].toSorted((a, b) => b.submitted - a.submitted).slice(0, MAX_COLUMNS)
  const trends = trendsOf(figure, [...read.stepped, ...read.stepped_all])
  const cells = new Map(read.single.map((row) => [cellKey(row), cellOf(figure, row, trends)]))
  const rows = read.summed
    .toSorted((a, b) => b.submitted - a.submitted)
    .map((row) => ({
      carrier: row.carrier ?? '',
      all: cellOf(figure, row, trends),
      cells: columns.map((column) => cells.get(cellKey({ carrier: row.carrier ?? '', ...column }))),
    }))
  for (const [n] of columns.entries())
    compare(
      figure,
      rows.map(({ cells: own }) => own[n]),
    )
  compare(
    figure,
    rows.map(({ all }) => all),
  )
  return { columns, rows, left_out: operators.size - columns.length }
}

function cellOf(figure: EvidenceFigure, row: EvidenceRowShown, trends: ReadonlyMap<string, number[]>): Cell {
  return { row, value: figure.of(row), standing: undefined, trend: trends.get(cellKey(row)) ?? [] }
}

/** Compares the carriers of a column, if at least two have enough messages. */
function compare(figure: EvidenceFigure, column: readonly (Cell | undefined)[]): void {
  const compared = column.flatMap((cell) =>
    cell?.value !== undefined && cell.row.submitted >= LEAST_COMPARED ? [{ cell, value: cell.value }] : [],
  )
  if (compared.length < 2) return
  const values = compared.map(({ value }) => value)
  const best = figure.better === 'high' ? Math.max(...values) : Math.min(...values)
  for (const { cell, value } of compared) {
    const distance = figure.distance(value, best)
    cell.standing = {
      best,
      is_best: value === best,
      tone: distance <= CLOSE ? 'good' : distance <= NEAR ? 'warn' : 'bad',
    }
  }
}

function trendsOf(figure: EvidenceFigure, rows: readonly EvidenceRowShown[]): Map<string, number[]> {
  const trends = new Map<string, number[]>()
  for (const row of rows.toSorted((a, b) => (a.hour ?? '').localeCompare(b.hour ?? ''))) {
    const value = figure.of(row)
    if (value === undefined || value === Infinity) continue
    const trend = trends.get(cellKey(row))
    if (trend) trend.push(value)
    else trends.set(cellKey(row), [value])
  }
  return trends
}

/**
 * The upper bound of the median of the times, in seconds; `Infinity`: the median is in the last range, which has none;
 * undefined: nothing was reported.
 */
export function medianBound(times: EvidenceRowShown['report_times']): number | undefined {
  const all = times.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return undefined
  let sum = 0
  for (const { up_to_s = Infinity, count } of times) {
    sum += count
    if (2 * sum >= all) return up_to_s
  }
  return Infinity
}

/** What the advice of routes that choose by evidence would have changed. */
export function adviceOf(rows: readonly EvidenceRowShown[]) {
  const sum = (of: (row: EvidenceRowShown) => number) => rows.reduce((all, row) => all + of(row), 0)
  return {
    submitted: sum(({ submitted }) => submitted),
    advised: sum(({ advised }) => advised),
    saved: rounded(sum(({ saved }) => saved)),
    gained: sum(({ gained }) => gained),
  }
}

/** The steps of a trend: at most thirty of them in a period. */
export function stepHours(hours: number): number {
  return Math.ceil(hours / 30)
}

/**
 * The rows of whole steps. An answer that did not have room for all rows ends within the oldest of its steps, whose figures
 * would be wrong.
 */
export function wholeSteps(answer: {
  rows: readonly EvidenceRowShown[]
  has_more: boolean
}): readonly EvidenceRowShown[] {
  if (!answer.has_more) return answer.rows
  const oldest = answer.rows.at(-1)?.hour
  return answer.rows.filter(({ hour }) => hour !== oldest)
}

export function cellKey({ carrier = '', country, operator }: Partial<Operator> & { carrier?: string }): string {
  return JSON.stringify([carrier, country ?? null, operator ?? null])
}

export function operatorKey({ country, operator }: Operator): string {
  return JSON.stringify([country, operator])
}

function part(some: number, all: number): number | undefined {
  return all > 0 ? some / all : undefined
}

/** What a column or row is called. */
export function operatorName({ country, operator }: Operator): string {
  return country === ''
    ? valueName('country', '')
    : valueName('operator', [country, operator].filter(Boolean).join(' '))
}

function rounded(amount: number): number {
  return Math.round(10_000 * amount) / 10_000
}

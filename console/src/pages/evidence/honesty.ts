import type { HonestyRow } from '../../api-types.ts'
import { t } from '../../text/text.ts'
import { percent } from '../../ui/Figure.tsx'

export const HONESTY = '/console/api/evidence/honesty'

export type Judgement = { words: string; tone: 'good' | 'bad' | 'calm' }

/** Whether the reports of a carrier are believed. Without another carrier at its operators there is nothing to compare. */
export function judgementOf({ is_doubtful, expected, low }: HonestyRow): Judgement {
  if (is_doubtful) return { words: t('doubtful||reports of a carrier'), tone: 'bad' }
  if (expected === undefined) return { words: t('not compared||reports of a carrier'), tone: 'calm' }
  if (low === 0) return { words: t('too few to compare||reports of a carrier'), tone: 'calm' }
  return { words: t('no doubt||reports of a carrier'), tone: 'good' }
}

/** The factor with its bounds; undefined where there is nothing, or too little, to compare. */
export function factorWords({ factor, low, high, expected }: HonestyRow): string | undefined {
  if (expected === undefined || low === 0) return undefined
  return t('{factor} ({low} to {high})', { factor: percent(factor), low: percent(low), high: percent(high) })
}

/** Carriers as a whole, by their names. */
export function byCarrier(rows: readonly HonestyRow[]): ReadonlyMap<string, HonestyRow> {
  return new Map(rows.filter(({ country }) => country === undefined).map((row) => [row.carrier, row]))
}

/** Carriers at operators with something to judge: the doubtful ones first, then those with the most one-time passwords. */
export function byOperator(rows: readonly HonestyRow[]): HonestyRow[] {
  return rows
    .filter(
      ({ country, otps, contradicted, confirmed }) => country !== undefined && otps + contradicted + confirmed > 0,
    )
    .toSorted((a, b) => Number(b.is_doubtful) - Number(a.is_doubtful) || b.otps - a.otps)
}

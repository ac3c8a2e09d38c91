import { dateKey, numberKey } from '../keys.ts'
import type { ColumnType } from '../schema.ts'

/** How numbers are written: which character separates thousands, and which decimals. */
export const NUMBER_FORMATS = ['1,234.5', '1.234,5'] as const
/** How dates are written: unambiguously only, or with the day or the month first. */
export const DATE_FORMATS = ['YYYY-MM-DD', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const

export const FORMATS = [...NUMBER_FORMATS, ...DATE_FORMATS] as const
export type Format = (typeof FORMATS)[number]

export function formatsOf(type: ColumnType): readonly Format[] {
  if (type === 'NUMBER') return NUMBER_FORMATS
  return type === 'DATE' ? DATE_FORMATS : []
}

/** A text in the plain form that cells of the type have; a text that does not fit the format is returned unchanged. */
export function plainText(text: string, type: ColumnType, format: Format | undefined): string {
  if (format === undefined) return text
  return (type === 'NUMBER' ? plainNumber(text, format) : type === 'DATE' ? plainDate(text, format) : undefined) ?? text
}

// Thousands are separated by one kind of separator. In `1,234.5` also in the Indian manner, `12,34,567`.
const WITH_POINT = /^([+-]?)([1-9]\d{0,2}(?:(?:,\d{2,3})*,\d{3}|(?:([ \u00a0\u202f'’])\d{3})(?:\3\d{3})*)(?:\.\d+)?)$/
const WITH_COMMA = /^([+-]?)([1-9]\d{0,2}(?:([. \u00a0\u202f'’])\d{3})(?:\3\d{3})*(?:,\d+)?|\d+(?:,\d+)?)$/

/** `50,000` as `50000`. Undefined: not a number in this format. */
export function plainNumber(text: string, format: Format): string | undefined {
  const given = text.trim().replace('\u2212', '-')
  if (format === '1,234.5') {
    if (numberKey(given) !== undefined) return given
    const match = WITH_POINT.exec(given)
    return match ? `${match[1]}${match[2]?.replace(/[^\d.]/g, '')}` : undefined
  }
  const match = WITH_COMMA.exec(given)
  return match ? `${match[1]}${match[2]?.replace(/[^\d,]/g, '').replace(',', '.')}` : undefined
}

const TIME = String.raw`(?:(?:[ T]|, )(\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([AP])M)?)?$`
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[/.](\d{1,2})[/.](\d{1,2})${TIME}`, 'i')
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})${TIME}`, 'i')
const DAY_AND_NAME = new RegExp(
  String.raw`^(\d{1,2})(?:st|nd|rd|th|er)?[ /-]([\p{L}]{3,10})[., /-]{1,2}(\d{4})${TIME}`,
  'iu',
)
const NAME_AND_DAY = new RegExp(String.raw`^([\p{L}]{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})${TIME}`, 'iu')

/** `25/12/2026` or `25 Dec 2026` as `2026-12-25`. Undefined: not a date in this format, or a day that does not exist. */
export function plainDate(text: string, format: Format): string | undefined {
  const given = text.trim()
  if (dateKey(given) !== undefined) return given
  const year_first = YEAR_FIRST.exec(given)
  if (year_first) return written(year_first[1], year_first[2], year_first[3], year_first.slice(4))
  const named = DAY_AND_NAME.exec(given)
  if (named) return written(named[3], monthOf(named[2]), named[1], named.slice(4))
  const american = NAME_AND_DAY.exec(given)
  if (american) return written(american[3], monthOf(american[1]), american[2], american.slice(4))
  const match = YEAR_LAST.exec(given)
  if (!match || format === 'YYYY-MM-DD') return undefined
  const [, first, separator, second, year, ...time] = match
  if (format === 'DD/MM/YYYY') return written(year, second, first, time)
  // With dots, the day comes first everywhere.
  return separator === '.' ? undefined : written(year, first, second, time)
}

function written(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  [hour, minute, second, half]: readonly (string | undefined)[],
): string | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const hours = Number(hour ?? 0)
  if (half !== undefined && (hours < 1 || hours > 12)) return undefined
  const in_24 = half === undefined ? hours : (hours % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  const time = hour === undefined ? '' : `T${String(in_24).padStart(2, '0')}:${minute}:${second ?? '00'}`
  return dateKey(date + time) === undefined ? undefined : date + time
}

/** English and French names and their usual abbreviations, without accents. */
const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'january', 'janv', 'janvier'],
  ['feb', 'february', 'fev', 'fevr', 'fevrier'],
  ['mar', 'march', 'mars'],
  ['apr', 'april', 'avr', 'avril'],
  ['may', 'mai'],
  ['jun', 'june', 'juin'],
  ['jul', 'july', 'juil', 'juillet'],
  ['aug', 'august', 'aout'],
  ['sep', 'sept', 'september', 'septembre'],
  ['oct', 'october', 'octobre'],
  ['nov', 'november', 'novembre'],
  ['dec', 'december', 'decembre'],
]
const MONTH_OF = new Map(MONTHS.flatMap((names, n) => names.map((name) => [name, String(n + 1)] as const)))

function monthOf(name = ''): string | undefined {
  return MONTH_OF.get(name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase())
}

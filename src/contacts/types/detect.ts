import { withAsciiDigits } from '../../values/phone/phone.ts'
import { isFault, readCell } from '../cell.ts'
import { dateKey, numberKey, textKey } from '../keys.ts'
import type { ColumnType } from '../schema.ts'
import type { OpenTable } from '../table.ts'
import { DATE_FORMATS, NUMBER_FORMATS, plainDate, plainNumber, type Format } from './formats.ts'

/** The format of values. `formats` are those that fit equally well and mean something else. */
export type FoundFormat = { format?: Format; formats?: Format[]; fits: number }

/** The type of values. A column with `detected` stays TEXT until the caller has chosen one of its `formats`. */
export type Detected = {
  type: ColumnType
  format?: Format
  formats?: Format[]
  detected?: ColumnType
  options?: string[]
}

type Place = Pick<OpenTable, 'plan' | 'country'>

/** Most values of a column must fit a likely type, and there must be enough of them to tell. */
const LIKELY_SHARE = 0.95
const LIKELY_FROM = 20
/** A column is a choice of few values if each occurs several times on average. */
const MAX_LIKELY_OPTIONS = 20
const OCCURRENCES = 4
const MAX_LIKELY_OPTION_CHARACTERS = 40

/**
 * The narrowest type of the values. All of them must fit it. `likely` also finds a type that nearly all values fit, and
 * SELECT, in which later values may be no option: for imports whose preview a person reads.
 */
export function detectType(values: readonly string[], place: Place, likely: boolean): Detected {
  const filled = values.filter((value) => value.trim() !== '')
  if (filled.length === 0) return { type: 'TEXT' }
  const enough = (count: number): boolean =>
    count === filled.length || (likely && filled.length >= LIKELY_FROM && count >= LIKELY_SHARE * filled.length)
  const fit = (type: ColumnType): boolean => enough(filled.filter((value) => isOf(value, type, place)).length)
  if (fit('EMAIL')) return { type: 'EMAIL' }
  if (fit('URL')) return { type: 'URL' }
  const date = findFormat('DATE', filled, place)
  if (enough(date.fits)) {
    return date.format
      ? { type: 'DATE', format: date.format }
      : { type: 'TEXT', detected: 'DATE', ...(date.formats ? { formats: date.formats } : {}) }
  }
  // Amounts look like phone numbers; only those that begin with 0 or +, or are long, are phone numbers.
  if (enough(filled.filter((value) => looksDialled(value) && isOf(value, 'PHONE NUMBER', place)).length)) {
    return { type: 'PHONE NUMBER' }
  }
  const { fits: numbers, ...format } = findFormat('NUMBER', filled, place)
  if (enough(numbers)) return { type: 'NUMBER', ...format }
  const options = likely && filled.length >= LIKELY_FROM ? likelyOptions(filled) : undefined
  return options ? { type: 'SELECT', options } : { type: 'TEXT' }
}

/** The format that most values fit. Ambiguous dates have none: 03/04/2026 is in March or in April. */
export function findFormat(type: 'DATE' | 'NUMBER', values: readonly string[], place: Place): FoundFormat {
  const all: readonly Format[] = type === 'DATE' ? DATE_FORMATS : NUMBER_FORMATS
  const counts = all.map((format) => values.filter((value) => keyIn(value, type, format) !== undefined).length)
  const fits = Math.max(...counts)
  const [first, second] = all.filter((_, n) => counts[n] === fits)
  if (fits === 0 || first === undefined) return { fits: 0 }
  if (second === undefined || first === 'YYYY-MM-DD') return { format: first, fits }
  if (type === 'DATE') return { formats: [first, second], fits }
  // Programs write numbers in the plain form, whatever the country.
  const plain = values.every(
    (value) => numberKey(value.trim()) !== undefined || keyIn(value, type, first) === undefined,
  )
  const format = plain || decimalOf(place.country) === '.' ? first : second
  const differ = values.some((value) => keyIn(value, type, first) !== keyIn(value, type, second))
  return { format, ...(differ ? { formats: [first, second] } : {}), fits }
}

function keyIn(value: string, type: 'DATE' | 'NUMBER', format: Format): string | undefined {
  return type === 'DATE' ? dateKey(plainDate(value, format) ?? '') : numberKey(plainNumber(value, format) ?? '')
}

/** The decimal separator in the main language of a country. */
function decimalOf(country: string): string {
  const locale = new Intl.Locale('und', { region: country }).maximize()
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.'
}

function isOf(value: string, type: ColumnType, { plan }: Place): boolean {
  const cell = readCell(value, { type, options: null }, plan)
  return cell !== null && !isFault(cell)
}

function looksDialled(value: string): boolean {
  return /^\s*(?:tel:|\+|0\d|\d{11,})/i.test(withAsciiDigits(value))
}

function likelyOptions(filled: readonly string[]): string[] | undefined {
  const options = new Map<string, string>()
  for (const value of filled) {
    const option = value.trim()
    if (option.length > MAX_LIKELY_OPTION_CHARACTERS || /[,\n\r]/.test(option)) return undefined
    if (!options.has(textKey(option))) options.set(textKey(option), option)
    if (options.size > MAX_LIKELY_OPTIONS) return undefined
  }
  return options.size > 1 && options.size * OCCURRENCES <= filled.length ? [...options.values()] : undefined
}

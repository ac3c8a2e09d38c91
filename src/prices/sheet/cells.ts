import { countryName } from '../../numbers/operator-name.ts'
import type { PrefixTable } from '../../numbers/prefix-table.ts'
import { moneyFromText } from '../../values/money.ts'
import { isCountry } from '../../values/phone/phone.ts'
import { isInYears, readMoment } from '../../values/time/moment.ts'

/** Prefixes or networks of one cell. */
export const MAX_PER_CELL = 100

/** Of a price or a date. */
const LONGEST = 60

/** What a cell says, or why it cannot be read. */
export type Read<T> = { value: T } | { fault: string }

const PREFIX = /^[1-9][0-9]{0,14}$/

/** `234803`, `+234 803`, `00234803*`, and several of them: `234803; 234806`. */
export function readPrefixes(text: string): Read<string[]> {
  const prefixes = text
    .split(/[,;/|]/)
    .map((one) =>
      one
        .replace(/^=?"?|"?\*?$/g, '')
        .replace(/[\s().-]/g, '')
        .replace(/^(\+|00)/, ''),
    )
    .filter((one) => one !== '')
  const wrong = prefixes.find((one) => !PREFIX.test(one))
  if (wrong !== undefined) return { fault: `${shown(wrong)} is not a prefix such as 234803, with its country code` }
  if (prefixes.length > MAX_PER_CELL) return { fault: `more than ${MAX_PER_CELL} prefixes` }
  return { value: prefixes }
}

/** `62130`, `621-30`, `621 030`; several: `621-30/50`; and small ranges: `621-30..33`, `62130-62133`. */
export function readNetworks(text: string): Read<{ mcc: string; mnc: string }[]> {
  const networks: { mcc: string; mnc: string }[] = []
  let mcc = ''
  for (const part of text.replace(/^=?"?|"?$/g, '').split(/[,;/|]/)) {
    const one = part.trim()
    if (one === '') continue
    const { first, mnc, last } = NETWORK.exec(one)?.groups ?? {}
    const more = first === undefined ? MORE.exec(one)?.groups : undefined
    mcc = first ?? mcc
    const from = mnc ?? more?.mnc
    if (from === undefined || mcc === '') return { fault: `${shown(one)} is not a network code such as 621-30` }
    const until = Number((last ?? more?.last ?? from).replace(/[\s-]/g, '').slice(-3))
    const range = range_of(from, until)
    if (!range) return { fault: `${shown(one)} is not a range of at most ${MAX_PER_CELL} network codes` }
    networks.push(...range.map((code) => ({ mcc, mnc: code })))
    if (networks.length > MAX_PER_CELL) return { fault: `more than ${MAX_PER_CELL} networks` }
  }
  return { value: networks }
}

/** A country code, a network code, and perhaps the end of a range, with or without its country code. */
const NETWORK = /^(?<first>\d{3})[\s.-]?(?<mnc>\d{1,3})(\s*(?:\.\.|–|-)\s*(?:\k<first>[\s-]?)?(?<last>\d{1,3}))?$/
/** Another network of the same country. */
const MORE = /^(?<mnc>\d{1,3})(\s*(?:\.\.|–|-)\s*(?<last>\d{1,3}))?$/

function range_of(from: string, until: number): string[] | undefined {
  const first = Number(from)
  if (until < first || until - first >= MAX_PER_CELL) return undefined
  return Array.from({ length: until - first + 1 }, (_, n) => String(first + n).padStart(from.length, '0'))
}

/** `1234.5`, `0,0385`, `1.234,56`, `1,234.56`, `NGN 4.20`. Of a comma or point that stands alone, it is the decimal one. */
export function readPrice(text: string): Read<bigint> {
  if (text.length > LONGEST) return { fault: `${shown(text)} is not a price` }
  const plain = withoutCurrency(text).replace(/(?<=\d)[\s' ](?=\d{3})/g, '')
  const comma = plain.lastIndexOf(',')
  const point = plain.lastIndexOf('.')
  const thousands = comma !== -1 && point !== -1 ? (comma > point ? /\./g : /,/g) : /(?!)/
  const decimal = plain.replace(thousands, '').replace(',', '.')
  if (!/^\d{1,12}(\.\d{1,20})?$/.test(decimal)) return { fault: `${shown(text)} is not a price` }
  const price = moneyFromText(decimal.replace(/(\.\d{4})0+$/, '$1'))
  if (price === undefined) return { fault: `${shown(text)} has more than four decimals` }
  if (price > MAX_PRICE) return { fault: `${shown(text)} is more than 1000000` }
  return { value: price }
}

const MAX_PRICE = 10_000_000_000n
const CURRENCY = /[\p{L}\p{Sc}\s]/u

/** Without the letters, currency signs and spaces around the number. */
function withoutCurrency(text: string): string {
  let [from, until] = [0, text.length]
  while (from < until && CURRENCY.test(text.charAt(from))) from += 1
  while (until > from && CURRENCY.test(text.charAt(until - 1))) until -= 1
  return text.slice(from, until)
}

export type DateOrder = 'dmy' | 'mdy'

/** `2026-12-01`, a date-time with its offset, `1-Dec-2026`, or `01/12/2026`, for which the order has to be known. Days are UTC. */
export function readDate(text: string, order: DateOrder | undefined): Read<number> {
  if (text.length > LONGEST) return { fault: `${shown(text)} is not a date such as 2026-12-01` }
  const at = readMoment(text) ?? readDay(text, order)
  if (at !== undefined && isInYears(at)) return { value: at }
  if (at === undefined && SLASHED.test(text) && order === undefined) {
    return { fault: `${shown(text)} may be day/month or month/day: name the date order` }
  }
  return { fault: `${shown(text)} is not a date such as 2026-12-01` }
}

const SLASHED = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[ T]00:00(?::00)?)?$/
const NAMED = /^(\d{1,2})[ .-]+([a-z]{3})[a-z]*[ .,-]+(\d{4})$/i
const ISO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]00:00(?::00)?)?$/
const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'

function readDay(text: string, order: DateOrder | undefined): number | undefined {
  const [, year, month, day] = ISO.exec(text) ?? []
  if (year !== undefined) return dayAt(year, month, day)
  const [, named_day, name = '', named_year] = NAMED.exec(text) ?? []
  const at = MONTHS.indexOf(name.toLowerCase())
  if (named_day !== undefined) return at % 3 === 0 ? dayAt(named_year, String(at / 3 + 1), named_day) : undefined
  const [, one, two, slashed_year] = SLASHED.exec(text) ?? []
  // A point separates days and months only where the day comes first.
  const own_order = order ?? (text.includes('.') ? 'dmy' : undefined)
  if (one === undefined || own_order === undefined) return undefined
  return own_order === 'dmy' ? dayAt(slashed_year, two, one) : dayAt(slashed_year, one, two)
}

function dayAt(year = '', month = '', day = ''): number | undefined {
  return readMoment(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00Z`)
}

/** The order of ambiguous dates, if one of them shows it. */
export function guessDateOrder(texts: Iterable<string>): DateOrder | undefined {
  for (const text of texts) {
    const [, one, two] = SLASHED.exec(text) ?? []
    if (Number(one) > 12) return 'dmy'
    if (Number(two) > 12) return 'mdy'
  }
  return undefined
}

/** Reads country codes and English names: `NG`, `Nigeria`, `Nigeria - MTN`. */
export function makeReadCountry({ operators }: Pick<PrefixTable, 'operators'>): (text: string) => string | undefined {
  const codes = new Map<string, string>()
  for (const country of operators.keys()) if (country !== '') codes.set(countryKey(countryName(country)), country)
  for (const [name, country] of Object.entries(OTHER_NAMES)) codes.set(name, country)
  return (text) => {
    const code = text.trim().toUpperCase()
    if (/^[A-Z]{2}$/.test(code)) return isCountry(code) ? code : undefined
    return codes.get(countryKey(text)) ?? codes.get(countryKey(text.split(/\s[-–/]\s|[(:,]/)[0] ?? ''))
  }
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  usa: 'US',
  unitedstatesofamerica: 'US',
  uk: 'GB',
  greatbritain: 'GB',
  ivorycoast: 'CI',
  cotedivoire: 'CI',
  drcongo: 'CD',
  democraticrepublicofthecongo: 'CD',
  congodemocraticrepublic: 'CD',
  congo: 'CG',
  uae: 'AE',
  turkey: 'TR',
  czechrepublic: 'CZ',
  capeverde: 'CV',
  swaziland: 'SZ',
  russianfederation: 'RU',
  southkorea: 'KR',
  vietnam: 'VN',
}

function countryKey(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
}

export function shown(text: string): string {
  return JSON.stringify(text.slice(0, 40))
}

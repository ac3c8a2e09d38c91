import metadata from 'libphonenumber-js/max/metadata'

/** How numbers are dialled in one country. */
export type DialPlan = {
  calling_code: string
  /** Empty where there is none, as in Italy. */
  national_prefix: string
  /** What is dialled before a country code, such as `009` in Nigeria; undefined where it is `00`. */
  international_prefix: RegExp | undefined
}

/** The numbers behind one calling code: those of one country, or of several that share it. */
export type Zone = {
  calling_code: string
  /** What is dialled first inside its largest country, such as `0`; empty where nothing is. */
  national_prefix: string
  /** Whether these digits, without the code, are a number there that a person answers: a mobile or a land line. */
  isPersonal(national: string): boolean
  /** Whether they are any number there: also free, shared and company-wide ones. */
  isNumber(national: string): boolean
  /** Whether mobile numbers there have that many digits without the code; true if their lengths are unknown. */
  hasMobilesOf(digits: number): boolean
  /** A length of mobile numbers there. */
  mobile_digits: number | undefined
}

/** The zone whose calling code the digits begin with. No code is the beginning of another. */
export function zoneOf(digits: string): Zone | undefined {
  return BY_BEGINNING[100 * digitAt(digits, 0) + 10 * digitAt(digits, 1) + digitAt(digits, 2)]
}

export function zoneAt(calling_code: string): Zone | undefined {
  return ZONES.get(calling_code)
}

/** How numbers are dialled in a country, or undefined if there is none with that code. */
export function planOf(country: string): DialPlan | undefined {
  const known = PLANS.get(country)
  if (known) return known
  const columns = Object.hasOwn(COUNTRIES, country) ? COUNTRIES[country] : undefined
  const plan = columns && makePlan(columns)
  if (plan) PLANS.set(country, plan)
  return plan
}

/**
 * A row of the library's metadata. Its code is not loaded: that takes 64 ms instead of 6, and these columns are all we
 * need. A country without a value has 0 there, or its row ends before.
 */
type Columns = readonly unknown[]
const CALLING_CODE = 0
const INTERNATIONAL_PREFIX = 1
const LENGTHS = 3
const NATIONAL_PREFIX = 5
const KINDS = 11
/** Of the kinds of numbers the first two are land lines and mobiles. */
const PERSONAL_KINDS = 2
const MOBILES = 1
/** Within a kind: the pattern, then the lengths, which are left out where they are those of the whole country. */
const LENGTHS_OF_KIND = 1

const COUNTRIES: Record<string, Columns> = metadata.countries
/** Codes that belong to no country: satellites, international free numbers. */
const BORDERLESS: Record<string, Columns> =
  (metadata as { nonGeographic?: Record<string, Columns> }).nonGeographic ?? {}

/** By country, those that were asked for. */
const PLANS = new Map<string, DialPlan>()

const ZONES = new Map([
  ...Object.entries(metadata.country_calling_codes).map(([code, countries]) => {
    return [
      code,
      makeZone(
        code,
        (countries as readonly string[]).map((country) => COUNTRIES[country]!),
      ),
    ] as const
  }),
  ...Object.entries(BORDERLESS).map(([code, plan]) => [code, makeZone(code, [plan])] as const),
])

/** Indexed by the first three digits of a number, because a request may hold ten thousand numbers. */
const BY_BEGINNING: readonly (Zone | undefined)[] = Array.from({ length: 1_000 }, (_, n) => {
  const beginning = String(n).padStart(3, '0')
  return [1, 2, 3].map((length) => ZONES.get(beginning.slice(0, length))).find((zone) => zone !== undefined)
})

function textIn(columns: Columns, column: number): string {
  const value = columns[column]
  return typeof value === 'string' ? value : ''
}

function digitAt(digits: string, n: number): number {
  return n < digits.length ? digits.charCodeAt(n) - 0x30 : 0
}

function makePlan(columns: Columns): DialPlan {
  const prefix = textIn(columns, INTERNATIONAL_PREFIX)
  return {
    calling_code: textIn(columns, CALLING_CODE),
    national_prefix: textIn(columns, NATIONAL_PREFIX),
    international_prefix: prefix === '' || prefix === '00' ? undefined : new RegExp(`^(?:${prefix})`),
  }
}

function makeZone(calling_code: string, plans: readonly Columns[]): Zone {
  const kinds = plans.map(patternsIn)
  let personal: RegExp | undefined
  let other: RegExp | undefined
  const isPersonal = (national: string): boolean => {
    personal ??= anyOf(kinds.flatMap((own) => own.slice(0, PERSONAL_KINDS)))
    return personal.test(national)
  }
  const isOther = (national: string): boolean => {
    other ??= anyOf(kinds.flatMap((own) => own.slice(PERSONAL_KINDS)))
    return other.test(national)
  }
  const lengths = plans.flatMap(mobileLengthsIn)
  const known = lengths.reduce((bits, length) => bits | (1 << length), 0)
  return {
    calling_code,
    national_prefix: textIn(plans[0] ?? [], NATIONAL_PREFIX),
    isPersonal,
    isNumber: (national) => isPersonal(national) || isOther(national),
    mobile_digits: lengths[0],
    hasMobilesOf: (digits) => known === 0 || (known & (1 << digits)) !== 0,
  }
}

/** How many digits mobile numbers have; none where a country has no mobile numbers. */
function mobileLengthsIn(plan: Columns): number[] {
  const kinds: unknown = plan[KINDS]
  const mobiles: unknown = Array.isArray(kinds) ? kinds[MOBILES] : undefined
  if (!Array.isArray(mobiles)) return []
  const lengths: unknown = mobiles[LENGTHS_OF_KIND] ?? plan[LENGTHS]
  return Array.isArray(lengths) ? lengths.filter((length) => typeof length === 'number') : []
}

/** By kind of number, the pattern of its digits; empty where a country has none of it. */
function patternsIn(plan: Columns): string[] {
  const kinds: unknown = plan[KINDS]
  if (!Array.isArray(kinds)) return []
  return kinds.map((kind: unknown) => (Array.isArray(kind) && typeof kind[0] === 'string' ? kind[0] : ''))
}

function anyOf(patterns: readonly string[]): RegExp {
  const used = patterns.filter((pattern) => pattern !== '')
  return used.length === 0 ? /^(?!)/ : new RegExp(`^(?:${used.join('|')})$`)
}

import metadata from 'libphonenumber-js/min/metadata'

/** How numbers are dialled in one country. `national_prefix` is empty where there is none, as in Italy. */
export type DialPlan = { calling_code: string; national_prefix: string }

/** Whether it is an ISO 3166 code in capitals of a country that can be dialled. */
export function isCountry(code: unknown): boolean {
  return typeof code === 'string' && Object.hasOwn(COUNTRIES, code)
}

/** `country` is an ISO 3166 code in capitals, such as `NG`; an unknown one is a RangeError. */
export function dialPlan(country: string): DialPlan {
  if (!isCountry(country)) throw new RangeError(`No dialling plan for country ${country}`)
  const columns = COUNTRIES[country]!
  return { calling_code: String(columns[CALLING_CODE]), national_prefix: columns[NATIONAL_PREFIX] || '' }
}

/** Digits with the country code and no `+`, or undefined if it is no phone number. */
export function cleanPhone(raw: string, plan: DialPlan): string | undefined {
  if (raw.length > MAX_RAW_LENGTH) return undefined
  return isAllDigits(raw) ? resolve(raw, plan) : cleanDecorated(raw.trim(), plan)
}

/** For logs: never more than half of the digits can be read. */
export function shortenPhone(digits: string): string {
  const visible = Math.floor(digits.length / 2)
  const tail = Math.min(2, visible)
  const head = Math.min(5, visible - tail)
  return digits.slice(0, head) + '*'.repeat(digits.length - head - tail) + digits.slice(digits.length - tail)
}

// The library's metadata without its code: loading takes 4 ms instead of 64, and all we need are two columns of it.
// A country without a value has 0 there, or its row ends before.
const COUNTRIES: Record<string, readonly (string | 0)[]> = metadata.countries
const CALLING_CODE = 0
const NATIONAL_PREFIX = 5

const MAX_RAW_LENGTH = 40
const MIN_DIGITS = 7
const MAX_DIGITS = 15

// Blanks and the invisible direction marks that come along when a number is pasted from an address book; then dashes,
// the soft hyphen and the minus among them. Line breaks are cut at the ends only: inside they part two numbers.
const BLANKS = ' \t\u00a0\u1680\u2000-\u200f\u202a-\u202f\u205f-\u2064\u2066-\u2069\u3000\ufeff'
const DASHES = '\\-\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d'
const DECORATION = new RegExp(`^[${BLANKS}${DASHES}./()[\\]]$`)

function isAllDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x30 || unit > 0x39) return false
  }
  return true
}

function cleanDecorated(raw: string, plan: DialPlan): string | undefined {
  let digits = ''
  let international = false
  for (let i = 0; i < raw.length; i++) {
    const character = raw[i]!
    if (character >= '0' && character <= '9') digits += character
    else if (character === '+' && digits === '' && !international) international = true
    else if (raw.startsWith('(0)', i) && endsCountryCode(digits)) i += 2
    else if (!DECORATION.test(character)) return undefined
  }
  if (!international) return resolve(digits, plan)
  return isPhone(digits) ? digits : undefined
}

/**
 * Whether a `(0)` after these digits is the zero one dials inside the country only. Where a country has no such prefix
 * (Italy, Côte d'Ivoire) the zero belongs to the number and stays.
 */
function endsCountryCode(digits: string): boolean {
  const callingCode = digits.startsWith('00') ? digits.slice(2) : digits
  const country = metadata.country_calling_codes[callingCode]?.[0]
  return country !== undefined && dialPlan(country).national_prefix !== ''
}

/**
 * No country code begins with 0, so a number that does is in national form or behind the international prefix.
 * All others carry their country code already; were a leading 8 taken for Russia's national prefix, a number of China
 * would become a Russian one when it is cleaned a second time.
 */
function resolve(digits: string, plan: DialPlan): string | undefined {
  let number = digits
  if (digits.startsWith('00')) number = digits.slice(2)
  else if (digits.startsWith('0')) {
    if (!digits.startsWith(plan.national_prefix)) return undefined
    number = plan.calling_code + digits.slice(plan.national_prefix.length)
  }
  return isPhone(number) ? number : undefined
}

function isPhone(digits: string): boolean {
  return digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS && !digits.startsWith('0')
}

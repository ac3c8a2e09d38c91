import { planOf, zoneAt, zoneOf, type DialPlan, type Zone } from './numbering.ts'

export type { DialPlan }

/** Whether it is an ISO 3166 code in capitals of a country that can be dialled. */
export function isCountry(code: unknown): boolean {
  return typeof code === 'string' && planOf(code) !== undefined
}

/** `country` is an ISO 3166 code in capitals, such as `NG`; an unknown one is a RangeError. */
export function dialPlan(country: string): DialPlan {
  const plan = planOf(country)
  if (!plan) throw new RangeError(`No dialling plan for country ${country}`)
  return plan
}

/** Digits with the country code and no `+`, or undefined if it is no phone number that can be sent to. */
export function cleanPhone(raw: string, plan: DialPlan): string | undefined {
  const number = cleanDigits(raw, plan)
  return number !== undefined && isPossible(number) ? number : undefined
}

/**
 * The same for 7 to 15 digits of any length: where numbers are kept as given or come from a network, and where records
 * are searched by number.
 */
export function cleanDigits(raw: string, plan: DialPlan): string | undefined {
  if (raw.length > MAX_URI_LENGTH) return undefined
  if (isAllDigits(raw)) return resolve(raw, plan)
  return cleanDecorated(raw, plan) ?? cleanRare(raw, plan)
}

/** Whether a clean number is as long as the mobile numbers of its country, or is another number there. */
export function isPossible(number: string): boolean {
  const zone = zoneOf(number)
  if (!zone || zone.hasMobilesOf(number.length - zone.calling_code.length)) return true
  return zone.isNumber(number.slice(zone.calling_code.length))
}

/** A plausible mobile number of a country, to check a message before its recipients are known. */
export function sampleNumber(plan: DialPlan): string {
  const { mobile_digits = 10 } = zoneAt(plan.calling_code) ?? {}
  const samples = Array.from('8975643210', (digit) => plan.calling_code + digit.padEnd(mobile_digits, '0'))
  return samples.find((sample) => cleanPhone(sample, plan)?.startsWith(plan.calling_code)) ?? samples[0]!
}

/** Full-width characters and the digits of Arabic and Persian as ASCII. */
export function withAsciiDigits(text: string): string {
  return text.replace(FOREIGN, (character) => {
    const unit = character.charCodeAt(0)
    return String.fromCharCode(unit >= FULL_WIDTH ? unit - FULL_WIDTH : 0x30 + (unit & 0xf))
  })
}

/**
 * Like `cleanDigits`, where the source marks the digits as a national number, with or without the national prefix. They
 * are read as national even if they could be international, and also if no numbering plan knows them.
 */
export function cleanNational(raw: string, plan: DialPlan): string | undefined {
  const cleaned = cleanDigits(raw, plan)
  if (!isAllDigits(raw) || raw.length > MAX_DIGITS) return cleaned
  const { calling_code, national_prefix } = plan
  const here = zoneAt(calling_code)
  const bare = raw.startsWith(national_prefix) ? raw.slice(national_prefix.length) : raw
  const national = [bare, raw].find((digits) => here?.isNumber(digits))
  if (national !== undefined) return atHome(national, plan)
  const there = cleaned === undefined ? undefined : zoneOf(cleaned)
  if (cleaned === undefined || there?.isNumber(cleaned.slice(there.calling_code.length))) return cleaned
  return cleaned.startsWith(calling_code) ? cleaned : atHome(bare, plan)
}

/** For logs: never more than half of the digits can be read. */
export function shortenPhone(digits: string): string {
  const visible = Math.floor(digits.length / 2)
  const tail = Math.min(2, visible)
  const head = Math.min(5, visible - tail)
  return digits.slice(0, head) + '*'.repeat(digits.length - head - tail) + digits.slice(digits.length - tail)
}

const MAX_RAW_LENGTH = 40
/** With its parameters. */
const MAX_URI_LENGTH = 200
const MIN_DIGITS = 7
const MAX_DIGITS = 15

// Blanks and the invisible direction marks that come along when a number is pasted from an address book; then dashes,
// the soft hyphen and the minus among them. Line breaks are cut at the ends only: inside they part two numbers.
const BLANKS = ' \t\u00a0\u061c\u1680\u2000-\u200f\u202a-\u202f\u205f-\u2064\u2066-\u2069\u3000\ufeff'
const DASHES = '\\-\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d'
/** What is added to an ASCII character that is as wide as a Chinese one. */
const FULL_WIDTH = 0xfee0
const FOREIGN = /[\uff01-\uff5e\u0660-\u0669\u06f0-\u06f9]/g
const DECORATION = new RegExp(`^[${BLANKS}${DASHES}./()[\\]]$`)

function isAllDigits(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x30 || unit > 0x39) return false
  }
  return true
}

/** Rare notations, tried only after the common ones. */
function cleanRare(raw: string, plan: DialPlan): string | undefined {
  const text = withAsciiDigits(raw)
  const number = /^\s*tel:/i.test(text) ? subscriberIn(text.trim()) : text
  return number === undefined || number === raw ? undefined : cleanDecorated(number, plan)
}

/**
 * The number in a `tel:` URI (RFC 3966), behind the `+` of its `phone-context` if it is a local one. Undefined where a
 * parameter names an extension or another part of a line, which gets no messages, or one that must be understood.
 */
function subscriberIn(uri: string): string | undefined {
  const [subscriber = '', ...parameters] = uri.slice('tel:'.length).split(';')
  const values = new Map<string, string>()
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.toLowerCase().split('=', 2)
    if (name === 'ext' || name === 'isub' || name.startsWith('m-') || values.has(name)) return undefined
    values.set(name, value)
  }
  const context = values.get('phone-context') ?? ''
  const is_local = context.startsWith('+') && !subscriber.includes('+')
  return is_local ? context + subscriber : subscriber
}

function cleanDecorated(given: string, plan: DialPlan): string | undefined {
  if (given.length > MAX_RAW_LENGTH) return undefined
  const raw = given.trim()
  let digits = ''
  let international = false
  for (let i = 0; i < raw.length; i++) {
    const character = raw[i]!
    if (character >= '0' && character <= '9') digits += character
    else if (character === '+' && digits === '' && !international) international = true
    else if (raw.startsWith('(0)', i) && endsCountryCode(digits)) i += 2
    else if (!DECORATION.test(character)) return undefined
  }
  return international ? checked(withCode(digits, plan)) : resolve(digits, plan)
}

/**
 * Whether a `(0)` after these digits is the zero one dials inside the country only. Where a country has no such prefix
 * (Italy, Côte d'Ivoire) the zero belongs to the number and stays.
 */
function endsCountryCode(digits: string): boolean {
  const zone = zoneAt(digits.startsWith('00') ? digits.slice(2) : digits)
  return zone !== undefined && zone.national_prefix !== ''
}

/**
 * What is dialled before a country code may also be how another number begins: `0091…` in Nigeria is India's behind `00`,
 * and America's behind `009`. The likelier number counts, and of two that are as likely the one behind `00`. Digits that
 * do not begin with 0 are read so only if they are no number otherwise.
 */
function resolve(digits: string, plan: DialPlan): string | undefined {
  const usual = resolveUsual(digits, plan)
  const { international_prefix } = plan
  if (!international_prefix) return usual
  const has_zero = digits.startsWith('0')
  if (!has_zero && usual !== undefined && isPossible(usual)) return usual
  if (!international_prefix.test(digits)) return usual
  const abroad = checked(withCode(digits.replace(international_prefix, ''), plan))
  if (!has_zero) return abroad ?? usual
  return likelihood(abroad) > likelihood(usual) ? abroad : usual
}

function likelihood(number: string | undefined): number {
  if (number === undefined) return 0
  if (!isPossible(number)) return 1
  const zone = zoneOf(number)
  const national = number.slice(zone?.calling_code.length)
  if (zone?.isPersonal(national)) return 4
  return zone?.isNumber(national) ? 3 : 2
}

/** No country code begins with 0, so a number that does is in national form or behind the international prefix. */
function resolveUsual(digits: string, plan: DialPlan): string | undefined {
  if (!digits.startsWith('0')) return checked(withCode(digits, plan))
  if (digits.startsWith('00')) return checked(withCode(digits.slice(2), plan))
  if (!digits.startsWith(plan.national_prefix)) return undefined
  return atHome(digits.slice(plan.national_prefix.length), plan)
}

/** A national number with its calling code; undefined if cleaning the result again would give a different number. */
function atHome(national: string, plan: DialPlan): string | undefined {
  const number = plan.calling_code + national
  return withCode(number, plan) === number ? checked(number) : undefined
}

/**
 * What people mean by digits that seem to have their country code. They may be a national number without its zero, or
 * have kept the zero after the code. The order decides what is both; what is none stays as it is. Cleaning what is clean
 * changes nothing: each change ends in a number that an earlier line leaves alone, or has fewer digits. Only what the
 * digits are counts, not how they were written, so `+`, `00` and nothing before them are the same. See decision 0025.
 */
function withCode(digits: string, plan: DialPlan): string {
  if (digits.length > MAX_DIGITS || digits.startsWith('0')) return digits
  const there = zoneOf(digits)
  const rest = there ? digits.slice(there.calling_code.length) : ''
  if (there?.isPersonal(rest)) return digits
  const here = zoneAt(plan.calling_code)
  const bare = there && withoutZero(rest, there)
  if (bare !== undefined && there === here && here?.isPersonal(bare)) return plan.calling_code + bare
  if (here?.isPersonal(digits)) return plan.calling_code + digits
  if (there?.isNumber(rest)) return digits
  if (bare !== undefined && (there === here || there?.isNumber(bare))) return withCode(there!.calling_code + bare, plan)
  const whole = plan.calling_code + digits
  return here?.isNumber(digits) && !here.isPersonal(whole) ? whole : digits
}

/** The national number behind a zero that was kept after the country code; undefined if none was. */
function withoutZero(rest: string, { national_prefix }: Zone): string | undefined {
  const kept = national_prefix.startsWith('0') && rest.startsWith(national_prefix)
  return kept ? rest.slice(national_prefix.length) : undefined
}

function checked(digits: string): string | undefined {
  return digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS && !digits.startsWith('0') ? digits : undefined
}

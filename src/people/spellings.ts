import { zoneOf } from '../values/phone/numbering.ts'
import { isRecord } from '../values/record.ts'

/**
 * The spellings of a number: with `+` or an international prefix, national, with spaces and dashes, in digits of another
 * script, or in Base64, as in message ids of WhatsApp.
 */
export type Spellings = {
  number: string
  /** Values of a column that holds only a number. */
  forms: readonly string[]
  /** A regular expression with the same meaning in PostgreSQL and JavaScript. */
  pattern: string
  /** The same without lookaround: matches more, at a tenth of the cost in PostgreSQL. */
  coarse_pattern: string
  /** Substrings of its Base64 encodings. */
  encoded: readonly string[]
  /** Whether the text contains the number, or is it. */
  isIn(text: string): boolean
  is(text: string): boolean
  /** The text with `pseudonym` in place of the number. */
  replaceIn(text: string, pseudonym: string): string
}

/** The separators that `cleanDigits` accepts, and a percent-encoded space. */
const BETWEEN =
  '(?:[ \\u00a0\\u061c\\u1680\\u2000-\\u200f\\u202a-\\u202f\\u205f-\\u2064\\u2066-\\u2069\\u3000\\ufeff\\u00ad\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d./()\\[\\]-]|%[02]0)*'
/** International dialling prefixes: `00` in most countries, `009` in Nigeria, `011` in North America, and others. */
const ABROAD = ['00', '000', '001', '0011', '009', '010', '011', '119', '810']
/** A shorter national number without prefix may as well be a date or an order number. */
const MIN_BARE_DIGITS = 9

export function spellingsOf(number: string): Spellings {
  const pattern = patternOf(number)
  const anywhere = new RegExp(pattern)
  const everywhere = new RegExp(pattern, 'g')
  const whole = new RegExp(`^[\\s+(]*${pattern}[\\s)]*$`)
  return {
    number,
    forms: formsOf(number),
    pattern,
    coarse_pattern: spaced(nationalOf(number)),
    encoded: base64Of(number),
    isIn: (text) => anywhere.test(text),
    is: (text) => whole.test(text),
    replaceIn: (text, pseudonym) => text.replace(everywhere, pseudonym),
  }
}

function patternOf(number: string): string {
  const zone = zoneOf(number)
  const code = zone?.calling_code ?? ''
  const national = nationalOf(number)
  const prefix = zone?.national_prefix ?? ''
  const zero = prefix === '' ? '' : `(?:${spaced(prefix)}${BETWEEN})?`
  // Begins with a sign or a digit, so that runs of spaces cause no backtracking.
  const abroad = `(?:(?:\\+|${ABROAD.map(spaced).join('|')})${BETWEEN})?${spaced(code)}${BETWEEN}${zero}`
  const ways = [abroad]
  if (prefix !== '') ways.push(`${spaced(prefix)}${BETWEEN}`)
  const alone = national.length >= MIN_BARE_DIGITS ? '?' : ''
  const before = '(?:(?<![0-9])|(?<=%[02]0)|(?<=%2[Bb]))'
  const written = `${before}(?:${ways.join('|')})${alone}${spaced(national)}(?![0-9])`
  return `(?:${[written, ...base64Of(number)].join('|')})`
}

function formsOf(number: string): string[] {
  const national = nationalOf(number)
  const prefix = zoneOf(number)?.national_prefix ?? ''
  const alone = national.length >= MIN_BARE_DIGITS ? [national] : []
  return [number, `+${number}`, ...ABROAD.map((abroad) => abroad + number), prefix + national, ...alone]
}

/** The part of its Base64 that does not depend on the context, for each of the three alignments. */
function base64Of(number: string): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.from('\0'.repeat(before) + number).toString('base64')
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + number.length) * 8) / 6))
  })
}

function nationalOf(number: string): string {
  return number.slice(zoneOf(number)?.calling_code.length ?? 0)
}

function spaced(digits: string): string {
  return digits.split('').map(inAnyScript).join(BETWEEN)
}

/** Also full-width, Arabic-Indic and Persian digits. */
function inAnyScript(digit: string): string {
  return `[${[0x30, 0xff10, 0x0660, 0x06f0].map((zero) => String.fromCodePoint(zero + Number(digit))).join('')}]`
}

/** JSON with the pseudonym in place of the number. Entries of a list that are addressed to the number are removed. */
export function withoutNumber(value: unknown, spelled: Spellings, pseudonym: string): unknown {
  if (typeof value === 'string') return spelled.replaceIn(value, pseudonym)
  if (typeof value === 'number') return spelled.is(String(value)) ? pseudonym : value
  if (Array.isArray(value)) {
    return value
      .filter((entry: unknown) => !isAbout(entry, spelled))
      .map((entry: unknown) => withoutNumber(entry, spelled, pseudonym))
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      spelled.replaceIn(name, pseudonym),
      withoutNumber(field, spelled, pseudonym),
    ]),
  )
}

/** The person's part of JSON: of every list only the entries that contain the number. */
export function ownPart(value: unknown, spelled: Spellings): unknown {
  if (Array.isArray(value)) {
    return value.filter((entry: unknown) => spelled.isIn(JSON.stringify(entry) ?? ''))
  }
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, ownPart(field, spelled)]))
}

/** Whether an event is about a message to or from the person. */
export function isAboutEvent(data: Record<string, unknown>, spelled: Spellings): boolean {
  return [data.recipient, data.from].some((number) => typeof number === 'string' && spelled.is(number))
}

function isAbout(entry: unknown, spelled: Spellings): boolean {
  return (
    isRecord(entry) && [entry.to, entry.recipient].some((number) => typeof number === 'string' && spelled.is(number))
  )
}

/** A text as it is compared: case-insensitive, in Unicode normalization form C. */
export function textKey(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

/** The key of a column's or smartlist's name: also without surrounding blanks. */
export function nameKey(name: string): string {
  return textKey(name.trim())
}

/** The first characters of a text, counted in code points as PostgreSQL does. */
export function firstCharacters(text: string, count: number): string {
  return text.length <= count ? text : Array.from(text).slice(0, count).join('')
}

const NUMBER = /^([+-]?)(\d{1,40})?(?:\.(\d{1,40}))?(?:e([+-]?\d{1,3}))?$/i
/** Added to the exponent so that it is never negative and has four digits. */
const EXPONENT_SHIFT = 5_000

/**
 * A key that sorts bytewise in numeric order, exact for any number of digits: sign, power of ten of the first digit,
 * digits. For a negative number each digit is complemented, and `~` sorts behind all digits. Undefined: not a number.
 */
export function numberKey(text: string): string | undefined {
  const match = NUMBER.exec(text)
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', power = '0'] = match
  if (whole === '' && fraction === '') return undefined
  const all = whole + fraction
  const digits = all.replace(/^0+/, '').replace(/0+$/, '')
  if (digits === '') return '1'
  const leading_zeros = all.length - all.replace(/^0+/, '').length
  const exponent = String(whole.length - leading_zeros + Number(power) + EXPONENT_SHIFT).padStart(4, '0')
  return sign === '-' ? `0${complement(exponent)}${complement(digits)}~` : `2${exponent}${digits}`
}

function complement(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)))
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/**
 * A date (`2026-01-31`) or a time (`2026-01-31T09:30:00+01:00`; UTC without an offset) as text that sorts by time. A date
 * is its midnight. Undefined: neither, or a day that does not exist.
 */
export function dateKey(text: string): string | undefined {
  const match = DATE.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset = 'Z'] = match
  const zone = offset.toUpperCase() === 'Z' ? 'Z' : `${offset.slice(0, 3)}:${offset.slice(-2)}`
  const date = `${year}-${month}-${day}`
  const known = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(known.getTime()) || known.toISOString().slice(0, 10) !== date) return undefined
  const time = new Date(`${date}T${hour}:${minute}:${second}${zone}`)
  if (Number.isNaN(time.getTime()) || Number(hour) > 23) return undefined
  const utc = time.toISOString()
  // The offset may lead out of the years 0000 to 9999, which sort as text.
  return /^\d{4}-/.test(utc) ? `${utc.slice(0, 19)}.${fraction.padEnd(9, '0')}` : undefined
}

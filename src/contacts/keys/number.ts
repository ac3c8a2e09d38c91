const NUMBER = /^([+-]?)(\d{1,40})?(?:\.(\d{1,40}))?(?:e([+-]?\d{1,3}))?$/i
/** Added to the exponent so that it is never negative; four digits hold it. */
const EXPONENT_SHIFT = 5_000

/**
 * A number as a text that sorts as numbers do, byte by byte, exact for any number of digits: the sign, the power of
 * ten of the first digit, the digits. Of negative numbers each digit is turned round, and the end sorts behind all
 * digits. Undefined when it is no number.
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
  return sign === '-' ? `0${turned(exponent)}${turned(digits)}~` : `2${exponent}${digits}`
}

function turned(digits: string): string {
  return digits.replace(/\d/g, (digit) => String(9 - Number(digit)))
}

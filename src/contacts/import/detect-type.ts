import { withAsciiDigits, type DialPlan } from '../../values/phone/phone.ts'
import { isFault, readCell } from '../cell.ts'
import type { ColumnType } from '../schema.ts'

/** The narrowest type all values of a new column have. A SELECT is not guessed: the next value would not fit. */
export function detectType(values: readonly string[], plan: DialPlan): ColumnType {
  const filled = values.filter((value) => value.trim() !== '')
  if (filled.length === 0) return 'TEXT'
  const all = (type: ColumnType): boolean =>
    filled.every((value) => {
      const cell = readCell(value, { id: '', number: 0, name: '', name_key: '', type, options: null }, plan)
      return cell !== null && !isFault(cell)
    })
  if (all('EMAIL')) return 'EMAIL'
  if (all('URL')) return 'URL'
  if (all('DATE')) return 'DATE'
  // Amounts look like phone numbers; a number that begins with 0 or + is none.
  if (all('PHONE NUMBER') && filled.every(looksDialled)) {
    return 'PHONE NUMBER'
  }
  return all('NUMBER') ? 'NUMBER' : 'TEXT'
}

function looksDialled(value: string): boolean {
  return /^\s*(?:tel:|\+|0\d|\d{11,})/i.test(withAsciiDigits(value))
}

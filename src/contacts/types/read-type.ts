import { isStorable } from '../../values/input/storable.ts'
import type { Fault } from '../../values/refusal.ts'
import { textKey } from '../keys.ts'
import { COLUMN_TYPES, MAX_OPTION_CHARACTERS, MAX_OPTIONS, type ColumnType } from '../schema.ts'
import { FORMATS, formatsOf, type Format } from './formats.ts'

/** The named type, in any case. Undefined: absent, or reported in `faults`. */
export function readType(given: unknown, field: string, faults: Fault[]): ColumnType | undefined {
  if (typeof given !== 'string') return undefined // absent, or a fault already
  const type = COLUMN_TYPES.find((one) => one === given.trim().toUpperCase().replaceAll('_', ' '))
  if (type === undefined) {
    faults.push({ field, message: `The type is one of ${COLUMN_TYPES.join(', ')}.`, type: 'enum' })
  }
  return type
}

/** A format of the type; without a type, any. Undefined: absent, or reported in `faults`. */
export function readFormat(
  given: unknown,
  type: ColumnType | undefined,
  field: string,
  faults: Fault[],
): Format | undefined {
  if (typeof given !== 'string' || given === '') return undefined
  const allowed = type === undefined ? FORMATS : formatsOf(type)
  const format = allowed.find((one) => one === given.trim().toUpperCase())
  if (format) return format
  const message =
    allowed.length === 0 ? `A ${type} column has no format.` : `The format is one of ${allowed.join(', ')}.`
  faults.push({ field, message, type: allowed.length === 0 ? 'invalid' : 'enum' })
  return undefined
}

/** The options of a SELECT or MULTI SELECT column. */
export function readOptions(given: unknown, faults: Fault[]): string[] {
  if (!Array.isArray(given)) return []
  const options: string[] = []
  const keys = new Set<string>()
  for (const [n, one] of (given as unknown[]).entries()) {
    if (typeof one !== 'string') continue // reported by the shape check
    const option = one.trim()
    const field = `options[${n}]`
    if (option === '' && one !== '') {
      faults.push({ field, message: 'An option is not blank.', type: 'string_too_short' })
    } else if (/[,\n\r]/.test(option) || !isStorable(option)) {
      faults.push({ field, message: 'An option holds no comma and no line break.', type: 'invalid' })
    } else if (keys.has(textKey(option))) {
      faults.push({ field, message: 'This option is given twice.', type: 'invalid' })
    }
    keys.add(textKey(option))
    options.push(option)
  }
  return options
}

/** The different values of cells, as options. Undefined: there are too many. A value that can be no option is left out. */
export function optionsOf(type: ColumnType, values: readonly string[]): string[] | undefined {
  const options = new Map<string, string>()
  for (const value of type === 'MULTI SELECT' ? values.flatMap((one) => one.split(',')) : values) {
    const option = value.trim()
    if (option === '' || option.length > MAX_OPTION_CHARACTERS || /[,\n\r]/.test(option)) continue
    if (!options.has(textKey(option))) options.set(textKey(option), option)
    if (options.size > MAX_OPTIONS) return undefined
  }
  return [...options.values()]
}

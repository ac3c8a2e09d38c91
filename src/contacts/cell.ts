import { cleanDigits, type DialPlan } from '../values/phone/phone.ts'
import type { Fault, FaultType } from '../values/refusal.ts'
import { dateKey, numberKey, textKey } from './keys.ts'
import { isStorable } from '../values/input/storable.ts'
import { MAX_CELL_CHARACTERS } from './schema.ts'
import type { ColumnRow } from './table-store.ts'
import { plainText, type Format } from './types/formats.ts'
import { findColumn, type OpenTable } from './table.ts'

/** A stored cell: the value as displayed, and the key by which it is found and sorted. */
export type Cell = { value: string; key: string }

export type CellFault = { message: string; type: FaultType }

/** Separates and surrounds the choices in the key of a MULTI SELECT cell. No option contains it. */
export const CHOICE_BREAK = '\n'

/** Checks a value for a column. `null` is an empty cell. */
export function readCell(given: unknown, column: Typed, plan: DialPlan): Cell | CellFault | null {
  const text = cellText(given, column)
  if (typeof text !== 'string') return text
  if (text === '') return null
  if (text.length > MAX_CELL_CHARACTERS) {
    return { message: `A cell has at most ${MAX_CELL_CHARACTERS} characters.`, type: 'string_too_long' }
  }
  if (!isStorable(text)) return { message: 'This value holds a character that cannot be stored.', type: 'invalid' }
  return READERS[column.type](text, column, plan)
}

/** What decides how a cell is read. */
export type Typed = Pick<ColumnRow, 'type' | 'options'>

/** The cell that a value becomes in a column of another type. */
export function convertCell(
  value: string,
  to: Typed & { format: Format | null },
  plan: DialPlan,
): Cell | CellFault | null {
  return readCell(plainText(value, to.type, to.format ?? undefined), to, plan)
}

/** Cells by column number; `null` clears a cell. */
export type Cells = Map<number, Cell | null>

/** Adds the cell of a column, and its twin in the other type while the column is converted. */
export function putCell(cells: Cells, column: ColumnRow, cell: Cell | null, plan: DialPlan): CellFault | undefined {
  cells.set(column.number, cell)
  const { twin } = column
  if (!twin) return undefined
  const other = cell && convertCell(cell.value, twin, plan)
  cells.set(twin.number, isFault(other) ? null : other)
  if (!isFault(other) || !twin.strict) return undefined
  return { message: `The column is being converted to ${twin.type}: ${other.message}`, type: other.type }
}

/** Reads cells given by column id or name. Faults are reported under `place`, such as `columns.Email`. */
export function readCells(table: OpenTable, given: unknown, place: string, faults: Fault[]): Cells {
  const cells: Cells = new Map()
  if (typeof given !== 'object' || given === null) return cells // reported by the shape check
  for (const [key, value] of Object.entries(given)) {
    const field = `${place}.${key}`
    const column = findColumn(table, key)
    if (!column) {
      faults.push({ field, message: 'There is no such column.', type: 'unknown_column' })
    } else if (cells.has(column.number)) {
      faults.push({ field, message: `The column ${column.name} is given twice.`, type: 'invalid' })
    } else {
      const cell = readCell(value, column, table.plan)
      const fault = isFault(cell) ? cell : putCell(cells, column, cell, table.plan)
      if (fault) faults.push({ field, ...fault })
      if (isFault(cell)) cells.set(column.number, null)
    }
  }
  return cells
}

export function isFault(outcome: Cell | CellFault | null): outcome is CellFault {
  return outcome !== null && 'message' in outcome
}

/** The keys by which a cell is indexed: one, or one for each choice. */
export function keysToFind(key: string): string[] {
  return key.startsWith(CHOICE_BREAK) ? key.split(CHOICE_BREAK).filter(Boolean) : [key]
}

function cellText(given: unknown, column: Typed): string | CellFault | null {
  if (given === null || given === undefined) return null
  if (column.type === 'MULTI SELECT' && Array.isArray(given)) {
    const texts: unknown[] = given
    if (texts.every((one) => typeof one === 'string')) return texts.join(',')
    return { message: 'The choices must be strings.', type: 'string_type' }
  }
  if (typeof given === 'number' || typeof given === 'boolean') return String(given)
  if (typeof given !== 'string') return { message: 'A cell must be a string.', type: 'string_type' }
  // Typed or pasted values often have surrounding blanks; only free text keeps them.
  return column.type === 'TEXT' || column.type === 'PHONE NUMBER' ? given : given.trim()
}

type Reader = (text: string, column: Typed, plan: DialPlan) => Cell | CellFault | null

const READERS: Record<ColumnRow['type'], Reader> = {
  TEXT: (text) => textCell(text),
  NUMBER: (text) => found(text, numberKey(text), { message: 'This is not a number.', type: 'number_type' }),
  DATE: (text) =>
    found(text, dateKey(text), {
      message: 'This is not a date such as 2026-01-31, or a time such as 2026-01-31T09:30:00+01:00.',
      type: 'date_invalid',
    }),
  'PHONE NUMBER': (text, _column, plan) =>
    text.trim() === ''
      ? null
      : found(text, cleanDigits(text, plan), { message: 'This is not a phone number.', type: 'phone_invalid' }),
  EMAIL: (text) =>
    isEmail(text) ? textCell(text) : { message: 'This is not an email address.', type: 'email_invalid' },
  URL: (text) => (isUrl(text) ? textCell(text) : { message: 'This is not a web address.', type: 'url_parsing' }),
  SELECT: (text, column) => {
    const option = findOption(column, text)
    return option === undefined ? notAnOption(text, column) : textCell(option)
  },
  'MULTI SELECT': (text, column) => choicesCell(text, column),
}

function textCell(text: string): Cell {
  return { value: text, key: textKey(text) }
}

function found(value: string, key: string | undefined, fault: CellFault): Cell | CellFault {
  return key === undefined ? fault : { value, key }
}

// One @, no blanks, and a dot behind it: stricter rules reject addresses that work.
const EMAIL = /^[^\s@,;<>()[\]\\"]+@[^\s@,;<>()[\]\\".]+(\.[^\s@,;<>()[\]\\".]+)+$/u
const LONGEST_EMAIL = 254

function isEmail(text: string): boolean {
  return text.length <= LONGEST_EMAIL && EMAIL.test(text)
}

function isUrl(text: string): boolean {
  return /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text)
}

function findOption({ options }: Typed, text: string): string | undefined {
  const key = textKey(text)
  return options?.find((option) => textKey(option) === key)
}

/** The choices in the order of the options, each once, so that equal choices have equal keys. */
function choicesCell(text: string, column: Typed): Cell | CellFault | null {
  const wanted = text.split(',').map((one) => one.trim())
  const chosen = new Set<string>()
  for (const one of wanted.filter(Boolean)) {
    const option = findOption(column, one)
    if (option === undefined) return notAnOption(one, column)
    chosen.add(option)
  }
  if (chosen.size === 0) return null
  const choices = (column.options ?? []).filter((option) => chosen.has(option))
  return { value: choices.join(', '), key: choicesKey(choices) }
}

export function choicesKey(choices: readonly string[]): string {
  return CHOICE_BREAK + choices.map((choice) => textKey(choice) + CHOICE_BREAK).join('')
}

function notAnOption(text: string, { options }: Typed): CellFault {
  const some = (options ?? []).slice(0, 10).join(', ')
  return { message: `"${text.slice(0, 100)}" is not an option of this column (${some}).`, type: 'enum' }
}

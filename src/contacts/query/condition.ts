import { likeEscaped } from '../../values/input/like.ts'
import { cleanDigits, withAsciiDigits, type DialPlan } from '../../values/phone/phone.ts'
import { CHOICE_BREAK, choicesKey, type CellFault } from '../cell.ts'
import { dateKey, numberKey, textKey } from '../keys.ts'
import type { ColumnRow } from '../table-store.ts'
import type { Operator, SavedFilter } from './schema.ts'

/** A test of a cell's key. The fourteen operators reduce to these and their negations. */
export type Test =
  | { kind: 'equal'; keys: string[] }
  /** A choice of a MULTI SELECT cell is one of these. */
  | { kind: 'choice'; keys: string[] }
  /** LIKE patterns, one of which must match. */
  | { kind: 'like'; patterns: string[] }
  | { kind: 'above'; key: string }
  | { kind: 'below'; key: string }
  | { kind: 'present' }

export type ColumnCondition = { number: number; test: Test; negated: boolean }

/** A condition on a row: on one column, or any of several. */
export type Condition = ColumnCondition | { any: readonly ColumnCondition[] }

const NEGATED: readonly Operator[] = ['not_equal', 'not_contain', 'is_none_of', 'empty']

/** The condition of a filter, or the fault of its value. */
export function makeCondition(
  column: ColumnRow,
  { operator, value }: Pick<SavedFilter, 'operator' | 'value'>,
  plan: DialPlan,
): ColumnCondition | CellFault {
  const test = makeTest(column, operator, value, plan)
  if ('message' in test) return test
  return { number: column.number, test, negated: NEGATED.includes(operator) }
}

function makeTest(
  column: ColumnRow,
  operator: Operator,
  value: string | string[] | undefined,
  plan: DialPlan,
): Test | CellFault {
  const texts = value === undefined ? [] : Array.isArray(value) ? value : [value]
  switch (operator) {
    case 'empty':
    case 'not_empty':
      return { kind: 'present' }
    case 'equal':
    case 'not_equal':
      if (column.type === 'MULTI SELECT') return { kind: 'equal', keys: [choicesOf(column, texts[0] ?? '')] }
      return equalTo(column, texts, plan)
    case 'is_any':
    case 'is_none_of':
      if (column.type === 'MULTI SELECT') return { kind: 'choice', keys: texts.map((text) => textKey(text.trim())) }
      return equalTo(column, texts, plan)
    case 'contain':
    case 'not_contain':
    case 'start_with':
    case 'end_with':
      return { kind: 'like', patterns: patternsOf(column, operator, texts[0] ?? '', plan) }
    case 'greater':
    case 'after':
      return ranged('above', column, texts[0] ?? '', plan)
    case 'less':
    case 'before':
      return ranged('below', column, texts[0] ?? '', plan)
  }
}

function equalTo(column: ColumnRow, texts: readonly string[], plan: DialPlan): Test | CellFault {
  const keys: string[] = []
  for (const text of texts) {
    const key = keyOf(column, text, plan)
    if (typeof key !== 'string') return key
    keys.push(key)
  }
  return { kind: 'equal', keys }
}

function ranged(kind: 'above' | 'below', column: ColumnRow, text: string, plan: DialPlan): Test | CellFault {
  const key = keyOf(column, text, plan)
  return typeof key === 'string' ? { kind, key } : key
}

/** The key of a text, as the cells of the column have it. */
function keyOf(column: ColumnRow, text: string, plan: DialPlan): string | CellFault {
  switch (column.type) {
    case 'NUMBER':
      return numberKey(text.trim()) ?? { message: 'This is not a number.', type: 'number_type' }
    case 'DATE':
      return dateKey(text.trim()) ?? { message: 'This is not a date such as 2026-01-31.', type: 'date_invalid' }
    case 'PHONE NUMBER':
      return cleanDigits(text, plan) ?? digitsOf(text)
    case 'EMAIL':
    case 'URL':
    case 'SELECT':
      return textKey(text.trim())
    case 'TEXT':
    case 'MULTI SELECT':
      return textKey(text)
  }
}

/** The choices in the order of the options, as in cells, followed by unknown ones, which match no cell. */
function choicesOf({ options }: ColumnRow, text: string): string {
  const wanted = new Set(text.split(',').map((one) => textKey(one.trim())))
  const known = (options ?? []).map(textKey).filter((option) => wanted.delete(option))
  return choicesKey([...known, ...[...wanted].filter(Boolean)])
}

type PartOperator = 'contain' | 'not_contain' | 'start_with' | 'end_with'

function patternsOf(column: ColumnRow, operator: PartOperator, text: string, plan: DialPlan): string[] {
  if (column.type === 'PHONE NUMBER') return phonePatterns(operator, text, plan)
  const part = likeEscaped(textKey(text))
  switch (operator) {
    case 'contain':
    case 'not_contain':
      return [`%${part}%`]
    case 'start_with':
      return [`${part}%`]
    case 'end_with':
      return [`%${part}`]
  }
}

/**
 * Keys of phone numbers are digits with the country code. A part written like the beginning of a national or
 * international number is also matched at the beginning, in that form.
 */
function phonePatterns(operator: PartOperator, text: string, plan: DialPlan): string[] {
  const digits = digitsOf(text)
  if (digits === '') return [] // matches nothing
  const beginning = nationalBeginning(text, digits, plan)
  switch (operator) {
    case 'contain':
    case 'not_contain':
      return beginning === undefined ? [`%${digits}%`] : [`%${digits}%`, `${beginning}%`]
    case 'start_with':
      return [`${beginning ?? digits}%`]
    case 'end_with': {
      const whole = cleanDigits(text, plan)
      return whole === undefined || whole === digits ? [`%${digits}`] : [`%${digits}`, whole]
    }
  }
}

/** `0803` in Nigeria is `234803`, `00234` is `234`; undefined for other digits. */
function nationalBeginning(text: string, digits: string, plan: DialPlan): string | undefined {
  if (text.trim().startsWith('+')) return undefined
  if (digits.startsWith('00')) return digits.slice(2) || undefined
  if (plan.national_prefix === '' || !digits.startsWith(plan.national_prefix)) return undefined
  // Only a leading zero is certainly not part of the number itself.
  return plan.national_prefix.startsWith('0')
    ? plan.calling_code + digits.slice(plan.national_prefix.length)
    : undefined
}

function digitsOf(text: string): string {
  return withAsciiDigits(text).replace(/\D/g, '')
}

/** The pattern that finds a choice in the key of a MULTI SELECT cell. */
export function choicePattern(key: string): string {
  return `%${CHOICE_BREAK}${likeEscaped(key)}${CHOICE_BREAK}%`
}

import type { Fault } from '../../values/refusal.ts'
import { isStorable } from '../../values/input/storable.ts'
import { dateKey, numberKey } from '../keys.ts'
import type { ColumnRow } from '../table-store.ts'
import type { OpenTable } from '../table.ts'
import { makeCondition, type ColumnCondition, type Condition } from './condition.ts'
import { MAX_SEARCH_CHARACTERS, type Operator } from './schema.ts'

const MAX_WORDS = 8
/** The trigram index finds runs of three; a shorter word would need a scan of every row. */
const INDEXED_CHARACTERS = 3
/** Written like a phone number: its blanks do not separate words. */
const PHONE = /^[+(]?[\d\s().\-/]*$/
const MOST_BLANKS = /\s+/
/** A year, a month or a day. */
const DATE_BEGINNING = /^\d{4}(-\d\d?){0,2}$/

/** The full-text search: for every word a group of conditions, one for each column it may occur in. */
export function readWords(
  table: OpenTable,
  given: unknown,
  faults: Fault[],
): { words: string; conditions: Condition[] } {
  const words = typeof given === 'string' && given.length <= MAX_SEARCH_CHARACTERS ? given.trim() : ''
  const nothing = { words: '', conditions: [] }
  if (words === '') return nothing
  if (!isStorable(words)) {
    faults.push({ field: 'search', message: 'This holds a character no cell can hold.', type: 'invalid' })
    return nothing
  }
  const terms = PHONE.test(words) && /\d{3}/.test(words) ? [words] : [...new Set(words.split(MOST_BLANKS))]
  if (terms.length > MAX_WORDS) {
    faults.push({ field: 'search', message: `At most ${MAX_WORDS} words.`, type: 'less_than_equal' })
    return nothing
  }
  const conditions = terms.map((term) => ({
    any: table.columns.flatMap((column) => conditionOn(table, column, term) ?? []),
  }))
  return { words, conditions }
}

/** The condition of a word on a column; undefined if no cell of it can match. */
function conditionOn(table: OpenTable, column: ColumnRow, term: string): ColumnCondition | undefined {
  const ask = (operator: Operator, value = term): ColumnCondition | undefined => {
    const condition = makeCondition(column, { operator, value }, table.plan)
    return 'message' in condition ? undefined : condition
  }
  switch (column.type) {
    case 'TEXT':
    case 'EMAIL':
    case 'URL':
    case 'SELECT':
      return ask(isShort(term) ? 'start_with' : 'contain')
    case 'MULTI SELECT':
      return ask(isShort(term) ? 'is_any' : 'contain')
    case 'PHONE NUMBER':
      return PHONE.test(term) && /\d/.test(term)
        ? ask(isShort(term.replace(/\D/g, '')) ? 'start_with' : 'contain')
        : undefined
    case 'NUMBER':
      return numberKey(term) === undefined ? undefined : ask('equal')
    case 'DATE':
      return dateCondition(column, term)
  }
}

function isShort(term: string): boolean {
  return Array.from(term).length < INDEXED_CHARACTERS
}

function dateCondition({ number }: ColumnRow, term: string): ColumnCondition | undefined {
  if (!DATE_BEGINNING.test(term) && dateKey(term) === undefined) return undefined
  const beginning = dateKey(term) === undefined ? term : term.slice(0, 10)
  return { number, test: { kind: 'like', patterns: [`${beginning}%`] }, negated: false }
}

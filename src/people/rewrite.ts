import type { Tx } from '../db/connect.ts'
import { newId } from '../values/id.ts'
import { withoutNumber, type Spellings } from './spellings.ts'
import type { PersonTable } from './person-table.ts'
import { removeRow, rewriteRow, type Row } from './walk-store.ts'

/** What a step of an erasure works with. */
export type Step = { tx: Tx; organisation_id: string; spelled: Spellings; pseudonym: string }

/** `later`: somebody has it in hand, and will write it again. `untouched`: it was not meant after all. */
export type Outcome = 'done' | 'later' | 'untouched'

/** What a row loses by default: the number, the texts of who it is about, or all of it. */
export async function eraseRow(step: Step, table: PersonTable, row: Row): Promise<Outcome> {
  const { tx, organisation_id } = step
  const is_about = isAbout(step, table, row)
  const goes = table.then === 'remove' && (is_about || table.numbers === undefined)
  const done = goes
    ? await removeRow(tx, table, organisation_id, row)
    : await rewriteRow(tx, table, organisation_id, row, {
        ...scrubbed(step, table, row),
        ...(is_about ? blanks(step, table) : {}),
      })
  return done ? 'done' : 'untouched'
}

export function isAbout({ spelled }: Step, { numbers = [] }: PersonTable, row: Row): boolean {
  return numbers.some((column) => spelled.is(String(row[column])))
}

/** The columns that name the number, without it. */
export function scrubbed({ spelled, pseudonym }: Step, table: PersonTable, row: Row): Row {
  const { numbers = [], mentions = {}, unique = [], longest = {} } = table
  const changes: Row = {}
  for (const column of numbers) if (spelled.is(String(row[column]))) changes[column] = pseudonym
  const unlike_others = `${pseudonym} ${newId()}`
  for (const column of Object.keys(mentions)) {
    const value = row[column]
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? null)
    if (!spelled.isIn(text)) continue
    const without = unique.includes(column) ? unlike_others : withoutNumber(value, spelled, pseudonym)
    const is_too_long = typeof without === 'string' && Array.from(without).length > (longest[column] ?? Infinity)
    changes[column] = is_too_long ? pseudonym : without
  }
  return changes
}

function blanks({ pseudonym }: Step, { emptied = {}, numbers = [] }: PersonTable): Row {
  return { ...emptied, ...(numbers[0] === undefined ? {} : { [numbers[0]]: pseudonym }) }
}

import type { Tx } from '../db/connect.ts'
import { newId } from '../values/id.ts'
import { withoutNumber, type Spellings } from './spellings.ts'
import type { PersonTable } from './person-table.ts'
import { removeRow, rewriteRow, type Row } from './table-scan-store.ts'

/** The context of one step of an erasure. */
export type Step = { tx: Tx; organisation_id: string; spelled: Spellings; pseudonym: string }

/** `later`: the row is in use and will be written again. `untouched`: it no longer matches. */
export type Outcome = 'done' | 'later' | 'untouched'

/** The default rule: deletes the row, or removes the number and the texts of the person from it. */
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

/** The columns that contain the number, with the pseudonym in its place. */
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

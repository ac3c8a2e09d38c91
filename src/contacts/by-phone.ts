import type { Db } from '../db/connect.ts'
import { findByPhone } from './by-phone-store.ts'
import { findRows } from './query/find.ts'
import { readSearch } from './query/search.ts'
import { listColumns, type ColumnRow } from './table-store.ts'
import { openTable, type Owner } from './table.ts'

/**
 * Names the contacts with these numbers, each by its first cell that is not a number. If several contacts have a number,
 * the first column with it counts, then the oldest contact.
 */
export async function findContactsByPhone(
  { db }: { db: Db },
  { organisation_id }: Owner,
  phones: readonly string[],
): Promise<ReadonlyMap<string, { id: string; name: string }>> {
  const columns = await listColumns(db, organisation_id)
  const numbers = phoneColumns(columns)
  const found = numbers.length === 0 ? [] : await findByPhone(db, organisation_id, phones, numbers)
  const names = new Map<string, { id: string; name: string }>()
  for (const number of numbers) {
    for (const { phone, id, cells, ...row } of found) {
      if (row.number !== number || names.has(phone)) continue
      const cell = columns.find((column) => column.type !== 'PHONE NUMBER' && cells[column.number])
      names.set(phone, { id, name: (cell && cells[cell.number]) ?? phone })
    }
  }
  return names
}

/** Numbers of the newest contacts that contain these words. */
export async function searchPhones(deps: { db: Db }, owner: Owner, words: string, limit: number): Promise<string[]> {
  const columns = await listColumns(deps.db, owner.organisation_id)
  if (phoneColumns(columns).length === 0) return []
  const { search } = await readSearch(deps, await openTable(deps, owner), { search: words }, [])
  if (search.conditions.length === 0) return []
  const rows = await findRows(deps.db, search, { after: undefined, skip: 0, limit })
  return rows.flatMap(({ keys }) => phoneColumns(columns).flatMap((number) => keys[number] ?? []))
}

function phoneColumns(columns: readonly ColumnRow[]): number[] {
  return columns.filter(({ type }) => type === 'PHONE NUMBER').map(({ number }) => number)
}

import type { Db } from '../../db/connect.ts'
import { isId } from '../../values/id.ts'
import { pickPresent } from '../../values/record.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { findColumn, type OpenTable } from '../table.ts'
import { findSmartlist, type SmartlistRow } from '../smartlist-store.ts'
import { readFilters, requireConditions } from './filters.ts'
import type { SavedFilter, Smartlist } from './schema.ts'
import type { SavedQuery } from './scroll.ts'
import type { Search, Sort } from './statement-store.ts'
import { readWords } from './words.ts'

/** A checked query of rows. */
export type ReadSearch = { search: Search; saved: SavedQuery; smartlist: Smartlist | null }

type Given = { filters?: unknown; smartlist_id?: unknown; search?: unknown; sort?: unknown }

/** Checks and combines filters, smartlist, search and sort of a request, or of a stored query. */
export async function readSearch(
  deps: { db: Db },
  table: OpenTable,
  given: Given,
  shape_faults: readonly Fault[],
): Promise<ReadSearch> {
  const faults = [...shape_faults]
  const { saved: filters, conditions } = readFilters(table, given.filters, faults)
  const { words, conditions: searched } = readWords(table, given.search, faults)
  const sort = readSort(table, given.sort, faults)
  const smartlist = await readSmartlist(deps, table, given.smartlist_id, faults)
  refuseIfFaulty(faults)
  const listed = requireConditions(
    table,
    smartlist?.filters ?? [],
    'A filter of the smartlist no longer fits its column: change the smartlist.',
  )
  return {
    search: { organisation_id: table.organisation_id, conditions: [...listed, ...conditions, ...searched], sort },
    saved: {
      filters,
      ...(smartlist ? { smartlist_id: smartlist.id } : {}),
      ...(words === '' ? {} : { search: words }),
      ...(typeof given.sort === 'string' && sort ? { sort: given.sort } : {}),
    },
    smartlist,
  }
}

/** An unknown smartlist alone is a 404; together with other faults it is one of them. */
async function readSmartlist(
  deps: { db: Db },
  table: OpenTable,
  id: unknown,
  faults: Fault[],
): Promise<Smartlist | null> {
  if (typeof id !== 'string' || id === '' || faults.some(({ field }) => field === 'smartlist_id')) return null
  const row = isId(id) ? await findSmartlist(deps.db, table.organisation_id, id) : undefined
  if (row) return shownSmartlist(table, row)
  const unknown = unknownSmartlist()
  if (faults.length === 0) throw unknown
  faults.push(...unknown.faults)
  return null
}

function readSort(table: OpenTable, given: unknown, faults: Fault[]): Sort | undefined {
  if (typeof given !== 'string' || given.trim() === '') return undefined
  const descending = given.trimStart().startsWith('-')
  const name = descending ? given.trimStart().slice(1) : given
  // A column's name may begin with a dash itself.
  const column = findColumn(table, name) ?? findColumn(table, given)
  if (!column) {
    faults.push({ field: 'sort', message: 'There is no such column.', type: 'unknown_column' })
    return undefined
  }
  if (column.type === 'MULTI SELECT') {
    faults.push({ field: 'sort', message: 'Several choices have no order.', type: 'invalid' })
    return undefined
  }
  return { number: column.number, descending: descending && findColumn(table, name) !== undefined }
}

export function unknownSmartlist(): Refusal {
  const message = 'There is no such smartlist.'
  return new Refusal('not_found', message, [{ field: 'smartlist_id', message, type: 'not_found' }])
}

/** A smartlist as the API returns it, with the present names of its columns. */
export function shownSmartlist(table: OpenTable, row: SmartlistRow): Smartlist {
  const name_of = new Map(table.columns.map(({ id, name }) => [id, name]))
  const named = (filter: SavedFilter): SavedFilter => {
    return { ...filter, name: name_of.get(filter.column_id) ?? filter.name }
  }
  return {
    ...pickPresent(row, 'id', 'name'),
    filters: row.filters.map((filter) => ('any' in filter ? { any: filter.any.map(named) } : named(filter))),
    ...pickPresent(row, 'created_datetime', 'updated_datetime'),
  }
}

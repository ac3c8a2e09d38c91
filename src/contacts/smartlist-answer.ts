import { present } from '../values/record.ts'
import type { SavedFilter, Smartlist } from './query/schema.ts'
import type { SmartlistRow } from './smartlist-store.ts'
import type { OpenTable } from './table.ts'

/** With the names the columns have today. */
export function shownSmartlist(table: OpenTable, row: SmartlistRow): Smartlist {
  const name_of = new Map(table.columns.map(({ id, name }) => [id, name]))
  const named = (filter: SavedFilter): SavedFilter => {
    return { ...filter, name: name_of.get(filter.column_id) ?? filter.name }
  }
  return {
    id: row.id,
    name: row.name,
    filters: row.filters.map((filter) => ('any' in filter ? { any: filter.any.map(named) } : named(filter))),
    created_datetime: row.created_datetime,
    ...present('updated_datetime', row.updated_datetime),
  }
}

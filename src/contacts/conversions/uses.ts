import type { Db, Tx } from '../../db/connect.ts'
import type { Fault } from '../../values/refusal.ts'
import type { Typed } from '../cell.ts'
import { readFilters } from '../query/filters.ts'
import type { SavedFilters } from '../query/schema.ts'
import { smartlistsUsing } from '../smartlist-store.ts'
import type { ColumnRow } from '../table-store.ts'
import type { OpenTable } from '../table.ts'

/** Something that filters by a column, or sends to the numbers in it. */
export type Use = { name: string; filters: SavedFilters; sends_to_it: boolean }

/** The campaigns that are not over and use a column; passed by the layer above. */
export type CampaignsUsing = (
  sql: Db | Tx,
  organisation_id: string,
  column: Pick<ColumnRow, 'id' | 'first_number'>,
) => Promise<Use[]>

/** Names each smartlist and campaign that a column of another type would break. */
export async function findMisfits(
  sql: Db | Tx,
  table: OpenTable,
  column: ColumnRow,
  to: Typed,
  campaignsUsing: CampaignsUsing,
): Promise<Fault[]> {
  const { organisation_id } = table
  const retyped = withColumn(table, { ...column, type: to.type, options: to.options })
  const lists = await smartlistsUsing(sql, organisation_id, column.id)
  const campaigns = await campaignsUsing(sql, organisation_id, column)
  const breaks = (filters: SavedFilters): boolean => {
    const faults: Fault[] = []
    readFilters(retyped, filters, faults)
    return faults.length > 0
  }
  const fault = (user: string, how: string): Fault => {
    const message = `The ${user} ${how}: change or delete it first.`
    return { field: 'type', message, type: 'invalid' }
  }
  const filters_so = `filters by this column in a way that a ${to.type} column cannot`
  return [
    ...lists.filter(({ filters }) => breaks(filters)).map(({ name }) => fault(`smartlist ${name}`, filters_so)),
    ...campaigns.flatMap(({ name, filters, sends_to_it }) => {
      if (sends_to_it && to.type !== 'PHONE NUMBER') {
        return [fault(`campaign ${name}`, 'sends to the numbers in this column')]
      }
      return breaks(filters) ? [fault(`campaign ${name}`, filters_so)] : []
    }),
  ]
}

function withColumn(table: OpenTable, column: ColumnRow): OpenTable {
  const columns = table.columns.map((one) => (one.id === column.id ? column : one))
  const column_of = new Map(table.column_of)
  for (const [key, { id }] of column_of) if (id === column.id) column_of.set(key, column)
  return { ...table, columns, column_of }
}

import type { Db } from '../db/connect.ts'
import type { ByNumber } from './rows/row-store.ts'

/** The oldest contact with each number in each of the given columns. */
export async function findByPhone(
  db: Db,
  organisation_id: string,
  phones: readonly string[],
  columns: readonly number[],
): Promise<{ phone: string; number: number; id: string; cells: ByNumber }[]> {
  return db<{ phone: string; number: number; id: string; cells: ByNumber }[]>`
    select asked.phone, asked.number, contact.id, contact.cells
    from (
      select phone, number
      from unnest(${phones}::text[]) phone cross join unnest(${columns}::smallint[]) number
    ) asked
    cross join lateral (
      select row_id from contact_cells cell
      where cell.organisation_id = ${organisation_id} and cell.number = asked.number
        and left(cell.key, 200) = asked.phone
      order by row_id limit 1
    ) found
    join contact_rows contact on contact.organisation_id = ${organisation_id} and contact.id = found.row_id`
}

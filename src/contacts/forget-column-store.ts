import type { Db } from '../db/connect.ts'

/** Clears up to `limit` cells of a deleted column; returns how many it cleared. */
export async function forgetCells(db: Db, organisation_id: string, number: number, limit: number): Promise<number> {
  const [row] = await db<{ cleared: number }[]>`
    with part as (
      select row_id, left(key, 200) as key from contact_cells
      where organisation_id = ${organisation_id} and number = ${number}
      order by left(key, 200), row_id limit ${limit}
    ),
    cleared as (
      update contact_rows set cells = cells - ${String(number)}::text, keys = keys - ${String(number)}::text
      where organisation_id = ${organisation_id} and id in (select row_id from part)
    ),
    gone as (
      delete from contact_cells using part
      where contact_cells.organisation_id = ${organisation_id} and contact_cells.number = ${number}
        and left(contact_cells.key, 200) = part.key and contact_cells.row_id = part.row_id
      returning 1
    )
    select count(*)::integer as cleared from gone`
  return row?.cleared ?? 0
}

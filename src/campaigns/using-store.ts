import type { Use } from '../contacts/conversions/uses.ts'
import type { Db, Tx } from '../db/connect.ts'

/** The campaigns that are not over and filter by a column of the contact list, or send to the numbers in it. */
export async function campaignsUsing(
  sql: Db | Tx,
  organisation_id: string,
  { id, first_number }: { id: string; first_number: number },
): Promise<Use[]> {
  return sql<Use[]>`
    select name, filters, coalesce(number = ${first_number}, false) as sends_to_it from campaigns
    where organisation_id = ${organisation_id} and status not in ('finished', 'canceled')
      and smartlist_id is not null
      and (number = ${first_number}
        or filters @> jsonb_build_array(jsonb_build_object('column_id', ${id}::text))
        or filters @> jsonb_build_array(jsonb_build_object('any',
          jsonb_build_array(jsonb_build_object('column_id', ${id}::text)))))
    order by id`
}

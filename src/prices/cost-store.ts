import type { Db, Tx } from '../db/connect.ts'
import type { Sql } from '../db/sql.ts'
import type { BilledOn } from '../carriers/costs.ts'

export type CostAssignmentRow = {
  carrier: string
  price_list_id: string
  name: string
  /** Of the list. */
  version: bigint
  billed_on: BilledOn
  use_answers: boolean
}

export async function listCostAssignments(db: Db): Promise<CostAssignmentRow[]> {
  return db<CostAssignmentRow[]>`
    select carrier, price_list_id, name, version, billed_on, use_answers
    from cost_assignments join price_lists on id = price_list_id
    order by carrier`
}

export async function listCarriersOf(sql: Sql, price_list_id: string): Promise<string[]> {
  const rows = await sql<{ carrier: string }[]>`
    select carrier from cost_assignments where price_list_id = ${price_list_id} order by carrier`
  return rows.map(({ carrier }) => carrier)
}

export type CostsOfCarrier = Pick<CostAssignmentRow, 'name' | 'billed_on' | 'use_answers'>

/** The assignment before, if there was one. */
export async function lockCostAssignment(tx: Tx, carrier: string): Promise<CostsOfCarrier | undefined> {
  const [row] = await tx<CostsOfCarrier[]>`
    select name, billed_on, use_answers
    from cost_assignments join price_lists on id = price_list_id
    where carrier = ${carrier} for update of cost_assignments`
  return row
}

export async function storeCostAssignment(
  tx: Tx,
  carrier: string,
  { price_list_id, billed_on, use_answers }: Pick<CostAssignmentRow, 'price_list_id' | 'billed_on' | 'use_answers'>,
): Promise<void> {
  await tx`
    insert into cost_assignments (carrier, price_list_id, billed_on, use_answers)
    values (${carrier}, ${price_list_id}, ${billed_on}, ${use_answers})
    on conflict (carrier) do update set price_list_id = excluded.price_list_id, billed_on = excluded.billed_on,
      use_answers = excluded.use_answers`
}

export async function deleteCostAssignment(tx: Tx, carrier: string): Promise<void> {
  await tx`delete from cost_assignments where carrier = ${carrier}`
}

import type { Db, Tx } from '../db/connect.ts'

export type PurchaseFault = {
  organisation_id: string
  purchase_id: string
  charged: bigint
  amount: bigint
  refunded: bigint
  owed: bigint
}

/** Purchases whose charge is not their amount, or whose refund is not what is owed for them; charges for nothing. */
export async function findPurchaseFaults(db: Db | Tx): Promise<PurchaseFault[]> {
  return db<PurchaseFault[]>`
    with line as (
      select organisation_id, subject_id as id,
        coalesce(-sum(amount) filter (where kind = 'airtime'), 0)::bigint as charged,
        coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint as refunded
      from ledger_lines where kind in ('airtime', 'refund')
      group by organisation_id, subject_id having bool_or(kind = 'airtime')
    )
    select organisation_id, id as purchase_id, coalesce(charged, 0) as charged, coalesce(amount, 0) as amount,
      coalesce(line.refunded, 0) as refunded, case when purchases.refunded then amount else 0 end as owed
    from purchases full join line using (organisation_id, id)
    where charged is distinct from amount
      or coalesce(line.refunded, 0) <> case when purchases.refunded then amount else 0 end`
}

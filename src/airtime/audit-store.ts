import type { Db, Tx } from '../db/connect.ts'
import { moneyToText } from '../values/money.ts'

type PurchaseFault = {
  organisation_id: string
  purchase_id: string
  charged: bigint
  amount: bigint
  refunded: bigint
  owed: bigint
}

/** Purchases whose charge differs from their amount with commission or whose refund from what is owed, and charges without a purchase. */
async function findPurchaseFaults(db: Db | Tx): Promise<PurchaseFault[]> {
  return db<PurchaseFault[]>`
    with line as (
      select organisation_id, subject_id as id,
        coalesce(-sum(amount) filter (where kind = 'airtime'), 0)::bigint as charged,
        coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint as refunded
      from ledger_lines where kind in ('airtime', 'refund')
      group by organisation_id, subject_id having bool_or(kind = 'airtime')
    )
    select organisation_id, id as purchase_id, coalesce(charged, 0) as charged, coalesce(amount, 0) as amount,
      coalesce(line.refunded, 0) as refunded, case when purchase.refunded then amount else 0 end as owed
    from (
      select organisation_id, id, amount + coalesce(commission, 0) as amount, refunded from purchases
    ) purchase
    full join line using (organisation_id, id)
    where charged is distinct from amount
      or coalesce(line.refunded, 0) <> case when purchase.refunded then amount else 0 end`
}

/** Compares charges and refunds for airtime with the purchases; returns a sentence per difference. */
export async function auditPurchases(db: Db | Tx): Promise<string[]> {
  const faults = await findPurchaseFaults(db)
  return faults.map(
    ({ organisation_id, purchase_id, charged, amount, refunded, owed }) =>
      `purchase ${purchase_id} of ${organisation_id}: charged ${moneyToText(charged)}, ` +
      `amount ${moneyToText(amount)}; refunded ${moneyToText(refunded)}, owed ${moneyToText(owed)}`,
  )
}

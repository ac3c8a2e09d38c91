import type { Db, Tx } from '../db/connect.ts'
import { moneyToText } from '../values/money.ts'
import { findPurchaseFaults } from './audit-store.ts'

/** Checks what was charged for airtime against the purchases and returns what is wrong, in sentences. */
export async function auditPurchases(db: Db | Tx): Promise<string[]> {
  const faults = await findPurchaseFaults(db)
  return faults.map(
    ({ organisation_id, purchase_id, charged, amount, refunded, owed }) =>
      `purchase ${purchase_id} of ${organisation_id}: charged ${moneyToText(charged)}, ` +
      `amount ${moneyToText(amount)}; refunded ${moneyToText(refunded)}, owed ${moneyToText(owed)}`,
  )
}

import { findImbalances } from '../../billing/store.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { moneyToText } from '../../values/money.ts'
import { findChargeFaults, findLineFaults } from './audit-store.ts'

/** Checks balances, ledger lines, charges and refunds against each other. Returns one sentence per discrepancy. */
export async function auditMoney(db: Db | Tx): Promise<string[]> {
  const imbalances = await findImbalances(db)
  const charges = await findChargeFaults(db)
  const lines = await findLineFaults(db)
  return [
    ...imbalances.map(
      ({ organisation_id, balance, sum_of_lines, lines: count, sequence }) =>
        `organisation ${organisation_id}: balance ${moneyToText(balance)}, sum of lines ${moneyToText(sum_of_lines)}; ` +
        `newest line ${sequence}, lines ${count}`,
    ),
    ...lines.map(
      ({ organisation_id, line, charged, messages }) =>
        `line ${line} of ${organisation_id}: charged ${moneyToText(charged)}, its messages cost ${moneyToText(messages)}`,
    ),
    ...charges.map(
      ({ organisation_id, message_id, charged, deliveries, refunded, owed }) =>
        `message ${message_id} of ${organisation_id}: charged ${moneyToText(charged)}, ` +
        `deliveries cost ${moneyToText(deliveries)}; refunded ${moneyToText(refunded)}, owed ${moneyToText(owed)}`,
    ),
  ]
}

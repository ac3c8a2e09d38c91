import type { Db, Tx } from '../db/connect.ts'

export async function setCreditLimit(tx: Tx, organisation_id: string, credit_limit: bigint): Promise<void> {
  await tx`
    update balances set credit_limit = ${String(credit_limit)}::bigint where organisation_id = ${organisation_id}`
}

/** Remembers the lowest charge that was refused, unless a top-up covers it meanwhile. */
export async function noteUncovered(db: Db, organisation_id: string, amount: bigint): Promise<void> {
  await db`
    update balances set uncovered = ${String(amount)}::bigint
    where organisation_id = ${organisation_id} and (uncovered is null or uncovered > ${String(amount)}::bigint)
      and balance + credit_limit < ${String(amount)}::bigint`
}

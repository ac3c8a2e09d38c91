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

/** Forgets refused charges that are covered again. */
export async function forgetCovered(db: Db): Promise<void> {
  await db`
    update balances set uncovered = null, exhausted_notified = false
    where uncovered is not null and balance + credit_limit >= uncovered`
}

export type Exhausted = { organisation_id: string; currency: string }

/** Organisations with refused charges that were not notified. On a cluster it queries every node. */
export async function findExhausted(db: Db, limit: number): Promise<Exhausted[]> {
  return db<Exhausted[]>`
    select organisation_id, currency from balances join organisations on organisations.id = organisation_id
    where uncovered is not null and not exhausted_notified limit ${limit}`
}

/** Marks it; undefined if the charge is covered again, or another process has marked it. */
export async function noteExhausted(
  tx: Tx,
  organisation_id: string,
): Promise<{ balance: bigint; credit_limit: bigint; charge: bigint; moment: string } | undefined> {
  const [noted] = await tx<{ balance: bigint; credit_limit: bigint; charge: bigint }[]>`
    update balances set exhausted_notified = true
    where organisation_id = ${organisation_id} and not exhausted_notified and balance + credit_limit < uncovered
    returning balance, credit_limit, uncovered as charge`
  if (!noted) return undefined
  const [clock] = await tx<{ moment: string }[]>`select now() as moment`
  return { ...noted, moment: clock?.moment ?? '' }
}

import type { Db, Tx } from '../db/connect.ts'

export type Due = {
  organisation_id: string
  currency: string
  low_balance: bigint | null
  /** The balance has crossed the threshold since the last event. */
  crossed: boolean
  /** If so: it is below it now; false: above it again. */
  low: boolean
  /** A charge was refused, and not notified. */
  exhausted: boolean
  /** The charge that was refused is covered again. */
  covered: boolean
}

/** Organisations with something to notify or to forget. On a cluster it queries every node. */
export async function findDue(db: Db, limit: number): Promise<Due[]> {
  return db<Due[]>`
    select organisation_id, currency, low_balance, not low_notified as low,
      low_notified <> coalesce(balance + credit_limit < low_balance, false) as crossed,
      uncovered is not null and not exhausted_notified and balance + credit_limit < uncovered as exhausted,
      coalesce(balance + credit_limit >= uncovered, false) as covered
    from balances join organisations on organisations.id = organisation_id
    where low_notified <> coalesce(balance + credit_limit < low_balance, false)
      or uncovered is not null and (not exhausted_notified or balance + credit_limit >= uncovered)
    limit ${limit}`
}

/** Marks the crossing; undefined if the balance has changed meanwhile, or another process has marked it. */
export async function noteCrossed(
  tx: Tx,
  { organisation_id, low_balance, low }: Due,
): Promise<{ balance: bigint; moment: string } | undefined> {
  const line = low_balance === null ? '0' : String(low_balance)
  const [noted] = await tx<{ balance: bigint }[]>`
    update balances set low_notified = ${low}
    where organisation_id = ${organisation_id} and low_notified <> ${low} and (balance + credit_limit < ${line}::bigint) = ${low}
    returning balance`
  if (!noted) return undefined
  const [clock] = await tx<{ moment: string }[]>`select now() as moment`
  return { balance: noted.balance, moment: clock?.moment ?? '' }
}

/** Forgets refused charges that are covered again. */
export async function forgetCovered(db: Db): Promise<void> {
  await db`
    update balances set uncovered = null, exhausted_notified = false
    where uncovered is not null and balance + credit_limit >= uncovered`
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

import type { Db, Tx } from '../db/connect.ts'

export type Crossed = {
  organisation_id: string
  low_balance: bigint | null
  currency: string
  /** Below the threshold now; false: above it again. */
  low: boolean
}

/** Organisations whose balance has crossed their threshold since the last event. On a cluster it queries every node. */
export async function findCrossed(db: Db, limit: number): Promise<Crossed[]> {
  return db<Crossed[]>`
    select organisation_id, low_balance, currency, not low_notified as low
    from balances join organisations on organisations.id = organisation_id
    where (low_balance is not null or low_notified)
      and low_notified <> (low_balance is not null and balance + credit_limit < low_balance)
    limit ${limit}`
}

/** Marks the crossing; undefined if the balance has changed meanwhile, or another process has marked it. */
export async function noteCrossed(
  tx: Tx,
  { organisation_id, low_balance, low }: Crossed,
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

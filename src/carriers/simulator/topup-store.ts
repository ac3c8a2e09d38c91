import type { Db } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { TopupOrder } from '../topup-carrier.ts'

export type SandboxTopup = { recipient: string; age_s: number }

/** Stores sales, and returns the references that were new: the others are sold already. */
export async function sellTopups(db: Db, orders: readonly TopupOrder[]): Promise<Set<string>> {
  const sold = await db<{ reference: string }[]>`
    insert into sandbox_topups (organisation_id, reference, recipient, network, amount)
    select organisation_id, reference, recipient, network, amount
    from ${rows(db, orders, 'topup', {
      organisation_id: 'uuid',
      reference: 'text',
      recipient: 'text',
      network: 'text',
      amount: 'bigint',
    })}
    on conflict (organisation_id, reference) do nothing
    returning reference`
  return new Set(sold.map(({ reference }) => reference))
}

export async function findTopup(db: Db, order: TopupOrder): Promise<SandboxTopup | undefined> {
  const [row] = await db<SandboxTopup[]>`
    select recipient, extract(epoch from now() - created_datetime)::float8 as age_s
    from sandbox_topups
    where organisation_id = ${order.organisation_id} and reference = ${order.reference}`
  return row
}

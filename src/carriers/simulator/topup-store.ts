import type { Db } from '../../db/connect.ts'
import type { TopupOrder } from '../topup-carrier.ts'

export type SandboxTopup = { recipient: string; age_s: number }

/** False when the vendor has met the reference before: then nothing is sold. */
export async function sellTopup(db: Db, order: TopupOrder): Promise<boolean> {
  const sold = await db`
    insert into sandbox_topups (organisation_id, reference, recipient, network, amount)
    values (${order.organisation_id}, ${order.reference}, ${order.recipient}, ${order.network},
      ${String(order.amount)}::bigint)
    on conflict (organisation_id, reference) do nothing`
  return sold.count === 1
}

export async function findTopup(db: Db, order: TopupOrder): Promise<SandboxTopup | undefined> {
  const [row] = await db<SandboxTopup[]>`
    select recipient, extract(epoch from now() - created_datetime)::float8 as age_s
    from sandbox_topups
    where organisation_id = ${order.organisation_id} and reference = ${order.reference}`
  return row
}

export async function forgetTopups(db: Db, older_than_days: number): Promise<number> {
  const gone = await db`
    delete from sandbox_topups where created_datetime < now() - ${older_than_days} * interval '1 day'`
  return gone.count
}

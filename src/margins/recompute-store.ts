import { connectionsOf } from '../db/layout.ts'
import type { Db, Tx } from '../db/connect.ts'

/** Sums of deliveries to numbers with the same leading digits. Money is in ten-thousandths. */
export type Summed = {
  carrier: string
  leading_digits: string
  deliveries: number
  pages: number
  revenue: number
  cost: number
  without_cost: number
  revenue_without_cost: number
}

type Range = { from: string; until: string }

/** The deliveries of the messages accepted between two moments, up to a number. */
export async function countDeliveries(
  db: Db,
  organisation_id: string,
  { from, until }: Range,
  most: number,
): Promise<number> {
  const [row] = await connectionsOf(db, organisation_id)<{ count: number }[]>`
    select count(*)::integer as count
    from (
      select from deliveries
      where organisation_id = ${organisation_id} and message_id >= first_id_at(${from}::timestamptz)
        and message_id < first_id_at(${until}::timestamptz)
      limit ${most}
    ) found`
  return row?.count ?? 0
}

/**
 * Of the messages accepted between two moments. Deliveries that ended before a carrier accepted them are left out. What a
 * delivery costs by now is that of `dueCost`.
 */
export async function sumDeliveries(
  db: Db,
  organisation_id: string,
  { from, until }: Range,
  digits: number,
): Promise<Summed[]> {
  return connectionsOf(db, organisation_id)<Summed[]>`
    select coalesce(carrier, '') as carrier, left(recipient, ${digits}::integer) as leading_digits,
      count(*)::float8 as deliveries, sum(pages)::float8 as pages,
      coalesce(sum(charge) filter (where not refunded), 0)::float8 as revenue,
      coalesce(sum(cost) filter (where cost_if_delivered is not true or status in ('sent', 'delivered')), 0)::float8 as cost,
      count(*) filter (where cost is null)::float8 as without_cost,
      coalesce(sum(charge) filter (where cost is null and not refunded), 0)::float8 as revenue_without_cost
    from deliveries
    where organisation_id = ${organisation_id} and message_id >= first_id_at(${from}::timestamptz)
      and message_id < first_id_at(${until}::timestamptz)
      and (sent_datetime is not null or status not in ('failed', 'rejected', 'canceled'))
    group by 1, 2`
}

const SWEEP = 'margins'

/** Whether a day (UTC) has begun for the first call, a few minutes ago; and that day. */
export async function beginDay(tx: Tx, delay_minutes: number): Promise<string | undefined> {
  const [row] = await tx<{ day: string }[]>`
    insert into sweeps (name, done_until)
    values (${SWEEP}, date_trunc('day', now() - ${delay_minutes} * interval '1 minute', 'UTC'))
    on conflict (name) do update set done_until = excluded.done_until where sweeps.done_until < excluded.done_until
    returning to_char(done_until at time zone 'utc', 'YYYY-MM-DD') as day`
  return row?.day
}

/** There are costs, or were on one of the days before. */
export async function hasMargins(tx: Tx, since: string): Promise<boolean> {
  const [row] = await tx<{ found: boolean }[]>`
    select exists (select 1 from cost_assignments) or exists (select 1 from margins where day >= ${since}::date) as found`
  return row?.found === true
}

export async function listOrganisations(tx: Tx): Promise<{ id: string }[]> {
  return tx<{ id: string }[]>`select id from organisations where mode = 'live'`
}

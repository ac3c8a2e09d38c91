import type { Db } from '../db/connect.ts'
import { rows } from '../db/rows.ts'
import type { Figures } from './figures.ts'

/** Adds to the current minute of each organisation, by the database's clock. Sorted, so that processes cannot deadlock. */
export async function addActivity(db: Db, counts: ReadonlyMap<string, Figures>): Promise<void> {
  const added = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([organisation_id, figures]) => ({ organisation_id, ...figures }))
  await db`
    insert into activity (organisation_id, minute, accepted, delivered, undelivered, expired, rejected, failed, unknown,
      otp_sent, otp_verified, spend, refunds)
    select organisation_id, date_trunc('minute', now()), accepted, delivered, undelivered, expired, rejected, failed,
      unknown, otp_sent, otp_verified, spend, refunds
    from ${rows(db, added, 'added', COLUMNS)}
    on conflict (organisation_id, minute) do update set
      accepted = activity.accepted + excluded.accepted,
      delivered = activity.delivered + excluded.delivered,
      undelivered = activity.undelivered + excluded.undelivered,
      expired = activity.expired + excluded.expired,
      rejected = activity.rejected + excluded.rejected,
      failed = activity.failed + excluded.failed,
      unknown = activity.unknown + excluded.unknown,
      otp_sent = activity.otp_sent + excluded.otp_sent,
      otp_verified = activity.otp_verified + excluded.otp_verified,
      spend = activity.spend + excluded.spend,
      refunds = activity.refunds + excluded.refunds`
}

const COLUMNS = {
  organisation_id: 'uuid',
  accepted: 'bigint',
  delivered: 'bigint',
  undelivered: 'bigint',
  expired: 'bigint',
  rejected: 'bigint',
  failed: 'bigint',
  unknown: 'bigint',
  otp_sent: 'bigint',
  otp_verified: 'bigint',
  spend: 'bigint',
  refunds: 'bigint',
} as const

export type Slot = { slot: number } & Figures

/** Sums per step of a period that ended `ago_s` ago, oldest first; empty steps are left out. */
export async function readActivity(
  db: Db,
  organisation_id: string,
  { past_s, step_s, ago_s = 0 }: { past_s: number; step_s: number; ago_s?: number },
): Promise<{ now_s: number; slots: Slot[] }> {
  const slots = await db<Slot[]>`
    select (floor(extract(epoch from minute) / ${step_s}::integer) * ${step_s}::integer)::float8 as slot,
      sum(accepted)::float8 as accepted, sum(delivered)::float8 as delivered,
      sum(undelivered)::float8 as undelivered, sum(expired)::float8 as expired,
      sum(rejected)::float8 as rejected, sum(failed)::float8 as failed, sum(unknown)::float8 as unknown,
      sum(otp_sent)::float8 as otp_sent, sum(otp_verified)::float8 as otp_verified,
      sum(spend)::float8 as spend, sum(refunds)::float8 as refunds
    from activity
    where organisation_id = ${organisation_id} and minute > now() - ${past_s + ago_s} * interval '1 s'
      and minute <= now() - ${ago_s} * interval '1 s'
    group by 1 order by 1`
  const [row] = await db<{ now_s: number }[]>`select extract(epoch from now())::float8 as now_s`
  return { now_s: row?.now_s ?? 0, slots }
}

/** Accepted deliveries per organisation in the last `past_s` seconds. */
export async function countAccepted(db: Db, ids: readonly string[], past_s: number): Promise<Map<string, number>> {
  const counted = await db<{ organisation_id: string; accepted: number }[]>`
    select organisation_id, sum(accepted)::float8 as accepted from activity
    where organisation_id = any (${ids}::uuid[]) and minute > now() - ${past_s} * interval '1 s'
    group by organisation_id`
  return new Map(counted.map(({ organisation_id, accepted }) => [organisation_id, accepted]))
}

/** Accepted deliveries in the current minute and in the one before. */
export async function readPace(
  db: Db,
  organisation_id: string,
): Promise<{ running: number; before: number; into_s: number }> {
  const [row] = await db<{ running: number; before: number; into_s: number }[]>`
    select
      coalesce(sum(accepted) filter (where minute = date_trunc('minute', now())), 0)::float8 as running,
      coalesce(sum(accepted) filter (where minute < date_trunc('minute', now())), 0)::float8 as before,
      extract(epoch from now() - date_trunc('minute', now()))::float8 as into_s
    from activity
    where organisation_id = ${organisation_id} and minute >= date_trunc('minute', now()) - interval '1 minute'`
  return row ?? { running: 0, before: 0, into_s: 0 }
}

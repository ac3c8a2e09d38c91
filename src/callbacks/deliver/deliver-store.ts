import { connectionsOf } from '../../db/layout.ts'
import { idArray, sparse } from '../../db/array.ts'
import type { Db } from '../../db/connect.ts'
import type { JobKey } from '../../queue/store.ts'
import type { WebhookFormat } from '../webhooks/schema.ts'
import type { CallbackStatus } from '../read/store.ts'

export type PendingCallback = {
  id: string
  type: string
  url: string
  body: string
  attempts: number
  age_s: number
  event_id: string
  /** What it is about: the id of the message, of those that speak of one. */
  subject_id: string
  /** The registered endpoint it is for; null: the callback of a request. */
  webhook_id: string | null
  /** What a registered endpoint's posts are signed with, as stored, newest first; null: the organisation's sign. */
  secrets: string[] | null
  /** How a registered endpoint is told; null: as the address of the callback says. */
  format: WebhookFormat | null
  /** The endpoint it is for has been disabled or deleted. */
  muted: boolean
}

/** A registered endpoint is called where it is now, not where it was when the event happened. */
export async function readPending(db: Db, organisation_id: string, ids: readonly string[]): Promise<PendingCallback[]> {
  const there = connectionsOf(db, organisation_id)
  return there<PendingCallback[]>`
    select callbacks.id, type, coalesce(webhooks.url, callbacks.url) as url, body, attempts,
      extract(epoch from now() - coalesce(first_try, now()))::float8 as age_s,
      coalesce(event_id, callbacks.id) as event_id, subject_id, webhook_id,
      case when webhooks.id is not null then
        array[secret] || case when old_secret_until > now() then array[old_secret] end
      end as secrets, webhooks.format,
      webhook_id is not null and (webhooks.id is null or not (enabled or type = 'webhook.test')) as muted
    from callbacks
    left join webhooks on webhooks.organisation_id = ${organisation_id} and webhooks.id = webhook_id
    left join lateral (
      select created_datetime as first_try from callback_attempts
      where organisation_id = ${organisation_id} and callback_id = callbacks.id
      order by attempt limit 1
    ) tried on true
    where callbacks.organisation_id = ${organisation_id} and callbacks.id = any (${ids}::uuid[])
      and status = 'pending'`
}

/** What came of a try. */
export type TriedCallback = {
  id: string
  webhook_id: string | null
  url: string
  status: CallbackStatus
  /** When to try again; null when it is over. */
  retry_ms: number | null
  status_code: number | null
  reason: string | null
  excerpt: string | null
  duration_ms: number
  /** Tries made before this one. */
  made: number
}

/** A try that is to be written down. */
export type TryToWrite = {
  tried: TriedCallback
  lane: string
  /** The job it was claimed by, if it was. */
  job_id: bigint | null
  /** The burst it was handed over with, if it was. */
  burst_id: bigint | null
  /** How long ago it was over, where that is worth a word. */
  waited_ms: number | null
  /** It may have been written before: then nothing is done. */
  again: boolean
}

export type DisabledWebhook = { id: string; disabled_reason: string }

/** Writes tries of one organisation down, and ends bursts that are over with them (`functions/callbacks.sql`). */
export async function recordTries(
  db: Db,
  organisation_id: string,
  tries: readonly TryToWrite[],
  bursts_over: readonly bigint[],
  disable_after_days: number,
): Promise<DisabledWebhook[]> {
  const there = connectionsOf(db, organisation_id)
  const told = tries.map(({ tried }) => tried)
  return there<DisabledWebhook[]>`
    select disabled as id, because as disabled_reason
    from record_tries(
      ${organisation_id},
      ${idArray(told.map(({ id }) => id))}::uuid[],
      ${sparse(tries.map(({ job_id }) => job_id))}::bigint[],
      ${sparse(tries.map(({ burst_id }) => burst_id))}::bigint[],
      ${sparse(tries.map(({ tried, lane }) => (tried.retry_ms === null ? null : lane)))}::uuid[],
      ${sparse(told.map(({ webhook_id }) => webhook_id))}::uuid[],
      ${told.map(({ url }) => url)}::text[],
      ${told.map(({ status }) => status)}::text[],
      ${sparse(tries.map(({ tried, again }) => (again || tried.retry_ms !== null ? tried.made : null)))}::smallint[],
      ${sparse(told.map(({ retry_ms }) => (retry_ms === null ? null : Math.round(retry_ms))))}::integer[],
      ${sparse(tries.map(({ waited_ms }) => waited_ms))}::integer[],
      ${sparse(told.map(({ status_code }) => status_code))}::integer[],
      ${sparse(told.map(({ reason }) => reason))}::text[],
      ${sparse(told.map(({ excerpt }) => excerpt))}::text[],
      ${idArray(told.map(({ duration_ms }) => duration_ms))}::integer[],
      ${idArray(bursts_over)}::bigint[],
      ${disable_after_days}
    )`
}

/** Ends callbacks of one organisation for endpoints that are not to be called. */
export async function stopMuted(
  db: Db,
  organisation_id: string,
  muted: readonly { id: string; job_id: bigint | null }[],
): Promise<void> {
  const there = connectionsOf(db, organisation_id)
  await there`
    with stopped as (
      update callbacks set status = 'stopped', updated_datetime = now()
      from unnest(${idArray(muted.map(({ id }) => id))}::uuid[]) as muted (id)
      where organisation_id = ${organisation_id} and callbacks.id = muted.id and status = 'pending'
    )
    delete from jobs
    where organisation_id = ${organisation_id}
      and id = any (${idArray(muted.flatMap(({ job_id }) => job_id ?? []))}::bigint[])`
}

/** Keeps bursts for another lease, and says which are still there. */
export async function keepBursts(db: Db, bursts: readonly JobKey[], lease_s: number): Promise<Set<bigint>> {
  const kept = await db<{ id: bigint }[]>`
    update jobs set leased_until = now() + ${lease_s} * interval '1 s'
    where organisation_id = any (${idArray(bursts.map(({ organisation_id }) => organisation_id))}::uuid[])
      and id = any (${idArray(bursts.map(({ id }) => id))}::bigint[])
    returning id`
  return new Set(kept.map(({ id }) => id))
}

/** Puts what is left of a burst in line, and says how many that are; none if somebody else has done so. */
export async function scatterBurst(db: Db, organisation_id: string, burst_id: bigint): Promise<number> {
  const there = connectionsOf(db, organisation_id)
  const [row] = await there<{ scattered: number }[]>`
    select scatter_burst(${organisation_id}, ${String(burst_id)}) as scattered`
  return row?.scattered ?? 0
}

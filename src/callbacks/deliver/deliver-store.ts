import { connectionsOf } from '../../db/layout.ts'
import { idArray, sparse } from '../../db/array.ts'
import type { Db } from '../../db/connect.ts'
import type { Job, JobKey } from '../../queue/store.ts'
import { groupBy } from '../../values/group.ts'
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
  /** The message it is about, for events of messages. */
  subject_id: string
  /** The registered webhook; null: the `callback` of a request. */
  webhook_id: string | null
  /** The webhook's sealed secrets, newest first; null: the organisation's secrets sign it. */
  secrets: string[] | null
  /** The webhook's format; null: the one named by the callback address. */
  format: WebhookFormat | null
  /** Its webhook has been disabled or deleted. */
  muted: boolean
}

/** The pending ones of these callbacks. A webhook is called at its current URL, not at that of the time of the event. */
async function readPending(db: Db, organisation_id: string, ids: readonly string[]): Promise<PendingCallback[]> {
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

/** The outcome of an attempt. */
export type AttemptedCallback = {
  id: string
  webhook_id: string | null
  url: string
  status: CallbackStatus
  /** When to retry; null: it is final. */
  retry_ms: number | null
  status_code: number | null
  reason: string | null
  excerpt: string | null
  duration_ms: number
  /** Attempts made before this one. */
  made: number
}

/** An attempt to be recorded. */
export type AttemptRecord = {
  attempted: AttemptedCallback
  lane: string
  /** The job by which it was claimed, if it was. */
  job_id: bigint | null
  /** The burst it was stored with, if this process has posted it without a claim. */
  burst_id: bigint | null
  /** How long ago the attempt ended, where its record was delayed. */
  waited_ms: number | null
  /** An earlier write may have been committed: then nothing is done. */
  is_retry: boolean
}

export type DisabledWebhook = { id: string; disabled_reason: string }

/** Records attempts of one organisation, and deletes the bursts that end with them. */
export async function recordAttempts(
  db: Db,
  organisation_id: string,
  records: readonly AttemptRecord[],
  ended_bursts: readonly bigint[],
  disable_after_days: number,
): Promise<DisabledWebhook[]> {
  const there = connectionsOf(db, organisation_id)
  const attempts = records.map(({ attempted }) => attempted)
  return there<DisabledWebhook[]>`
    select disabled as id, because as disabled_reason
    from record_tries(
      ${organisation_id},
      ${idArray(attempts.map(({ id }) => id))}::uuid[],
      ${sparse(records.map(({ job_id }) => job_id))}::bigint[],
      ${sparse(records.map(({ burst_id }) => burst_id))}::bigint[],
      ${sparse(records.map(({ attempted, lane }) => (attempted.retry_ms === null ? null : lane)))}::uuid[],
      ${sparse(attempts.map(({ webhook_id }) => webhook_id))}::uuid[],
      ${attempts.map(({ url }) => url)}::text[],
      ${attempts.map(({ status }) => status)}::text[],
      ${sparse(records.map(({ attempted, is_retry }) => (is_retry || attempted.retry_ms !== null ? attempted.made : null)))}::smallint[],
      ${sparse(attempts.map(({ retry_ms }) => (retry_ms === null ? null : Math.round(retry_ms))))}::integer[],
      ${sparse(records.map(({ waited_ms }) => waited_ms))}::integer[],
      ${sparse(attempts.map(({ status_code }) => status_code))}::integer[],
      ${sparse(attempts.map(({ reason }) => reason))}::text[],
      ${sparse(attempts.map(({ excerpt }) => excerpt))}::text[],
      ${idArray(attempts.map(({ duration_ms }) => duration_ms))}::integer[],
      ${idArray(ended_bursts)}::bigint[],
      ${disable_after_days}
    )`
}

/** Ends callbacks of one organisation whose webhook is muted. */
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

/** Extends the leases of bursts, and returns those that still exist. */
export async function extendBursts(db: Db, bursts: readonly JobKey[], lease_s: number): Promise<Set<bigint>> {
  const extended = await db<{ id: bigint }[]>`
    update jobs set leased_until = now() + ${lease_s} * interval '1 s'
    where organisation_id = any (${idArray(bursts.map(({ organisation_id }) => organisation_id))}::uuid[])
      and id = any (${idArray(bursts.map(({ id }) => id))}::bigint[])
    returning id`
  return new Set(extended.map(({ id }) => id))
}

/** Gives each pending callback of a burst a job, and returns how many; 0 if another process has done so. */
export async function scatterBurst(db: Db, organisation_id: string, burst_id: bigint): Promise<number> {
  const there = connectionsOf(db, organisation_id)
  const [row] = await there<{ scattered: number }[]>`
    select scatter_burst(${organisation_id}, ${String(burst_id)}) as scattered`
  return row?.scattered ?? 0
}

/** The pending callbacks of the jobs, by id. */
export async function readPendingOf(db: Db, jobs: readonly Job[]): Promise<Map<string, PendingCallback>> {
  const found = new Map<string, PendingCallback>()
  const groups = groupBy(jobs, (job) => job.organisation_id)
  await Promise.all(
    [...groups].map(async ([organisation_id, own]) => {
      const ids = own.map(({ subject_id }) => subject_id)
      for (const callback of await readPending(db, organisation_id, ids)) found.set(callback.id, callback)
    }),
  )
  return found
}

import { byLayout, connectionsOf } from '../../db/layout.ts'
import { idArray, sparse } from '../../db/array.ts'
import type { Db } from '../../db/connect.ts'
import type { Job, JobKey } from '../../queue/store.ts'
import type { WebhookFormat } from '../webhooks/schema.ts'
import type { CallbackStatus } from '../read/store.ts'

export type PendingCallback = {
  id: string
  type: string
  /** A webhook is called at its current URL, not at that of the time of the event. */
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

/** An attempt, and its outcome once it is known. */
export type Attempt = {
  organisation_id: string
  /** The callback's. */
  id: string
  webhook_id: string | null
  url: string
  lane: string
  /** The job by which it was claimed, if it was. */
  job_id: bigint | null
  /** The burst it was stored with, if this process has posted it without a claim. */
  burst_id: bigint | null
  /** Attempts made before this one. */
  made: number
  status: CallbackStatus
  /** When to retry; null: it is final. */
  retry_ms: number | null
  status_code: number | null
  reason: string | null
  excerpt: string | null
  duration_ms: number
  /** How long ago the attempt ended, where its record was delayed. */
  waited_ms: number | null
  /** An earlier write may have been committed: then nothing is done. */
  is_retry: boolean
}

export type DisabledWebhook = { organisation_id: string; id: string; disabled_reason: string }

/**
 * Records attempts, in the order of their organisations, and deletes the bursts that end with them; on a cluster, attempts of
 * one organisation.
 */
export async function recordAttempts(
  db: Db,
  attempts: readonly Attempt[],
  ended_bursts: readonly bigint[],
  disable_after_days: number,
): Promise<DisabledWebhook[]> {
  const first = attempts[0]?.organisation_id ?? ''
  const there = connectionsOf(db, first)
  return there<DisabledWebhook[]>`
    select owner as organisation_id, disabled as id, because as disabled_reason
    from record_attempts(
      ${byLayout(db, { single_server: null, cluster: first })},
      ${idArray(attempts.map(({ organisation_id }) => organisation_id))}::uuid[],
      ${idArray(attempts.map(({ id }) => id))}::uuid[],
      ${sparse(attempts.map(({ job_id }) => job_id))}::bigint[],
      ${sparse(attempts.map(({ burst_id }) => burst_id))}::bigint[],
      ${sparse(attempts.map(({ retry_ms, lane }) => (retry_ms === null ? null : lane)))}::uuid[],
      ${sparse(attempts.map(({ webhook_id }) => webhook_id))}::uuid[],
      ${sparse(attempts.map(({ webhook_id, url }) => (webhook_id === null ? null : url)))}::text[],
      ${idArray(attempts.map(({ status }) => status))}::text[],
      ${sparse(attempts.map(({ made, is_retry, retry_ms }) => (is_retry || retry_ms !== null ? made : null)))}::smallint[],
      ${sparse(attempts.map(({ retry_ms }) => (retry_ms === null ? null : Math.round(retry_ms))))}::integer[],
      ${sparse(attempts.map(({ waited_ms }) => waited_ms))}::integer[],
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
export async function requeueBurst(db: Db, organisation_id: string, burst_id: bigint): Promise<number> {
  const there = connectionsOf(db, organisation_id)
  const [row] = await there<{ scattered: number }[]>`
    select requeue_burst(${organisation_id}, ${String(burst_id)}) as scattered`
  return row?.scattered ?? 0
}

/** The pending callbacks of the jobs, by id; on a cluster, of one organisation. */
export async function readPendingOf(db: Db, jobs: readonly Job[]): Promise<Map<string, PendingCallback>> {
  const first = jobs[0]?.organisation_id ?? ''
  const o = byLayout(db, { single_server: null, cluster: first })
  const found = await connectionsOf(db, first)<PendingCallback[]>`
    select callbacks.id, type, coalesce(webhooks.url, callbacks.url) as url, body, attempts,
      extract(epoch from now() - coalesce(first_try, now()))::float8 as age_s,
      coalesce(event_id, callbacks.id) as event_id, subject_id, webhook_id,
      case when webhooks.id is not null then
        array[secret] || case when old_secret_until > now() then array[old_secret] end
      end as secrets, webhooks.format,
      webhook_id is not null and (webhooks.id is null or not (enabled or type = 'webhook.test')) as muted
    from attempt_rows(
      ${idArray(jobs.map(({ organisation_id }) => organisation_id))}::uuid[],
      ${idArray(jobs.map(({ subject_id }) => subject_id))}::uuid[]
    ) job
    join callbacks on callbacks.organisation_id = job.organisation_id and callbacks.id = job.id
    left join webhooks on webhooks.organisation_id = callbacks.organisation_id and webhooks.id = webhook_id
    left join lateral (
      select created_datetime as first_try from callback_attempts
      where organisation_id = callbacks.organisation_id and callback_id = callbacks.id
      order by attempt limit 1
    ) tried on true
    where (${o}::uuid is null or callbacks.organisation_id = ${o}) and callbacks.status = 'pending'`
  return new Map(found.map((callback) => [callback.id, callback]))
}

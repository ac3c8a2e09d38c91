import { idArray } from '../../db/array.ts'
import type { Db } from '../../db/connect.ts'
import type { CallbackStatus } from '../read/store.ts'

export type PendingCallback = {
  id: string
  type: string
  url: string
  body: string
  attempts: number
  age_s: number
  event_id: string
  /** The registered endpoint it is for; null: the callback of a request. */
  webhook_id: string | null
  /** What a registered endpoint's posts are signed with, as stored, newest first; null: the organisation's sign. */
  secrets: string[] | null
  /** The endpoint it is for has been disabled or deleted. */
  muted: boolean
}

/** A registered endpoint is called where it is now, not where it was when the event happened. */
export async function readPending(db: Db, organisation_id: string, ids: readonly string[]): Promise<PendingCallback[]> {
  return db<PendingCallback[]>`
    select callbacks.id, type, coalesce(webhooks.url, callbacks.url) as url, body, attempts,
      extract(epoch from now() - coalesce(first_try, now()))::float8 as age_s,
      coalesce(event_id, callbacks.id) as event_id, webhook_id,
      case when webhooks.id is not null then
        array[secret] || case when old_secret_until > now() then array[old_secret] end
      end as secrets,
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

export type TriedCallback = {
  job_id: bigint
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
}

export type DisabledWebhook = { id: string; url: string; disabled_reason: string }

/**
 * Writes tries down: the log line, the state, the job that is over or due again, and what it says about a registered
 * endpoint. What would be tried again is stopped if its endpoint is gone; one that is being deleted is waited for, so
 * that nothing comes back into a line that has just been cleared. Returns the endpoints that are disabled because of it: those that answered 410, and those that failed for
 * so many days without one success in between and have now used up all tries of an event.
 */
export async function recordTries(
  db: Db,
  organisation_id: string,
  tries: readonly TriedCallback[],
  disable_after_days: number,
): Promise<DisabledWebhook[]> {
  const retried = tries.flatMap(({ webhook_id, retry_ms }) => (retry_ms === null ? [] : (webhook_id ?? [])))
  return db<DisabledWebhook[]>`
    with known as (
      select id from webhooks
      where organisation_id = ${organisation_id} and id = any (${retried}::uuid[])
      for key share
    ),
    tried as (
      select job_id, id, url, case when over then 'stopped' else status end as status,
        case when not over then retry_ms end as retry_ms, status_code, reason, excerpt, duration_ms
      from unnest(
        ${idArray(tries.map(({ job_id }) => job_id))}::bigint[],
        ${idArray(tries.map(({ id }) => id))}::uuid[],
        ${tries.map(({ webhook_id }) => webhook_id)}::uuid[],
        ${tries.map(({ url }) => url)}::text[],
        ${tries.map(({ status }) => status)}::text[],
        ${tries.map(({ retry_ms }) => (retry_ms === null ? null : Math.round(retry_ms)))}::integer[],
        ${tries.map(({ status_code }) => status_code)}::integer[],
        ${tries.map(({ reason }) => reason)}::text[],
        ${tries.map(({ excerpt }) => excerpt)}::text[],
        ${idArray(tries.map(({ duration_ms }) => duration_ms))}::integer[]
      ) as told (job_id, id, webhook_id, url, status, retry_ms, status_code, reason, excerpt, duration_ms)
      cross join lateral (
        select retry_ms is not null and webhook_id is not null and webhook_id not in (select id from known) as over
      ) endpoint
    ),
    callback as (
      update callbacks
      set status = tried.status, url = tried.url, attempts = attempts + 1, updated_datetime = now()
      from tried
      where organisation_id = ${organisation_id} and callbacks.id = tried.id and callbacks.status = 'pending'
      returning callbacks.id, attempts, webhook_id, type, tried.status as outcome, status_code, reason, excerpt,
        duration_ms
    ),
    attempt as (
      insert into callback_attempts
        (organisation_id, callback_id, attempt, status_code, reason, excerpt, duration_ms, created_datetime)
      select ${organisation_id}, id, attempts, status_code, reason, excerpt, duration_ms,
        now() - duration_ms * interval '1 ms'
      from callback
    ),
    over as (
      delete from jobs using tried where jobs.id = any (array[tried.job_id]) and tried.retry_ms is null
    ),
    later as (
      update jobs set run_at = now() + tried.retry_ms * interval '1 ms', in_hand = false
      from tried where jobs.id = any (array[tried.job_id]) and tried.retry_ms is not null
    ),
    seen as (
      select webhook_id, bool_or(outcome = 'delivered') as ok, bool_or(outcome = 'stopped') as gone,
        bool_or(outcome = 'failed') as given_up
      from callback
      where webhook_id is not null and (type <> 'webhook.test' or outcome = 'delivered')
      group by webhook_id
    ),
    judged as (
      select webhook_id, ok, case
        when ok then null
        when gone then 'The endpoint answered 410: it wants no more events.'
        when given_up and failing_since < now() - ${disable_after_days} * interval '1 day' then
          'The endpoint has failed since ' || to_char(failing_since at time zone 'utc', 'YYYY-MM-DD HH24:MI') || ' UTC.'
        end as reason
      from seen join webhooks on organisation_id = ${organisation_id} and webhooks.id = webhook_id
    ),
    health as (
      update webhooks
      set failing_since = case when not ok then coalesce(failing_since, now()) end,
        enabled = enabled and reason is null,
        disabled_reason = case when enabled then reason else disabled_reason end,
        updated_datetime = case when enabled and reason is not null then now() else updated_datetime end
      from judged
      where organisation_id = ${organisation_id} and webhooks.id = webhook_id
        and ((failing_since is null) <> ok or (reason is not null and enabled))
      returning webhooks.id, url, disabled_reason, reason
    )
    select id, url, disabled_reason from health where reason is not null and disabled_reason = reason`
}

/** Ends callbacks for endpoints that are not to be called. */
export async function stopMuted(
  db: Db,
  muted: readonly { organisation_id: string; id: string; job_id: bigint }[],
): Promise<void> {
  await db`
    with muted as (
      select organisation_id, id
      from unnest(
        ${muted.map(({ organisation_id }) => organisation_id)}::uuid[], ${muted.map(({ id }) => id)}::uuid[]
      ) as muted (organisation_id, id)
    ),
    stopped as (
      update callbacks set status = 'stopped', updated_datetime = now()
      from muted
      where callbacks.organisation_id = muted.organisation_id and callbacks.id = muted.id and status = 'pending'
    )
    delete from jobs where id = any (${idArray(muted.map(({ job_id }) => job_id))}::bigint[])`
}

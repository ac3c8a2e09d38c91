import type { Db, Tx } from '../../db/connect.ts'
import { listPage } from '../../db/list-page.ts'
import { prepare } from '../../db/sql.ts'
import { MAX_PAGE_LIMIT, type Page } from '../../values/page.ts'

export type CallbackStatus = 'pending' | 'delivered' | 'stopped' | 'failed'

export type CallbackRow = {
  id: string
  type: string
  url: string
  body: string
  status: CallbackStatus
  attempts: number
  subject_id: string
  /** The registered endpoint; null: the callback of a request. */
  webhook_id: string | null
  /** The `webhook-id`: the same for all endpoints of the event. */
  event_id: string
  created_datetime: string
  updated_datetime: string | null
  /** When a failed callback is retried. */
  next_attempt_datetime: string | null
}

export type AttemptRow = {
  attempt: number
  status_code: number | null
  reason: string | null
  excerpt: string | null
  duration_ms: number
  created_datetime: string
}

export async function findCallback(db: Db, organisation_id: string, id: string): Promise<CallbackRow | undefined> {
  const [row] = await db<CallbackRow[]>`
    select ${columns(db)} from callbacks where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

function columns(db: Db) {
  return prepare(db`id, type, url, body, status, attempts, subject_id, webhook_id, coalesce(event_id, id) as event_id,
    created_datetime, updated_datetime, next_attempt_datetime`)
}

export type CallbackFilter = {
  subject_id?: string | undefined
  webhook_id?: string | undefined
  event_id?: string | undefined
  status?: CallbackStatus | undefined
}

/** Newest first. */
export async function listCallbacks(db: Db, organisation_id: string, filter: CallbackFilter, page: Page) {
  return listPage<CallbackRow>(db, page, {
    select: columns(db),
    from: db`callbacks`,
    where: db`organisation_id = ${organisation_id} ${fits(db, filter)}`,
  })
}

/** The copies of an event have ids with the same beginning, so that the primary key finds them. */
function fits(db: Db, { subject_id, webhook_id, event_id, status }: CallbackFilter) {
  const begin = event_id?.slice(0, 19)
  return db`
    ${subject_id === undefined ? db`` : db`and subject_id = ${subject_id}`}
    ${webhook_id === undefined ? db`` : db`and webhook_id = ${webhook_id}`}
    ${status === undefined ? db`` : db`and status = ${status}`}
    ${
      event_id === undefined
        ? db``
        : db`and coalesce(event_id, id) = ${event_id}
            and id between ${`${begin}0000-000000000000`} and ${`${begin}ffff-ffffffffffff`}`
    }`
}

/** Callbacks about one recipient of a message, oldest first; the recipient is in the body. */
export async function listAboutRecipient(
  db: Db,
  organisation_id: string,
  subject_id: string,
  recipient: string,
  limit: number,
): Promise<{ id: string }[]> {
  return db<{ id: string }[]>`
    select id from callbacks
    where organisation_id = ${organisation_id} and subject_id = ${subject_id}
      and position(${`"recipient":${JSON.stringify(recipient)}`} in body) > 0
    order by id limit ${limit}`
}

/**
 * The last attempts, in their order. The one that ended the callback is stored in its row.
 */
export async function listAttempts(db: Db, organisation_id: string, callback_id: string): Promise<AttemptRow[]> {
  const last = await db<AttemptRow[]>`
    select attempt, status_code, reason, excerpt, duration_ms, created_datetime
    from callback_attempts
    where organisation_id = ${organisation_id} and callback_id = ${callback_id}
    union all
    select ${lastAttempt(db)} from callbacks
    where organisation_id = ${organisation_id} and id = ${callback_id} and last_duration_ms is not null
    order by attempt desc
    limit ${MAX_PAGE_LIMIT}`
  return [...last].reverse()
}

/** The attempt that ended a callback, as columns of `callback_attempts`. */
function lastAttempt(sql: Db | Tx) {
  return prepare(sql`attempts as attempt, last_status_code as status_code, last_reason as reason, last_excerpt as excerpt,
    last_duration_ms as duration_ms, updated_datetime - last_duration_ms * interval '1 ms' as created_datetime`)
}

/** Part of an update that makes a callback pending again. */
function reopened(sql: Tx) {
  return prepare(sql`status = 'pending', updated_datetime = now(), burst_id = null, next_attempt_datetime = null,
    last_status_code = null, last_reason = null, last_excerpt = null, last_duration_ms = null`)
}

/** Returns an ended callback to `pending`; false if it is pending, and so enqueued already. */
export async function reopenCallback(tx: Tx, organisation_id: string, id: string): Promise<boolean> {
  await tx`
    insert into callback_attempts
      (organisation_id, callback_id, attempt, status_code, reason, excerpt, duration_ms, created_datetime)
    select organisation_id, id, ${lastAttempt(tx)} from callbacks
    where organisation_id = ${organisation_id} and id = ${id} and status <> 'pending' and last_duration_ms is not null
    for update`
  const done = await tx`
    update callbacks set ${reopened(tx)}
    where organisation_id = ${organisation_id} and id = ${id} and status <> 'pending'`
  return done.count === 1
}

/** Makes the failed callbacks of an endpoint pending again and enqueues them, oldest first. */
export async function reopenFailed(
  tx: Tx,
  queue: string,
  organisation_id: string,
  webhook_id: string,
  failed: { since: string; until: string | null; limit: number },
): Promise<number> {
  const enqueued = await tx`
    with failed as (
      select id, ${lastAttempt(tx)} from callbacks
      where organisation_id = ${organisation_id} and webhook_id = ${webhook_id} and status in ('failed', 'stopped')
        and created_datetime >= ${failed.since}::timestamptz
        and created_datetime < coalesce(${failed.until}::timestamptz, 'infinity')
      order by id limit ${failed.limit}
      for update
    ),
    logged as (
      insert into callback_attempts
        (organisation_id, callback_id, attempt, status_code, reason, excerpt, duration_ms, created_datetime)
      select ${organisation_id}, failed.* from failed where duration_ms is not null
    ),
    reopened as (
      update callbacks set ${reopened(tx)}
      from failed
      where organisation_id = ${organisation_id} and callbacks.id = failed.id
      returning callbacks.id
    )
    insert into jobs (queue, lane, organisation_id, subject_id)
    select ${queue}, ${webhook_id}, ${organisation_id}, id from reopened`
  return enqueued.count
}

/** Makes the next attempt of a pending callback due now. */
export async function hastenCallback(
  tx: Tx,
  queue: string,
  { organisation_id, lane }: { organisation_id: string; lane: string },
  id: string,
): Promise<void> {
  await tx`
    update jobs set run_at = now()
    where organisation_id = ${organisation_id} and queue = ${queue} and lane = ${lane} and subject_id = ${id}
      and not leased and run_at > now()`
  await tx`
    update callbacks set next_attempt_datetime = null
    where organisation_id = ${organisation_id} and id = ${id} and status = 'pending'`
}

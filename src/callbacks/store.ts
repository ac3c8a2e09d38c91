import type { Db, Tx } from '../db/connect.ts'

export type CallbackStatus = 'pending' | 'delivered' | 'stopped' | 'failed'

export type CallbackRow = {
  id: string
  type: string
  url: string
  body: string
  status: CallbackStatus
  attempts: number
  subject_id: string
  created_datetime: string
  updated_datetime: string | null
}

export type AttemptRow = {
  attempt: number
  status_code: number | null
  reason: string | null
  excerpt: string | null
  duration_ms: number
  created_datetime: string
}

export async function insertCallbacks(
  tx: Tx,
  organisation_id: string,
  callbacks: readonly Pick<CallbackRow, 'id' | 'type' | 'url' | 'body' | 'subject_id'>[],
): Promise<void> {
  await tx`
    insert into callbacks (organisation_id, id, type, url, body, subject_id)
    select ${organisation_id}, id, type, url, body, subject_id
    from unnest(
      ${callbacks.map(({ id }) => id)}::uuid[],
      ${callbacks.map(({ type }) => type)}::text[],
      ${callbacks.map(({ url }) => url)}::text[],
      ${callbacks.map(({ body }) => body)}::text[],
      ${callbacks.map(({ subject_id }) => subject_id)}::uuid[]
    ) as callback (id, type, url, body, subject_id)`
}

export type PendingCallback = { id: string; url: string; body: string; attempts: number; age_s: number }

export async function readPending(db: Db, organisation_id: string, ids: readonly string[]): Promise<PendingCallback[]> {
  return db<PendingCallback[]>`
    select id, url, body, attempts, extract(epoch from now() - coalesce(first_try, now()))::float8 as age_s
    from callbacks
    left join lateral (
      select created_datetime as first_try from callback_attempts
      where organisation_id = ${organisation_id} and callback_id = id
      order by attempt limit 1
    ) tried on true
    where organisation_id = ${organisation_id} and id = any (${ids}::uuid[]) and status = 'pending'`
}

export type TriedCallback = {
  job_id: bigint
  id: string
  status: CallbackStatus
  /** When to try again; null when it is over. */
  retry_ms: number | null
  status_code: number | null
  reason: string | null
  excerpt: string | null
  duration_ms: number
}

/** Writes tries down: the log line, the state, and the job that is over or due again. */
export async function recordTries(db: Db, organisation_id: string, tries: readonly TriedCallback[]): Promise<void> {
  await db`
    with tried as (
      select job_id, id, status, retry_ms, status_code, reason, excerpt, duration_ms
      from unnest(
        ${tries.map(({ job_id }) => String(job_id))}::bigint[],
        ${tries.map(({ id }) => id)}::uuid[],
        ${tries.map(({ status }) => status)}::text[],
        ${tries.map(({ retry_ms }) => (retry_ms === null ? null : Math.round(retry_ms)))}::integer[],
        ${tries.map(({ status_code }) => status_code)}::integer[],
        ${tries.map(({ reason }) => reason)}::text[],
        ${tries.map(({ excerpt }) => excerpt)}::text[],
        ${tries.map(({ duration_ms }) => duration_ms)}::integer[]
      ) as tried (job_id, id, status, retry_ms, status_code, reason, excerpt, duration_ms)
    ),
    callback as (
      update callbacks
      set status = tried.status, attempts = attempts + 1, updated_datetime = now()
      from tried
      where organisation_id = ${organisation_id} and callbacks.id = tried.id and callbacks.status = 'pending'
      returning callbacks.id, attempts
    ),
    attempt as (
      insert into callback_attempts
        (organisation_id, callback_id, attempt, status_code, reason, excerpt, duration_ms, created_datetime)
      select ${organisation_id}, id, attempts, status_code, reason, excerpt, duration_ms,
        now() - duration_ms * interval '1 ms'
      from callback join tried using (id)
    ),
    over as (
      delete from jobs using tried where jobs.id = tried.job_id and tried.retry_ms is null
    )
    update jobs set run_at = now() + tried.retry_ms * interval '1 ms', in_hand = false
    from tried where jobs.id = tried.job_id and tried.retry_ms is not null`
}

export async function findCallback(db: Db, organisation_id: string, id: string): Promise<CallbackRow | undefined> {
  const [row] = await db<CallbackRow[]>`
    select id, type, url, body, status, attempts, subject_id, created_datetime, updated_datetime
    from callbacks where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Newest first. */
export async function listCallbacks(
  db: Db,
  organisation_id: string,
  page: { subject_id?: string | undefined; before?: string | undefined; skip: number; limit: number },
): Promise<CallbackRow[]> {
  return db<CallbackRow[]>`
    select id, type, url, body, status, attempts, subject_id, created_datetime, updated_datetime
    from callbacks
    where organisation_id = ${organisation_id}
      ${page.subject_id === undefined ? db`` : db`and subject_id = ${page.subject_id}`}
      ${page.before === undefined ? db`` : db`and id < ${page.before}`}
    order by id desc
    offset ${page.skip} limit ${page.limit}`
}

export async function countCallbacks(
  db: Db,
  organisation_id: string,
  subject_id: string | undefined,
  at_most: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from (
      select 1 from callbacks
      where organisation_id = ${organisation_id}
        ${subject_id === undefined ? db`` : db`and subject_id = ${subject_id}`}
      limit ${at_most}
    ) counted`
  return row?.count ?? 0
}

export async function listAttempts(db: Db, organisation_id: string, callback_id: string): Promise<AttemptRow[]> {
  return db<AttemptRow[]>`
    select attempt, status_code, reason, excerpt, duration_ms, created_datetime
    from callback_attempts
    where organisation_id = ${organisation_id} and callback_id = ${callback_id}
    order by attempt`
}

/** Puts a callback that is over back to `pending`; false when it still is pending, and so in line already. */
export async function reopenCallback(tx: Tx, organisation_id: string, id: string): Promise<boolean> {
  const reopened = await tx`
    update callbacks set status = 'pending', updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status <> 'pending'`
  return reopened.count === 1
}

/** Makes the waiting try of a pending callback due now. */
export async function hastenCallback(tx: Tx, queue: string, lane: string, id: string): Promise<void> {
  await tx`
    update jobs set run_at = now()
    where queue = ${queue} and lane = ${lane} and subject_id = ${id} and not in_hand and run_at > now()`
}

export async function forgetCallbacks(db: Db, older_than_days: number): Promise<number> {
  await db`
    delete from callback_attempts where created_datetime < now() - ${older_than_days} * interval '1 day'`
  const gone = await db`
    delete from callbacks
    where status <> 'pending' and created_datetime < now() - ${older_than_days} * interval '1 day'`
  return gone.count
}

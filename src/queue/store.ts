import type { Db, Tx } from '../db/connect.ts'
import { onlyIfHeard } from '../db/transaction.ts'

export type NewJob = {
  lane: string
  organisation_id: string
  subject_id: string
  subject_key?: string
  priority?: number
  delay_ms?: number
}

export type Job = {
  id: bigint
  lane: string
  attempts: number
  /** A worker had it before and died: what it did with the job is not known. */
  interrupted: boolean
  organisation_id: string
  subject_id: string
  subject_key: string
}

export type Claim = {
  queue: string
  limit: number
  lease_s: number
  /** At most this many of one lane; without it the lanes share the limit evenly. */
  per_lane?: number | undefined
  /** Lanes that have enough in hand already. */
  except: readonly string[]
  /** Organisations that have enough in hand already, in all of their lanes. */
  except_organisations?: readonly string[]
  /** The lane served last: the turn goes on behind it. */
  after: string
  /** Where the claim before ended, if there were more lanes than one looks at. */
  from?: LanePlace | undefined
}

export type Claimed = {
  jobs: Job[]
  /** There are more lanes behind this one. */
  ended_at: LanePlace | undefined
}

/** A claim looks at so many lanes. If there are more it says where it ended, and the next one goes on there. */
const LANES_PER_CLAIM = 10_000

/** A place in the order of lanes. */
export type LanePlace = { priority: number; lane: string }

export async function enqueue(tx: Tx, queue: string, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return
  await tx`
    insert into jobs (queue, lane, organisation_id, subject_id, subject_key, priority, run_at)
    select ${queue}, lane, organisation_id, subject_id, subject_key, priority, now() + delay_ms * interval '1 ms'
    from unnest(
      ${jobs.map((job) => job.lane)}::uuid[],
      ${jobs.map((job) => job.organisation_id)}::uuid[],
      ${jobs.map((job) => job.subject_id)}::uuid[],
      ${jobs.map((job) => job.subject_key ?? '')}::text[],
      ${jobs.map((job) => job.priority ?? 1)}::smallint[],
      ${jobs.map((job) => Math.round(job.delay_ms ?? 0))}::float8[]
    ) as job (lane, organisation_id, subject_id, subject_key, priority, delay_ms)`
}

/**
 * Takes due jobs: lower priority numbers first, the organisations in turn, the lanes of each in turn, each lane in order
 * of time. A lane is one organisation's. The lanes are found by hopping over the index (one probe each), so a lane with a
 * million jobs costs no more than a lane with one.
 *
 * Here and wherever jobs are joined, `= any (array[…])` instead of `=`: it can only be looked up by key. A queue is often
 * empty when its statistics are made; for a table of no rows the planner would rather walk all of its key, and keep that
 * plan when a campaign has filled it.
 *
 * Jobs that were claimed for somebody who never heard of it would come back as interrupted, though nobody touched them.
 */
export async function claimFrom(
  db: Db,
  { queue, limit, lease_s, per_lane, except, except_organisations = [], after, from = FIRST }: Claim,
): Promise<Claimed> {
  const rows = await onlyIfHeard(
    db,
    (tx) => tx<(Job | { id: null; lane: string; attempts: number })[]>`
    with recursive lanes as (
      (
        select priority, lane, organisation_id from jobs
        where queue = ${queue} and (priority, lane) > (${from.priority}::smallint, ${from.lane}::uuid)
        order by priority, lane limit 1
      )
      union all
      select next.priority, next.lane, next.organisation_id
      from lanes
      cross join lateral (
        select priority, lane, organisation_id from jobs
        where queue = ${queue} and (priority, lane) > (lanes.priority, lanes.lane)
        order by priority, lane limit 1
      ) next
    ),
    known as (select priority, lane, organisation_id from lanes limit ${LANES_PER_CLAIM}),
    turn as (
      select priority, lane, count(*) over () as lanes,
        row_number() over (partition by priority, organisation_id order by lane <= ${after}, lane) as nth
      from known
      where lane <> all (${except}::uuid[]) and organisation_id <> all (${except_organisations}::uuid[])
      order by priority, nth, lane <= ${after}, lane
    ),
    due as (
      select job.id, job.in_hand
      from turn
      cross join lateral (
        select id, in_hand from jobs
        where queue = ${queue} and priority = turn.priority and lane = turn.lane and run_at <= now()
          and (not in_hand or leased_until is null or leased_until <= now())
        order by run_at
        limit coalesce(${per_lane ?? null}::bigint, greatest(1, ${limit}::bigint / turn.lanes))
        for update skip locked
      ) job
      limit ${limit}
    ),
    claimed as (
      update jobs
      set leased_until = now() + ${lease_s} * interval '1 s', attempts = attempts + 1, in_hand = true
      from due
      where jobs.id = any (array[due.id])
      returning jobs.id, lane, attempts, due.in_hand as interrupted, organisation_id, subject_id, subject_key
    )
    select id, lane, attempts, interrupted, organisation_id, subject_id, subject_key from claimed
    union all
    (
      select null, lane, priority, null, null, null, null from known
      where (select count(*) from known) = ${LANES_PER_CLAIM}
      order by priority desc, lane desc limit 1
    )`,
  )
  const jobs = rows.filter((row) => row.id !== null)
  const last = rows.at(-1)
  return { jobs, ended_at: last?.id === null ? { priority: last.attempts, lane: last.lane } : undefined }
}

/** Before all lanes: no job has such a priority. */
const FIRST: LanePlace = { priority: -1, lane: '00000000-0000-0000-0000-000000000000' }

/** One look at the lanes, from the first on. */
export async function claim(db: Db, wanted: Omit<Claim, 'from'>): Promise<Job[]> {
  return (await claimFrom(db, wanted)).jobs
}

/** Keeps claimed jobs for another lease. */
export async function keep(db: Db, ids: readonly bigint[], lease_s: number): Promise<void> {
  if (ids.length === 0) return
  await db`
    update jobs set leased_until = now() + ${lease_s} * interval '1 s'
    where id = any (${ids.map(String)}::bigint[]) and in_hand`
}

export async function finish(sql: Db | Tx, ids: readonly bigint[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from jobs where id = any (${ids.map(String)}::bigint[])`
}

/** Gives jobs back, due again after the delay. */
export async function postpone(sql: Db | Tx, ids: readonly bigint[], delay_ms: number): Promise<void> {
  if (ids.length === 0) return
  await sql`
    update jobs set run_at = now() + ${Math.round(delay_ms)} * interval '1 ms', in_hand = false
    where id = any (${ids.map(String)}::bigint[])`
}

/**
 * A job with its own delay each, as retries have. With `attempts` only while that is the claim it was: who repeats this
 * after a lost answer takes the job out of nobody's hands.
 */
export async function postponeEach(
  sql: Db | Tx,
  jobs: readonly { id: bigint; delay_ms: number; attempts?: number }[],
): Promise<void> {
  if (jobs.length === 0) return
  await sql`
    update jobs set run_at = now() + later.delay_ms * interval '1 ms', in_hand = false
    from unnest(
      ${jobs.map((job) => String(job.id))}::bigint[],
      ${jobs.map((job) => Math.round(job.delay_ms))}::integer[],
      ${jobs.map((job) => job.attempts ?? null)}::smallint[]
    ) as later (id, delay_ms, attempts)
    where jobs.id = any (array[later.id]) and jobs.attempts = coalesce(later.attempts, jobs.attempts)`
}

/**
 * Gives jobs back as if they had not been claimed, to be claimed again after a moment or when their turn comes. Not to
 * be repeated when its answer was lost: the job may be in other hands by then.
 */
export async function giveBack(
  sql: Db | Tx,
  jobs: readonly { id: bigint; delay_ms?: number | undefined }[],
): Promise<void> {
  if (jobs.length === 0) return
  await sql`
    update jobs
    set run_at = now() + later.delay_ms * interval '1 ms', in_hand = false, attempts = greatest(0, attempts - 1)
    from unnest(
      ${jobs.map(({ id }) => String(id))}::bigint[],
      ${jobs.map(({ delay_ms }) => Math.round(delay_ms ?? A_MOMENT_MS))}::integer[]
    ) as later (id, delay_ms)
    where jobs.id = any (array[later.id])`
}

const A_MOMENT_MS = 100

/** Makes the token bucket of a queue with a rate, full at first: a second's worth. */
export async function openBucket(db: Db, queue: string, rate_per_s: number): Promise<void> {
  await db`insert into queue_rates (queue, tokens) values (${queue}, ${rate_per_s}) on conflict (queue) do nothing`
}

/**
 * Takes up to `wanted` tokens from the queue's bucket, which all processes share. It holds those of a second, but at
 * least one, or what goes less than once a second would never go.
 */
export async function takeTokens(db: Db, queue: string, rate_per_s: number, wanted: number): Promise<number> {
  const [row] = await db<{ granted: number }[]>`
    with bucket as (
      select least(
        ${Math.max(1, rate_per_s)}::float8,
        tokens + ${rate_per_s}::float8 * extract(epoch from clock_timestamp() - refilled)
      ) as tokens
      from queue_rates where queue = ${queue}
      for update
    )
    update queue_rates
    set tokens = bucket.tokens - least(floor(bucket.tokens), ${wanted}::float8), refilled = clock_timestamp()
    from bucket
    where queue = ${queue}
    returning least(floor(bucket.tokens), ${wanted}::float8)::integer as granted`
  return Math.max(0, row?.granted ?? 0)
}

/** Gives tokens back that no job was found for. */
export async function returnTokens(db: Db, queue: string, tokens: number): Promise<void> {
  await db`update queue_rates set tokens = tokens + ${tokens}::float8 where queue = ${queue}`
}

/** Depth and age per queue, for the metrics. */
export async function measureQueues(db: Db): Promise<{ queue: string; depth: number; oldest_s: number }[]> {
  return db<{ queue: string; depth: number; oldest_s: number }[]>`
    select queue, count(*)::integer as depth,
      greatest(0, extract(epoch from now() - min(run_at)))::float8 as oldest_s
    from jobs group by queue`
}

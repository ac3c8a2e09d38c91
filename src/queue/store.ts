import { whereItLies } from '../db/cluster/where-it-lies.ts'
import type { Db, Tx } from '../db/connect.ts'
import { prepare, type Query, type Sql } from '../db/sql.ts'
import { onlyIfHeard } from '../db/transaction.ts'
import { groupBy } from '../values/group.ts'

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
  /** When it was due, of a job that was claimed: claiming leaves that, and giving it back does not. */
  run_at?: string
}

/** What it takes to find a job again. */
export type JobKey = Pick<Job, 'id' | 'organisation_id'>

/** Where jobs wait: with their organisation, or those of reports that belong to nobody yet. */
export type JobTable = 'jobs' | 'report_jobs'

export type Claim = {
  queue: string
  table?: JobTable | undefined
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

export async function enqueue(tx: Tx, queue: string, jobs: readonly NewJob[], table: JobTable = 'jobs'): Promise<void> {
  if (jobs.length === 0) return
  await tx`
    insert into ${name(tx, table)} (queue, lane, organisation_id, subject_id, subject_key, priority, run_at)
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
  { queue, table = 'jobs', limit, lease_s, per_lane, except, except_organisations = [], after, from = FIRST }: Claim,
): Promise<Claimed> {
  const from_table = name(db, table)
  const rows = await onlyIfHeard(
    db,
    (tx) => tx<(Job | { id: null; lane: string; attempts: number })[]>`
    with recursive lanes as (
      (
        select priority, lane, organisation_id from ${from_table}
        where queue = ${queue} and (priority, lane) > (${from.priority}::smallint, ${from.lane}::uuid)
        order by priority, lane limit 1
      )
      union all
      select next.priority, next.lane, next.organisation_id
      from lanes
      cross join lateral (
        select priority, lane, organisation_id from ${from_table}
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
        select id, in_hand from ${from_table}
        where queue = ${queue} and priority = turn.priority and lane = turn.lane and run_at <= now()
          and (not in_hand or leased_until is null or leased_until <= now())
        order by run_at
        limit coalesce(${per_lane ?? null}::bigint, greatest(1, ${limit}::bigint / turn.lanes))
        for update skip locked
      ) job
      limit ${limit}
    ),
    claimed as (
      update ${from_table}
      set leased_until = now() + ${lease_s} * interval '1 s', attempts = least(attempts + 1, ${MOST_ATTEMPTS}),
        in_hand = true
      from due
      where jobs.id = any (array[due.id])
      returning jobs.id, lane, attempts, due.in_hand as interrupted, organisation_id, subject_id, subject_key, run_at
    )
    select id, lane, attempts, interrupted, organisation_id, subject_id, subject_key, run_at from claimed
    union all
    (
      select null, lane, priority, null, null, null, null, null from known
      where (select count(*) from known) = ${LANES_PER_CLAIM}
      order by priority desc, lane desc limit 1
    )`,
  )
  const jobs = rows.filter((row) => row.id !== null)
  const last = rows.at(-1)
  return { jobs, ended_at: last?.id === null ? { priority: last.attempts, lane: last.lane } : undefined }
}

/** What the column holds. Work that goes on for days is claimed more often than that. */
const MOST_ATTEMPTS = 32_767

/** Before all lanes: no job has such a priority. */
const FIRST: LanePlace = { priority: -1, lane: '00000000-0000-0000-0000-000000000000' }

/** One look at the lanes, from the first on. */
export async function claim(db: Db, wanted: Omit<Claim, 'from'>): Promise<Job[]> {
  return (await claimFrom(db, wanted)).jobs
}

/** Keeps claimed jobs for another lease. */
export async function keep(db: Db, jobs: readonly JobKey[], lease_s: number, table: JobTable = 'jobs'): Promise<void> {
  await ofEach(
    db,
    jobs,
    table,
    (there, own, whose) => there`
      update ${name(there, table)} set leased_until = now() + ${lease_s} * interval '1 s'
      where ${whose} and id = any (${own.map(({ id }) => String(id))}::bigint[]) and in_hand`,
  )
}

export async function finish(sql: Db | Tx, jobs: readonly JobKey[], table: JobTable = 'jobs'): Promise<void> {
  await ofEach(
    sql,
    jobs,
    table,
    (there, own, whose) => there`
      delete from ${name(there, table)}
      where ${whose} and id = any (${own.map(({ id }) => String(id))}::bigint[])`,
  )
}

/** Gives jobs back, due again after the delay. */
export async function postpone(sql: Db | Tx, jobs: readonly JobKey[], delay_ms: number): Promise<void> {
  await ofEach(
    sql,
    jobs,
    'jobs',
    (there, own, whose) => there`
      update jobs set run_at = now() + ${Math.round(delay_ms)} * interval '1 ms', in_hand = false
      where ${whose} and id = any (${own.map(({ id }) => String(id))}::bigint[])`,
  )
}

/**
 * A job with its own delay each, as retries have. With `attempts` only while that is the claim it was: who repeats this
 * after a lost answer takes the job out of nobody's hands.
 */
export async function postponeEach(
  sql: Db | Tx,
  jobs: readonly (JobKey & { delay_ms: number; attempts?: number })[],
  table: JobTable = 'jobs',
): Promise<void> {
  await ofEach(
    sql,
    jobs,
    table,
    (there, own, whose) => there`
      update ${name(there, table)} set run_at = later.run_at, in_hand = false
      from (
        select id, to_timestamp(extract(epoch from now()) + delay_ms / 1000.0) as run_at, attempts
        from unnest(
          ${own.map((job) => String(job.id))}::bigint[],
          ${own.map((job) => Math.round(job.delay_ms))}::integer[],
          ${own.map((job) => job.attempts ?? null)}::smallint[]
        ) as given (id, delay_ms, attempts)
      ) later
      where ${whose} and jobs.id = any (array[later.id]) and jobs.attempts = coalesce(later.attempts, jobs.attempts)`,
  )
}

/**
 * Gives jobs back as if they had not been claimed, to be claimed again after a moment or when their turn comes. Only while
 * they are due when they were (`run_at`): who repeats this after a lost answer takes the job out of nobody's hands.
 */
export async function releaseJobs(
  sql: Db | Tx,
  jobs: readonly (JobKey & Pick<Job, 'run_at'> & { delay_ms?: number | undefined })[],
): Promise<void> {
  await ofEach(
    sql,
    jobs,
    'jobs',
    (there, own, whose) => there`
      update jobs
      set run_at = later.run_at, in_hand = false, attempts = greatest(0, attempts - 1)
      from (
        select id, to_timestamp(extract(epoch from now()) + delay_ms / 1000.0) as run_at, was_due
        from unnest(
          ${own.map(({ id }) => String(id))}::bigint[],
          ${own.map(({ delay_ms }) => Math.round(delay_ms ?? A_MOMENT_MS))}::integer[],
          ${own.map(({ run_at }) => run_at ?? null)}::timestamptz[]
        ) as given (id, delay_ms, was_due)
      ) later
      where ${whose} and jobs.id = any (array[later.id]) and jobs.run_at = coalesce(later.was_due, jobs.run_at)`,
  )
}

/**
 * One statement for all of them; on a cluster one for each organisation, so that a node that is away is nobody else's
 * trouble.
 */
async function ofEach<J extends JobKey>(
  sql: Db | Tx,
  jobs: readonly J[],
  table: JobTable,
  write: (there: Sql, own: readonly J[], whose: Query) => Query,
): Promise<void> {
  if (jobs.length === 0) return
  if (!sql.distributed || table !== 'jobs') {
    await write(sql, jobs, prepare(sql`true`))
    return
  }
  const groups = [...groupBy(jobs, ({ organisation_id }) => organisation_id)]
  const outcomes = await Promise.allSettled(
    groups.map(([id, own]) => {
      const there = 'pool' in sql ? whereItLies(sql, id) : sql
      return write(there, own, prepare(there`jobs.organisation_id = ${id}`))
    }),
  )
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** By the name `jobs`, whichever it is. */
function name(sql: Sql, table: JobTable): Query {
  return prepare(table === 'jobs' ? sql`jobs` : sql`report_jobs as jobs`)
}

const A_MOMENT_MS = 100

import { byLayout, connectionsOf } from '../db/layout.ts'
import type { Db, Tx } from '../db/connect.ts'
import { prepare, type Query, type Sql } from '../db/sql.ts'
import { committedIfAnswered } from '../db/transaction.ts'
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
  /** Its previous lease expired: what that worker did with the job is not known. */
  interrupted: boolean
  organisation_id: string
  subject_id: string
  subject_key: string
  /** When it was due. A claim does not change it; releasing the job does. */
  run_at?: string
}

/** The primary key of a job. */
export type JobKey = Pick<Job, 'id' | 'organisation_id'>

/** `jobs` is colocated with the organisation; `report_jobs` holds reports that are not matched to one yet. */
export type JobTable = 'jobs' | 'report_jobs'

export type Claim = {
  queue: string
  table?: JobTable | undefined
  limit: number
  lease_s: number
  /** Maximum number of jobs of one lane; without it the lanes share the limit evenly. */
  per_lane?: number | undefined
  /** Lanes at their limit. */
  except: readonly string[]
  /** Organisations at their limit, over all of their lanes. */
  except_organisations?: readonly string[]
  /** The lane served last: the round robin continues after it. */
  after: string
  /** Where the previous claim ended, if there were more lanes than one claim reads. */
  from?: LanePosition | undefined
}

export type Claimed = {
  jobs: Job[]
  /** Set if there are more lanes after this one. */
  ended_at: LanePosition | undefined
}

/** Lanes that one claim reads. If there are more, it returns where it ended and the next claim continues there. */
const LANES_PER_CLAIM = 10_000

/** A position in the order of lanes. */
export type LanePosition = { priority: number; lane: string }

export async function enqueue(tx: Tx, queue: string, jobs: readonly NewJob[], table: JobTable = 'jobs'): Promise<void> {
  if (jobs.length === 0) return
  await tx`
    insert into ${jobTable(tx, table)} (queue, lane, organisation_id, subject_id, subject_key, priority, run_at)
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
 * Claims due jobs: lower priority numbers first, organisations in round robin, the lanes of each in round robin, each lane
 * in order of time. A lane belongs to one organisation. The lanes are found by a loose index scan (the first job of each),
 * so a lane with a million jobs costs no more than a lane with one.
 *
 * Here and wherever jobs are joined, `= any (array[…])` instead of `=` forces a lookup by key. A queue is often empty when
 * its statistics are collected; for an empty table the planner would prefer a scan of the whole index, and keep that plan
 * when a campaign has filled the table.
 *
 * The claim commits only if its result has arrived (`committedIfAnswered`): otherwise the jobs would come back as interrupted,
 * although no worker had them.
 */
export async function claimFrom(
  db: Db,
  { queue, table = 'jobs', limit, lease_s, per_lane, except, except_organisations = [], after, from = FIRST }: Claim,
): Promise<Claimed> {
  const from_table = jobTable(db, table)
  const rows = await committedIfAnswered(
    db,
    (tx) => tx<(Job | { id: null; lane: string; attempts: number })[]>`
    with recursive lanes as (
      (
        select priority, lane, organisation_id, run_at from ${from_table}
        where queue = ${queue} and (priority, lane) > (${from.priority}::smallint, ${from.lane}::uuid)
        order by priority, lane, run_at limit 1
      )
      union all
      select next.priority, next.lane, next.organisation_id, next.run_at
      from lanes
      cross join lateral (
        select priority, lane, organisation_id, run_at from ${from_table}
        where queue = ${queue} and (priority, lane) > (lanes.priority, lanes.lane)
        order by priority, lane, run_at limit 1
      ) next
    ),
    known as (select priority, lane, organisation_id, run_at from lanes limit ${LANES_PER_CLAIM}),
    candidates as (
      select priority, lane, count(*) over () as lanes,
        row_number() over (partition by priority, organisation_id order by lane <= ${after}, lane) as nth
      from known
      where run_at <= now() and lane <> all (${except}::uuid[])
        and organisation_id <> all (${except_organisations}::uuid[])
      order by priority, nth, lane <= ${after}, lane
    ),
    due as (
      select job.id, job.leased
      from candidates
      cross join lateral (
        select id, leased from ${from_table}
        where queue = ${queue} and priority = candidates.priority and lane = candidates.lane and run_at <= now()
          and (not leased or leased_until is null or leased_until <= now())
        order by run_at
        limit coalesce(${per_lane ?? null}::bigint, greatest(1, ${limit}::bigint / candidates.lanes))
        for update skip locked
      ) job
      limit ${limit}
    ),
    claimed as (
      update ${from_table}
      set leased_until = now() + ${lease_s} * interval '1 s', attempts = least(attempts + 1, ${MOST_ATTEMPTS}),
        leased = true
      from due
      where jobs.id = any (array[due.id])
      returning jobs.id, lane, attempts, due.leased as interrupted, organisation_id, subject_id, subject_key, run_at
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

/** The maximum of the column. A job that is retried for days is claimed more often than that. */
const MOST_ATTEMPTS = 32_767

/** Before all lanes: no job has this priority. */
const FIRST: LanePosition = { priority: -1, lane: '00000000-0000-0000-0000-000000000000' }

/** One claim, from the first lane on. */
export async function claim(db: Db, wanted: Omit<Claim, 'from'>): Promise<Job[]> {
  return (await claimFrom(db, wanted)).jobs
}

/** Extends the leases of claimed jobs. */
export async function extendLeases(
  db: Db,
  jobs: readonly JobKey[],
  lease_s: number,
  table: JobTable = 'jobs',
): Promise<void> {
  await ofEach(
    db,
    jobs,
    table,
    (there, own, own_rows) => there`
      update ${jobTable(there, table)} set leased_until = now() + ${lease_s} * interval '1 s'
      where ${own_rows} and id = any (${own.map(({ id }) => String(id))}::bigint[]) and leased`,
  )
}

/** Deletes jobs. */
export async function finish(sql: Db | Tx, jobs: readonly JobKey[], table: JobTable = 'jobs'): Promise<void> {
  await ofEach(
    sql,
    jobs,
    table,
    (there, own, own_rows) => there`
      delete from ${jobTable(there, table)}
      where ${own_rows} and id = any (${own.map(({ id }) => String(id))}::bigint[])`,
  )
}

/** Releases jobs, due again after the delay. */
export async function postpone(sql: Db | Tx, jobs: readonly JobKey[], delay_ms: number): Promise<void> {
  await ofEach(
    sql,
    jobs,
    'jobs',
    (there, own, own_rows) => there`
      update jobs set run_at = now() + ${Math.round(delay_ms)} * interval '1 ms', leased = false
      where ${own_rows} and id = any (${own.map(({ id }) => String(id))}::bigint[])`,
  )
}

/**
 * Releases jobs, each with its own delay. With `attempts`, only while that is the current claim: repeated after a lost
 * response, it does not revoke the lease of another worker.
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
    (there, own, own_rows) => there`
      update ${jobTable(there, table)} set run_at = later.run_at, leased = false
      from (
        select id, to_timestamp(extract(epoch from now()) + delay_ms / 1000.0) as run_at, attempts
        from unnest(
          ${own.map((job) => String(job.id))}::bigint[],
          ${own.map((job) => Math.round(job.delay_ms))}::integer[],
          ${own.map((job) => job.attempts ?? null)}::smallint[]
        ) as given (id, delay_ms, attempts)
      ) later
      where ${own_rows} and jobs.id = any (array[later.id]) and jobs.attempts = coalesce(later.attempts, jobs.attempts)`,
  )
}

/**
 * Releases jobs as if they had not been claimed. Only while their `run_at` is unchanged: repeated after a lost response, it
 * does not revoke the lease of another worker.
 */
export async function releaseJobs(
  sql: Db | Tx,
  jobs: readonly (JobKey & Pick<Job, 'run_at'> & { delay_ms?: number | undefined })[],
): Promise<void> {
  await ofEach(
    sql,
    jobs,
    'jobs',
    (there, own, own_rows) => there`
      update jobs
      set run_at = later.run_at, leased = false, attempts = greatest(0, attempts - 1)
      from (
        select id, to_timestamp(extract(epoch from now()) + delay_ms / 1000.0) as run_at, due_before
        from unnest(
          ${own.map(({ id }) => String(id))}::bigint[],
          ${own.map(({ delay_ms }) => Math.round(delay_ms ?? RELEASE_DELAY_MS))}::integer[],
          ${own.map(({ run_at }) => run_at ?? null)}::timestamptz[]
        ) as given (id, delay_ms, due_before)
      ) later
      where ${own_rows} and jobs.id = any (array[later.id]) and jobs.run_at = coalesce(later.due_before, jobs.run_at)`,
  )
}

/** One statement for all jobs; on a cluster one per organisation, so that an unreachable node affects only its own. */
async function ofEach<J extends JobKey>(
  sql: Db | Tx,
  jobs: readonly J[],
  table: JobTable,
  write: (there: Sql, own: readonly J[], own_rows: Query) => Query,
): Promise<void> {
  if (jobs.length === 0) return
  const writeAll = async () => void (await write(sql, jobs, prepare(sql`true`)))
  const each = table === 'jobs' ? byLayout(sql, { single_server: writeAll, cluster: writeEach }) : writeAll
  return each(sql, jobs, write)
}

async function writeEach<J extends JobKey>(
  sql: Db | Tx,
  jobs: readonly J[],
  write: (there: Sql, own: readonly J[], whose: Query) => Query,
): Promise<void> {
  const groups = [...groupBy(jobs, ({ organisation_id }) => organisation_id)]
  const outcomes = await Promise.allSettled(
    groups.map(([id, own]) => {
      const there = 'pool' in sql ? connectionsOf(sql, id) : sql
      return write(there, own, prepare(there`jobs.organisation_id = ${id}`))
    }),
  )
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** Aliased as `jobs` in either case. */
export function jobTable(sql: Sql, table: JobTable): Query {
  return prepare(table === 'jobs' ? sql`jobs` : sql`report_jobs as jobs`)
}

const RELEASE_DELAY_MS = 100

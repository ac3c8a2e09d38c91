import { isoTimestamp, queryAllShards } from '../db/layout.ts'
import type { Db } from '../db/connect.ts'
import { groupBy } from '../values/group.ts'

/** Every priority a job can have, so that the index is probed at the organisation's lane. */
export const PRIORITIES = [0, 1, 2, 3]

/** The jobs of an organisation in these queues, counted up to a bound. */
export async function countJobs(
  db: Db,
  organisation_id: string,
  queues: readonly string[],
  at_most: number,
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from (
      select 1 from jobs
      where organisation_id = ${organisation_id} and queue = any (${queues}::text[]) 
        and priority = any (${PRIORITIES}::smallint[]) and lane = ${organisation_id}
      limit ${at_most}
    ) counted`
  return row?.count ?? 0
}

/** The jobs of a queue: due, leased (`leased`), or waiting for their next attempt (`postponed`). */
export type Backlog = {
  queue: string
  due: number
  leased: number
  postponed: number
  /** When the oldest job that is due or leased became due. */
  due_since: string | null
  next_try: string | null
  oldest_s: number
}

/** The backlogs of all queues whose names have this prefix; empty ones are omitted. */
export async function measureBacklogs(db: Db, prefix: string): Promise<Backlog[]> {
  const shards = await queryAllShards<Backlog>(
    db,
    'jobs',
    `select queue,
      (count(*) filter (where run_at <= now() and not busy))::integer as due,
      (count(*) filter (where busy))::integer as leased,
      (count(*) filter (where run_at > now() and not busy and attempts > 0))::integer as postponed,
      ${isoTimestamp('min(run_at) filter (where run_at <= now() or busy)')} as due_since,
      ${isoTimestamp('min(run_at) filter (where run_at > now() and not busy and attempts > 0)')} as next_try,
      coalesce(greatest(0, extract(epoch from now() - min(run_at))), 0)::float8 as oldest_s
    from (
      select queue, run_at, attempts, leased and coalesce(leased_until > now(), false) as busy
      from %s where starts_with(queue, '${prefix.replaceAll("'", "''")}')
    ) job
    group by queue`,
  )
  const groups = [...groupBy(shards, ({ queue }) => queue)].sort(([a], [b]) => (a < b ? -1 : 1))
  return groups.map(([queue, own]) => ({
    queue,
    due: sum(own.map(({ due }) => due)),
    leased: sum(own.map(({ leased }) => leased)),
    postponed: sum(own.map(({ postponed }) => postponed)),
    due_since: earliest(own.map(({ due_since }) => due_since)),
    next_try: earliest(own.map(({ next_try }) => next_try)),
    oldest_s: Math.max(...own.map(({ oldest_s }) => oldest_s)),
  }))
}

type Depth = { queue: string; depth: number; oldest_s: number }

/** Depth and age per queue, for the metrics. */
export async function measureQueues(db: Db): Promise<Depth[]> {
  const own_depth = `
    select queue, count(*)::integer as depth,
      greatest(0, extract(epoch from now() - min(run_at)))::float8 as oldest_s
    from %s group by queue`
  const [jobs, reports] = await Promise.all([
    queryAllShards<Depth>(db, 'jobs', own_depth),
    db<Depth[]>`
      select queue, count(*)::integer as depth,
        greatest(0, extract(epoch from now() - min(run_at)))::float8 as oldest_s
      from report_jobs group by queue`,
  ])
  return [...groupBy([...jobs, ...reports], ({ queue }) => queue)].map(([queue, own]) => ({
    queue,
    depth: sum(own.map(({ depth }) => depth)),
    oldest_s: Math.max(...own.map(({ oldest_s }) => oldest_s)),
  }))
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

function earliest(moments: readonly (string | null)[]): string | null {
  return moments.filter((moment) => moment !== null).sort()[0] ?? null
}

import type { Db } from '../db/connect.ts'

/** Every priority a job can have, so that the index is entered at the organisation's lane. */
export const PRIORITIES = [0, 1, 2, 3]

/** How much of an organisation waits in these queues, counted up to a bound. */
export async function countWaiting(
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
    ) waiting`
  return row?.count ?? 0
}

/** What a queue holds: jobs that are due or in hand, and jobs that were tried and wait for their next try. */
export type Waiting = {
  queue: string
  due: number
  in_hand: number
  postponed: number
  /** Since when the oldest of those due or in hand has been. */
  due_since: string | null
  next_try: string | null
  oldest_s: number
}

/** Of all queues whose names begin so; empty ones are left out. */
export async function measureWaiting(db: Db, beginning: string): Promise<Waiting[]> {
  return db<Waiting[]>`
    select queue,
      (count(*) filter (where run_at <= now() and not busy))::integer as due,
      (count(*) filter (where busy))::integer as in_hand,
      (count(*) filter (where run_at > now() and not busy and attempts > 0))::integer as postponed,
      min(run_at) filter (where run_at <= now() or busy) as due_since,
      min(run_at) filter (where run_at > now() and not busy and attempts > 0) as next_try,
      coalesce(greatest(0, extract(epoch from now() - min(run_at))), 0)::float8 as oldest_s
    from (
      select queue, run_at, attempts, in_hand and coalesce(leased_until > now(), false) as busy
      from jobs where starts_with(queue, ${beginning})
    ) job
    group by queue
    order by queue`
}

/** Depth and age per queue, for the metrics. */
export async function measureQueues(db: Db): Promise<{ queue: string; depth: number; oldest_s: number }[]> {
  return db<{ queue: string; depth: number; oldest_s: number }[]>`
    select queue, count(*)::integer as depth,
      greatest(0, extract(epoch from now() - min(run_at)))::float8 as oldest_s
    from (select queue, run_at from jobs union all select queue, run_at from report_jobs) job
    group by queue`
}

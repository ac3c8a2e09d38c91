import type { Db } from '../db/connect.ts'
import { byLayout, queryAllShards } from '../db/layout.ts'
import { prepare, type Query } from '../db/sql.ts'
import { jobTable, type JobTable } from './store.ts'

/** A queue with jobs; `organisation_id` is '' where a claim needs none. */
export type Due = {
  queue: string
  organisation_id: string
  /** Milliseconds until a job is due, at most 0 if one is; null if all lanes begin with a leased job. */
  due_in_ms: number | null
}

/** The queues with jobs; on a cluster only due ones, with each organisation that has some, on the nodes that answer. */
export async function findDue(db: Db): Promise<Due[]> {
  return byLayout(db, { single_server: findDueOnServer, cluster: findDueOnCluster })(db)
}

async function findDueOnServer(db: Db): Promise<Due[]> {
  return db<Due[]>`(${dueIn(db, 'jobs')}) union all (${dueIn(db, 'report_jobs')})`
}

/** It reads every due job: the oldest ones alone may all belong to one organisation whose endpoints hang. */
async function findDueOnCluster(db: Db): Promise<Due[]> {
  const [jobs, reports] = await Promise.all([
    queryAllShards<Due>(
      db,
      'jobs',
      `select distinct queue, organisation_id, 0 as due_in_ms from %s
      where run_at <= now() and (not leased or leased_until is null or leased_until <= now())`,
    ),
    db<Due[]>`${dueIn(db, 'report_jobs')}`,
  ])
  return [...jobs, ...reports]
}

/**
 * A loose index scan over the lanes of all queues: it reads the first job of each lane, and the others only if that one is
 * leased. Once a lane has a due job, it skips the rest of the queue.
 */
function dueIn(db: Db, table: JobTable): Query {
  const from_table = jobTable(db, table)
  return prepare(db`
    with recursive lanes as (
      select ''::text as queue, 0::smallint as priority, '00000000-0000-0000-0000-000000000000'::uuid as lane,
        null::timestamptz as run_at, false as is_due
      union all
      select next.queue, next.priority, next.lane, next.run_at, next.run_at <= now() and exists (
        select from ${from_table}
        where queue = next.queue and priority = next.priority and lane = next.lane and run_at <= now()
          and (not leased or leased_until is null or leased_until <= now())
      )
      from lanes
      cross join lateral (
        select queue, priority, lane, run_at from ${from_table}
        where (queue, priority, lane) >
          (lanes.queue, case when lanes.is_due then ${LAST_PRIORITY}::smallint else lanes.priority end, lanes.lane)
        order by queue, priority, lane, run_at limit 1
      ) next
    )
    select queue, '' as organisation_id,
      (1000 * extract(epoch from min(run_at) filter (where is_due or run_at > now()) - now()))::float8 as due_in_ms
    from lanes where run_at is not null
    group by queue`)
}

/** After every priority of a job. */
const LAST_PRIORITY = 32_767

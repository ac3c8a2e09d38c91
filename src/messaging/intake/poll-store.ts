import { byLayout, isoTimestamp, queryAllShards } from '../../db/layout.ts'
import type { Db } from '../../db/connect.ts'
import { cached } from '../../values/concurrency/cached.ts'
import { groupBy } from '../../values/group.ts'

export type Pending = { priority: number; organisation_id: string }

type PendingOfRoute = Pending & { route: string }
type Poll = (key: string) => Promise<ReadonlyMap<string, readonly Pending[]>>

/** The routes of a process poll at the same time, and share one query. */
const SHARED_MS = 100
const polls = new WeakMap<Db, Poll>()

/** The organisations with unleased rows of a route; nodes of a cluster that do not answer are left out. */
export async function findPending(db: Db, route: string): Promise<readonly Pending[]> {
  const find = byLayout(db, { single_server: findOnServer, cluster: findOnCluster })
  const poll = polls.get(db) ?? cached(SHARED_MS, async () => groupBy(await find(db), (pending) => pending.route))
  polls.set(db, poll)
  return (await poll('')).get(route) ?? []
}

/** A loose index scan, one probe for each organisation, priority and route. */
async function findOnServer(db: Db): Promise<readonly PendingOfRoute[]> {
  return db<PendingOfRoute[]>`
    with recursive candidates as (
      (
        select route, priority, organisation_id from intake
        where route > ''
        order by route, priority, organisation_id limit 1
      )
      union all
      select next.route, next.priority, next.organisation_id
      from candidates
      cross join lateral (
        select route, priority, organisation_id from intake
        where route >= candidates.route
          and (route, priority, organisation_id)
            > (candidates.route, candidates.priority, candidates.organisation_id)
        order by route, priority, organisation_id limit 1
      ) next
    )
    select route, priority, organisation_id from candidates
    where exists (
      select from intake
      where route = candidates.route and priority = candidates.priority
        and organisation_id = candidates.organisation_id and (leased_until is null or leased_until <= now())
    )`
}

async function findOnCluster(db: Db): Promise<readonly PendingOfRoute[]> {
  return queryAllShards<PendingOfRoute>(
    db,
    'intake',
    `select distinct route, priority, organisation_id from %s where leased_until is null or leased_until <= now()`,
  )
}

/** Pending recipients in the intake by organisation; each organisation is in one shard. */
export async function measureIntake(db: Db): Promise<{ organisation_id: string; waiting: number }[]> {
  return queryAllShards<{ organisation_id: string; waiting: number }>(
    db,
    'intake',
    'select organisation_id, sum(size - submitted)::float8 as waiting from %s group by organisation_id',
  )
}

export type RouteBacklog = { route: string; waiting: number; leased: number; since: string; oldest_s: number }

/** Recipients in the intake by route: pending (`waiting`), leased (`leased`), and the age of the oldest. */
export async function measureRoutes(db: Db): Promise<RouteBacklog[]> {
  const shards = await queryAllShards<RouteBacklog>(
    db,
    'intake',
    `select route, coalesce(sum(size - submitted), 0)::integer as waiting,
      coalesce(sum(submitted) filter (where leased_until > now()), 0)::integer as leased,
      ${isoTimestamp('min(created_datetime)')} as since,
      extract(epoch from now() - min(created_datetime))::float8 as oldest_s
    from %s group by route`,
  )
  return [...groupBy(shards, ({ route }) => route)].map(([route, own]) => ({
    route,
    waiting: own.reduce((sum, one) => sum + one.waiting, 0),
    leased: own.reduce((sum, one) => sum + one.leased, 0),
    since: own.map(({ since }) => since).sort()[0] ?? '',
    oldest_s: Math.max(...own.map(({ oldest_s }) => oldest_s)),
  }))
}

import { byLayout, isoTimestamp, queryAllShards } from '../../db/layout.ts'
import type { Db } from '../../db/connect.ts'
import { cached } from '../../values/concurrency/cached.ts'
import { groupBy } from '../../values/group.ts'

export type Pending = { priority: number; organisation_id: string }

/** The organisations with unleased rows of a route: a loose index scan, one probe for each of them. */
export async function findPending(db: Db, route: string): Promise<readonly Pending[]> {
  const onCluster = async () => (await pollCluster(db)).get(route) ?? []
  return byLayout(db, { single_server: pollServer, cluster: onCluster })(db, route)
}

async function pollServer(db: Db, route: string): Promise<readonly Pending[]> {
  return db<Pending[]>`
    with recursive candidates as (
      (
        select priority, organisation_id from intake where route = ${route}
        order by priority, organisation_id limit 1
      )
      union all
      select next.priority, next.organisation_id
      from candidates
      cross join lateral (
        select priority, organisation_id from intake
        where route = ${route} and (priority, organisation_id) > (candidates.priority, candidates.organisation_id)
        order by priority, organisation_id limit 1
      ) next
    )
    select priority, organisation_id from candidates
    where exists (
      select from intake
      where route = ${route} and priority = candidates.priority and organisation_id = candidates.organisation_id
        and (leased_until is null or leased_until <= now())
    )`
}

type Poll = (key: string) => Promise<ReadonlyMap<string, readonly Pending[]>>

/** Every route polls once a second: those of a process share a result that is a little younger. */
const SHARED_MS = 900
const polls = new WeakMap<Db, Poll>()

/** Polls all nodes of a cluster for all routes; nodes that do not answer are left out. */
async function pollCluster(db: Db): ReturnType<Poll> {
  const poll =
    polls.get(db) ??
    cached(SHARED_MS, async () =>
      groupBy(
        await queryAllShards<Pending & { route: string }>(
          db,
          'intake',
          `select distinct route, priority, organisation_id from %s where leased_until is null or leased_until <= now()`,
        ),
        ({ route }) => route,
      ),
    )
  polls.set(db, poll)
  return poll('')
}

/** Pending recipients in the intake by organisation; each organisation is in one shard. */
export async function measureIntake(db: Db): Promise<{ organisation_id: string; waiting: number }[]> {
  return queryAllShards<{ organisation_id: string; waiting: number }>(
    db,
    'intake',
    'select organisation_id, sum(size - handed)::float8 as waiting from %s group by organisation_id',
  )
}

export type RouteBacklog = { route: string; waiting: number; in_hand: number; since: string; oldest_s: number }

/** Recipients in the intake by route: pending (`waiting`), leased (`in_hand`), and the age of the oldest. */
export async function measureRoutes(db: Db): Promise<RouteBacklog[]> {
  const shards = await queryAllShards<RouteBacklog>(
    db,
    'intake',
    `select route, coalesce(sum(size - handed), 0)::integer as waiting,
      coalesce(sum(handed) filter (where leased_until > now()), 0)::integer as in_hand,
      ${isoTimestamp('min(created_datetime)')} as since,
      extract(epoch from now() - min(created_datetime))::float8 as oldest_s
    from %s group by route`,
  )
  return [...groupBy(shards, ({ route }) => route)].map(([route, own]) => ({
    route,
    waiting: own.reduce((sum, one) => sum + one.waiting, 0),
    in_hand: own.reduce((sum, one) => sum + one.in_hand, 0),
    since: own.map(({ since }) => since).sort()[0] ?? '',
    oldest_s: Math.max(...own.map(({ oldest_s }) => oldest_s)),
  }))
}

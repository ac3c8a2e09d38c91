import { askShards } from '../../db/cluster/shards.ts'
import type { Db } from '../../db/connect.ts'
import { cached } from '../../values/concurrency/cached.ts'
import { groupBy } from '../../values/group.ts'

export type Waiting = { priority: number; organisation_id: string }

/** Who has something that waits for a route. One probe for each of them, however much waits. */
export async function findWaiting(db: Db, route: string): Promise<readonly Waiting[]> {
  if (db.distributed) return (await lookOnCluster(db)).get(route) ?? []
  return db<Waiting[]>`
    with recursive turn as (
      (
        select priority, organisation_id from intake where route = ${route}
        order by priority, organisation_id limit 1
      )
      union all
      select next.priority, next.organisation_id
      from turn
      cross join lateral (
        select priority, organisation_id from intake
        where route = ${route} and (priority, organisation_id) > (turn.priority, turn.organisation_id)
        order by priority, organisation_id limit 1
      ) next
    )
    select priority, organisation_id from turn
    where exists (
      select from intake
      where route = ${route} and priority = turn.priority and organisation_id = turn.organisation_id
        and (leased_until is null or leased_until <= now())
    )`
}

type WaitingAnywhere = Waiting & { route: string }
type Look = (key: string) => Promise<ReadonlyMap<string, readonly Waiting[]>>

/** Every route looks once a second: those of a process share an answer that is a little younger. */
const SHARED_MS = 900
const looks = new WeakMap<Db, Look>()

/** On a cluster every node is asked, all rows that wait are looked at, and those of a node that is away left out. */
async function lookOnCluster(db: Db): ReturnType<Look> {
  const look =
    looks.get(db) ??
    cached(SHARED_MS, async () =>
      groupBy(
        await askShards<WaitingAnywhere>(
          db,
          'intake',
          `select distinct route, priority, organisation_id from %s where leased_until is null or leased_until <= now()`,
        ),
        ({ route }) => route,
      ),
    )
  looks.set(db, look)
  return look('')
}

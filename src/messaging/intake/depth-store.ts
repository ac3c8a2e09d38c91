import { answerMoment, askAll } from '../../db/cluster/shards.ts'
import type { Db } from '../../db/connect.ts'
import { groupBy } from '../../values/group.ts'

/** How many recipients wait in the intake, of each organisation that has any; all of one lies in one piece. */
export async function measureIntake(db: Db): Promise<{ organisation_id: string; waiting: number }[]> {
  return askAll<{ organisation_id: string; waiting: number }>(
    db,
    'intake',
    'select organisation_id, sum(size - handed)::float8 as waiting from %s group by organisation_id',
  )
}

export type WaitingRoute = { route: string; waiting: number; in_hand: number; since: string; oldest_s: number }

/** How many recipients wait for each route, how many are in somebody's hands, and since when the oldest of them. */
export async function measureRoutes(db: Db): Promise<WaitingRoute[]> {
  const pieces = await askAll<WaitingRoute>(
    db,
    'intake',
    `select route, coalesce(sum(size - handed), 0)::integer as waiting,
      coalesce(sum(handed) filter (where leased_until > now()), 0)::integer as in_hand,
      ${answerMoment('min(created_datetime)')} as since,
      extract(epoch from now() - min(created_datetime))::float8 as oldest_s
    from %s group by route`,
  )
  return [...groupBy(pieces, ({ route }) => route)].map(([route, own]) => ({
    route,
    waiting: own.reduce((sum, one) => sum + one.waiting, 0),
    in_hand: own.reduce((sum, one) => sum + one.in_hand, 0),
    since: own.map(({ since }) => since).sort()[0] ?? '',
    oldest_s: Math.max(...own.map(({ oldest_s }) => oldest_s)),
  }))
}

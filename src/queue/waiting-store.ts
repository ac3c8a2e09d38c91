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
      where queue = any (${queues}::text[]) and priority = any (${PRIORITIES}::smallint[])
        and lane = ${organisation_id}
      limit ${at_most}
    ) waiting`
  return row?.count ?? 0
}

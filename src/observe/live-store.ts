import type { Db } from '../db/connect.ts'

/** Marks these organisations as watched for some seconds. */
export async function noteWatched(db: Db, organisation_ids: readonly string[], seconds: number): Promise<void> {
  await db`
    insert into live_watchers (organisation_id, until_datetime)
    select id, now() + ${seconds} * interval '1 s' from unnest(${organisation_ids}::uuid[]) as watched (id)
    order by id
    on conflict (organisation_id) do update set until_datetime = excluded.until_datetime`
}

export async function readWatched(db: Db): Promise<{ organisation_id: string; remaining_ms: number }[]> {
  return db<{ organisation_id: string; remaining_ms: number }[]>`
    select organisation_id, (1000 * extract(epoch from until_datetime - now()))::float8 as remaining_ms
    from live_watchers where until_datetime > now()`
}

import type { Db } from '../db/connect.ts'

export async function readContents(
  db: Db,
  organisation_id: string,
  ids: readonly string[],
): Promise<{ id: string; content: string | null; channel: string; sender_id: string | null }[]> {
  return db<{ id: string; content: string | null; channel: string; sender_id: string | null }[]>`
    select id, content, channel, sender_id from messages
    where organisation_id = ${organisation_id} and id = any (${ids}::uuid[])`
}

export async function readClock(db: Db): Promise<string> {
  const [clock] = await db<{ now: string }[]>`select now()`
  return clock?.now ?? ''
}

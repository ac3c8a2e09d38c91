import type { Db } from '../../src/db/connect.ts'
import { unpack } from '../../src/messaging/accept/pack-store.ts'

/** What the worker does to long lists, for services without workers. */
export async function unpackAll(db: Db, organisation_id: string): Promise<void> {
  const jobs = await db<{ id: bigint; subject_id: string; subject_key: string }[]>`
    select id, subject_id, subject_key from jobs where queue = 'unpack' and organisation_id = ${organisation_id}`
  await unpack(db, organisation_id, jobs)
}

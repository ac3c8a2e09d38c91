import type { Db } from '../db/connect.ts'
import { clearContents, clearTexts, listOwners, nextRanges, noteSwept, type Range } from './text-retention-store.ts'

/**
 * Clears what messages said that are older than so many days; that they were sent, to whom, and what they cost stays. So
 * many at a time of each organisation: nobody waits for it. What was still to be sent when its turn came is looked for
 * again once a day.
 */
export async function deleteExpiredTexts(db: Db, older_than_days: number, limit: number): Promise<void> {
  for (const range of await nextRanges(db, older_than_days)) {
    for (const organisation_id of await listOwners(db)) await clear(db, organisation_id, range, limit)
    await noteSwept(db, range)
  }
}

async function clear(db: Db, organisation_id: string, range: Range, limit: number): Promise<void> {
  let cleared = limit
  while (cleared === limit) cleared = await clearContents(db, organisation_id, range, limit)
  cleared = limit
  while (cleared === limit) cleared = await clearTexts(db, organisation_id, range, limit)
}

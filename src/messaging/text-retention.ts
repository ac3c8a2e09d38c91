import type { Db } from '../db/connect.ts'
import { clearContents, clearTexts, listOwners, nextRanges, storeSweep, type Range } from './text-retention-store.ts'

/**
 * Clears the texts of messages older than the given days; recipients and charges stay. It works in small batches per
 * organisation. Messages that were unsent at their time are found by a daily run.
 */
export async function deleteExpiredTexts(db: Db, older_than_days: number, limit: number): Promise<void> {
  for (const range of await nextRanges(db, older_than_days)) {
    for (const organisation_id of await listOwners(db)) await clear(db, organisation_id, range, limit)
    await storeSweep(db, range)
  }
}

async function clear(db: Db, organisation_id: string, range: Range, limit: number): Promise<void> {
  let cleared = limit
  while (cleared === limit) cleared = await clearContents(db, organisation_id, range, limit)
  cleared = limit
  while (cleared === limit) cleared = await clearTexts(db, organisation_id, range, limit)
}

import type { CarrierReport, TakeReport, TakeReports } from '../../carriers/message-carrier.ts'
import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import { makeBatchWriter } from '../../values/concurrency/batch-writer.ts'

const MAX_BATCH = { items: 500 }
/**
 * A message centre waits for our answers once its window (often a hundred) is full. Storing all of it in one batch is the
 * least work. But if a write takes longer than this, as on a slow disk, it and the database would wait for each other: then
 * several batches are written concurrently.
 */
const SLOW_WRITE_MS = 75
const MAX_WRITERS = 3

/** Receives delivery reports that arrive one by one, in batches that span carriers. */
export function makeReceiveReport(takeReports: TakeReports): TakeReport {
  const writers = Array.from({ length: MAX_WRITERS }, () => makeBatchWriter(MAX_BATCH, storeAll, isDatabaseUnreachable))
  let is_slow = false
  let last_writer = 0

  async function storeAll(reports: readonly CarrierReport[]): Promise<void> {
    const began = performance.now()
    await takeReports(reports)
    is_slow = performance.now() - began > SLOW_WRITE_MS
  }

  return async (report) => {
    last_writer = is_slow ? (last_writer + 1) % MAX_WRITERS : 0
    await writers[last_writer]?.(report)
  }
}

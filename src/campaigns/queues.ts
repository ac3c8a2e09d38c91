import type { Tx } from '../db/connect.ts'
import { enqueue } from '../queue/store.ts'

export const CAMPAIGN_QUEUE = 'campaigns'
export const COUNT_QUEUE = 'campaigns:count'

type Asked = { id: string; run: number }

/** Asks something of the workers, under the run it was asked in. They are to be woken once it is committed. */
export async function askWorkers(
  tx: Tx,
  organisation_id: string,
  { id, run }: Asked,
  delay_ms: number = 0,
): Promise<void> {
  const job = { lane: organisation_id, organisation_id, subject_id: id, subject_key: String(run), delay_ms }
  await enqueue(tx, CAMPAIGN_QUEUE, [job])
}

/** What becomes of it is counted from now on. */
export async function askCounts(
  tx: Tx,
  organisation_id: string,
  { id, run }: Asked,
  delay_ms: number = 0,
): Promise<void> {
  const job = { lane: organisation_id, organisation_id, subject_id: id, subject_key: String(run), delay_ms }
  await enqueue(tx, COUNT_QUEUE, [job])
}

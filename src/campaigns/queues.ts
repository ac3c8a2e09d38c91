import type { Tx } from '../db/connect.ts'
import { enqueue } from '../queue/store.ts'

export const CAMPAIGN_QUEUE = 'campaigns'
export const COUNT_QUEUE = 'campaigns:count'

type Run = { id: string; run: number }

/** Enqueues the work on one run of a campaign. The caller wakes the workers after the commit. */
export function enqueueRun(tx: Tx, organisation_id: string, run: Run): Promise<void> {
  return enqueueFor(tx, CAMPAIGN_QUEUE, organisation_id, run, 0)
}

/** Enqueues the counting of its outcomes. */
export function enqueueCount(tx: Tx, organisation_id: string, run: Run): Promise<void> {
  return enqueueFor(tx, COUNT_QUEUE, organisation_id, run, 0)
}

/** Enqueues both, due at `send_at` or now. */
export async function enqueueStart(tx: Tx, organisation_id: string, run: Run, send_at: string | null): Promise<void> {
  const delay_ms = delayUntil(send_at)
  await enqueueFor(tx, CAMPAIGN_QUEUE, organisation_id, run, delay_ms)
  await enqueueFor(tx, COUNT_QUEUE, organisation_id, run, delay_ms)
}

export function delayUntil(send_at: string | null): number {
  return send_at === null ? 0 : Math.max(0, Date.parse(send_at) - Date.now())
}

function enqueueFor(tx: Tx, queue: string, organisation_id: string, { id, run }: Run, delay_ms: number): Promise<void> {
  const job = { lane: organisation_id, organisation_id, subject_id: id, subject_key: String(run), delay_ms }
  return enqueue(tx, queue, [job])
}

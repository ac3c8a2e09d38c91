import type { Db } from '../../src/db/connect.ts'
import { makeClusterClaim } from '../../src/queue/cluster-claim.ts'
import { findDue } from '../../src/queue/due-store.ts'
import { claim, type Claim, type Job } from '../../src/queue/store.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

/**
 * Claims jobs of a queue like a worker: on a cluster those of one organisation after the other, once they are known.
 */
export function makeClaims(db: Db, queue: string): (wanted: Omit<Claim, 'queue'>) => Promise<Job[]> {
  if (!db.distributed) return (wanted) => claim(db, { queue, ...wanted })
  let notify = (_organisation_id: string): void => {}
  const onWake = (_queue: string, listener: (organisation_id: string) => void) => {
    notify = listener
    return () => {}
  }
  const claims = makeClusterClaim({ db, log, wakeups: { onWake } }, queue)
  return async (wanted) => {
    for (const due of await findDue(db)) if (due.queue === queue) notify(due.organisation_id)
    return (await claims.claim({ queue, ...wanted })).jobs
  }
}

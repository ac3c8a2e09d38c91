import type { Db } from '../../src/db/connect.ts'
import { makeClusterClaim } from '../../src/queue/cluster-claim.ts'
import { findDue } from '../../src/queue/cluster-store.ts'
import { claim, type Claim, type Job } from '../../src/queue/store.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

/** Claims jobs of a queue as a worker does: on a cluster those of one organisation after the other, once it was told whose. */
export function makeClaims(db: Db, queue: string): (wanted: Omit<Claim, 'queue'>) => Promise<Job[]> {
  if (!db.distributed) return (wanted) => claim(db, { queue, ...wanted })
  let tell = (_organisation_id: string): void => {}
  const onWake = (_queue: string, listener: (organisation_id: string) => void) => {
    tell = listener
    return () => {}
  }
  const claims = makeClusterClaim({ db, log, wakeups: { onWake } }, queue)
  return async (wanted) => {
    for (const due of await findDue(db)) if (due.queue === queue) tell(due.organisation_id)
    return (await claims.claim({ queue, ...wanted })).jobs
  }
}

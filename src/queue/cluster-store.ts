import type { Db } from '../db/connect.ts'
import { connectionsOf } from '../db/layout.ts'
import { prepare } from '../db/sql.ts'
import { committedIfAnswered } from '../db/transaction.ts'
import type { Job } from './store.ts'

export type OwnClaim = {
  queue: string
  limit: number
  lease_s: number
  per_lane?: number | undefined
  except: readonly string[]
  after: string
}

/** Claims due jobs of one organisation on its node; commits only if the result has arrived, as `claimFrom` does. */
export async function claimOwn(
  db: Db,
  organisation_id: string,
  { queue, limit, lease_s, per_lane, except, after }: OwnClaim,
): Promise<Job[]> {
  const rows = await committedIfAnswered(connectionsOf(db, organisation_id), (tx) =>
    prepare(tx<Omit<Job, 'organisation_id'>[]>`
      select id, lane, attempts, interrupted, subject_id, subject_key, run_at
      from claim_jobs(
        ${organisation_id}, ${queue}, ${limit}, ${lease_s}, ${per_lane ?? null}, ${except}::uuid[], ${after}
      )`),
  )
  return rows.map((row) => ({ ...row, organisation_id }))
}

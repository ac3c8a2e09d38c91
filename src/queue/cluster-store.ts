import type { Db } from '../db/connect.ts'
import { askShards } from '../db/cluster/shards.ts'
import { whereItLies } from '../db/cluster/where-it-lies.ts'
import { prepare } from '../db/sql.ts'
import { onlyIfHeard } from '../db/transaction.ts'
import type { Job } from './store.ts'

/** A look reads so many due jobs of each piece of the table, the oldest first. */
const DUE_PER_SHARD = 2_000

export type Due = { queue: string; organisation_id: string }

/** Which organisations have jobs due, in which queues, on all nodes that answer. */
export async function findDue(db: Db): Promise<Due[]> {
  return askShards<Due>(
    db,
    'jobs',
    `select distinct queue, organisation_id from (
      select queue, organisation_id from %s
      where run_at <= now() and (not in_hand or leased_until is null or leased_until <= now())
      order by run_at limit ${DUE_PER_SHARD}
    ) due`,
  )
}

export type OwnClaim = {
  queue: string
  limit: number
  lease_s: number
  per_lane?: number | undefined
  except: readonly string[]
  after: string
}

/** Takes due jobs of one organisation, on the node that has it; only if we hear of it, as `claimFrom`. */
export async function claimOwn(
  db: Db,
  organisation_id: string,
  { queue, limit, lease_s, per_lane, except, after }: OwnClaim,
): Promise<Job[]> {
  const rows = await onlyIfHeard(whereItLies(db, organisation_id), (tx) =>
    prepare(tx<Omit<Job, 'organisation_id'>[]>`
      select id, lane, attempts, interrupted, subject_id, subject_key, run_at
      from claim_jobs(
        ${organisation_id}, ${queue}, ${limit}, ${lease_s}, ${per_lane ?? null}, ${except}::uuid[], ${after}
      )`),
  )
  return rows.map((row) => ({ ...row, organisation_id }))
}

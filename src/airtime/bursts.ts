import type { Db } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { finish, type Job } from '../queue/store.ts'
import { makeBatchWriter, type BatchWriter } from '../values/concurrency/batch-writer.ts'
import { groupBy } from '../values/group.ts'
import { announceEnds, recordRulings, type RecordDeps } from './record.ts'
import type { Ruling } from './record-store.ts'
import { settlePurchases } from './settle.ts'
import { openTries, readOpen, type NewTry, type OpenPurchase } from './try-store.ts'

/** The steps of a purchase that touch the database; steps of many purchases at the same moment share a statement. */
export type Bursts = {
  /** Undefined when the purchase has ended. */
  read: BatchWriter<Job, OpenPurchase | undefined>
  endAsDuplicate: BatchWriter<Job, undefined>
  /** False when another worker has done so already. */
  open: BatchWriter<NewTry & { organisation_id: string }, boolean>
  record: BatchWriter<Ruling, undefined>
}

const LIMITS = { items: 500 }

export function makeBursts(deps: RecordDeps, duplicate_minutes: number): Bursts {
  const { db } = deps
  return {
    read: makeBatchWriter(LIMITS, (jobs: readonly Job[]) => readMany(db, jobs, duplicate_minutes)),
    endAsDuplicate: makeBatchWriter(LIMITS, (jobs: readonly Job[]) => endManyAsDuplicates(deps, jobs)),
    open: makeBatchWriter(LIMITS, (tries: readonly (NewTry & { organisation_id: string })[]) => openMany(db, tries)),
    record: makeBatchWriter(LIMITS, (rulings: readonly Ruling[]) => recordRulings(deps, rulings)),
  }
}

async function readMany(db: Db, jobs: readonly Job[], twin_minutes: number): Promise<(OpenPurchase | undefined)[]> {
  const found = new Map<string, OpenPurchase>()
  await Promise.all(
    [...groupBy(jobs, (job) => job.organisation_id)].map(async ([organisation_id, own]) => {
      const ids = own.map(({ subject_id }) => subject_id)
      for (const row of await readOpen(db, organisation_id, ids, twin_minutes)) found.set(row.id, row)
    }),
  )
  return jobs.map(({ subject_id }) => found.get(subject_id))
}

async function openMany(db: Db, tries: readonly (NewTry & { organisation_id: string })[]): Promise<boolean[]> {
  const opened = new Set<string>()
  await Promise.all(
    [...groupBy(tries, (one) => one.organisation_id)].map(async ([organisation_id, own]) => {
      for (const id of await openTries(db, organisation_id, own)) opened.add(id)
    }),
  )
  // Two jobs of one purchase may meet in a burst: the try is the first one's.
  return tries.map(({ purchase_id }) => opened.delete(purchase_id))
}

async function endManyAsDuplicates(deps: RecordDeps, jobs: readonly Job[]): Promise<undefined[]> {
  await Promise.all(
    [...groupBy(jobs, (job) => job.organisation_id)].map(async ([organisation_id, own]) => {
      const settled = await transaction(deps.db, async (tx) => {
        await finish(tx, own)
        const ends = own.map(({ subject_id }) => ({ id: subject_id, status: 'duplicate' as const }))
        return settlePurchases(tx, organisation_id, ends)
      })
      announceEnds(deps, settled)
    }),
  )
  return jobs.map(() => undefined)
}

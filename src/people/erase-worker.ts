import { transaction } from '../db/transaction.ts'
import { startSlicedJobs, type JobSteps } from '../queue/sliced-job.ts'
import type { Job } from '../queue/store.ts'
import type { Worker } from '../queue/worker.ts'
import type { Wakeups } from '../queue/wakeups.ts'
import { madeAt } from '../values/id.ts'
import type { Log } from '../values/log.ts'
import { ERASURE_QUEUE, sealOf, type EraseDeps } from './erase.ts'
import {
  countImports,
  endErasure,
  lockErasure,
  recordProgress,
  type Progress,
  type RunningErasure,
} from './erasure-store.ts'
import { eraseRow, type Step } from './erase-row.ts'
import { ERASE_RULES } from './erase-rules.ts'
import { spellingsOf } from './spellings.ts'
import type { PersonTable } from './person-table.ts'
import { tablesFor } from './tables.ts'
import { findSlice } from './table-scan-store.ts'

/** Rows scanned per transaction, and rows written in it. */
const SLICE = 2_000
const BATCH = 100
/** The erasure ends after this many rounds, even if a client keeps sending to the number. */
const MAX_ROUNDS = 5
/** Rows in use are retried with backoff: a purchase of airtime may be open for a day. */
const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000
/** Delay of the start: by then every process has stored the calls it answered before the request. */
const LOG_SETTLES_MS = 3_000

/** Erases people. Each step is stored with its progress, so that an erasure resumes behind the last stored step. */
export function startErasures(deps: EraseDeps & { wakeups: Wakeups; log: Log }): Worker {
  return startSlicedJobs(deps, { queue: ERASURE_QUEUE, limit: 1 }, (job) => erase(deps, job))
}

async function* erase(deps: EraseDeps, { organisation_id, subject_id }: Job): JobSteps {
  for (;;) {
    const { then, wait_ms = 0 } = await takeStep(deps, organisation_id, subject_id)
    if (then === 'done') return 'done'
    if (then === 'wait') return wait_ms
    yield
  }
}

/**
 * Performs the steps of an erasure in this process, for the command line, until it is done or has waited for `most_ms`. A
 * worker may perform some of the steps.
 */
export async function eraseHere(deps: EraseDeps, organisation_id: string, id: string, most_ms: number): Promise<void> {
  for (let waited_ms = 0; waited_ms < most_ms;) {
    const { then, wait_ms = 0 } = await takeStep(deps, organisation_id, id)
    if (then === 'done') return
    waited_ms += wait_ms
    if (wait_ms > 0) await new Promise((resolve) => setTimeout(resolve, wait_ms))
  }
}

type Taken = { then: 'more' | 'wait' | 'done'; wait_ms?: number }

/** Erases one slice of one table and stores the progress, in one transaction. */
export async function takeStep(
  deps: Pick<EraseDeps, 'db' | 'seal' | 'requests_days'>,
  organisation_id: string,
  id: string,
): Promise<Taken> {
  return transaction(deps.db, async (tx): Promise<Taken> => {
    const erasure = await lockErasure(tx, organisation_id, id)
    if (!erasure) return { then: 'done' }
    const unsettled_ms = deps.requests_days ? madeAt(id) + LOG_SETTLES_MS - Date.now() : 0
    if (unsettled_ms > 0) return { then: 'wait', wait_ms: unsettled_ms }
    const number = deps.seal.open(erasure.sealed_number, sealOf(id))
    if (number === undefined) throw new Error(`erasure ${id} was asked for under another pepper`)
    const step = { tx, organisation_id, spelled: spellingsOf(number), pseudonym: erasure.number_hash }
    const tables = tablesFor(erasure.everywhere)
    const n = Math.max(
      0,
      tables.findIndex((one) => nameOf(one) === erasure.at_table),
    )
    const table = tables[n]
    if (!table) throw new Error('there are no tables')
    const found = { ...erasure.found }
    const progress = await eraseSlice(step, table, erasure, found)
    const next = tables[n + 1]
    if (progress.place !== null || next) {
      const at_table = nameOf(progress.place === null && next ? next : table)
      await recordProgress(tx, organisation_id, id, found, { ...progress, at_table })
      return { then: 'more' }
    }
    progress.left_now += await countImports(tx, organisation_id)
    const found_all = progress.left_now === 0 && (progress.found_now === 0 || erasure.round >= MAX_ROUNDS)
    const waits_for = progress.left_now > 0 ? progress.waits_for : []
    await recordProgress(tx, organisation_id, id, found, {
      ...progress,
      ...NEW_ROUND,
      round: erasure.round + 1,
      waits_for,
    })
    if (found_all) await endErasure(tx, organisation_id, id)
    if (found_all) return { then: 'done' }
    if (progress.left_now === 0) return { then: 'more' }
    return { then: 'wait', wait_ms: Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(erasure.round - 1, 10)) }
  })
}

/** Tables whose rules lock their rows themselves, in the order that all statements use. */
const LOCKED_BY_RULE = new Set(['intake', 'deliveries', 'jobs', 'contact_rows'])

const NEW_ROUND = { at_table: '', place: null, found_now: 0, left_now: 0 }

async function eraseSlice(
  step: Step,
  table: PersonTable,
  erasure: RunningErasure,
  found: Record<string, number>,
): Promise<Progress> {
  const { tx, organisation_id, spelled } = step
  // The tables of the previous round are shown until this one has started.
  const waits_for = new Set(erasure.at_table === '' ? [] : erasure.waits_for)
  const sizes = { slice: SLICE, batch: BATCH, lock: !LOCKED_BY_RULE.has(table.table) }
  const { rows, end } = await findSlice(tx, table, organisation_id, spelled, erasure.place, sizes)
  let { found_now, left_now } = erasure
  for (const row of rows) {
    const outcome = await (ERASE_RULES[table.table] ?? eraseRow)(step, table, row)
    if (outcome === 'untouched') continue
    if (outcome === 'later') {
      left_now += 1
      waits_for.add(nameOf(table))
      continue
    }
    found_now += 1
    found[nameOf(table)] = (found[nameOf(table)] ?? 0) + 1
  }
  const { round, at_table } = erasure
  return { round, at_table, place: end, found_now, left_now, waits_for: [...waits_for] }
}

/** Unique also for a table that is scanned twice. */
export function nameOf({ table, whose }: PersonTable): string {
  return whose === 'unowned' ? `${table} (unowned)` : table
}

import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { finish, postpone, type Job } from '../../queue/store.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { Log } from '../../values/log.ts'
import { openTable, type OpenTable } from '../table.ts'
import { makeCsvReader, TOO_EMPTY, type CsvRecord } from './csv.ts'
import { endImport, findImport, lockProgress, readChunk, type ImportRow } from './import-store.ts'
import { writeBatch } from './write.ts'

export const IMPORT_QUEUE = 'contacts:import'

/** Lines written in one transaction. */
const BATCH = 1_000
/** Then other imports get their turn, and a server that stops does not wait long. */
const TURN_MS = 1_500
/** Bytes read in one turn of the event loop. */
const BYTES_PER_TURN = 16_384

export type ImportDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  organisationOf: (id: string) => Promise<{ default_country: string } | undefined>
}

/**
 * Works imports off. A file is read from the place that was kept with the last rows written, so a turn that ends, or a
 * process that dies, leaves off where the next begins.
 */
export function startImports(deps: ImportDeps): Worker {
  return startWorker(deps, {
    queue: IMPORT_QUEUE,
    limit: 2,
    batch: 1,
    work: async (jobs) => {
      for (const job of jobs) await takeTurn(deps, job)
    },
  })
}

async function takeTurn(deps: ImportDeps, job: Job): Promise<void> {
  const { organisation_id, subject_id } = job
  const row = await findImport(deps.db, organisation_id, subject_id)
  if (!row || (row.status !== 'queued' && row.status !== 'running')) return finish(deps.db, [job])
  const organisation = await deps.organisationOf(organisation_id)
  if (!organisation) return finish(deps.db, [job])
  const table = await openTable(deps, { organisation_id, default_country: organisation.default_country })
  const outcome = await workOff(deps, table, row, Date.now() + TURN_MS)
  if (outcome === 'more') {
    await postpone(deps.db, [job], 0)
    deps.wakeups.wake(IMPORT_QUEUE)
    return
  }
  await transaction(deps.db, async (tx) => {
    if (outcome !== 'over') {
      const fault = outcome === 'done' ? null : outcome
      await endImport(tx, organisation_id, row.id, outcome === 'done' ? 'done' : 'failed', fault)
    }
    await finish(tx, [job])
  })
}

/** `over`: it was canceled, or another worker has ended it. A sentence: why it cannot go on. */
type Outcome = 'more' | 'done' | 'over' | `The file ${string}`

async function workOff(deps: ImportDeps, table: OpenTable, row: ImportRow, until: number): Promise<Outcome> {
  const from = { offset: Number(row.bytes_done), line: row.lines_done + 1 }
  const reader = makeCsvReader(row.delimiter, row.encoding, from)
  const total = Number(row.bytes_total)
  let done = from.offset
  let read = from.offset
  let waiting: CsvRecord[] = []
  let broken: Outcome | undefined
  while (read < total || waiting.length > 0) {
    while (waiting.length < BATCH && read < total) {
      const bytes = await readChunk(deps.db, table.organisation_id, row.id, read)
      if (!bytes || bytes.length === 0) return 'over' // the end of an import takes its file along
      read += bytes.length
      for (let n = 0; n < bytes.length && !broken; n += BYTES_PER_TURN) {
        for (const record of reader.push(bytes.subarray(n, n + BYTES_PER_TURN))) waiting.push(record)
        const fault = reader.fault()
        const unclosed = `The file has a quote that is not closed, in or behind line ${lineOf(waiting, row)}.` as const
        if (fault) broken = fault === 'empty_lines' ? TOO_EMPTY : unclosed
        await new Promise(setImmediate)
      }
      if (broken) read = total
    }
    if (read >= total && !broken) waiting.push(...reader.finish())
    const batch = waiting.slice(0, BATCH)
    waiting = waiting.slice(BATCH)
    if (batch.length === 0) break
    const found = await writeNext(deps.db, table, row, done, batch)
    if (found === 'over') return 'over'
    // Who had it before has written one more batch after all: the next turn reads where it stands.
    if (found === 'moved') return 'more'
    done = batch.at(-1)?.end ?? done
    if (Date.now() > until && (read < total || waiting.length > 0)) return 'more'
  }
  return broken ?? 'done'
}

function lineOf(waiting: readonly CsvRecord[], row: ImportRow): number {
  return waiting.at(-1)?.next_line ?? row.lines_done + 1
}

/** `moved`: the import does not stand where we think it does. */
async function writeNext(
  db: Db,
  table: OpenTable,
  row: ImportRow,
  done: number,
  batch: readonly CsvRecord[],
): Promise<'written' | 'moved' | 'over'> {
  return transaction(db, async (tx) => {
    const now = await lockProgress(tx, table.organisation_id, row.id)
    if (!now || (now.status !== 'queued' && now.status !== 'running')) return 'over'
    if (Number(now.bytes_done) !== done) return 'moved'
    await writeBatch(tx, table, row, batch)
    return 'written'
  })
}

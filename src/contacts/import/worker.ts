import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { startSlicedJobs, type JobSteps } from '../../queue/sliced-job.ts'
import type { Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { Worker } from '../../queue/worker.ts'
import { makeCsvReader, TOO_EMPTY, type CsvRecord } from '../../values/csv-read.ts'
import type { Log } from '../../values/log.ts'
import { holdTable, openTable, type OpenTable } from '../table.ts'
import { endImport, findImport, lockProgress, readChunk, type ImportRow } from './import-store.ts'
import { writeBatch } from './write.ts'

export const IMPORT_QUEUE = 'contacts:import'

/** Lines written in one transaction. */
const BATCH = 1_000
/** Bytes parsed before the event loop gets control again. */
const BYTES_PER_TICK = 16_384

export type ImportDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  organisationOf: (id: string) => Promise<{ default_country: string } | undefined>
}

/** Runs imports. The position in the file is stored with the rows read up to it, so an import resumes exactly there. */
export function startImports(deps: ImportDeps): Worker {
  return startSlicedJobs(deps, { queue: IMPORT_QUEUE, limit: 2 }, (job) => runImport(deps, job))
}

async function* runImport(deps: ImportDeps, { organisation_id, subject_id }: Job): JobSteps {
  const row = await findImport(deps.db, organisation_id, subject_id)
  const organisation = await deps.organisationOf(organisation_id)
  if (!row || !isOpen(row) || !organisation) return 'done'
  const table = await openTable(deps, { organisation_id, default_country: organisation.default_country })
  const batches = readBatches(deps.db, organisation_id, row)
  for (let position = Number(row.bytes_done); ;) {
    const read = await batches.next()
    if (read.done) {
      if (read.value !== 'deleted') await end(deps.db, organisation_id, row.id, read.value)
      return 'done'
    }
    const outcome = await writeNext(deps.db, table, row, position, read.value)
    if (outcome === 'ended') return 'done'
    if (outcome === 'moved') return 0
    position = read.value.at(-1)?.end ?? position
    yield
  }
}

type FileFault = `The file ${string}`

/** The unread records of the file, in batches. Returns why the rest cannot be read, or that the file was deleted. */
async function* readBatches(
  db: Db,
  organisation_id: string,
  row: ImportRow,
): AsyncGenerator<CsvRecord[], FileFault | 'deleted' | undefined> {
  const from = { offset: Number(row.bytes_done), line: row.lines_done + 1 }
  const reader = makeCsvReader(row.delimiter, row.encoding, from)
  const total = Number(row.bytes_total)
  let waiting: CsvRecord[] = []
  let fault: FileFault | undefined
  for (let position = from.offset; position < total && !fault;) {
    const bytes = await readChunk(db, organisation_id, row.id, position)
    if (!bytes || bytes.length === 0) return 'deleted' // with the end of the import
    position += bytes.length
    for (let n = 0; n < bytes.length && !fault; n += BYTES_PER_TICK) {
      for (const record of reader.push(bytes.subarray(n, n + BYTES_PER_TICK))) waiting.push(record)
      const line = waiting.at(-1)?.next_line ?? row.lines_done + 1
      if (reader.fault() === 'empty_lines') fault = TOO_EMPTY
      else if (reader.fault()) fault = `The file has a quote that is not closed, in or behind line ${line}.`
      await new Promise(setImmediate)
    }
    if (position >= total && !fault) waiting.push(...reader.finish())
    for (; waiting.length >= BATCH; waiting = waiting.slice(BATCH)) yield waiting.slice(0, BATCH)
  }
  if (waiting.length > 0) yield waiting
  return fault
}

/** `moved`: another worker, which had the lease before, has stored a batch meanwhile, or a column has another type. */
async function writeNext(
  db: Db,
  table: OpenTable,
  row: ImportRow,
  position: number,
  batch: readonly CsvRecord[],
): Promise<'written' | 'moved' | 'ended'> {
  return transaction(db, async (tx) => {
    if (!(await holdTable(tx, table))) return 'moved'
    const now = await lockProgress(tx, table.organisation_id, row.id)
    if (!now || !isOpen(now)) return 'ended'
    if (Number(now.bytes_done) !== position) return 'moved'
    await writeBatch(tx, table, row, batch)
    return 'written'
  })
}

function isOpen({ status }: Pick<ImportRow, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

async function end(db: Db, organisation_id: string, id: string, fault: FileFault | undefined): Promise<void> {
  await transaction(db, (tx) => endImport(tx, organisation_id, id, fault ? 'failed' : 'done', fault ?? null))
}

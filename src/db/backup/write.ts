import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { transactionWithCopy, type CopyOut } from '../copy.ts'
import type { Db, Tx } from '../connect.ts'
import { syncToDisk } from '../../values/folder.ts'
import { LOCKS } from '../locks.ts'
import { newestApplied } from '../migrate.ts'
import { listPartitions, listSequences, listTables, type StoredTable } from './catalogue.ts'
import { formerSchema } from '../schema/baseline.ts'
import { FORMAT, FORMER_FORMAT, frame, type TableEnd } from './format.ts'
import { nameUnfinished, removeLeftBehind } from './left-behind.ts'

/** Called with the progress, in bytes of the tables. */
export type ReportProgress = (done: number, total: number, table: string) => void

export type BackupOptions = {
  file: string
  pepper_mark: string
  onProgress?: ReportProgress
  signal?: AbortSignal | undefined
}

export type WrittenBackup = { tables: number; rows: number; bytes: number }

/** Fast, because the service shares the processors. Level 6 is a third smaller and takes three times as long. */
const LEVEL = 1
/**
 * Blocks the creation and dropping of partitions: a drop would wait for the backup, and every reader for the drop. Taken
 * before the transaction, whose first statement takes the snapshot.
 */
const BEGIN = [
  `select pg_advisory_lock_shared(${LOCKS.partitions_stay})`,
  'begin transaction isolation level repeatable read read only',
]

/**
 * Writes a snapshot of the database to a file while it is in use. The file is written under a temporary name and renamed
 * once it is complete and synced; an existing file is never replaced.
 */
export async function writeBackup(db: Db, options: BackupOptions): Promise<WrittenBackup> {
  const { file, signal } = options
  if (db.distributed) throw new BackupFault(ON_A_CLUSTER)
  const { partial, lock } = nameUnfinished(file)
  requireFree(file)
  await removeLeftBehind(db, file)
  try {
    return await transactionWithCopy(
      db,
      async (tx, _copy, copyOut) => {
        const tables = await beginSnapshot(db, tx)
        const made = { tables: tables.length, rows: 0 }
        await pipeline(
          Readable.from(framesOf(tx, copyOut, tables, made, options)),
          createGzip({ level: LEVEL }),
          createWriteStream(partial, { flags: 'wx', mode: 0o600 }),
          signal ? { signal } : {},
        )
        // While the lock is held: otherwise the complete file would be taken for the remains of a killed process.
        await renameComplete(partial, file)
        return { ...made, bytes: (await stat(file)).size }
      },
      { begin: [lock, ...BEGIN], signal },
    )
  } finally {
    await rm(partial, { force: true })
  }
}

const ON_A_CLUSTER =
  'This database is distributed over several servers (Citus), which have no common snapshot: back up every node with the tools of PostgreSQL (docs/backups.md).'

async function renameComplete(partial: string, file: string): Promise<void> {
  await syncToDisk(partial)
  requireFree(file)
  await rename(partial, file)
  await syncToDisk(dirname(file))
}

function requireFree(file: string): void {
  if (existsSync(file)) throw new BackupFault(`${file} exists already; a backup does not replace files.`)
}

/** Why a backup cannot be made, in a sentence for the operator. */
export class BackupFault extends Error {}

/** Locks all tables against schema changes. The locks come before the first query, which takes the snapshot. */
async function beginSnapshot(db: Db, tx: Tx): Promise<StoredTable[]> {
  await tx.unsafe(`
    set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '30s'`)
  const names = (await listTables(db)).map(({ name }) => `"${name}"`)
  if (names.length === 0) throw new BackupFault('The database has no tables yet: there is nothing to back up.')
  await tx.unsafe(`lock table ${names.join(', ')} in access share mode`)
  return listTables(tx)
}

async function* framesOf(
  tx: Tx,
  copyOut: CopyOut,
  tables: readonly StoredTable[],
  made: { tables: number; rows: number },
  { pepper_mark, onProgress = () => {} }: BackupOptions,
): AsyncGenerator<Buffer> {
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 1) // so that 100 % is shown at the end only
  let before = 0
  yield frame('header', await describe(tx, pepper_mark))
  for (const table of tables) {
    const { name, columns } = table
    yield frame('table', { table: name, columns })
    const end: TableEnd = { table: name, rows: 0, bytes: 0, sha256: '' }
    const hash = createHash('sha256')
    const rows = copyOut(`copy (${selectOf(table)}) to stdout`)
    for await (const bytes of rows as AsyncIterable<Buffer>) {
      end.bytes += bytes.length
      hash.update(bytes)
      yield frame('data', bytes)
      onProgress(before + Math.min(end.bytes, table.bytes), total, name)
    }
    // The end of the rows arrives before their number; the answer to the next statement arrives after both.
    await tx`select 1`
    end.rows = rows.rowCount
    end.sha256 = hash.digest('hex')
    yield frame('table_end', end)
    made.rows += end.rows
    before += table.bytes
    onProgress(before, total, name)
  }
  onProgress(total, total, 'all tables')
  // A sequence is beyond all values taken from it, also after the snapshot.
  yield frame('summary', { ...made, sequences: await listSequences(tx) })
}

/** COPY of a partitioned table needs a query. The pepper is not stored together with what it seals. */
function selectOf({ name, columns }: StoredTable): string {
  const where = name === 'secrets' ? " where name <> 'pepper'" : ''
  return `select ${columns.map((column) => `"${column}"`).join(', ')} from "${name}"${where}`
}

async function describe(tx: Tx, pepper_mark: string): Promise<object> {
  const [server] = await tx<{ version: string; moment: string }[]>`
    select current_setting('server_version') as version, now() as moment`
  return {
    gangan_backup: (await formerSchema(tx)) === undefined ? FORMAT : FORMER_FORMAT,
    schema: await newestApplied(tx),
    postgres: server?.version,
    created_datetime: server?.moment,
    pepper_mark,
    partitions: await listPartitions(tx),
  }
}

import { createHash, createHmac } from 'node:crypto'
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
import { FORMAT, FORMER_FORMAT, frame, type FileKey, type TableEnd } from './format.ts'
import { nameUnfinished, removeLeftBehind } from './left-behind.ts'

/** Called with the progress, in bytes of the tables. */
export type ReportProgress = (done: number, total: number, table: string) => void

type FileOptions = {
  file: string
  onProgress?: ReportProgress | undefined
  signal?: AbortSignal | undefined
}

export type BackupOptions = FileOptions & { pepper_mark: string }

/** What a file contains: the fields of its header beside those that every file has, and the query of each table. */
export type Contents = {
  header: object
  tables: readonly (StoredTable & { query: string })[]
  sequences: readonly { name: string; last_value: string }[]
}

export type WrittenBackup = { tables: number; rows: number; bytes: number }

/** Fast, because the service shares the processors. Level 6 is a third smaller and takes three times as long. */
const LEVEL = 1
/**
 * Blocks the creation and dropping of partitions: a drop would wait for the backup, and every reader for the drop. Taken
 * before the transaction, whose first statement takes the snapshot.
 */
const KEEP_PARTITIONS = `select pg_advisory_lock_shared(${LOCKS.partitions_stay})`
const SNAPSHOT = 'begin transaction isolation level repeatable read'

/** Writes a snapshot of the database to a file while it is in use. */
export async function writeBackup(db: Db, { pepper_mark, ...options }: BackupOptions): Promise<WrittenBackup> {
  if (db.distributed) throw new BackupFault(ON_A_CLUSTER)
  return writeSnapshot(db, { ...options, begin: `${SNAPSHOT} read only` }, async (tx, tables) => ({
    header: {
      gangan_backup: (await formerSchema(tx)) === undefined ? FORMAT : FORMER_FORMAT,
      pepper_mark,
      partitions: await listPartitions(tx),
    },
    tables: tables.map((table) => ({ ...table, query: queryOf(table) })),
    sequences: await listSequences(tx),
  }))
}

/**
 * Writes what `choose` finds in one snapshot to a file. The file is written under a temporary name and renamed once it is
 * complete and synced; an existing file is never replaced. With a key the file is authenticated.
 */
export async function writeSnapshot(
  db: Db,
  { file, begin = SNAPSHOT, key, ...options }: FileOptions & { begin?: string; key?: FileKey },
  choose: (tx: Tx, tables: StoredTable[]) => Promise<Contents>,
): Promise<WrittenBackup> {
  const { signal, onProgress = () => {} } = options
  const { partial, lock } = nameUnfinished(file)
  requireFree(file)
  await removeLeftBehind(db, file)
  try {
    return await transactionWithCopy(
      db,
      async (tx, _copy, copyOut) => {
        const contents = await choose(tx, await beginSnapshot(db, tx))
        const made = { tables: contents.tables.length, rows: 0 }
        const frames = framesOf(tx, copyOut, contents, made, onProgress)
        await pipeline(
          Readable.from(key ? authenticated(frames, key) : frames),
          createGzip({ level: LEVEL }),
          createWriteStream(partial, { flags: 'wx', mode: 0o600 }),
          signal ? { signal } : {},
        )
        // While the lock is held: otherwise the complete file would be taken for the remains of a killed process.
        await renameComplete(partial, file)
        return { ...made, bytes: (await stat(file)).size }
      },
      { begin: [lock, KEEP_PARTITIONS, begin], signal },
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
  { header, tables, sequences }: Contents,
  made: { tables: number; rows: number },
  onProgress: ReportProgress,
): AsyncGenerator<Buffer> {
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 1) // so that 100 % is shown at the end only
  let before = 0
  yield frame('header', { ...header, ...(await describe(tx)) })
  for (const { name, columns, bytes: size, query } of tables) {
    yield frame('table', { table: name, columns })
    const end: TableEnd = { table: name, rows: 0, bytes: 0, sha256: '' }
    const hash = createHash('sha256')
    const rows = copyOut(`copy (${query}) to stdout`)
    for await (const bytes of rows as AsyncIterable<Buffer>) {
      end.bytes += bytes.length
      hash.update(bytes)
      yield frame('data', bytes)
      onProgress(before + Math.min(end.bytes, size), total, name)
    }
    // The end of the rows arrives before their number; the answer to the next statement arrives after both.
    await tx`select 1`
    end.rows = rows.rowCount
    end.sha256 = hash.digest('hex')
    yield frame('table_end', end)
    made.rows += end.rows
    before += size
    onProgress(before, total, name)
  }
  onProgress(total, total, 'all tables')
  yield frame('summary', { ...made, sequences })
}

/** Appends a code over all frames. */
async function* authenticated(frames: AsyncIterable<Buffer>, { code_key }: FileKey): AsyncGenerator<Buffer> {
  const code = createHmac('sha256', code_key)
  for await (const one of frames) {
    code.update(one)
    yield one
  }
  yield frame('code', code.digest())
}

/** COPY of a partitioned table needs a query. The pepper is not stored together with what it seals. */
function queryOf({ name, columns }: StoredTable): string {
  const where = name === 'secrets' ? " where name <> 'pepper'" : ''
  return `select ${columns.map((column) => `"${column}"`).join(', ')} from "${name}"${where}`
}

async function describe(tx: Tx): Promise<object> {
  const [server] = await tx<{ version: string; moment: string }[]>`
    select current_setting('server_version') as version, now() as moment`
  return { schema: await newestApplied(tx), postgres: server?.version, created_datetime: server?.moment }
}

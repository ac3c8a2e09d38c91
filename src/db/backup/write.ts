import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { transactionWithCopy, type CopyOut } from '../copy.ts'
import type { Db, Tx } from '../connect.ts'
import { syncToDisk } from '../embedded/folder.ts'
import { LOCKS } from '../locks.ts'
import { newestApplied } from '../migrate.ts'
import { listPartitions, listSequences, listTables, type StoredTable } from './catalogue.ts'
import { formerSchema } from '../baseline.ts'
import { FORMAT, FORMER_FORMAT, frame, type TableEnd } from './format.ts'
import { nameUnfinished, removeLeftBehind } from './left-behind.ts'

/** Told how far it is, in bytes of the tables. */
export type TellProgress = (done: number, total: number, table: string) => void

export type BackupOptions = {
  file: string
  pepper_mark: string
  tell?: TellProgress
  signal?: AbortSignal | undefined
}

export type WrittenBackup = { tables: number; rows: number; bytes: number }

/** Fast: while it runs somebody may be sending with the same cores. Level 6 is a third smaller and takes three times as long. */
const LEVEL = 1
/**
 * While it runs no partition comes or goes: who drops one would wait for us, and everybody else for him. It is not part
 * of the transaction, whose first look is the snapshot.
 */
const BEGIN = [
  `select pg_advisory_lock_shared(${LOCKS.partitions_stay})`,
  'begin transaction isolation level repeatable read read only',
]

/**
 * Writes all that is in the database at one moment into a file, while others go on reading and writing. The file is
 * written beside and gets its name when it is whole and on the disk; a file of that name is never replaced.
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
        // While the lock is held: without it, what is whole and has not its name yet would look left behind.
        await giveName(partial, file)
        return { ...made, bytes: (await stat(file)).size }
      },
      { begin: [lock, ...BEGIN], signal },
    )
  } finally {
    await rm(partial, { force: true })
  }
}

const ON_A_CLUSTER =
  'This database lies on several servers (Citus), whose moments differ: back it up with the tools of PostgreSQL on every node (docs/backups.md).'

async function giveName(partial: string, file: string): Promise<void> {
  await syncToDisk(partial)
  requireFree(file)
  await rename(partial, file)
  await syncToDisk(dirname(file))
}

function requireFree(file: string): void {
  if (existsSync(file)) throw new BackupFault(`${file} is there already; a backup replaces nothing.`)
}

/** What keeps a backup from being made, in a sentence that the operator can act on. */
export class BackupFault extends Error {}

/** From here on no table changes its form. The locks come before the first look, which is the snapshot. */
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
  { pepper_mark, tell = () => {} }: BackupOptions,
): AsyncGenerator<Buffer> {
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 1) // it is at its end at the end, and not before
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
      tell(before + Math.min(end.bytes, table.bytes), total, name)
    }
    // Where the rows end comes before how many they were; whatever is asked next is answered behind both.
    await tx`select 1`
    end.rows = rows.rowCount
    end.sha256 = hash.digest('hex')
    yield frame('table_end', end)
    made.rows += end.rows
    before += table.bytes
    tell(before, total, name)
  }
  tell(total, total, 'all tables')
  // A sequence is beyond all numbers that were taken from it, also those behind the snapshot.
  yield frame('summary', { ...made, sequences: await listSequences(tx) })
}

/** A partitioned table has to be asked. The pepper is not kept together with what it seals. */
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

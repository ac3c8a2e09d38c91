import { basename } from 'node:path'
import { transactionWithCopy, type Copy } from '../copy.ts'
import type { Db, Tx } from '../connect.ts'
import { adoptRows, LAST_FORMER_SCHEMA, OutdatedSchema, prepareFormerTables } from '../schema/baseline.ts'
import { createFunctions } from '../schema/functions.ts'
import { applyMigrations, knownSchema, lockSchema } from '../migrate.ts'
import { arrangePartitions, isEmptyDatabase } from './catalogue.ts'
import {
  FORMER_FORMAT,
  readParts,
  UnusableBackup,
  type Header,
  type Part,
  type ReadOptions,
  type Summary,
  type TableBegin,
} from './format.ts'
import { markRestore, unmarkRestore } from './unfinished.ts'

/** Why a backup cannot be restored here, in a sentence for the operator. */
export class RestoreFault extends Error {}

export type CheckedBackup = { file: string; header: Header; summary: Summary }

/** Reads and verifies the whole file. */
export async function checkBackup(file: string, options: ReadOptions = {}): Promise<CheckedBackup> {
  let header: Header | undefined
  let summary: Summary | undefined
  for await (const part of readParts(file, options)) {
    if (part.kind === 'summary') ({ summary } = part)
    if (part.kind !== 'header') continue
    ;({ header } = part)
    await requireKnownSchema(file, header)
  }
  if (!header || !summary) throw new Error('a backup ended before its end')
  return { file, header, summary }
}

async function requireKnownSchema(file: string, header: Header): Promise<void> {
  if (isFormer(header)) {
    if (header.schema !== LAST_FORMER_SCHEMA) throw new UnusableBackup(new OutdatedSchema(file, header.schema).message)
    return
  }
  const known = await knownSchema()
  if (header.schema <= known) return
  throw new UnusableBackup(
    `${file} was made by a newer release of Gangan (schema ${header.schema}, this one knows ${known}): restore it with that.`,
  )
}

const isFormer = ({ gangan_backup }: Header): boolean => gangan_backup === FORMER_FORMAT

export type RestoreOptions = {
  /** Called with the number of bytes of the file that were read. */
  onProgress?: (bytes: number) => void
  /** Called with a table of the backup that is not part of the schema. */
  onUnknownTable?: (table: string) => void
  /** Runs in the transaction after all rows are loaded and migrated; an error rolls everything back. */
  finish?: (tx: Tx) => Promise<void>
  signal?: AbortSignal | undefined
}

/**
 * Restores a backup into an empty database, in one transaction. The triggers of the ledger stay enabled and check the
 * rows.
 */
export async function restoreBackup(db: Db, backup: CheckedBackup, options: RestoreOptions = {}): Promise<void> {
  await requireEmpty(db)
  let marked = false
  try {
    const work = async (tx: Tx, copy: Copy): Promise<void> => {
      await tx.unsafe('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0')
      if (!(await lockSchema(tx))) throw new RestoreFault('Another process is migrating or restoring this database.')
      marked = await markRestore(db, basename(backup.file))
      await requireEmpty(tx)
      await applyMigrations(tx, isFormer(backup.header) ? 1 : backup.header.schema)
      if (isFormer(backup.header)) await prepareFormerTables(tx)
      await loadRows(tx, copy, backup, options)
      if (isFormer(backup.header)) await adoptRows(tx)
      await applyMigrations(tx)
      await createFunctions(tx)
      // Without statistics the audit and the first requests would be planned for empty tables.
      await tx.unsafe('analyze')
      await options.finish?.(tx)
      await unmarkRestore(tx)
    }
    await transactionWithCopy(db, work, { signal: options.signal })
  } catch (fault) {
    if (marked) await unmarkRestore(db).catch(() => {}) // the database is unreachable; the next restore finds the mark
    throw fault
  }
}

async function requireEmpty(sql: Db | Tx): Promise<void> {
  if (await isEmptyDatabase(sql)) return
  throw new RestoreFault(
    'A backup is restored into an empty installation, and this database has tables: set DATABASE_URL to another database, or GANGAN_DATA to another data folder.',
  )
}

/** Fills the empty tables of the backup's schema. */
export async function loadRows(
  tx: Tx,
  copy: Copy,
  { file, header }: CheckedBackup,
  options: RestoreOptions = {},
): Promise<void> {
  await arrangePartitions(tx, header.partitions)
  const { sequences } = await loadTables(tx, copy, readParts(file, options), options)
  for (const { name, last_value } of sequences) await tx`select setval(${name}::regclass, ${last_value}::bigint)`
  // Runs deferred triggers now: later migrations may change the tables.
  await tx.unsafe('set constraints all immediate')
}

/** Copies the rows of every table of the file, and verifies that all have arrived. */
export async function loadTables(
  tx: Tx,
  copy: Copy,
  parts: AsyncGenerator<Part>,
  options: Pick<RestoreOptions, 'onUnknownTable'> & { onTable?: (table: TableBegin) => void },
): Promise<Summary> {
  let summary: Summary | undefined
  for await (const part of resumeReading(parts)) {
    if (part.kind === 'table') {
      options.onTable?.(part.table)
      await loadTable(tx, copy, part.table, parts, options)
    }
    if (part.kind === 'summary') ({ summary } = part)
  }
  if (!summary) throw new Error('a backup ended before its end')
  return summary
}

/** Iterates without closing the generator, so that another loop can continue it. */
async function* resumeReading(parts: AsyncGenerator<Part>): AsyncGenerator<Part> {
  for (let next = await parts.next(); !next.done; next = await parts.next()) yield next.value
}

async function loadTable(
  tx: Tx,
  copy: Copy,
  { table, columns }: TableBegin,
  parts: AsyncGenerator<Part>,
  { onUnknownTable = () => {} }: Pick<RestoreOptions, 'onUnknownTable'>,
): Promise<void> {
  let rows = 0
  async function* lines(): AsyncGenerator<Buffer> {
    for await (const part of resumeReading(parts)) {
      if (part.kind === 'table_end') rows = part.end.rows
      if (part.kind !== 'data') return
      yield part.bytes
    }
  }
  const [known] = await tx<{ found: boolean }[]>`select to_regclass(${table}) is not null as found`
  if (!known?.found) {
    const unread = lines()
    while (!(await unread.next()).done);
    return onUnknownTable(table)
  }
  const copied = await copy(
    `copy "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) from stdin`,
    lines(),
  )
  const [counted] = await tx.unsafe<{ rows: bigint }[]>(`select count(*) as rows from "${table}"`)
  if (copied !== rows || counted?.rows !== BigInt(rows)) {
    throw new Error(`${table} should have ${rows} rows and has ${counted?.rows}`)
  }
}

import type { Db, Tx } from '../../db/connect.ts'
import type { Copy } from '../../db/copy.ts'
import { LOCKS } from '../../db/locks.ts'
import type { Sql } from '../../db/sql.ts'
import type { RegistryKind } from './lines.ts'

export type Progress = { bytes_done: bigint; lines_done: bigint; rejected: bigint; rejects_bytes: bigint }

export type Mode = 'merge' | 'replace'

const TABLE = { ported: 'ported_numbers', dnd: 'dnd_numbers' } as const
const LINES = { ported: 'ported_import_lines', dnd: 'dnd_import_lines' } as const
const LOCK_OF = { ported: 1, dnd: 2 } as const

/** One import per registry at a time. The lock belongs to the connection, so a crashed process releases it. */
export async function lockImport(connection: Sql, kind: RegistryKind): Promise<boolean> {
  const [row] = await connection<{ locked: boolean }[]>`
    select pg_try_advisory_lock(${LOCKS.registry_import}, ${LOCK_OF[kind]}) as locked`
  return row?.locked === true
}

export async function unlockImport(connection: Sql, kind: RegistryKind): Promise<void> {
  await connection`select pg_advisory_unlock(${LOCKS.registry_import}, ${LOCK_OF[kind]})`
}

/** How far an interrupted import of the same file has come. */
export async function findProgress(db: Db, kind: RegistryKind, fingerprint: string): Promise<Progress | undefined> {
  const [row] = await db<Progress[]>`
    select bytes_done, lines_done, rejected, rejects_bytes
    from number_imports where kind = ${kind} and fingerprint = ${fingerprint}`
  return row
}

export async function beginImport(tx: Tx, kind: RegistryKind, fingerprint: string, mode: Mode): Promise<void> {
  await tx.unsafe(`truncate ${LINES[kind]}`)
  await tx`delete from number_imports where kind = ${kind}`
  await tx`insert into number_imports (kind, fingerprint, mode) values (${kind}, ${fingerprint}, ${mode})`
}

/** Copies lines in PostgreSQL's text format, and waits until the server has stored them. */
export async function copyLines(copy: Copy, kind: RegistryKind, texts: AsyncIterable<string>): Promise<void> {
  const columns = kind === 'ported' ? 'line, msisdn, operator' : 'line, msisdn'
  await copy(`copy ${LINES[kind]} (${columns}) from stdin`, texts)
}

export async function hasLines(db: Db, kind: RegistryKind): Promise<boolean> {
  const rows = await db.unsafe(`select 1 from ${LINES[kind]} limit 1`)
  return rows.length > 0
}

export async function saveProgress(tx: Tx, kind: RegistryKind, progress: Progress): Promise<void> {
  await tx`
    update number_imports
    set bytes_done = ${String(progress.bytes_done)}, lines_done = ${String(progress.lines_done)},
      rejected = ${String(progress.rejected)}, rejects_bytes = ${String(progress.rejects_bytes)}
    where kind = ${kind}`
}

/** Of several lines for one number the last counts. */
const LAST_OF_EACH = {
  ported: 'select distinct on (msisdn) msisdn, operator from ported_import_lines order by msisdn, line desc',
  dnd: 'select distinct msisdn from dnd_import_lines order by msisdn',
} as const

export async function mergeLines(tx: Tx, kind: RegistryKind): Promise<void> {
  const ported = kind === 'ported'
  const change = ported
    ? 'update set operator = excluded.operator where ported_numbers.operator <> excluded.operator'
    : 'nothing'
  await tx.unsafe(`
    insert into ${TABLE[kind]} (${ported ? 'msisdn, operator' : 'msisdn'}) ${LAST_OF_EACH[kind]}
    on conflict (msisdn) do ${change}`)
}

/**
 * Fills a new table and swaps it with the old one at the end, so that lookups are not blocked until then. The index is
 * built after the rows are inserted, which is several times faster.
 */
export async function replaceByLines(tx: Tx, kind: RegistryKind): Promise<void> {
  const [table, next] = [TABLE[kind], `${TABLE[kind]}_next`]
  await tx.unsafe(`create table ${next} (like ${table} including defaults including constraints)`)
  await tx.unsafe(`insert into ${next} ${LAST_OF_EACH[kind]}`)
  await tx.unsafe(`alter table ${next} add constraint ${next}_pkey primary key (msisdn)`)
  await tx.unsafe(`drop table ${table}`)
  await tx.unsafe(`alter table ${next} rename to ${table}`)
  await tx.unsafe(`alter index ${next}_pkey rename to ${table}_pkey`)
}

/** Raises the limits of the session for the last step, which sorts and writes all rows. */
export async function allowHeavyWork(tx: Tx): Promise<void> {
  await tx`set local statement_timeout = 0`
  await tx`set local work_mem = '128MB'`
  await tx`set local maintenance_work_mem = '128MB'`
}

/** Ends the import and returns how many numbers the registry now has. */
export async function endImport(tx: Tx, kind: RegistryKind): Promise<bigint> {
  await tx.unsafe(`analyze ${TABLE[kind]}`)
  const table = kind === 'ported' ? tx`ported_numbers` : tx`dnd_numbers`
  const [row] = await tx<{ numbers: bigint }[]>`
    insert into number_registries (kind, numbers)
    select ${kind}, count(*) from ${table}
    on conflict (kind) do update set numbers = excluded.numbers, imported_datetime = now()
    returning numbers`
  await tx.unsafe(`truncate ${LINES[kind]}`)
  await tx`delete from number_imports where kind = ${kind}`
  return row?.numbers ?? 0n
}

export async function listRegistries(
  db: Db,
): Promise<{ kind: RegistryKind; numbers: bigint; imported_datetime: string }[]> {
  return db`select kind, numbers, imported_datetime from number_registries order by kind`
}

import type { Db, Tx } from '../../db/connect.ts'
import { listPage, type Listed } from '../../db/list-page.ts'
import { rows } from '../../db/rows.ts'
import { prepare } from '../../db/sql.ts'
import type { Page } from '../../values/page.ts'
import type { Fault } from '../../values/refusal.ts'
import type { Encoding } from '../../values/csv-read.ts'
import type { Field } from './mapping.ts'

export const IMPORT_STATUSES = ['uploading', 'queued', 'running', 'done', 'failed', 'canceled'] as const
export type ImportStatus = (typeof IMPORT_STATUSES)[number]

export type ImportRow = {
  id: string
  status: ImportStatus
  dry_run: boolean
  encoding: Encoding
  delimiter: string
  fields: Field[]
  upsert_number: number | null
  bytes_total: bigint
  bytes_done: bigint
  lines_done: number
  created: number
  updated: number
  rejected: number
  fault: string | null
  created_datetime: string
  updated_datetime: string | null
}

export type Reject = { line: number; fields: string[]; faults: Fault[] }

export async function insertImport(
  db: Db,
  organisation_id: string,
  row: Pick<ImportRow, 'id' | 'dry_run' | 'encoding' | 'delimiter'>,
): Promise<void> {
  await db`
    insert into contact_imports (organisation_id, id, dry_run, encoding, delimiter, fields)
    values (${organisation_id}, ${row.id}, ${row.dry_run}, ${row.encoding}, ${row.delimiter}, '[]')`
}

export async function insertChunk(db: Db, organisation_id: string, import_id: string, position: number, bytes: Buffer) {
  await db`
    insert into contact_import_chunks (organisation_id, import_id, position, bytes)
    values (${organisation_id}, ${import_id}, ${String(position)}::bigint, ${bytes})`
}

/** Queues a complete upload. The byte order mark and the header line count as done. */
export async function queueImport(
  tx: Tx,
  organisation_id: string,
  row: {
    id: string
    encoding: Encoding
    fields: Field[]
    upsert_number: number | null
    bytes_total: number
    bytes_done: number
    lines_done: number
  },
): Promise<void> {
  await tx`
    update contact_imports
    set status = 'queued', encoding = ${row.encoding}, fields = ${JSON.stringify(row.fields)}::text::jsonb, upsert_number = ${row.upsert_number},
      bytes_total = ${String(row.bytes_total)}::bigint, bytes_done = ${String(row.bytes_done)}::bigint,
      lines_done = ${row.lines_done}
    where organisation_id = ${organisation_id} and id = ${row.id} and status = 'uploading'`
}

export async function findImport(db: Db, organisation_id: string, id: string): Promise<ImportRow | undefined> {
  const [row] = await db<ImportRow[]>`
    select ${columns(db)} from contact_imports where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Newest first. */
export async function listImports(db: Db, organisation_id: string, page: Page): Promise<Listed<ImportRow>> {
  return listPage<ImportRow>(db, page, {
    select: columns(db),
    from: db`contact_imports`,
    where: db`organisation_id = ${organisation_id} and status <> 'uploading'`,
  })
}

function columns(db: Db) {
  return prepare(db`id, status, dry_run, encoding, delimiter, fields, upsert_number, bytes_total, bytes_done,
    lines_done, created, updated, rejected, fault, created_datetime, updated_datetime`)
}

/** Locks an import. Its holder writes the next batch, if the import still is where that batch begins. */
export async function lockProgress(tx: Tx, organisation_id: string, id: string) {
  const [row] = await tx<{ status: ImportStatus; bytes_done: bigint }[]>`
    select status, bytes_done from contact_imports
    where organisation_id = ${organisation_id} and id = ${id} for update`
  return row
}

export async function recordProgress(
  tx: Tx,
  organisation_id: string,
  id: string,
  step: { bytes_done: number; lines_done: number; created: number; updated: number; rejected: number },
): Promise<void> {
  await tx`
    update contact_imports
    set status = 'running', bytes_done = ${String(step.bytes_done)}::bigint, lines_done = ${step.lines_done},
      created = created + ${step.created}, updated = updated + ${step.updated},
      rejected = rejected + ${step.rejected}, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id}`
}

/** Ends an import that has not ended, and deletes its file. */
export async function endImport(
  tx: Tx,
  organisation_id: string,
  id: string,
  status: 'done' | 'failed' | 'canceled',
  fault: string | null,
): Promise<boolean> {
  const ended = await tx`
    update contact_imports
    set status = ${status}, fault = ${fault}, updated_datetime = now(),
      bytes_done = case when ${status} = 'done' then bytes_total else bytes_done end
    where organisation_id = ${organisation_id} and id = ${id} and status in ('uploading', 'queued', 'running')`
  await tx`delete from contact_import_chunks where organisation_id = ${organisation_id} and import_id = ${id}`
  return ended.count === 1
}

/** The bytes of the file from an offset to the end of its chunk. */
export async function readChunk(
  db: Db,
  organisation_id: string,
  import_id: string,
  offset: number,
): Promise<Buffer | undefined> {
  const [row] = await db<{ position: bigint; bytes: Buffer }[]>`
    select position, bytes from contact_import_chunks
    where organisation_id = ${organisation_id} and import_id = ${import_id} and position <= ${String(offset)}::bigint
    order by position desc limit 1`
  return row?.bytes.subarray(offset - Number(row.position))
}

export async function insertRejects(tx: Tx, organisation_id: string, import_id: string, rejects: readonly Reject[]) {
  if (rejects.length === 0) return
  await tx`
    insert into contact_import_rejects (organisation_id, import_id, line, fields, faults)
    select ${organisation_id}, ${import_id}, line,
      array(select jsonb_array_elements_text(fields)), faults
    from ${rows(tx, rejects, 'reject', { line: 'integer', fields: 'jsonb', faults: 'jsonb' })}`
}

/** In the order of the file. */
export async function listRejects(
  db: Db,
  organisation_id: string,
  import_id: string,
  after_line: number,
  limit: number,
): Promise<Reject[]> {
  return db<Reject[]>`
    select line, fields, faults from contact_import_rejects
    where organisation_id = ${organisation_id} and import_id = ${import_id} and line > ${after_line}
    order by line limit ${limit}`
}

/**
 * The oldest row of each key that exists. One index probe per key (the index holds the first 200 characters): for
 * `key = any (…)` the planner may choose the trigram index, which takes seconds.
 */
export async function findRowsByKey(sql: Db | Tx, organisation_id: string, number: number, keys: readonly string[]) {
  return sql<{ key: string; row_id: string }[]>`
    select given.key, found.row_id
    from unnest(${keys}::text[]) as given (key)
    cross join lateral (
      select row_id from contact_cells
      where organisation_id = ${organisation_id} and number = ${number}
        and left(contact_cells.key, 200) = left(given.key, 200)
        and contact_cells.key || '' = given.key -- not the trigram index
      order by left(contact_cells.key, 200), row_id limit 1
    ) found`
}

/** Deletes uploads that broke off, and imports that ended before the retention period. */
export async function forgetImports(db: Db, older_than_days: number): Promise<void> {
  await db`
    with old as (
      delete from contact_imports
      where (status = 'uploading' and created_datetime < now() - interval '1 day')
        or (status in ('done', 'failed', 'canceled')
          and created_datetime < now() - ${older_than_days} * interval '1 day')
      returning organisation_id, id
    ),
    chunks as (
      delete from contact_import_chunks using old
      where contact_import_chunks.organisation_id = old.organisation_id and import_id = old.id
    )
    delete from contact_import_rejects using old
    where contact_import_rejects.organisation_id = old.organisation_id and import_id = old.id`
}

import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { isId } from '../../values/id.ts'
import { readPage, type PageQuery, type Pagination } from '../../values/page.ts'
import { pickPresent, present } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import { csvLine } from '../../values/csv-write.ts'
import { openTable, type OpenTable, type Owner } from '../table.ts'
import { endImport, findImport, listImports, listRejects, type ImportRow } from './import-store.ts'
import type { Import, ImportWithFaults } from './schema.ts'

const SHOWN_FAULTS = 100
const SHOWN_CHARACTERS = 100
const REJECTS_PER_READ = 1_000

export async function readImport(deps: { db: Db }, owner: Owner, id: string): Promise<ImportWithFaults> {
  const table = await openTable(deps, owner)
  const row = await known(deps.db, owner, id)
  const rejects = await listRejects(deps.db, owner.organisation_id, row.id, 0, SHOWN_FAULTS)
  const place_of = new Map(row.fields.map(({ header }, n) => [header, n]))
  const faults = rejects.flatMap((reject) =>
    reject.faults.map(({ field, message, type }) => {
      const value = reject.fields[place_of.get(field) ?? -1]?.slice(0, SHOWN_CHARACTERS)
      return { line: reject.line, field, ...present('value', value), message, type }
    }),
  )
  return { ...shownImport(table, row), faults: faults.slice(0, SHOWN_FAULTS) }
}

export async function findImports(
  deps: { db: Db },
  owner: Owner,
  query: PageQuery,
): Promise<{ imports: Import[]; pagination: Pagination }> {
  const table = await openTable(deps, owner)
  const { rows, pagination } = await listImports(deps.db, owner.organisation_id, readPage(query))
  return { imports: rows.map((row) => shownImport(table, row)), pagination }
}

/** Cancels an import; rows written so far stay. One that has ended is left unchanged. */
export async function cancelImport(deps: { db: Db }, owner: Owner, id: string): Promise<void> {
  const row = await known(deps.db, owner, id)
  await transaction(deps.db, (tx) => endImport(tx, owner.organisation_id, row.id, 'canceled', null))
}

/** The rejected lines as CSV: line number, faults, and the original fields. */
export async function readRejects(deps: { db: Db }, owner: Owner, id: string): Promise<AsyncGenerator<string>> {
  const row = await known(deps.db, owner, id)
  return writeRejects(deps.db, owner.organisation_id, row)
}

async function* writeRejects(db: Db, organisation_id: string, row: ImportRow): AsyncGenerator<string> {
  yield csvLine(['line', 'faults', ...row.fields.map(({ header }) => header)])
  for (let line = 0; ;) {
    const rejects = await listRejects(db, organisation_id, row.id, line, REJECTS_PER_READ)
    const lines = rejects.map(({ line: rejected_line, faults, fields }) =>
      csvLine([String(rejected_line), faults.map(({ field, message }) => `${field}: ${message}`).join(' '), ...fields]),
    )
    yield lines.join('')
    line = rejects.at(-1)?.line ?? line
    if (rejects.length < REJECTS_PER_READ) return
  }
}

async function known(db: Db, { organisation_id }: Owner, id: string): Promise<ImportRow> {
  const row = isId(id) ? await findImport(db, organisation_id, id) : undefined
  if (!row) throw new Refusal('not_found', 'There is no such import.')
  return row
}

function shownImport(table: OpenTable, row: ImportRow): Import {
  const column_of = new Map(table.columns.map((column) => [column.first_number, column]))
  const total = Number(row.bytes_total)
  const upsert_by = row.upsert_number === null ? undefined : column_of.get(row.upsert_number)?.name
  return {
    ...pickPresent(row, 'id', 'status', 'dry_run'),
    columns: row.fields.map(({ header, number, name, type, is_new, ...typed }) => {
      const column = number === undefined ? undefined : column_of.get(number)
      return {
        header,
        ...present('column_id', column?.id),
        ...present('name', column?.name ?? name),
        ...present('type', column?.type ?? type),
        is_new: is_new ?? false,
        ...pickPresent(typed, 'format', 'formats', 'detected', 'options'),
      }
    }),
    ...present('upsert_by', upsert_by),
    progress: row.status === 'done' || total === 0 ? 1 : Math.floor((Number(row.bytes_done) / total) * 1_000) / 1_000,
    lines: row.lines_done,
    ...pickPresent(row, 'created', 'updated', 'rejected', 'fault', 'created_datetime', 'updated_datetime'),
  }
}

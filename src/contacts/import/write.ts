import type { Tx } from '../../db/connect.ts'
import type { Fault } from '../../values/refusal.ts'
import { withoutHalves } from '../../values/input/storable.ts'
import { isFault, putCell, readCell, type Cells } from '../cell.ts'
import { withoutApostrophe } from '../../values/csv-write.ts'
import { insertRows, lockRows, updateRows, type ByNumber, type RowDraft } from '../rows/row-store.ts'
import { merge, newRow } from '../rows/rows.ts'
import { lockTable, type ColumnRow } from '../table-store.ts'
import type { OpenTable } from '../table.ts'
import { plainText } from '../types/formats.ts'
import type { CsvRecord } from '../../values/csv-read.ts'
import { findRowsByKey, insertRejects, recordProgress, type ImportRow, type Reject } from './import-store.ts'

/** Rejects beyond this number are counted but not stored. */
export const MAX_REJECTS = 100_000

type Read = { record: CsvRecord; cells: Cells }

/** Writes the rows of some records, the rejects and the import's progress, in the caller's transaction. */
export async function writeBatch(
  tx: Tx,
  table: OpenTable,
  row: ImportRow,
  records: readonly CsvRecord[],
): Promise<void> {
  const columns = columnsOf(table, row)
  const good: Read[] = []
  const rejects: Reject[] = []
  for (const record of records) {
    const faults: Fault[] = []
    const cells = readRecord(table, columns, row, record, faults)
    if (faults.length > 0)
      rejects.push({
        line: record.line,
        fields: record.fields.map((field) => storable(withoutApostrophe(field))),
        faults,
      })
    else good.push({ record, cells })
  }
  const written = await writeRows(tx, table, row, good)
  const left = Math.max(0, MAX_REJECTS - row.rejected)
  await insertRejects(tx, table.organisation_id, row.id, rejects.slice(0, left))
  row.rejected += rejects.length
  const last = records.at(-1)
  await recordProgress(tx, table.organisation_id, row.id, {
    bytes_done: last?.end ?? Number(row.bytes_done),
    lines_done: (last?.next_line ?? 1) - 1,
    ...written,
    rejected: rejects.length,
  })
}

/** The present column of each field; the new columns of a dry run exist only here. */
function columnsOf(table: OpenTable, row: ImportRow): (ColumnRow | undefined)[] {
  return row.fields.map(({ number, type, name = '', options = null }, n) => {
    if (number !== undefined) return table.columns.find(({ first_number }) => first_number === number)
    if (!type || !row.dry_run) return undefined
    return { id: '', number: -1 - n, first_number: -1 - n, name, name_key: '', type, options, twin: null }
  })
}

function readRecord(
  table: OpenTable,
  columns: readonly (ColumnRow | undefined)[],
  row: ImportRow,
  record: CsvRecord,
  faults: Fault[],
): Cells {
  const cells: Cells = new Map()
  if (record.unclosed) {
    faults.push({ field: 'line', message: 'A quote is opened and not closed.', type: 'invalid' })
    return cells
  }
  if (record.fields.length > columns.length) {
    const message = `The line has ${record.fields.length} fields, the header ${columns.length}.`
    faults.push({ field: 'line', message, type: 'invalid' })
  }
  for (const [n, column] of columns.entries()) {
    if (!column) continue
    const { header = '', format } = row.fields[n] ?? {}
    const text = plainText(withoutApostrophe(record.fields[n] ?? ''), column.type, format)
    const cell = readCell(text, column, table.plan)
    const fault = isFault(cell) ? cell : cell && putCell(cells, column, cell, table.plan)
    if (fault) faults.push({ field: header, ...fault })
  }
  return cells
}

async function writeRows(tx: Tx, table: OpenTable, row: ImportRow, good: readonly Read[]) {
  const { organisation_id } = table
  const drafts = new Map<string, RowDraft & { before?: ByNumber }>()
  const upsert = table.columns.find(({ first_number }) => first_number === row.upsert_number)
  const by_key = upsert ? await lockKnown(tx, table, upsert.number, good, drafts) : new Map<string, string>()
  for (const { cells } of good) {
    const key = upsert && cells.get(upsert.number)?.key
    const id = key === undefined ? undefined : by_key.get(key)
    const draft = id === undefined ? undefined : drafts.get(id)
    if (draft) Object.assign(draft, merge(draft, cells))
    else {
      const fresh = newRow(cells)
      drafts.set(fresh.id, fresh)
      if (key !== undefined) by_key.set(key, fresh.id)
    }
  }
  const fresh = [...drafts.values()].filter(({ before }) => before === undefined)
  const changed = [...drafts.values()].flatMap(({ id, cells, keys, before }) =>
    before ? [{ id, cells, keys, before }] : [],
  )
  if (!row.dry_run && fresh.length > 0) await insertRows(tx, organisation_id, fresh)
  if (!row.dry_run && changed.length > 0) await updateRows(tx, organisation_id, changed)
  return { created: fresh.length, updated: good.length - fresh.length }
}

/** Locks the rows that have one of the keys. The lock on the table keeps concurrent imports from adding the same key. */
async function lockKnown(
  tx: Tx,
  table: OpenTable,
  number: number,
  good: readonly Read[],
  drafts: Map<string, RowDraft & { before?: ByNumber }>,
): Promise<Map<string, string>> {
  const { organisation_id } = table
  const keys = good.flatMap(({ cells }) => cells.get(number)?.key ?? [])
  if (keys.length === 0) return new Map()
  await lockTable(tx, organisation_id)
  const found = await findRowsByKey(tx, organisation_id, number, [...new Set(keys)])
  for (const row of await lockRows(
    tx,
    organisation_id,
    found.map(({ row_id }) => row_id),
  )) {
    drafts.set(row.id, { id: row.id, cells: row.cells, keys: row.keys, before: row.keys })
  }
  return new Map(found.map(({ key, row_id }) => [key, row_id]))
}

/** Removes characters that PostgreSQL cannot store. */
function storable(field: string): string {
  return withoutHalves(field.slice(0, 2_000).replaceAll('\u0000', ''))
}

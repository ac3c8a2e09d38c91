import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { enqueue } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { newId } from '../../values/id.ts'
import { withoutApostrophe } from '../../values/csv-write.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { withoutHalves } from '../../values/input/storable.ts'
import { CHUNK_BYTES, inChunks } from '../../values/octets/in-chunks.ts'
import { nameKey } from '../keys.ts'
import { insertColumn, listColumns, lockTable, touchTable } from '../table-store.ts'
import { findColumn, openTable, type OpenTable, type Owner } from '../table.ts'
import { detectCsv, makeCsvReader, makeEncodingDetector, TOO_EMPTY } from '../../values/csv-read.ts'
import { endImport, insertChunk, insertImport, queueImport } from './import-store.ts'
import { mapFields, type Field, type MappingOptions } from './mapping.ts'
import { MAX_FIELDS, MAX_SAMPLES } from './schema.ts'
import { IMPORT_QUEUE } from './worker.ts'

export const MAX_IMPORT_BYTES = 256 * 1024 * 1024
/** Records of the first chunk from which headers and types are read. */
const SAMPLE_RECORDS = 1_000

export type UploadOptions = MappingOptions & {
  dry_run?: boolean | undefined
  upsert_by?: string | undefined
  allow_duplicates?: boolean | undefined
}

/** The stored import, and the first values of each header, which are not stored. */
export type Uploaded = { id: string; samples: string[][] }

const SAMPLE_CHARACTERS = 60

const NO_CSV: Fault = { field: 'file', message: 'The file is not CSV in UTF-8 or Windows-1252.', type: 'invalid' }

/** Stores a CSV file chunk by chunk and enqueues the import. */
export async function uploadImport(
  deps: { db: Db; wakeups: Wakeups },
  owner: Owner,
  file: AsyncIterable<Buffer>,
  options: UploadOptions,
  shape_faults: readonly Fault[],
): Promise<Uploaded> {
  const { organisation_id } = owner
  const chunks = inChunks(file)
  const first = (await chunks.next()).value ?? Buffer.alloc(0)
  const plan = await planImport(deps, owner, first, options, shape_faults).catch(async (fault: unknown) => {
    // A client reads the response only after it has sent the whole body.
    while (!(await chunks.next()).done);
    throw fault
  })
  const id = newId()
  const dry_run = options.dry_run ?? false
  await insertImport(deps.db, organisation_id, { id, dry_run, encoding: plan.encoding, delimiter: plan.delimiter })
  try {
    let position = 0
    const detector = makeEncodingDetector(plan.encoding)
    for (let chunk: Buffer | undefined = first; chunk; chunk = (await chunks.next()).value ?? undefined) {
      await insertChunk(deps.db, organisation_id, id, position, chunk)
      position += chunk.length
      detector.push(chunk)
    }
    const encoding = detector.finish()
    if (!encoding) throw new Refusal('invalid_request', 'The request is invalid.', [NO_CSV])
    await transaction(deps.db, async (tx) => {
      const fields = dry_run ? plan.fields : await makeColumns(tx, organisation_id, plan.fields)
      const upsert_number = fields[plan.upsert_at]?.number ?? null
      const { bytes_done, lines_done } = plan
      await queueImport(tx, organisation_id, {
        id,
        encoding,
        fields,
        upsert_number,
        bytes_total: position,
        bytes_done,
        lines_done,
      })
      await enqueue(tx, IMPORT_QUEUE, [{ lane: organisation_id, organisation_id, subject_id: id }])
    })
  } catch (fault) {
    const reason = fault instanceof Refusal ? NO_CSV.message : 'The upload broke off.'
    await transaction(deps.db, (tx) => endImport(tx, organisation_id, id, 'failed', reason))
    throw fault
  }
  deps.wakeups.wake(IMPORT_QUEUE)
  return { id, samples: plan.samples }
}

async function planImport(
  deps: { db: Db },
  owner: Owner,
  first: Buffer,
  options: UploadOptions,
  shape_faults: readonly Fault[],
) {
  const faults = [...shape_faults]
  const table = await openTable(deps, owner)
  const upsert_column = options.upsert_by === undefined ? undefined : findColumn(table, options.upsert_by)
  if (options.upsert_by !== undefined && !upsert_column) {
    faults.push({ field: 'upsert_by', message: 'There is no such column.', type: 'unknown_column' })
  }
  const format = detectCsv(first)
  const { records = [], is_too_empty = false } = format ? sampleRecords(first, format) : {}
  const [header, ...samples] = records
  if (is_too_empty) faults.push({ field: 'file', message: TOO_EMPTY, type: 'less_than_equal' })
  if (!format || !header) {
    const empty: Fault = { field: 'file', message: 'The file is empty.', type: 'missing' }
    if (!is_too_empty) faults.push(format ? empty : NO_CSV)
    refuseIfFaulty(faults)
    throw new Error('unreachable')
  }
  if (header.fields.length > MAX_FIELDS) {
    const most = MAX_FIELDS.toLocaleString('en')
    const message = `The file has ${header.fields.length.toLocaleString('en')} headers; it may have at most ${most}.`
    faults.push({ field: 'file', message, type: 'less_than_equal' })
    refuseIfFaulty(faults)
  }
  const headers = header.fields.map((one) => withoutApostrophe(one).trim())
  const sample_fields = samples.map(({ fields }) => fields.map(withoutApostrophe))
  const fields = mapFields(table, headers, sample_fields, options, faults)
  const upsert_at =
    options.upsert_by === undefined && !options.allow_duplicates
      ? placeOfPhones(table, fields)
      : fields.findIndex(({ number }) => number !== undefined && number === upsert_column?.first_number)
  if (upsert_column && (upsert_at === -1 || upsert_column.type === 'MULTI SELECT')) {
    faults.push({ field: 'upsert_by', message: 'No header of the file goes to this column.', type: 'invalid' })
  } else if (upsert_column && options.allow_duplicates) {
    const message = 'Either every line is a new row, or those with the same value change one.'
    faults.push({ field: 'allow_duplicates', message, type: 'invalid' })
  }
  refuseIfFaulty(faults)
  const { encoding, delimiter } = format
  const shown = headers.map((_, n) => firstValues(sample_fields.map((values) => values[n] ?? '')))
  return {
    encoding,
    delimiter,
    fields,
    upsert_at,
    bytes_done: header.end,
    lines_done: header.next_line - 1,
    samples: shown,
  }
}

/** The first PHONE NUMBER column that the file has values for, in the order of the table; new ones last. */
function placeOfPhones(table: OpenTable, fields: readonly Field[]): number {
  const phones = table.columns.filter(({ type }) => type === 'PHONE NUMBER')
  const places = phones.map((column) => fields.findIndex(({ number }) => number === column.first_number))
  const known = places.find((place) => place !== -1)
  return known ?? fields.findIndex(({ type, is_new }) => is_new && type === 'PHONE NUMBER')
}

function firstValues(values: readonly string[]): string[] {
  const filled = values.map((value) => value.trim()).filter(Boolean)
  return filled.slice(0, MAX_SAMPLES).map((value) => withoutHalves(value.slice(0, SAMPLE_CHARACTERS)))
}

function sampleRecords(first: Buffer, { skip, encoding, delimiter }: NonNullable<ReturnType<typeof detectCsv>>) {
  const reader = makeCsvReader(delimiter, encoding, { offset: skip, line: 1 })
  const records = reader.push(first.subarray(skip), SAMPLE_RECORDS)
  // A short file may end without a line break; the last record of a full chunk is cut off.
  if (first.length < CHUNK_BYTES) records.push(...reader.finish(SAMPLE_RECORDS - records.length))
  return { records, is_too_empty: reader.fault() === 'empty_lines' }
}

/** Creates the new columns; one that was created meanwhile is used as it is. */
async function makeColumns(tx: Parameters<typeof lockTable>[0], organisation_id: string, fields: readonly Field[]) {
  if (!fields.some(({ is_new }) => is_new)) return [...fields]
  await lockTable(tx, organisation_id)
  const before = new Set((await listColumns(tx, organisation_id)).map(({ name_key }) => name_key))
  for (const { name, type, is_new, options = null } of fields) {
    if (!is_new || name === undefined || type === undefined || before.has(nameKey(name))) continue
    await insertColumn(tx, organisation_id, { id: newId(), name, name_key: nameKey(name), type, options })
  }
  await touchTable(tx, organisation_id)
  const columns = new Map((await listColumns(tx, organisation_id)).map((column) => [column.name_key, column]))
  return fields.map((field) => {
    const column = field.is_new && field.name !== undefined ? columns.get(nameKey(field.name)) : undefined
    return column ? { ...field, number: column.first_number, type: column.type } : field
  })
}

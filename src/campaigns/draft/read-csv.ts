import { detectCsv, makeCsvReader, TOO_EMPTY, type CsvRecord } from '../../values/csv-read.ts'
import { PHONE_NAMES } from '../../contacts/import/mapping.ts'
import { nameKey } from '../../contacts/keys.ts'
import { withoutApostrophe } from '../../values/csv-write.ts'
import { MAX_COLUMNS } from '../../contacts/schema.ts'
import { Refusal, type Fault } from '../../values/refusal.ts'
import { MAX_UPLOAD_LINES } from './upload-schema.ts'
import type { UploadEntry } from './upload-store.ts'

const NUMBER_NAMES = new Set([...PHONE_NAMES, 'to', 'recipient'])
/** Bytes and lines processed before the event loop gets control again. */
const BYTES_PER_TICK = 16_384
const LINES_PER_TICK = 2_000

/** The recipients of a CSV file; its first line holds the column names. */
export async function readCsv(file: Buffer): Promise<UploadEntry[]> {
  const [header, ...records] = await readRecords(file)
  if (!header || records.length === 0) {
    throw fault('The file has no line below the header.', 'missing')
  }
  if (header.length > MAX_COLUMNS) throw fault(`The file has more than ${MAX_COLUMNS} columns.`, 'less_than_equal')
  const names = header.map((name) => nameKey(withoutApostrophe(name).trim()))
  const at = Math.max(
    0,
    names.findIndex((name) => NUMBER_NAMES.has(name)),
  )
  const entries: UploadEntry[] = []
  for (const [n, fields] of records.entries()) {
    if (n > 0 && n % LINES_PER_TICK === 0) await new Promise(setImmediate)
    const values: [name: string, value: string][] = []
    for (const [place, field] of fields.slice(0, names.length).entries()) {
      const name = names[place] ?? ''
      const value = withoutApostrophe(field).trim()
      if (place !== at && name !== '' && value !== '') values.push([name, value])
    }
    entries.push([withoutApostrophe(fields[at] ?? '').trim(), Object.fromEntries(values)])
  }
  return entries
}

async function readRecords(file: Buffer): Promise<string[][]> {
  const format = detectCsv(file)
  if (!format) throw fault('The file is not CSV in UTF-8 or Windows-1252.', 'invalid')
  const reader = makeCsvReader(format.delimiter, format.encoding, { offset: format.skip, line: 1 })
  const records: string[][] = []
  const take = (read: readonly CsvRecord[]): void => {
    for (const { fields } of read) records.push(fields)
    if (records.length > MAX_UPLOAD_LINES + 1) {
      throw fault(`The file has more than ${MAX_UPLOAD_LINES.toLocaleString('en')} lines.`, 'less_than_equal')
    }
    const broken = reader.fault()
    if (broken === 'empty_lines') throw fault(TOO_EMPTY, 'less_than_equal')
    if (broken === 'long_record') throw fault('A line of the file is too long.', 'string_too_long')
  }
  for (let n = format.skip; n < file.length; n += BYTES_PER_TICK) {
    take(reader.push(file.subarray(n, n + BYTES_PER_TICK)))
    await new Promise(setImmediate)
  }
  take(reader.finish())
  return records
}

function fault(message: string, type: Fault['type']): Refusal {
  return new Refusal('invalid_request', 'The request is invalid.', [{ field: 'csv', message, type }])
}

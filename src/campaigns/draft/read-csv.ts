import { detectCsv, makeCsvReader } from '../../contacts/import/csv.ts'
import { nameKey } from '../../contacts/keys/text.ts'
import { withoutApostrophe } from '../../values/csv-write.ts'
import { refuseIfFaulty } from '../../values/refusal.ts'
import type { UploadEntry } from './upload-store.ts'

const NUMBER_NAMES = new Set(
  'to,phone,phone number,phone_number,phonenumber,mobile,mobile number,msisdn,number,recipient,tel,telephone,cell,gsm,whatsapp'.split(
    ',',
  ),
)
/** Lines read in one turn of the event loop. */
const LINES_PER_TURN = 2_000

/** The people of a CSV file, whose first line has the names of its columns. */
export async function readCsv(file: Buffer): Promise<UploadEntry[]> {
  const format = detectCsv(file)
  if (!format) {
    const message = 'The file is not CSV in UTF-8 or Windows-1252.'
    refuseIfFaulty([{ field: 'csv', message, type: 'invalid' }])
    return []
  }
  const reader = makeCsvReader(format.delimiter, format.encoding, { offset: format.skip, line: 1 })
  const [header, ...records] = [...reader.push(file.subarray(format.skip)), ...reader.finish()]
  if (!header || records.length === 0) {
    const message = 'The file has no line but the first, which holds the names of the columns.'
    refuseIfFaulty([{ field: 'csv', message, type: 'missing' }])
    return []
  }
  const names = header.fields.map((name) => nameKey(withoutApostrophe(name).trim()))
  const at = Math.max(
    0,
    names.findIndex((name) => NUMBER_NAMES.has(name)),
  )
  const entries: UploadEntry[] = []
  for (const [n, { fields }] of records.entries()) {
    if (n > 0 && n % LINES_PER_TURN === 0) await new Promise(setImmediate)
    const values: Record<string, string> = {}
    for (const [place, name] of names.entries()) {
      const value = withoutApostrophe(fields[place] ?? '').trim()
      if (place !== at && name !== '' && value !== '') values[name] = value
    }
    entries.push([withoutApostrophe(fields[at] ?? '').trim(), values])
  }
  return entries
}

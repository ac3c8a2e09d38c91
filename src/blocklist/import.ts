import type { Db } from '../db/connect.ts'
import type { Actor } from '../users/audit.ts'
import { detectCsv, makeCsvReader, type CsvRecord } from '../values/csv-read.ts'
import { csvLine } from '../values/csv-write.ts'
import type { DialPlan } from '../values/phone/phone.ts'
import { Refusal } from '../values/refusal.ts'
import { block } from './manage.ts'
import { MAX_ENTRIES } from './schema.ts'
import { exportEntries } from './store.ts'

/** Larger files cannot be a block list. */
export const MAX_IMPORT_BYTES = 64 * 1024 * 1024

const HEAD = ['entry', 'reason', 'expires', 'hits', 'last_hit', 'created', 'actor']
const ENTRIES_PER_READ = 10_000

/**
 * Blocks all numbers and prefixes of a CSV file, or none: entry, and perhaps reason and expiry. A header names the columns;
 * without one they are in this order. `reason` is that of lines without one.
 */
export async function importBlocklist(
  deps: { db: Db },
  who: Actor,
  plan: DialPlan,
  bytes: Buffer,
  reason: string,
): Promise<{ added: number; entries: number }> {
  const csv = detectCsv(bytes)
  if (!csv) throw new Refusal('invalid_request', 'The file is not CSV in UTF-8 or Windows-1252.')
  const reader = makeCsvReader(csv.delimiter, csv.encoding, { offset: csv.skip, line: 1 })
  // One more than allowed, and the header.
  const most = MAX_ENTRIES + 2
  const records = reader.push(bytes.subarray(csv.skip), most)
  if (records.length < most) records.push(...reader.finish())
  if (reader.fault())
    throw new Refusal('invalid_request', 'The file has a line that is too long, or too many empty ones.')
  const columns = readColumns(records[0])
  const lines = records.slice(columns.skip)
  if (lines.length > MAX_ENTRIES) {
    throw new Refusal('invalid_request', `The file has more than ${MAX_ENTRIES.toLocaleString('en')} entries.`)
  }
  const given = lines.map(({ line, fields }) => {
    const cell = (at: number): string => (at < 0 ? '' : (fields[at] ?? '').trim())
    const until = cell(columns.expires)
    return {
      entry: cell(columns.entry),
      reason: cell(columns.reason) || reason,
      until: until === '' ? undefined : until,
      line,
    }
  })
  if (given.length === 0) throw new Refusal('invalid_request', 'The file has no entries.')
  return block(deps, who, plan, given, 'import')
}

/** All entries as a CSV file that can be imported again. */
export async function* exportBlocklist({ db }: { db: Db }): AsyncGenerator<string> {
  yield csvLine(HEAD)
  for (let after = ''; ;) {
    const rows = await exportEntries(db, after, ENTRIES_PER_READ)
    for (const row of rows) {
      const { entry, reason, expires_datetime, hits, last_hit_datetime, created_datetime, actor } = row
      yield csvLine([
        entry,
        reason,
        expires_datetime ?? '',
        String(hits),
        last_hit_datetime ?? '',
        created_datetime,
        actor,
      ])
    }
    after = rows.at(-1)?.entry ?? after
    if (rows.length < ENTRIES_PER_READ) return
  }
}

type Columns = { entry: number; reason: number; expires: number; skip: number }

function readColumns(first: CsvRecord | undefined): Columns {
  const cells = (first?.fields ?? []).map((cell) => cell.trim().toLowerCase())
  if (/\d/.test(cells[0] ?? '')) return { entry: 0, reason: 1, expires: 2, skip: 0 }
  const find = (name: RegExp): number => cells.findIndex((cell) => name.test(cell))
  const entry = find(/^(entry|number|phone|msisdn|prefix|recipient)/)
  return { entry: entry === -1 ? 0 : entry, reason: find(/^reason/), expires: find(/^(expires|until)/), skip: 1 }
}

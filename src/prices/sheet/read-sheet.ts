import { detectCsv, makeCsvReader, TOO_EMPTY, type CsvRecord } from '../../values/csv-read.ts'
import { withoutApostrophe } from '../../values/csv-write.ts'
import { Refusal, type Fault } from '../../values/refusal.ts'
import { MAX_RULES, type ImportQuery } from '../schema.ts'
import { guessDateOrder } from './cells.ts'
import { FIELDS, readColumns, type Columns } from './columns.ts'
import { makeRuleReader, type Cells, type Numbers, type SheetRule, type UnknownNetwork } from './rules.ts'

export type Sheet = {
  lines: number
  /** The rules of each target, one per moment. */
  targets: ReadonlyMap<string, SheetRule[]>
  invalid: number
  /** The first of them. */
  faults: { line: number; message: string }[]
  /** Networks that are not in the table of network codes, by code, each with the first line that names it. */
  unknown_networks: ReadonlyMap<string, UnknownNetwork & { line: number }>
  headers: string[]
  /** Field to header. */
  columns: Record<string, string>
}

/** Bytes and lines processed before other work runs. */
const BYTES_PER_SLICE = 65_536
const LINES_PER_SLICE = 500
const MAX_SHOWN_FAULTS = 100
const MAX_COLUMNS = 200

type SheetDeps = { numbers: Numbers; currency: string }

/** Reads a rate sheet in slices. Its first line holds the headers. */
export async function readSheet(
  { numbers, currency }: SheetDeps,
  file: Buffer,
  options: Pick<ImportQuery, 'columns' | 'channel' | 'route_class' | 'date_order'>,
): Promise<Sheet> {
  const [head, ...records] = await readRecords(file)
  if (!head || records.length === 0) throw fault('The file has no line below the header.', 'missing')
  const headers = head.fields.slice(0, MAX_COLUMNS).map((header) => withoutApostrophe(header).trim())
  const { columns, faults: column_faults } = readColumns(headers, options.columns)
  if (column_faults.length > 0) {
    const faults = column_faults.map((message): Fault => ({ field: 'columns', message, type: 'unknown_column' }))
    throw new Refusal('invalid_request', 'The columns of the file are not clear.', faults)
  }
  const { channel = 'sms', route_class, date_order = dateOrderOf(records, columns) } = options
  const readRules = makeRuleReader(numbers)
  const defaults = { channel, route_class, date_order, currency }
  const targets = new Map<string, SheetRule[]>()
  const line_of = new Map<SheetRule, number>()
  const faults: Sheet['faults'] = []
  const unknown_networks = new Map<string, UnknownNetwork & { line: number }>()
  let invalid = 0
  let rules_read = 0
  for (const [n, { line, fields }] of records.entries()) {
    if (n % LINES_PER_SLICE === LINES_PER_SLICE - 1) await new Promise(setImmediate)
    const { rules, faults: found, unknown } = readRules(cellsOf(columns, fields), defaults)
    for (const network of unknown) {
      if (!unknown_networks.has(network.mcc_mnc)) unknown_networks.set(network.mcc_mnc, { ...network, line })
    }
    const texts = found.map(({ text }) => text)
    for (const rule of texts.length === 0 ? rules : []) {
      const known = targets.get(rule.target) ?? []
      const other = known.find(({ from_ms }) => from_ms === rule.from_ms)
      if (other && other.price !== rule.price) {
        texts.push(`line ${line_of.get(other)} has another price for the same`)
      } else if (!other) {
        targets.set(rule.target, [...known, rule])
        line_of.set(rule, line)
        rules_read += 1
      }
    }
    if (rules_read > MAX_RULES) throw fault(TOO_LONG, 'less_than_equal')
    if (texts.length === 0) continue
    invalid += 1
    if (faults.length < MAX_SHOWN_FAULTS) faults.push({ line, message: [...new Set(texts)].join('; ') })
  }
  const named = FIELDS.flatMap((field): [string, string][] => {
    const at = columns[field]
    return at === undefined ? [] : [[field, headers[at] ?? '']]
  })
  return {
    lines: records.length,
    targets,
    invalid,
    faults,
    unknown_networks,
    headers,
    columns: Object.fromEntries(named),
  }
}

function cellsOf(columns: Columns, fields: readonly string[]): Cells {
  const cells: Cells = {}
  for (const field of FIELDS) {
    const at = columns[field]
    if (at !== undefined) cells[field] = withoutApostrophe((fields[at] ?? '').slice(0, LONGEST_CELL))
  }
  return cells
}

/** A list of prefixes. */
const LONGEST_CELL = 2_000

function dateOrderOf(records: readonly CsvRecord[], { effective }: Columns) {
  return effective === undefined
    ? undefined
    : guessDateOrder(records.map(({ fields }) => fields[effective]?.trim() ?? ''))
}

const TOO_LONG = `The file has more than ${MAX_RULES.toLocaleString('en')} lines or rules.`

async function readRecords(file: Buffer): Promise<CsvRecord[]> {
  const format = detectCsv(file)
  if (!format) throw fault('The file is not CSV in UTF-8 or Windows-1252. Save a spreadsheet as CSV.', 'invalid')
  const reader = makeCsvReader(format.delimiter, format.encoding, { offset: format.skip, line: 1 })
  const records: CsvRecord[] = []
  const take = (read: readonly CsvRecord[]): void => {
    for (const record of read) if (record.fields.some((field) => field.trim() !== '')) records.push(record)
    if (records.length > MAX_RULES + 1) throw fault(TOO_LONG, 'less_than_equal')
    const broken = reader.fault()
    if (broken === 'empty_lines') throw fault(TOO_EMPTY, 'less_than_equal')
    if (broken === 'long_record') throw fault('A line of the file is too long.', 'string_too_long')
  }
  for (let at = format.skip; at < file.length; at += BYTES_PER_SLICE) {
    take(reader.push(file.subarray(at, at + BYTES_PER_SLICE)))
    await new Promise(setImmediate)
  }
  take(reader.finish())
  return records
}

function fault(message: string, type: Fault['type']): Refusal {
  return new Refusal('invalid_request', 'The request is invalid.', [{ field: 'file', message, type }])
}

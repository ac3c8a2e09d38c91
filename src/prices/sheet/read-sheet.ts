import { detectCsv, makeCsvReader, TOO_EMPTY, type CsvRecord } from '../../values/csv-read.ts'
import { makeSlices } from '../../values/concurrency/slices.ts'
import { withoutApostrophe } from '../../values/csv-write.ts'
import { Refusal, type Fault } from '../../values/refusal.ts'
import { MAX_RULES, type ImportQuery } from '../schema.ts'
import { guessDateOrder, type DateOrder } from './cells.ts'
import { FIELDS, readColumns, type Columns } from './columns.ts'
import { makeRuleReader, type Cells, type Numbers, type SheetRule, type UnknownNetwork } from './rules.ts'

export type ReadRule = SheetRule & { line: number }

export type Sheet = {
  lines: number
  /** The rules of each target, one per moment. */
  targets: Map<string, readonly ReadRule[]>
  invalid: number
  /** The first of them. */
  faults: { line: number; message: string }[]
  /** Networks that are not in the table of network codes, by code, each with the first line that names it. */
  unknown_networks: ReadonlyMap<string, UnknownNetwork & { line: number }>
  headers: string[]
  /** Field to header. */
  columns: Record<string, string>
}

/** Bytes split into records before other work may run. */
const BYTES_PER_PUSH = 8_192
const MAX_SHOWN_FAULTS = 100
const MAX_COLUMNS = 200

type SheetDeps = { numbers: Numbers; currency: string }

/**
 * Reads a rate sheet, whose first line holds the headers. Only the rules are kept, not the lines: copying what stays in memory
 * is most of the work of the garbage collector, and stops all requests.
 */
export async function readSheet(
  { numbers, currency }: SheetDeps,
  file: Buffer,
  options: Pick<ImportQuery, 'columns' | 'channel' | 'route_class' | 'date_order'>,
): Promise<Sheet> {
  const format = detectCsv(file)
  if (!format) throw fault('The file is not CSV in UTF-8 or Windows-1252. Save a spreadsheet as CSV.', 'invalid')
  const readRecords = () => recordsOf(file, format)
  const headers = await readHeaders(readRecords())
  const { columns, faults: column_faults } = readColumns(headers, options.columns)
  if (column_faults.length > 0) {
    const faults = column_faults.map((message): Fault => ({ field: 'columns', message, type: 'unknown_column' }))
    throw new Refusal('invalid_request', 'The columns of the file are not clear.', faults)
  }
  const { channel = 'sms', route_class, date_order = await findDateOrder(readRecords(), columns) } = options
  const readRules = makeRuleReader(numbers)
  const defaults = { channel, route_class, date_order, currency }
  const targets = new Map<string, ReadRule[]>()
  const faults: Sheet['faults'] = []
  const unknown_networks = new Map<string, UnknownNetwork & { line: number }>()
  let lines = 0
  let invalid = 0
  let rules_read = 0

  function take({ line, fields }: CsvRecord): void {
    const { rules, faults: found, unknown } = readRules(cellsOf(columns, fields), defaults)
    for (const network of unknown) {
      if (!unknown_networks.has(network.mcc_mnc)) unknown_networks.set(network.mcc_mnc, { ...network, line })
    }
    const texts: string[] = []
    for (const { text } of found) texts.push(text)
    for (const rule of texts.length === 0 ? rules : []) {
      const known = targets.get(rule.target)
      const other = known && findAt(known, rule.from_ms)
      if (other && other.price !== rule.price) {
        texts.push(`line ${other.line} has another price for the same`)
      } else if (!other) {
        const read = { ...rule, line }
        if (known) known.push(read)
        else targets.set(rule.target, [read])
        rules_read += 1
      }
    }
    if (rules_read > MAX_RULES) throw fault(TOO_LONG, 'less_than_equal')
    if (texts.length === 0) return
    invalid += 1
    if (faults.length < MAX_SHOWN_FAULTS) faults.push({ line, message: [...new Set(texts)].join('; ') })
  }

  for await (const records of readRecords()) {
    for (const record of records) {
      lines += 1
      if (lines > 1) take(record)
    }
    if (lines > MAX_RULES + 1) throw fault(TOO_LONG, 'less_than_equal')
  }
  if (lines < 2) throw fault(NO_LINES, 'missing')
  const named = FIELDS.flatMap((field): [string, string][] => {
    const at = columns[field]
    return at === undefined ? [] : [[field, headers[at] ?? '']]
  })
  return {
    lines: lines - 1,
    targets,
    invalid,
    faults,
    unknown_networks,
    headers,
    columns: Object.fromEntries(named),
  }
}

function findAt(rules: readonly ReadRule[], from_ms: number | undefined): ReadRule | undefined {
  for (const rule of rules) if (rule.from_ms === from_ms) return rule
  return undefined
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

type CsvFormat = NonNullable<ReturnType<typeof detectCsv>>
type Records = AsyncGenerator<CsvRecord[]>

async function readHeaders(batches: Records): Promise<string[]> {
  for await (const [head] of batches) {
    if (head) return head.fields.slice(0, MAX_COLUMNS).map((header) => withoutApostrophe(header).trim())
  }
  throw fault(NO_LINES, 'missing')
}

/** As one of the dates shows it, if there are any. */
async function findDateOrder(batches: Records, { effective }: Columns): Promise<DateOrder | undefined> {
  if (effective === undefined) return undefined
  for await (const records of batches) {
    const found = guessDateOrder(records.map(({ fields }) => fields[effective]?.trim() ?? ''))
    if (found !== undefined) return found
  }
  return undefined
}

const NO_LINES = 'The file has no line below the header.'
const TOO_LONG = `The file has more than ${MAX_RULES.toLocaleString('en')} lines or rules.`

/** The records that are not blank, and rests between them. */
async function* recordsOf(file: Buffer, { skip, encoding, delimiter }: CsvFormat): Records {
  const reader = makeCsvReader(delimiter, encoding, { offset: skip, line: 1 })
  const slices = makeSlices()
  for (let at = skip; at < file.length; at += BYTES_PER_PUSH) {
    yield notBlank(reader.push(file.subarray(at, at + BYTES_PER_PUSH)))
    const broken = reader.fault()
    if (broken === 'empty_lines') throw fault(TOO_EMPTY, 'less_than_equal')
    if (broken === 'long_record') throw fault('A line of the file is too long.', 'string_too_long')
    if (slices.isOver()) await slices.rest()
  }
  yield notBlank(reader.finish())
  if (reader.fault() === 'empty_lines') throw fault(TOO_EMPTY, 'less_than_equal')
}

function notBlank(records: CsvRecord[]): CsvRecord[] {
  return records.filter(({ fields }) => fields.some((field) => field.trim() !== ''))
}

function fault(message: string, type: Fault['type']): Refusal {
  return new Refusal('invalid_request', 'The request is invalid.', [{ field: 'file', message, type }])
}

import { moneyToNumber, moneyToText } from '../../values/money.ts'
import { paint } from './paint.ts'

/** What a command returns; `runCommand` prints the text or, with `--json`, the data. */
export type Result = {
  data: unknown
  text: string
  /** Printed to standard error in both forms: what a person should know and a script does not read. */
  note?: string
  /** Of `EXIT`; 0 by default. */
  exit?: number
}

type Cell = string | number | bigint | null | undefined

/** A column of a table: its title, and the cell of a record. Amounts are `bigint`. */
export type Columns<R> = Record<string, (record: R) => Cell>

/** A list: a table of the columns, or the records themselves as a JSON array. */
export function rows<R>(records: readonly R[], columns: Columns<R>): Result {
  return { data: records, text: table(records, columns) }
}

/** Something was done: a sentence, and in JSON the facts beside it. */
export function done(outcome: string, facts: object = {}): Result {
  return { data: { outcome, ...facts }, text: `${outcome}\n` }
}

/** Records as aligned text, for people and for `awk`. */
export function table<R>(records: readonly R[], columns: Columns<R>): string {
  const lines = records.map((record) => Object.values(columns).map((cellOf) => cellText(cellOf(record))))
  const head = Object.keys(columns)
  const widths = head.map((title, n) => Math.max(title.length, ...lines.map((line) => width(line[n] ?? ''))))
  const aligned = (cells: readonly string[]): string =>
    cells
      .map((cell, n) => cell + ' '.repeat((widths[n] ?? 0) - width(cell)))
      .join('  ')
      .trimEnd()
  return [paint('bold', aligned(head)), ...lines.map(aligned)].map((line) => `${line}\n`).join('')
}

/** One JSON document: amounts as numbers in currency units, fields without a value left out, as in the API. */
export function jsonText(data: unknown): string {
  return `${JSON.stringify(data, (_, value: unknown) => (typeof value === 'bigint' ? moneyToNumber(value) : (value ?? undefined)), 2)}\n`
}

function cellText(cell: Cell): string {
  return typeof cell === 'bigint' ? moneyToText(cell) : String(cell ?? '')
}

/** Columns on a terminal: colour takes none. */
function width(cell: string): number {
  // oxlint-disable-next-line no-control-regex -- the escape sequences of `paint`
  return cell.replaceAll(/\u001b\[\d+m/g, '').length
}

/** A spreadsheet takes a cell that begins so for a formula, and would carry it out. */
const FORMULA = /^[=+\-@\t\r]/

/** A line of CSV. Cells a spreadsheet would carry out get an apostrophe in front, which it does not show. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(FORMULA.test(cell) ? `'${cell}` : cell)).join(',')}\r\n`
}

/** The cell as it was before `csvLine`, so that what was exported can be imported again. */
export function withoutApostrophe(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/**
 * Positions at which a spreadsheet may start a cell with a formula: the beginning, and after separators of other locales
 * (`;`) or of pasted text (tab, line end), because such a reader ignores our quotes. Leading blanks and quotes do not
 * prevent it. Linear in the length of the text.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?='*[\s"]*?[=+\-@\t\r\n＝＋－＠])/g
const GUARDED = /(?<=^|[;\t\r\n])'(?='*[\s"]*?[=+\-@\t\r\n＝＋－＠])/g

/** A line of CSV. Formulas are prefixed with an apostrophe, which spreadsheets do not show. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

export function csvCell(cell: string): string {
  return quoted(cell.replace(FORMULA, "'"))
}

/** Reverses `csvCell`, so that an export can be imported again. A cell longer than any we write is left unchanged. */
export function withoutApostrophe(cell: string): string {
  return cell.length > LONGEST_WRITTEN ? cell : cell.replace(GUARDED, '')
}

/** A cell of a thousand characters with an apostrophe before each. */
const LONGEST_WRITTEN = 2_000

function quoted(cell: string): string {
  return /[",;|\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/**
 * Where a spreadsheet begins a cell, and finds there what it takes for a formula and would carry out: at the beginning,
 * but also behind what parts cells in files of other countries (`;`) or of a paste (tab, line end), since such a reader
 * does not see our quotes. Blanks and quotes in front do not help. Found in one pass, whatever the text.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?='*[\s"]*?[=+\-@\t\r\n＝＋－＠])/g
const GUARDED = /(?<=^|[;\t\r\n])'(?='*[\s"]*?[=+\-@\t\r\n＝＋－＠])/g

/** A line of CSV. What a spreadsheet would carry out gets an apostrophe in front, which it does not show. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

export function csvCell(cell: string): string {
  return quoted(cell.replace(FORMULA, "'"))
}

/**
 * The cell exactly as it was before `csvLine`, so that what was exported can be imported again. What is longer than a
 * cell of ours with all its apostrophes is none of ours.
 */
export function withoutApostrophe(cell: string): string {
  return cell.length > LONGEST_WRITTEN ? cell : cell.replace(GUARDED, '')
}

/** A cell of a thousand characters with one before each. */
const LONGEST_WRITTEN = 2_000

function quoted(cell: string): string {
  return /[",;|\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

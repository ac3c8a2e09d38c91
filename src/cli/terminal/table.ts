/** Rows as aligned text, for people and for `awk`. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, n) => Math.max(title.length, ...rows.map((row) => (row[n] ?? '').length)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd()
  return [head, ...rows].map((row) => `${line(row)}\n`).join('')
}

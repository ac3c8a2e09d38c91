/**
 * Splits an SQL text into statements. On a cluster, DDL must be sent one statement at a time: Citus would forward the
 * whole text to the nodes for each statement, and they reject it.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let begun = 0
  for (const { 0: found, index } of text.matchAll(SPANS)) {
    if (found !== ';') continue
    statements.push(text.slice(begun, index))
    begun = index + 1
  }
  return [...statements, text.slice(begun)]
    .map((one) => one.trim())
    .filter((one) => one.replaceAll(COMMENTS, '').trim())
}

/** A semicolon, and the tokens in which it does not end a statement: comments, strings, names, dollar-quoted strings. */
const SPANS = /--[^\n]*|\/\*.*?\*\/|\be'(?:\\.|''|[^'\\])*'|'[^']*'|"[^"]*"|(\$\w*\$).*?\1|;/gis
const COMMENTS = /--[^\n]*|\/\*.*?\*\//gs

/**
 * The statements of an SQL text, one by one. On a cluster what changes tables must be sent alone: Citus passes the whole text
 * on to the nodes, for every statement of it that concerns them, and they refuse it.
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

/** What ends a statement, and all in which a semicolon does not: comments, texts, names, and texts between dollars. */
const SPANS = /--[^\n]*|\/\*.*?\*\/|\be'(?:\\.|''|[^'\\])*'|'[^']*'|"[^"]*"|(\$\w*\$).*?\1|;/gis
const COMMENTS = /--[^\n]*|\/\*.*?\*\//gs

/** A group of a `kannel.conf`: its name, its variables, and the lines that it and each of them begin at. */
export type Group = { name: string; line: number; values: Map<string, string>; lines: Map<string, number> }

/**
 * Reads a `kannel.conf`: groups of `variable = value`, parted by empty lines, each beginning with `group = name`.
 * Comments begin with `#`, values may stand in quotes, and a line that ends with a backslash continues. What is no such
 * line is reported, with its number.
 */
export function readConf(text: string): { groups: Group[]; faults: string[] } {
  const groups: Group[] = []
  const faults: string[] = []
  let open: Group | undefined
  for (const { line, content } of logicalLines(text)) {
    const bare = content.trim()
    if (bare === '') open = undefined
    if (bare === '' || bare.startsWith('#')) continue
    const equals = bare.indexOf('=')
    const name = bare.slice(0, Math.max(0, equals)).trim().toLowerCase()
    const value = unquoted(bare.slice(equals + 1).trim())
    if (/^include\b/.test(bare)) faults.push(`line ${line}: include is not followed; convert that file separately.`)
    else if (name === '') faults.push(`line ${line}: this is no variable with its value.`)
    else if (name === 'group') groups.push((open = { name: value, line, values: new Map(), lines: new Map() }))
    else if (open) {
      open.values.set(name, value)
      open.lines.set(name, line)
    } else faults.push(`line ${line}: ${name} stands in no group.`)
  }
  return { groups, faults }
}

function logicalLines(text: string): { line: number; content: string }[] {
  const lines: { line: number; content: string }[] = []
  let begun: { line: number; content: string } | undefined
  for (const [n, raw] of text.replaceAll('\r\n', '\n').split('\n').entries()) {
    const goes_on = raw.endsWith('\\')
    const part = goes_on ? raw.slice(0, -1) : raw
    begun = begun ? { line: begun.line, content: begun.content + part } : { line: n + 1, content: part }
    if (goes_on) continue
    lines.push(begun)
    begun = undefined
  }
  return begun ? [...lines, begun] : lines
}

function unquoted(value: string): string {
  return /^"(.*)"$/s.exec(value)?.[1]?.replaceAll('\\"', '"') ?? value
}

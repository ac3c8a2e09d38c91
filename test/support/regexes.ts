import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A regular expression of the sources: its text, or undefined if it is built at run time. */
export type FoundRegex = { place: string; code: string; source?: string; flags: string }

/** Every regular expression of the files below a folder, without tests. */
export function findRegexes(folder: string): FoundRegex[] {
  return filesBelow(folder).flatMap((file) => regexesIn(file, readFileSync(file, 'utf8')))
}

export function regexesIn(file: string, text: string): FoundRegex[] {
  const found: FoundRegex[] = []
  walk(parseSync(file, text).program, (node) => {
    const { type, start = 0, end = 0 } = node
    const place = `${file}:${text.slice(0, start).split('\n').length}`
    const code = text.slice(start, end)
    if (type === 'Literal' && node.regex) {
      found.push({ place, code, source: node.regex.pattern, flags: node.regex.flags })
    }
    const is_made = (type === 'NewExpression' || type === 'CallExpression') && node.callee?.name === 'RegExp'
    if (!is_made) return
    const [pattern, flags] = node.arguments ?? []
    const source = staticText(pattern)
    found.push({ place, code, ...(source === undefined ? {} : { source }), flags: staticText(flags) ?? '' })
  })
  return found
}

type Node = {
  type?: string
  start?: number
  end?: number
  value?: unknown
  regex?: { pattern: string; flags: string }
  callee?: { name?: string }
  arguments?: Node[]
  quasis?: { value: { cooked: string } }[]
}

function staticText(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.quasis?.length === 1) return node.quasis[0]?.value.cooked
  return undefined
}

function walk(node: unknown, see: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) see(node)
  for (const inner of Object.values(node)) walk(inner, see)
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return filesBelow(path)
    return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : []
  })
}

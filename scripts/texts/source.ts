import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'

/** A node of a program, as in ESTree. */
export type Node = { type: string; start: number; end: number } & Record<string, unknown>

export type Source = {
  /** Relative to the root of the repository. */
  file: string
  program: Node
  lineAt: (offset: number) => number
}

const FOLDER = 'console/src'
const TOP = fileURLToPath(new URL('../..', import.meta.url))

/** Every file of the console. TypeScript 7 has no parser API; this parser is also used by knip. */
export function readConsole(): Source[] {
  return readdirSync(`${TOP}/${FOLDER}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .sort()
    .map((name) => readSource(`${FOLDER}/${name}`, readFileSync(`${TOP}/${FOLDER}/${name}`, 'utf8')))
}

export function readSource(file: string, text: string): Source {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file} cannot be read: ${errors[0]?.message}`)
  if (!isNode(program)) throw new Error(`${file} cannot be parsed`)
  return { file, program, lineAt: (offset) => text.slice(0, offset).split('\n').length }
}

/** The node and all its descendants, with their ancestors. */
export function* walk(node: Node, around?: Node): Generator<{ node: Node; around: Node | undefined }> {
  yield { node, around }
  for (const inner of childrenOf(node)) yield* walk(inner, node)
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

export function nodeIn(node: Node | undefined, name: string): Node | undefined {
  const inner = node?.[name]
  return isNode(inner) ? inner : undefined
}

export function nodesIn(node: Node, name: string): Node[] {
  const inner = node[name]
  return Array.isArray(inner) ? inner.filter(isNode) : []
}

/** The text of a plain literal: `'Save'`, and not `\`Save ${name}\``. */
export function literalOf(node: Node | undefined): string | undefined {
  const inner = node?.type === 'JSXExpressionContainer' ? nodeIn(node, 'expression') : node
  return inner?.type === 'Literal' && typeof inner.value === 'string' ? inner.value : undefined
}

/** The name of an identifier, an attribute or an element. */
export function nameOf(node: Node | undefined): string | undefined {
  return typeof node?.name === 'string' ? node.name : undefined
}

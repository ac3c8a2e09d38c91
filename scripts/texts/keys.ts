import { literalOf, nameOf, nodeIn, nodesIn, walk, type Node, type Source } from './source.ts'

export type Place = { file: string; line: number; text: string }

/** Which arguments are texts to translate. */
const SAID: Readonly<Record<string, readonly number[]>> = { t: [0], plural: [1, 2], recognised: [0] }

/** Where these are defined, texts are their arguments. */
const MADE_IN = /^console\/src\/text\/(?!service-words)/

/** Every text passed to `t`, `plural`, `Rich` and `recognised`; and calls of these without a literal. */
export function findKeys(sources: readonly Source[]): { keys: Place[]; unclear: Place[] } {
  const keys: Place[] = []
  const unclear: Place[] = []
  for (const source of sources.filter(({ file }) => !MADE_IN.test(file))) {
    for (const { said, by, at } of textsIn(source)) {
      const place = { file: source.file, line: source.lineAt(at.start) }
      const text = literalOf(said)
      if (text === undefined) unclear.push({ ...place, text: by })
      else keys.push({ ...place, text })
    }
  }
  return { keys, unclear }
}

type Said = { said: Node | undefined; by: string; at: Node }

function textsIn(source: Source): Said[] {
  const imported = importedFrom(source.program)
  return [...walk(source.program)].flatMap(({ node }): Said[] => {
    if (node.type === 'CallExpression') {
      const by = nameOf(nodeIn(node, 'callee')) ?? ''
      const given = nodesIn(node, 'arguments')
      return imported.has(by) ? (SAID[by] ?? []).map((place) => ({ said: given[place], by, at: node })) : []
    }
    if (node.type !== 'JSXOpeningElement' || nameOf(nodeIn(node, 'name')) !== 'Rich') return []
    const text = nodesIn(node, 'attributes').find((attribute) => nameOf(nodeIn(attribute, 'name')) === 'text')
    return [{ said: nodeIn(text, 'value'), by: 'Rich', at: node }]
  })
}

/** The local names of the translating functions; another `t` is ignored. */
function importedFrom(program: Node): Set<string> {
  const names = nodesIn(program, 'body')
    .filter((node) => node.type === 'ImportDeclaration')
    .filter((node) => /\/(text|recognised)\.ts$/.test(literalOf(nodeIn(node, 'source')) ?? ''))
    .flatMap((node) => nodesIn(node, 'specifiers'))
    .map((node) => nameOf(nodeIn(node, 'local')) ?? '')
  return new Set(names)
}

import { posix } from 'node:path'
import { literalOf, nodeIn, nodesIn, type Source } from './source.ts'

/** The given files and all their static imports, without `import()`. */
export function filesOf(sources: readonly Source[], entries: readonly string[]): ReadonlySet<string> {
  const by_file = new Map(sources.map((source) => [source.file, source]))
  const reached = new Set<string>()
  const waiting = [...entries]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const source = by_file.get(file)
    if (source === undefined || reached.has(file)) continue
    reached.add(file)
    waiting.push(...importsOf(source))
  }
  return reached
}

function importsOf({ file, program }: Source): string[] {
  return nodesIn(program, 'body')
    .map((node) => literalOf(nodeIn(node, 'source')))
    .filter((from) => from?.startsWith('.') === true)
    .map((from) => posix.join(posix.dirname(file), from ?? ''))
}

import { isRecord } from '../../../values/record.ts'

/** Where a value stands: the names on the way to it, such as `body`, `messages`, `0`, `id`. */
export type Path = readonly string[]

/** What paths are looked up in: a request, an answer or a post, by the names of its parts. */
export type Scope = Readonly<Record<string, unknown>>

const LONGEST = 200
const DEEPEST = 12
const NAME = /^[\w$:-]{1,60}$/

/** `body.messages.0.id`; or the end of a sentence that says what is wrong with it. `roots` are the parts there are. */
export function parsePath(text: string, roots: readonly string[]): Path | { fault: string } {
  const names = text.slice(0, LONGEST + 1).split('.', DEEPEST + 1)
  if (text.length > LONGEST || names.length > DEEPEST) return { fault: 'is too long for a path' }
  if (!names.every((name) => NAME.test(name))) return { fault: 'is not a path such as body.messages.0.id' }
  if (!roots.includes(names[0] ?? '')) return { fault: `begins with none of ${roots.join(', ')}` }
  return names
}

/** Own fields only: no path leads to what JavaScript has added by itself. */
export function readPath(scope: Scope, path: Path): unknown {
  let value: unknown = scope
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

/** The first of several that leads to a text or number that is not empty, as text. */
export function readText(scope: Scope, paths: readonly Path[]): string | undefined {
  for (const path of paths) {
    const text = asText(readPath(scope, path))
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

/** Texts, numbers and truths; lists and objects have no text. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

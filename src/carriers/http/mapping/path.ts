import { isRecord } from '../../../values/record.ts'

/** The names on the way to a value, such as `body`, `messages`, `0`, `id`. */
export type Path = readonly string[]
/** What paths are looked up in: the parts of a request, an answer or a post, by name. */
export type Scope = Readonly<Record<string, unknown>>
/** Called for each mistake in a preset, with its position in the file. */
export type ReportFault = (place: string, fault: string) => void

const MAX_LENGTH = 200
const MAX_DEPTH = 12
const NAME = /^[\w$:-]{1,60}$/

/** Parses `body.messages.0.id`, or returns the predicate of a sentence about what is wrong. `roots` are the known parts. */
export function parsePath(text: string, roots: readonly string[]): Path | { fault: string } {
  const names = text.slice(0, MAX_LENGTH + 1).split('.', MAX_DEPTH + 1)
  if (text.length > MAX_LENGTH || names.length > MAX_DEPTH) return { fault: 'is too long for a path' }
  if (!names.every((name) => NAME.test(name))) return { fault: 'is not a path such as body.messages.0.id' }
  if (!roots.includes(names[0] ?? '')) return { fault: `begins with none of ${roots.join(', ')}` }
  return names
}

/** One path, several alternatives, or none. */
export type FieldText = string | readonly string[] | undefined

export function compilePaths(
  given: FieldText,
  roots: readonly string[],
  place: string,
  reportFault: ReportFault,
): Path[] {
  const texts = given === undefined ? [] : typeof given === 'string' ? [given] : given
  return texts.flatMap((text) => {
    const path = parsePath(text, roots)
    if (!('fault' in path)) return [path]
    reportFault(place, `${text} ${path.fault}`)
    return []
  })
}

export function compilePath(
  given: string | undefined,
  roots: readonly string[],
  place: string,
  reportFault: ReportFault,
): Path | undefined {
  return compilePaths(given, roots, place, reportFault)[0]
}

/** Reads own properties only, so that no path leads to those JavaScript adds. */
export function readPath(scope: Scope, path: Path): unknown {
  let value: unknown = scope
  for (const name of path) {
    if (!isRecord(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

/** The first of several paths that leads to a text, number or boolean that is not empty, as text. */
export function readText(scope: Scope, paths: readonly Path[]): string | undefined {
  for (const path of paths) {
    const text = asText(readPath(scope, path))
    if (text !== undefined && text !== '') return text
  }
  return undefined
}

/** Texts, numbers and booleans; lists and objects have no text. */
export function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return undefined
}

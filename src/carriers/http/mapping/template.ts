import { isRecord } from '../../../values/record.ts'
import { parseFilter, type Filter } from './filters.ts'
import { asText, parsePath, readPath, type Path, type ReportFault, type Scope } from './path.ts'

/** A text with placeholders, `Bearer {{credentials.token}}`, or a structure of such texts. */
export type Template = (scope: Scope) => unknown

const MAX_LENGTH = 4_000
const MAX_DEPTH = 12
/** Becomes a list: filled in once for each message of the request. */
const EACH = '$each'

/**
 * Compiles a structure whose texts have placeholders. A text that consists of one placeholder keeps the value's type (a
 * number stays a number), and a field whose value is empty or missing is left out.
 */
export function compile(
  given: unknown,
  roots: readonly string[],
  place: string,
  reportFault: ReportFault,
  depth = 0,
): Template {
  if (depth > MAX_DEPTH) {
    reportFault(place, 'is nested too deeply')
    return () => undefined
  }
  if (typeof given === 'string') return compileText(given, roots, place, reportFault)
  if (Array.isArray(given)) {
    const items = given.map((item, n) => compile(item, roots, `${place}.${n}`, reportFault, depth + 1))
    return (scope) => items.map((item) => item(scope)).filter((value) => value !== undefined)
  }
  if (!isRecord(given)) return () => given
  if (Object.hasOwn(given, EACH)) return compileEach(given, roots, place, reportFault, depth)
  const fields = Object.entries(given).map(
    ([name, value]) => [name, compile(value, roots, `${place}.${name}`, reportFault, depth + 1)] as const,
  )
  return (scope) => {
    const filled = fields.flatMap(([name, value]) => {
      const one = value(scope)
      return one === undefined ? [] : [[name, one] as const]
    })
    return filled.length === 0 && fields.length > 0 ? undefined : Object.fromEntries(filled)
  }
}

function compileEach(
  given: Record<string, unknown>,
  roots: readonly string[],
  place: string,
  reportFault: ReportFault,
  depth: number,
): Template {
  if (Object.keys(given).length > 1) reportFault(place, `has other fields beside ${EACH}`)
  const item = compile(given[EACH], roots, `${place}.${EACH}`, reportFault, depth + 1)
  return (scope) => {
    const messages = Array.isArray(scope.messages) ? scope.messages : []
    return messages.map((message: unknown) => item({ ...scope, message }))
  }
}

/** `unless`: the placeholder stays empty if one of these paths leads to a value. */
type Part = string | { path: Path; filters: readonly Filter[]; unless: readonly Path[] }

function compileText(text: string, roots: readonly string[], place: string, reportFault: ReportFault): Template {
  const parts = parseParts(text, roots, place, reportFault)
  const [only] = parts
  if (parts.length === 1 && only !== undefined && typeof only !== 'string') return (scope) => valueOf(only, scope)
  return (scope) =>
    parts.map((part) => (typeof part === 'string' ? part : (asText(valueOf(part, scope)) ?? ''))).join('')
}

/** The URL of a request: values are escaped, except options, which the operator configures. */
export function compileUrl(
  text: string,
  roots: readonly string[],
  place: string,
  reportFault: ReportFault,
): (scope: Scope) => string {
  const parts = parseParts(text, roots, place, reportFault)
  return (scope) =>
    parts
      .map((part) => {
        if (typeof part === 'string') return part
        const value = asText(valueOf(part, scope)) ?? ''
        return part.path[0] === 'options' ? value : encodeURIComponent(value)
      })
      .join('')
}

function valueOf({ path, filters, unless }: Exclude<Part, string>, scope: Scope): unknown {
  if (unless.some((other) => isGiven(readPath(scope, other)))) return undefined
  const value = filters.reduce((given, filter) => filter(given, scope), readPath(scope, path))
  return isGiven(value) ? value : undefined
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function parseParts(text: string, roots: readonly string[], place: string, reportFault: ReportFault): Part[] {
  if (text.length > MAX_LENGTH) {
    reportFault(place, `has more than ${MAX_LENGTH} characters`)
    return []
  }
  const parts: Part[] = []
  let rest = text
  for (let begin = rest.indexOf('{{'); begin >= 0; begin = rest.indexOf('{{')) {
    const end = rest.indexOf('}}', begin)
    if (end < 0) {
      reportFault(place, 'has {{ without }}')
      return parts
    }
    if (begin > 0) parts.push(rest.slice(0, begin))
    parts.push(...parsePlace(rest.slice(begin + 2, end), roots, place, reportFault))
    rest = rest.slice(end + 2)
  }
  return rest === '' && parts.length > 0 ? parts : [...parts, rest]
}

function parsePlace(text: string, roots: readonly string[], place: string, reportFault: ReportFault): Part[] {
  const [first = '', ...words] = text.split('|').map((word) => word.trim())
  const path = parsePath(first, roots)
  if ('fault' in path) {
    reportFault(place, `${first} ${path.fault}`)
    return []
  }
  const filters: Filter[] = []
  const unless: Path[] = []
  for (const word of words) {
    if (word.startsWith(UNLESS)) {
      const other = parsePath(word.slice(UNLESS.length).trim(), roots)
      if ('fault' in other) reportFault(place, `{{${text}}} ${other.fault}`)
      else unless.push(other)
      continue
    }
    const filter = parseFilter(word)
    if (typeof filter === 'function') filters.push(filter)
    else reportFault(place, `{{${text}}} ${filter.fault}`)
  }
  return [{ path, filters, unless }]
}

const UNLESS = 'unless '

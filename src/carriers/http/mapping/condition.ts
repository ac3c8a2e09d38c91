import { asText, parsePath, readPath, type Path, type ReportFault, type Scope } from './path.ts'

/** Whether a vendor's answer or post matches. */
export type Condition = (scope: Scope) => boolean

/** For each path: a word, or several of which one must match. */
export type ConditionText = Readonly<Record<string, Word | readonly Word[]>>
type Word = string | number | boolean

/** All paths must match. */
export function compileCondition(
  given: ConditionText | undefined,
  roots: readonly string[],
  place: string,
  reportFault: ReportFault,
): Condition {
  const tests: { path: Path; words: readonly ((text: string) => boolean)[] }[] = []
  for (const [text, wanted] of Object.entries(given ?? {})) {
    const path = parsePath(text, roots)
    if ('fault' in path) reportFault(place, `${text} ${path.fault}`)
    else tests.push({ path, words: (isList(wanted) ? wanted : [wanted]).map((word) => compileWord(String(word))) })
  }
  return (scope) =>
    tests.every(({ path, words }) => {
      const text = asText(readPath(scope, path)) ?? ''
      return words.some((fits) => fits(text))
    })
}

const MAX_COMPARED_LENGTH = 1_000

/**
 * `delivered` matches that word in any case, `4xx` three digits that begin with 4, `rejected*` a prefix, `*` any text that
 * is not empty, and the empty word a missing value.
 */
export function compileWord(word: string): (text: string) => boolean {
  const wanted = word.toLowerCase()
  const folded = (text: string): string => text.slice(0, MAX_COMPARED_LENGTH).trim().toLowerCase()
  if (wanted === '*') return (text) => text.trim() !== ''
  if (/^[1-5]xx$/.test(wanted)) return (text) => text.length === 3 && text.startsWith(wanted.slice(0, 1))
  if (wanted.endsWith('*')) return (text) => folded(text).startsWith(wanted.slice(0, -1))
  return (text) => folded(text) === wanted
}

function isList(wanted: Word | readonly Word[]): wanted is readonly Word[] {
  return Array.isArray(wanted)
}

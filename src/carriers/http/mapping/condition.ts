import { asText, parsePath, readPath, type Path, type Scope } from './path.ts'
import type { ReportFault } from './template.ts'

/** Whether what a vendor said fits. */
export type Condition = (scope: Scope) => boolean

/** Of each path: a word, or several of which one must fit. */
export type ConditionText = Readonly<Record<string, Word | readonly Word[]>>
type Word = string | number | boolean

/** All of the paths must fit. */
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

const LONGEST_COMPARED = 1_000

/**
 * `delivered` is that word, whatever the case; `4xx` any three digits that begin so; `rejected*` what begins so; `*`
 * anything at all; and the empty word that there is nothing.
 */
export function compileWord(word: string): (text: string) => boolean {
  const wanted = word.toLowerCase()
  const folded = (text: string): string => text.slice(0, LONGEST_COMPARED).trim().toLowerCase()
  if (wanted === '*') return (text) => text.trim() !== ''
  if (/^[1-5]xx$/.test(wanted)) return (text) => text.length === 3 && text.startsWith(wanted.slice(0, 1))
  if (wanted.endsWith('*')) return (text) => folded(text).startsWith(wanted.slice(0, -1))
  return (text) => folded(text) === wanted
}

function isList(wanted: Word | readonly Word[]): wanted is readonly Word[] {
  return Array.isArray(wanted)
}

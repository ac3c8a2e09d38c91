import type { CarrierReport } from '../message-carrier.ts'
import { shortText } from '../vendor-values.ts'
import { compileCondition, compileWord } from './mapping/condition.ts'
import type { ReportText, REPORT_STATES } from './preset/schema.ts'
import {
  compilePath,
  compilePaths,
  readPath,
  readText,
  type Path,
  type ReportFault,
  type Scope,
} from './mapping/path.ts'

/** One entry of a post, or of the answer to a query, as the preset maps it. */
export type ReadEntry = {
  id: string | undefined
  /** The vendor's state, and ours. */
  word: string
  state: (typeof REPORT_STATES)[number]
  code: string
  description: string
  operator: string | undefined
  scope: Scope
}

export type ReadEntries = (scope: Scope) => ReadEntry[]

export const POST_ROOTS = ['body', 'query', 'header', 'item'] as const
/** More than any vendor puts into one post. */
export const MAX_ENTRIES = 10_000

/** Entries that do not match the preset's `when`, or that name no state, are left out. */
export function compileEntries(
  given: ReportText,
  roots: readonly string[],
  place: string,
  reportFault: ReportFault,
): ReadEntries {
  const at = (name: 'id' | 'word' | 'code' | 'description' | 'operator'): Path[] =>
    compilePaths(given[name], roots, `${place}.${name}`, reportFault)
  const each = compilePath(given.each, roots, `${place}.each`, reportFault)
  const wanted = compileCondition(given.when, roots, `${place}.when`, reportFault)
  const [id, word, code, description, operator] = [at('id'), at('word'), at('code'), at('description'), at('operator')]
  const states = Object.entries(given.states).map(([text, state]) => ({ fits: compileWord(text), state }))
  const otherwise = given.otherwise ?? 'ignored'

  return (whole) =>
    itemsOf(whole, each).flatMap((scope) => {
      const said = shortText(readText(scope, word))
      if (said === undefined || !wanted(scope)) return []
      const state = states.find(({ fits }) => fits(said))?.state ?? otherwise
      return [
        {
          id: shortText(readText(scope, id)),
          word: said,
          state,
          code: shortText(readText(scope, code)) ?? (state === 'delivered' ? '000' : said),
          description: shortText(readText(scope, description)) ?? said,
          operator: shortText(readText(scope, operator)),
          scope,
        },
      ]
    })
}

/** The post itself, or each entry of its list. */
export function itemsOf(whole: Scope, each: Path | undefined): Scope[] {
  if (!each) return [whole]
  const entries = readPath(whole, each)
  if (!Array.isArray(entries)) return []
  const parts = { ...whole } // evaluates the parts once, and not for each entry
  return entries.slice(0, MAX_ENTRIES).map((item: unknown) => ({ ...parts, item }))
}

/** Undefined if the state is not final. */
export function reportOf(
  carrier: string,
  { state, code, description, operator }: ReadEntry,
  carrier_message_id: string,
  recipient: string | undefined,
  other_ids?: readonly string[],
): CarrierReport | undefined {
  if (state === 'ignored') return undefined
  return {
    carrier,
    carrier_message_id,
    status: state,
    code,
    description,
    ...(operator === undefined ? {} : { operator }),
    ...(recipient === undefined ? {} : { recipient }),
    ...(other_ids === undefined ? {} : { other_ids }),
  }
}

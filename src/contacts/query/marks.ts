import type { Db } from '../../db/connect.ts'
import { cached } from '../../values/concurrency/cached.ts'
import { countSorted } from './count-store.ts'
import { markEmpty, markRows, markSorted, type Mark } from './marks-store.ts'
import { DEEPEST_ROW } from './schema.ts'
import { chooseAnchor } from './sql.ts'
import type { Search, Window } from './statement-store.ts'

/** Where a page begins after so many rows of a list. Equal searches have equal keys. */
export type FindStart = (search: Search, key: string, skip: number) => Promise<Pick<Window, 'after' | 'skip'>>

/** Rows between two marks: the largest offset that a statement reads over, in a few milliseconds. */
export const MARK_EVERY = 5_000
const MARKS_TTL_MS = 60_000
/** Each has at most `DEEPEST_ROW / MARK_EVERY` marks. */
const MAX_LISTS = 50

/**
 * Finds the start of a page anywhere in a long list at the cost of a page near its beginning: from the last mark before
 * it. A list is marked in one scan when such a page is read, at most once a minute; rows that were added or deleted
 * since then move the pages by as many rows.
 */
export function makeFindStart({ db }: { db: Db }): FindStart {
  const marksOf = cached(MARKS_TTL_MS, (_key, search: Search) => markList(db, search), { max_keys: MAX_LISTS })
  return async (search, key, skip) => {
    const marks = await marksOf(key, search)
    const mark = marks.findLast(({ position }) => position <= skip)
    return mark ? { after: mark.after, skip: skip - mark.position } : { after: undefined, skip }
  }
}

async function markList(db: Db, search: Search): Promise<Mark[]> {
  const { sort, conditions } = search
  const marking = { every: MARK_EVERY, at_most: DEEPEST_ROW / MARK_EVERY }
  if (!sort) return markRows(db, search, chooseAnchor(conditions)?.ordered, marking)
  const filled = await markSorted(db, search, sort, marking)
  const last = filled.at(-1)
  const filled_count = (last?.position ?? 0) + (await countSorted(db, search, sort, last?.after))
  const empty = await markEmpty(db, search, sort, marking)
  return [
    ...filled,
    { position: filled_count, after: { id: sort.descending ? LAST_ID : FIRST_ID, key: null } },
    ...empty.map(({ position, after }) => ({ position: filled_count + position, after })),
  ]
}

/** Before and after all rows. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

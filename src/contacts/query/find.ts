import type { Db } from '../../db/connect.ts'
import { countSorted } from './count-store.ts'
import { findByIndex, scanKey, scanEmpty, scanRows, scanSorted } from './query-store.ts'
import { chooseAnchor } from './sql.ts'
import type { FoundRow, Search, Sort, Window } from './statement-store.ts'

/** Rows scanned first: enough to find frequent matches, in a few milliseconds. */
const NEAR = 5_000
/** Index entries above which an index scan is slower than reading the rows. */
const RARE = 10_000

/**
 * Finds a page of rows. Frequent matches are found by scanning a few rows from the start of the page, rare ones by an
 * index; the rest by scanning on. The choice is made by trying: the planner's statistics do not cover a single column
 * of a single organisation.
 */
export async function findRows(db: Db, search: Search, window: Window): Promise<FoundRow[]> {
  const { conditions, sort } = search
  if (sort) return findSorted(db, search, sort, window)
  if (conditions.length === 0) return scanRows(db, search, window)
  const anchor = chooseAnchor(conditions)
  if (anchor?.ordered) return scanKey(db, search, anchor.ordered, window)
  const near = await scanRows(db, search, window, NEAR)
  if (near.length === window.limit) return near
  const rare = anchor && (await findByIndex(db, search, anchor, window, RARE))
  return rare ?? scanRows(db, search, window)
}

async function findSorted(db: Db, search: Search, sort: Sort, window: Window): Promise<FoundRow[]> {
  const anchor = chooseAnchor(search.conditions)
  const in_empty_part = window.after?.key === null
  if (anchor) {
    const near = in_empty_part ? [] : await scanSorted(db, search, sort, window, NEAR)
    if (near.length === window.limit) return near
    const rare = await findByIndex(db, search, anchor, window, RARE)
    if (rare) return rare
  }
  if (in_empty_part) return scanEmpty(db, search, sort, window)
  const filled = await scanSorted(db, search, sort, window)
  if (filled.length === window.limit) return filled
  const skip =
    filled.length > 0 || window.skip === 0
      ? 0
      : window.skip - (await countSorted(db, search, sort, window.after, window.skip))
  const empty = await scanEmpty(db, search, sort, { after: undefined, skip, limit: window.limit - filled.length })
  return [...filled, ...empty]
}

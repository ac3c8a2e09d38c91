import type { Db } from '../../db/connect.ts'
import {
  countWalking,
  findByIndex,
  followKey,
  walkEmpty,
  walkRows,
  walkSorted,
  type FoundRow,
  type Search,
  type Sort,
  type Window,
} from './query-store.ts'
import { chooseAnchor } from './sql.ts'

/** What is frequent is found among this many rows; a few milliseconds. */
const NEAR = 5_000
/** What is rare has fewer lines than this in an index. */
const RARE = 10_000

/**
 * Finds a page of rows. What many rows have is found by walking a short way from where the page begins, what few rows
 * have by an index; what is in between, or has no index, by walking on. No statistics are asked, which do not know
 * what one organisation keeps in one column: the first look tells.
 */
export async function findRows(db: Db, search: Search, window: Window): Promise<FoundRow[]> {
  const { conditions, sort } = search
  if (sort) return findSorted(db, search, sort, window)
  if (conditions.length === 0) return walkRows(db, search, window)
  const anchor = chooseAnchor(conditions)
  if (anchor?.ordered) return followKey(db, search, anchor.ordered, window)
  const near = await walkRows(db, search, window, NEAR)
  if (near.length === window.limit) return near
  const rare = anchor && (await findByIndex(db, search, anchor, window, RARE))
  return rare ?? walkRows(db, search, window)
}

async function findSorted(db: Db, search: Search, sort: Sort, window: Window): Promise<FoundRow[]> {
  const anchor = chooseAnchor(search.conditions)
  const in_empty_part = window.after?.key === null
  if (anchor) {
    const near = in_empty_part ? [] : await walkSorted(db, search, sort, window, NEAR)
    if (near.length === window.limit) return near
    const rare = await findByIndex(db, search, anchor, window, RARE)
    if (rare) return rare
  }
  if (in_empty_part) return walkEmpty(db, search, sort, window)
  const filled = await walkSorted(db, search, sort, window)
  if (filled.length === window.limit) return filled
  const skip = filled.length > 0 || window.skip === 0 ? 0 : window.skip - (await countFilled(db, search, sort))
  const empty = await walkEmpty(db, search, sort, { after: undefined, skip, limit: window.limit - filled.length })
  return [...filled, ...empty]
}

async function countFilled(db: Db, search: Search, sort: Sort): Promise<number> {
  const filled = { number: sort.number, test: { kind: 'present' as const }, negated: false }
  return countWalking(db, { ...search, conditions: [...search.conditions, filled] }, undefined)
}

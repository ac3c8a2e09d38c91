import type { Db } from '../../db/connect.ts'
import { makeBoundedCache } from '../../values/concurrency/bounded-cache.ts'
import { countKeyEntries, countNear, countByIndex, countByScan } from './count-store.ts'
import { EXACT_COUNT } from './schema.ts'
import { chooseAnchor } from './sql.ts'
import type { Search } from './statement-store.ts'

/** Counts the rows of a search; equal searches have equal keys. */
export type CountRows = (search: Search, key: string) => Promise<number>

/** A search is frequent if this many of the newest rows match. */
const NEAR = 2_000
const FREQUENT = 20
/** Index entries above which an index scan is slower than reading the rows. */
const RARE = 10_000
const MAX_WAIT_MS = 250
const MAX_TOTAL_TTL_MS = 60_000
/** A total is kept for this many times as long as it took to count: a list of 20,000 rows for less than a second. */
const TTL_PER_COST = 50
const MAX_TOTALS = 1_000

/**
 * Counts exactly up to `EXACT_COUNT`. A larger total is kept for a while, at most a minute, so that counting takes at most
 * a fiftieth of the time. A request waits a moment for it, then gets the previous total or `EXACT_COUNT`: a total never
 * makes a page slow.
 */
export function makeCountRows({ db }: { db: Db }): CountRows {
  const totals = makeBoundedCache<string, { count: number; expires: number }>(MAX_TOTALS)
  const counting = new Map<string, Promise<number>>()

  async function countAll(search: Search, key: string): Promise<number> {
    const begun = Date.now()
    try {
      const count = await countUpTo(db, search, undefined)
      const ended = Date.now()
      totals.set(key, { count, expires: ended + Math.min(MAX_TOTAL_TTL_MS, TTL_PER_COST * (ended - begun)) })
      return count
    } finally {
      counting.delete(key)
    }
  }

  return async (search, key) => {
    const count = await countUpTo(db, search, EXACT_COUNT + 1)
    if (count <= EXACT_COUNT) return count
    const known = totals.get(key)
    if (known && Date.now() < known.expires) return known.count
    let total = counting.get(key)
    if (!total) {
      total = countAll(search, key)
      total.catch(() => {}) // the request may have stopped waiting
      counting.set(key, total)
    }
    return Promise.race([total, afterMaxWait(known?.count ?? EXACT_COUNT)])
  }
}

/** As in `findRows`: frequent matches are counted by scanning, rare ones by an index. */
async function countUpTo(db: Db, search: Search, at_most: number | undefined): Promise<number> {
  const { conditions } = search
  const anchor = chooseAnchor(conditions)
  if (!anchor) return countByScan(db, search, at_most)
  if (anchor.ordered && conditions.length === 1) return countKeyEntries(db, search, anchor.ordered, at_most)
  if ((await countNear(db, search, NEAR)) >= FREQUENT) return countByScan(db, search, at_most)
  return (await countByIndex(db, search, anchor, RARE)) ?? countByScan(db, search, at_most)
}

function afterMaxWait(count: number): Promise<number> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(count), MAX_WAIT_MS).unref()
  })
}

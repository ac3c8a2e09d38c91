import type { Db } from '../../db/connect.ts'
import { countLines, countNear, countRows, countWalking, type Search } from './query-store.ts'
import { EXACT_COUNT } from './schema.ts'
import { chooseAnchor } from './sql.ts'

/** Counts what a search finds; `key` is the same for the same search. */
export type CountRows = (search: Search, key: string) => Promise<number>

/** Frequent is what this many of the newest rows have. */
const NEAR = 2_000
const FREQUENT = 20
/** An index that leads to more lines than this is slower than walking. */
const RARE = 10_000
const LONGEST_WAIT_MS = 250
const REMEMBERED_MS = 60_000
const REMEMBERED_COUNTS = 1_000

/**
 * Exact up to a limit. A longer list is counted to its end at most once a minute: the answer waits a moment for it,
 * and then says what was counted last, or the limit. So a total never makes a page slow.
 */
export function makeCountRows({ db }: { db: Db }): CountRows {
  const known = new Map<string, { count: number; counted: number }>()
  const counting = new Map<string, Promise<number>>()

  async function countAll(search: Search, key: string): Promise<number> {
    const count = await countUpTo(db, search, undefined)
    known.delete(key)
    known.set(key, { count, counted: Date.now() })
    const [oldest] = known.keys()
    if (known.size > REMEMBERED_COUNTS && oldest !== undefined) known.delete(oldest)
    return count
  }

  return async (search, key) => {
    const count = await countUpTo(db, search, EXACT_COUNT + 1)
    if (count <= EXACT_COUNT) return count
    const remembered = known.get(key)
    if (remembered && Date.now() - remembered.counted < REMEMBERED_MS) return remembered.count
    let whole = counting.get(key)
    if (!whole) {
      whole = countAll(search, key).finally(() => counting.delete(key))
      whole.catch(() => {}) // nobody may be waiting any more
      counting.set(key, whole)
    }
    return Promise.race([whole, afterLongestWait(remembered?.count ?? EXACT_COUNT)])
  }
}

/** As `findRows` looks: what many rows have is counted by walking, what few have by an index. */
async function countUpTo(db: Db, search: Search, at_most: number | undefined): Promise<number> {
  const { conditions } = search
  const anchor = chooseAnchor(conditions)
  if (!anchor) return countWalking(db, search, at_most)
  if (anchor.ordered && conditions.length === 1) return countLines(db, search, anchor.ordered, at_most)
  if ((await countNear(db, search, NEAR)) >= FREQUENT) return countWalking(db, search, at_most)
  return (await countRows(db, search, anchor, RARE)) ?? countWalking(db, search, at_most)
}

function afterLongestWait(count: number): Promise<number> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(count), LONGEST_WAIT_MS).unref()
  })
}

import type { Db } from '../../db/connect.ts'
import { countRows, type Search } from './query-store.ts'
import { EXACT_COUNT } from './schema.ts'
import { chooseAnchor } from './sql.ts'

/** Counts what a search finds; `key` is the same for the same search. */
export type CountRows = (search: Search, key: string) => Promise<number>

const PATIENCE_MS = 250
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
    const anchor = chooseAnchor(search.conditions)
    const count = await countRows(db, search, anchor && anchor.rank < LIKELY_MANY ? anchor : undefined)
    known.delete(key)
    known.set(key, { count, counted: Date.now() })
    const [oldest] = known.keys()
    if (known.size > REMEMBERED_COUNTS && oldest !== undefined) known.delete(oldest)
    return count
  }

  return async (search, key) => {
    const anchor = chooseAnchor(search.conditions)
    const count = await countRows(db, search, anchor && anchor.rank < LIKELY_MANY ? anchor : undefined, EXACT_COUNT + 1)
    if (count <= EXACT_COUNT) return count
    const remembered = known.get(key)
    if (remembered && Date.now() - remembered.counted < REMEMBERED_MS) return remembered.count
    let whole = counting.get(key)
    if (!whole) {
      whole = countAll(search, key).finally(() => counting.delete(key))
      whole.catch(() => {}) // nobody may be waiting any more
      counting.set(key, whole)
    }
    return Promise.race([whole, patience(remembered?.count ?? EXACT_COUNT)])
  }
}

/** Ranges and filled cells are better counted by walking through the rows. */
const LIKELY_MANY = 4

function patience(count: number): Promise<number> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(count), PATIENCE_MS).unref()
  })
}

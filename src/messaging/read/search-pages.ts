import type { Db } from '../../db/connect.ts'
import type { FoundMessage } from './schema.ts'
import { searchMessages, type Search } from './search.ts'

const FIRST_PAGE = 50
const MAX_PAGE = 500
/** Deliveries counted by one statement, approximately. */
const DELIVERIES_PER_PAGE = 50_000

/** All messages found by a search, newest first, in pages; shorter ones if messages have many recipients. */
export async function* searchPages(
  deps: { db: Db },
  organisation_id: string,
  search: Search,
): AsyncGenerator<FoundMessage[]> {
  let before: string | undefined
  let limit = FIRST_PAGE
  do {
    const { messages, next } = await searchMessages(deps, organisation_id, search, { before, limit })
    yield messages
    before = next
    const per_message = messages.reduce((sum, one) => sum + one.recipients_total, 0) / Math.max(1, messages.length)
    limit = Math.ceil(Math.min(MAX_PAGE, 2 * limit, DELIVERIES_PER_PAGE / Math.max(1, per_message)))
  } while (before !== undefined)
}

import type { Db } from '../../db/connect.ts'
import type { FoundMessage } from './schema.ts'
import { searchMessages, type Search } from './search.ts'

const FIRST_PAGE = 50
const LONGEST_PAGE = 500
/** Every delivery of a message is counted to show what became of it: about so many by one statement. */
const DELIVERIES_PER_PAGE = 50_000

/** All messages that a search finds, newest first, page by page; shorter pages where messages have many recipients. */
export async function* walkMessages(
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
    limit = Math.ceil(Math.min(LONGEST_PAGE, 2 * limit, DELIVERIES_PER_PAGE / Math.max(1, per_message)))
  } while (before !== undefined)
}

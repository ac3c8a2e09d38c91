import type { Db } from '../../db/connect.ts'
import { COUNT_LIMIT, paginate, readPage, type PageQuery, type Pagination } from '../../values/page.ts'
import { present } from '../../values/present.ts'
import type { SandboxMessage } from './schema.ts'
import { countHandsetMessages, readHandsets } from './store.ts'

/** What one virtual handset shows, or all of them: newest first. */
export async function findHandsetMessages(
  deps: { db: Db },
  organisation_id: string,
  query: PageQuery & { recipient: string | undefined },
): Promise<{ messages: SandboxMessage[]; pagination: Pagination }> {
  const page = readPage(query)
  const { recipient } = query
  const [found, count_total] = await Promise.all([
    readHandsets(deps.db, organisation_id, { ...page, recipient, limit: page.limit + 1 }),
    countHandsetMessages(deps.db, organisation_id, recipient, COUNT_LIMIT),
  ])
  const { rows, pagination } = paginate(page, found, count_total)
  const messages = rows.map(({ id, recipient, sender_id, channel, text, created_datetime }) => {
    return { id, recipient, ...present('sender_id', sender_id), channel, text, created_datetime }
  })
  return { messages, pagination }
}

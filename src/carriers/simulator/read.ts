import type { Db } from '../../db/connect.ts'
import { readPage, type PageQuery, type Pagination } from '../../values/page.ts'
import { present } from '../../values/record.ts'
import type { SandboxMessage } from './schema.ts'
import { listHandsetMessages, type ShownMessage } from './store.ts'

/** Lists the messages of one virtual handset, or of all: newest first. */
export async function findHandsetMessages(
  deps: { db: Db },
  organisation_id: string,
  query: PageQuery & { recipient: string | undefined },
): Promise<{ messages: SandboxMessage[]; pagination: Pagination }> {
  const { rows, pagination } = await listHandsetMessages(deps.db, organisation_id, query.recipient, readPage(query))
  const messages = rows.map(({ id, recipient, sender_id, channel, text, created_datetime }) => {
    return { id, recipient, ...present('sender_id', sender_id), channel, text, created_datetime }
  })
  return { messages, pagination }
}

/** A message that was just shown, in the form of the list. */
export function phoneMessage(shown: ShownMessage): SandboxMessage & { organisation_id: string } {
  const { organisation_id, id, recipient, sender_id, channel, text } = shown
  const created_datetime = new Date().toISOString().replace(/Z$/, '000+00:00')
  return { organisation_id, id, recipient, ...present('sender_id', sender_id), channel, text, created_datetime }
}

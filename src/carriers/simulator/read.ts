import type { Db } from '../../db/connect.ts'
import { readPage, type PageQuery, type Pagination } from '../../values/page.ts'
import { present } from '../../values/record.ts'
import type { SandboxMessage } from './schema.ts'
import { shownContent } from '../whatsapp/shown.ts'
import { listHandsetMessages, type HandsetMessage, type ShownMessage } from './store.ts'

/** Lists the messages of one virtual handset, or of all: newest first. */
export async function findHandsetMessages(
  deps: { db: Db },
  organisation_id: string,
  query: PageQuery & { recipient: string | undefined },
): Promise<{ messages: SandboxMessage[]; pagination: Pagination }> {
  const { rows, pagination } = await listHandsetMessages(deps.db, organisation_id, query.recipient, readPage(query))
  return { messages: rows.map(shown), pagination }
}

/** A message that was just shown, in the form of the list. */
export function phoneMessage(message: ShownMessage): SandboxMessage & { organisation_id: string } {
  const { organisation_id, whatsapp = null } = message
  const created_datetime = new Date().toISOString().replace(/Z$/, '000+00:00')
  return { organisation_id, ...shown({ ...message, whatsapp, created_datetime }) }
}

function shown(message: HandsetMessage): SandboxMessage {
  const { id, message_id, recipient, sender_id, channel, text, whatsapp, created_datetime } = message
  return {
    id,
    message_id,
    recipient,
    ...present('sender_id', sender_id),
    channel,
    text,
    ...present('whatsapp', whatsapp && shownContent(whatsapp)),
    created_datetime,
  }
}

import type { Channel } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'
import { prepare, type Sql } from '../../db/sql.ts'
import { inboundColumns, withMedia, type InboundRow } from '../inbound/store.ts'
import { among, everyMessage } from '../read/message-rows-store.ts'

/** A closed conversation has no unread texts: closing it reads them. */
export type State = 'closed' | 'read' | 'unread'

export type ConversationRow = {
  id: string
  phone: string
  direction: 'in' | 'out'
  channel: Channel
  to: string
  received: bigint
  read: bigint
  received_datetime: string
  state: State
  assignee_id: string | null
}

export async function findConversation(
  db: Db,
  organisation_id: string,
  phone: string,
): Promise<ConversationRow | undefined> {
  const [row] = await db<ConversationRow[]>`
    select ${conversationColumns(db)} from conversations where organisation_id = ${organisation_id} and phone = ${phone}`
  return row
}

export function conversationColumns(sql: Sql) {
  return prepare(sql`id, phone, direction, channel, "to", received, read, received_datetime, state, assignee_id`)
}

/** False if there is no such conversation. The count never decreases. */
export async function setRead(
  db: Db,
  organisation_id: string,
  phone: string,
  received: number | undefined,
): Promise<boolean> {
  const known = await db`
    update conversations
    set read = greatest(read, least(received, coalesce(${received ?? null}::bigint, received)))
    where organisation_id = ${organisation_id} and phone = ${phone}`
  return known.count === 1
}

/** Moves the conversation to the top of the list, unless it has a newer message. */
export async function noteAnswer(db: Db, organisation_id: string, phone: string, message_id: string): Promise<void> {
  await db`
    update conversations set id = ${message_id}, direction = 'out'
    where organisation_id = ${organisation_id} and phone = ${phone} and id < ${message_id}`
}

/** The texts of received and sent messages by id. */
export async function readTexts(
  db: Db,
  organisation_id: string,
  { received, sent }: { received: readonly string[]; sent: readonly string[] },
): Promise<{ id: string; text: string | null; created_datetime: string }[]> {
  return db<{ id: string; text: string | null; created_datetime: string }[]>`
    select id, text, created_datetime from inbound_messages
    where organisation_id = ${organisation_id} and id = any (${received}::uuid[])
    union all
    select id, content, created_datetime from ${everyMessage(db, organisation_id, among(sent))} message
    where id = any (${sent}::uuid[])`
}

/** Texts received from a number, newest first, before an id. */
export async function listReceived(
  db: Db,
  organisation_id: string,
  phone: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<InboundRow[]> {
  return db<InboundRow[]>`
    select ${inboundColumns(db)} from inbound_messages ${withMedia(db, organisation_id)}
    where inbound_messages.organisation_id = ${organisation_id} and inbound_messages."from" = ${phone}
      ${before === undefined ? db`` : db`and inbound_messages.id < ${before}`}
    order by inbound_messages.id desc limit ${limit}`
}

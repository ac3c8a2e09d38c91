import type { Db, Tx } from '../../db/connect.ts'
import { listPage, type Listed } from '../../db/list-page.ts'
import type { Page } from '../../values/page.ts'
import type { OutgoingMessage } from '../message-carrier.ts'

export type HandsetMessage = {
  id: string
  recipient: string
  sender_id: string | null
  channel: string
  text: string
  created_datetime: string
}

/** A message with the id it has on its handset. */
export type ShownMessage = OutgoingMessage & { id: string }

/** Shows the messages on their handsets; the same message handed over twice is shown once. */
export async function showMessages(tx: Tx, messages: readonly ShownMessage[]): Promise<void> {
  if (messages.length === 0) return
  await tx`
    insert into sandbox_messages (organisation_id, message_id, recipient, id, sender_id, channel, text)
    select organisation_id, message_id, recipient, id, sender_id, channel, text
    from unnest(
      ${messages.map((message) => message.organisation_id)}::uuid[],
      ${messages.map((message) => message.message_id)}::uuid[],
      ${messages.map((message) => message.recipient)}::text[],
      ${messages.map((message) => message.id)}::uuid[],
      ${messages.map((message) => message.sender_id)}::text[],
      ${messages.map((message) => message.channel)}::text[],
      ${messages.map((message) => message.text)}::text[]
    ) as message (organisation_id, message_id, recipient, id, sender_id, channel, text)
    on conflict (organisation_id, message_id, recipient) do nothing`
}

/** What a handset, or all of them, shows: newest first. */
export async function listHandsetMessages(
  db: Db,
  organisation_id: string,
  recipient: string | undefined,
  page: Page,
): Promise<Listed<HandsetMessage>> {
  return listPage<HandsetMessage>(db, page, {
    select: db`id, recipient, sender_id, channel, text, created_datetime`,
    from: db`sandbox_messages`,
    where: db`
      organisation_id = ${organisation_id} ${recipient === undefined ? db`` : db`and recipient = ${recipient}`}`,
  })
}

export async function forgetHandsetMessages(db: Db, older_than_days: number): Promise<number> {
  const gone = await db`
    delete from sandbox_messages where created_datetime < now() - ${older_than_days} * interval '1 day'`
  return gone.count
}

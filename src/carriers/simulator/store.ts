import { idArray } from '../../db/array.ts'
import type { Db } from '../../db/connect.ts'
import { byLayout, connectionsOf } from '../../db/layout.ts'
import { listPage, type Listed } from '../../db/list-page.ts'
import type { Job } from '../../queue/store.ts'
import type { Channel } from '../message-carrier.ts'
import { newId } from '../../values/id.ts'
import type { Page } from '../../values/page.ts'
import type { OutgoingMessage, OutgoingWhatsapp } from '../message-carrier.ts'

export type HandsetMessage = {
  id: string
  message_id: string
  recipient: string
  sender_id: string | null
  channel: Channel
  text: string
  whatsapp: OutgoingWhatsapp | null
  created_datetime: string
}

/** A message with its id on the handset. */
export type ShownMessage = Pick<
  OutgoingMessage,
  'organisation_id' | 'message_id' | 'recipient' | 'channel' | 'sender_id' | 'text' | 'whatsapp'
> & { id: string }

/** Reports of one organisation that are due at the same time. */
export type ReportBatch = { organisation_id: string; delay_ms: number; carrier_message_ids: readonly string[] }

/**
 * Shows messages on their handsets and enqueues the reports on them: both or neither. May be repeated.
 *
 * On a single server they may be of several organisations, sorted by organisation. If that has to wait long for a lock, it
 * fails, and has to be repeated for each organisation.
 */
export async function showMessages(
  db: Db,
  queue: string,
  shown: readonly ShownMessage[],
  batches: readonly ReportBatch[],
): Promise<void> {
  const organisation_id = (shown[0] ?? batches[0])?.organisation_id
  if (organisation_id === undefined) return
  await connectionsOf(db, organisation_id)`
    select show_messages(
      ${byLayout(db, { single_server: null, cluster: organisation_id })}::uuid, ${queue},
      ${idArray(shown.map((one) => one.organisation_id))}::uuid[],
      ${idArray(shown.map(({ message_id }) => message_id))}::uuid[],
      ${shown.map(({ recipient }) => recipient)}::text[],
      ${idArray(shown.map(({ id }) => id))}::uuid[],
      ${shown.map(({ sender_id }) => sender_id)}::text[],
      ${shown.map(({ channel }) => channel)}::text[],
      ${shown.map(({ text }) => text)}::text[],
      ${shown.map(({ whatsapp }) => (whatsapp ? JSON.stringify(whatsapp) : null))}::text[],
      ${idArray(batches.map((one) => one.organisation_id))}::uuid[],
      ${idArray(batches.map(() => newId()))}::uuid[],
      ${idArray(batches.map(({ delay_ms }) => delay_ms))}::integer[],
      ${batches.map(({ carrier_message_ids }) => carrier_message_ids.join('\n'))}::text[]
    )`
}

/** The carrier message ids of a job's reports. */
export function idsOf({ subject_key }: Pick<Job, 'subject_key'>): string[] {
  return subject_key.split('\n')
}

export async function isShown(
  db: Db,
  organisation_id: string,
  { message_id, recipient }: { message_id: string; recipient: string },
): Promise<boolean> {
  const shown = await db`
    select 1 from sandbox_messages
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = ${recipient}`
  return shown.length > 0
}

/** The messages of one handset, or of all: newest first. */
export async function listHandsetMessages(
  db: Db,
  organisation_id: string,
  recipient: string | undefined,
  page: Page,
): Promise<Listed<HandsetMessage>> {
  return listPage<HandsetMessage>(db, page, {
    select: db`id, message_id, recipient, sender_id, channel, text, whatsapp, created_datetime`,
    from: db`sandbox_messages`,
    where: db`
      organisation_id = ${organisation_id} ${recipient === undefined ? db`` : db`and recipient = ${recipient}`}`,
  })
}

/**
 * A message id contains the time of acceptance, which precedes the display: an organisation's old rows are a contiguous
 * range at the start of its part of the key.
 */
export async function forgetHandsetMessages(db: Db, older_than_days: number): Promise<number> {
  const gone = await db`
    delete from sandbox_messages using organisations
    where organisation_id = organisations.id
      and message_id < first_id_at(now() - ${older_than_days} * interval '1 day')
      and sandbox_messages.created_datetime < now() - ${older_than_days} * interval '1 day'`
  return gone.count
}

import type { Db, Tx } from '../../db/connect.ts'
import { listPage, type Listed } from '../../db/list-page.ts'
import { rows } from '../../db/rows.ts'
import type { Query } from '../../db/sql.ts'
import { inOneTrip } from '../../db/transaction.ts'
import type { Job } from '../../queue/store.ts'
import { newId } from '../../values/id.ts'
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

/** Reports on messages of one organisation that are due at the same time: the carrier's ids, a line each. */
export type ReportBatch = { organisation_id: string; delay_ms: number; carrier_message_ids: readonly string[] }

/**
 * Shows the messages on their handsets, and puts the reports on them in line: both or neither, in one round trip. The
 * same message handed over twice is shown once. A batch of reports is one job, because a job for each message would cost
 * as much as showing it.
 */
export async function showMessages(
  db: Db,
  shown: readonly ShownMessage[],
  queue: string,
  batches: readonly ReportBatch[],
): Promise<void> {
  await inOneTrip(db, (tx) => [
    ...(shown.length > 0 ? [insertMessages(tx, shown)] : []),
    ...(batches.length > 0 ? [insertBatches(tx, queue, batches)] : []),
  ])
}

function insertMessages(tx: Tx, shown: readonly ShownMessage[]): Query {
  return tx`
    insert into sandbox_messages (organisation_id, message_id, recipient, id, sender_id, channel, text)
    select organisation_id, message_id, recipient, id, sender_id, channel, text
    from ${rows(tx, shown, 'message', {
      organisation_id: 'uuid',
      message_id: 'uuid',
      recipient: 'text',
      id: 'uuid',
      sender_id: 'text',
      channel: 'text',
      text: 'text',
    })}
    on conflict (organisation_id, message_id, recipient) do nothing`
}

function insertBatches(tx: Tx, queue: string, batches: readonly ReportBatch[]): Query {
  return tx`
    insert into jobs (queue, lane, organisation_id, subject_id, subject_key, run_at)
    select ${queue}, organisation_id, organisation_id, id, carrier_message_ids, now() + delay_ms * interval '1 ms'
    from ${rows(tx, batches, 'batch', {
      organisation_id: 'uuid',
      id: ['uuid', () => newId()],
      carrier_message_ids: ['text', ({ carrier_message_ids }) => carrier_message_ids.join('\n')],
      delay_ms: 'integer',
    })}`
}

/** The ids of the messages that a job's reports are on. */
export function idsOf({ subject_key }: Pick<Job, 'subject_key'>): string[] {
  return subject_key.split('\n')
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

/**
 * A message is shown after it was accepted, and its id tells when that was: an organisation's old ones are together at
 * the beginning of its part of the key.
 */
export async function forgetHandsetMessages(db: Db, older_than_days: number): Promise<number> {
  const gone = await db`
    delete from sandbox_messages using organisations
    where organisation_id = organisations.id
      and message_id < first_id_at(now() - ${older_than_days} * interval '1 day')
      and sandbox_messages.created_datetime < now() - ${older_than_days} * interval '1 day'`
  return gone.count
}

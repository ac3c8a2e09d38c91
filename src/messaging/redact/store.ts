import type { Tx } from '../../db/connect.ts'
import { deleteMedia } from '../../media/store.ts'
import { everyMessage, among } from '../read/message-rows-store.ts'

export type Redactable = { created_datetime: string; in_progress: boolean; is_deleted: boolean; carriers: string[] }

/** Locks a message. `in_progress`: a delivery is scheduled, queued or in the intake. Undefined if it does not exist. */
export async function lockMessage(tx: Tx, organisation_id: string, id: string): Promise<Redactable | undefined> {
  await tx`select 1 from messages where organisation_id = ${organisation_id} and id = ${id} for update`
  const [row] = await tx<Omit<Redactable, 'carriers'>[]>`
    select created_datetime,
      exists (
        select 1 from messages known
        where known.organisation_id = ${organisation_id} and known.id = ${id} and deleted_datetime is not null
      ) as is_deleted,
      exists (
        select 1 from deliveries
        where organisation_id = ${organisation_id} and message_id = ${id} and status in ('scheduled', 'queued')
      ) or exists (
        select 1 from intake
        where organisation_id = ${organisation_id} and first_id <= ${id} and last_id >= ${id}
          and strpos(messages, ${id}) > 0
      ) as in_progress
    from ${everyMessage(tx, organisation_id, among([id]))} message`
  if (!row) return undefined
  const carriers = await tx<{ carrier: string }[]>`
    select distinct carrier from deliveries
    where organisation_id = ${organisation_id} and message_id = ${id} and carrier is not null`
  return { ...row, carriers: carriers.map(({ carrier }) => carrier) }
}

/** Whether a phone is about to send it. */
export async function isWithPhone(
  tx: Tx,
  organisation_id: string,
  id: string,
  carriers: readonly string[],
): Promise<boolean> {
  const found = await tx`
    select 1 from phone_messages
    where carrier = any (${carriers}::text[]) and organisation_id = ${organisation_id} and message_id = ${id}
      and state in ('offered', 'taken') and valid_until > now()
    limit 1`
  return found.length > 0
}

/** Removes the text of a message; recipients and charges stay. */
export async function clearMessage(
  tx: Tx,
  organisation_id: string,
  id: string,
  { deletes, carriers }: { deletes: boolean; carriers: readonly string[] },
): Promise<void> {
  await tx`
    update messages
    set content = null, personalisation = null,
      deleted_datetime = case when ${deletes} then coalesce(deleted_datetime, now()) else deleted_datetime end
    where organisation_id = ${organisation_id} and id = ${id}`
  await tx`
    update deliveries set text = null, whatsapp = null, sealed_text = null
    where organisation_id = ${organisation_id} and message_id = ${id}
      and (text is not null or whatsapp is not null or sealed_text is not null)`
  await tx`delete from sandbox_messages where organisation_id = ${organisation_id} and message_id = ${id}`
  await tx`
    update phone_messages set sealed_text = null
    where carrier = any (${carriers}::text[]) and organisation_id = ${organisation_id} and message_id = ${id}
      and sealed_text is not null`
}

/** The stored answers to the request of a message: written in the same transaction, so with the same time. */
export async function findAnswers(
  tx: Tx,
  organisation_id: string,
  id: string,
  created_datetime: string,
): Promise<{ key: string; answer: string }[]> {
  return tx<{ key: string; answer: string }[]>`
    select key, answer from idempotency_keys
    where organisation_id = ${organisation_id} and created_datetime = ${created_datetime}::timestamptz
      and strpos(answer, ${id}) > 0
    for update`
}

export async function writeAnswer(tx: Tx, organisation_id: string, key: string, answer: string): Promise<void> {
  await tx`
    update idempotency_keys set answer = ${answer} where organisation_id = ${organisation_id} and key = ${key}`
}

/** Removes the text of a received message with its file, or deletes it. False if there is none. */
export async function clearReceived(
  tx: Tx,
  organisation_id: string,
  id: string,
  { deletes }: { deletes: boolean },
): Promise<boolean> {
  await deleteMedia(tx, organisation_id, id, ['pending', 'stored', 'refused', 'expired'])
  const cleared = deletes
    ? await tx`delete from inbound_messages where organisation_id = ${organisation_id} and id = ${id}`
    : await tx`update inbound_messages set text = '', whatsapp = null, carrier_message_id = null where organisation_id = ${organisation_id} and id = ${id}`
  return cleared.count === 1
}

/** Stops the callbacks of a received message and removes its text from them; an attempt in flight records nothing more. */
export async function stopCallbacks(tx: Tx, organisation_id: string, id: string, body: string): Promise<void> {
  await tx`
    update callbacks
    set status = case when status = 'pending' then 'stopped' else status end, body = ${body}, last_excerpt = null
    where organisation_id = ${organisation_id} and subject_id = ${id}`
  await tx`delete from smpp_outbox where organisation_id = ${organisation_id} and strpos(body, ${id}) > 0`
}

type CallBatch = { id: string; contents: { request_id: string }[] }

/** Locks the logged calls between two ids that contain a message id, oldest first. */
export async function lockCalls(
  tx: Tx,
  organisation_id: string,
  { from, before }: { from: string; before: string },
  names: readonly string[],
): Promise<CallBatch[]> {
  return tx<CallBatch[]>`
    select id, contents from request_bursts
    where organisation_id = ${organisation_id} and id >= ${from} and id < ${before}
      and exists (select 1 from unnest(${names}::text[]) as name where strpos(contents::text, name) > 0)
    order by id for update`
}

export async function writeCalls(tx: Tx, organisation_id: string, { id, contents }: CallBatch): Promise<void> {
  await tx`
    update request_bursts set contents = ${JSON.stringify(contents)}::text::jsonb
    where organisation_id = ${organisation_id} and id = ${id}`
}

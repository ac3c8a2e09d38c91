import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { SendStatus } from './schema.ts'

/** What is sent to each; `content` with its placeholders. */
export type ListMessage = {
  channel: string
  sender_id?: string
  content: string
  external_ref?: string
  is_trackable?: boolean
  smart_encoding?: boolean
  route_class?: string
  callback?: string
  /** When the list is looked at and sent to, where that is not at once. */
  send_at?: string
  /** What the content was when the message was asked for stays, whatever becomes of the template. */
  template_id?: string
  template_version?: number
}

export type SendRow = {
  id: string
  smartlist_id: string
  number: number
  message: ListMessage
  status: SendStatus
  chunks: number
  prepared: boolean
  after_id: string | null
  rows: number
  accepted: number
  duplicates: number
  without_number: number
  incomplete: number
  refused: number
  charge: bigint
  fault: string | null
  created_datetime: string
  updated_datetime: string | null
}

export type NewSend = Pick<SendRow, 'id' | 'smartlist_id' | 'number' | 'message'> & {
  idempotency?: { key: string; request_hash: Buffer } | undefined
}

/** False when a send with this idempotency key is there already. */
export async function insertSend(tx: Tx, organisation_id: string, send: NewSend): Promise<boolean> {
  const made = await tx`
    insert into contact_sends (organisation_id, id, smartlist_id, number, message, idempotency_key, request_hash)
    values (${organisation_id}, ${send.id}, ${send.smartlist_id}, ${send.number},
      ${JSON.stringify(send.message)}::text::jsonb, ${send.idempotency?.key ?? null},
      ${send.idempotency?.request_hash ?? null})
    on conflict (organisation_id, idempotency_key) do nothing`
  return made.count === 1
}

export async function findSendByKey(
  tx: Tx,
  organisation_id: string,
  key: string,
): Promise<{ id: string; request_hash: Buffer } | undefined> {
  const [row] = await tx<{ id: string; request_hash: Buffer }[]>`
    select id, request_hash from contact_sends where organisation_id = ${organisation_id} and idempotency_key = ${key}`
  return row
}

export async function findSend(db: Db, organisation_id: string, id: string): Promise<SendRow | undefined> {
  const [row] = await db<SendRow[]>`
    select id, smartlist_id, number, message, status, chunks, prepared, after_id, rows, accepted, duplicates,
      without_number, incomplete, refused, charge, fault, created_datetime, updated_datetime
    from contact_sends where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

export type Chunk = {
  number: number
  after_id: string
  rows: number
  without_number: number
  incomplete: number
  recipients: { recipient: string; text: string | null }[]
}

/** Writes down who gets the next chunk. Nothing when it was written already, or the send has ended. */
export async function prepareChunk(tx: Tx, organisation_id: string, id: string, chunk: Chunk): Promise<void> {
  const ours = await tx`
    select 1 from contact_sends
    where organisation_id = ${organisation_id} and id = ${id} and status in ('queued', 'running')
      and chunks = ${chunk.number} - 1 and not prepared
    for update`
  if (ours.length === 0) return
  const written = await tx`
    insert into contact_send_recipients (organisation_id, send_id, recipient, chunk, text)
    select ${organisation_id}, ${id}, recipient, ${chunk.number}, text
    from ${rows(tx, chunk.recipients, 'given', { recipient: 'text', text: 'text' })}
    on conflict (organisation_id, send_id, recipient) do nothing`
  await tx`
    update contact_sends
    set status = 'running', prepared = true, after_id = ${chunk.after_id}, rows = rows + ${chunk.rows},
      without_number = without_number + ${chunk.without_number}, incomplete = incomplete + ${chunk.incomplete},
      duplicates = duplicates + ${chunk.recipients.length - written.count}, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id}`
}

export async function listRecipients(
  db: Db,
  organisation_id: string,
  id: string,
  chunk: number,
): Promise<{ recipient: string; text: string | null }[]> {
  return db<{ recipient: string; text: string | null }[]>`
    select recipient, text from contact_send_recipients
    where organisation_id = ${organisation_id} and send_id = ${id} and chunk = ${chunk}
    order by recipient`
}

/** The chunk is sent. A cancel that came meanwhile stays one. */
export async function recordChunk(
  db: Db,
  organisation_id: string,
  id: string,
  chunk: { number: number; accepted: number; refused: number; charge: bigint },
): Promise<void> {
  await db`
    update contact_sends
    set chunks = ${chunk.number}, prepared = false, accepted = accepted + ${chunk.accepted},
      refused = refused + ${chunk.refused}, charge = charge + ${String(chunk.charge)}::bigint, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and chunks = ${chunk.number} - 1 and prepared`
}

export async function endSend(
  db: Db,
  organisation_id: string,
  id: string,
  status: 'done' | 'failed' | 'canceled',
  fault: string | null,
): Promise<void> {
  await db`
    update contact_sends set status = ${status}, fault = ${fault}, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status in ('queued', 'running')`
}

/** Who got what is in the deliveries; this was for sending each once. Some at a time: a list may have a million. */
export async function forgetRecipients(db: Db, limit: number): Promise<void> {
  await db`
    delete from contact_send_recipients gone
    using (
      select organisation_id, send_id, recipient
      from contact_sends send
      join contact_send_recipients using (organisation_id)
      where send_id = send.id and send.status in ('done', 'failed', 'canceled')
        and send.updated_datetime < now() - interval '1 day'
      limit ${limit}
    ) old
    where gone.organisation_id = old.organisation_id and gone.send_id = old.send_id and gone.recipient = old.recipient`
}

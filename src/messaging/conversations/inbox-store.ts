import type { Db } from '../../db/connect.ts'
import { MAX_NOTES } from './schema.ts'

/**
 * Closes the conversation and marks its texts as read. False if more texts have arrived than the given count: they would
 * be closed unread.
 */
export async function setClosed(
  db: Db,
  organisation_id: string,
  phone: string,
  received: number | undefined,
): Promise<boolean> {
  const closed = await db`
    update conversations set closed_received = received, read = received
    where organisation_id = ${organisation_id} and phone = ${phone}
      and received <= coalesce(${received ?? null}::bigint, received)`
  return closed.count === 1
}

export async function setOpen(db: Db, organisation_id: string, phone: string): Promise<void> {
  await db`
    update conversations set closed_received = 0
    where organisation_id = ${organisation_id} and phone = ${phone} and closed_received > 0`
}

/** False if the conversation is not assigned to `current`; undefined: whatever its assignee. */
export async function setAssignee(
  db: Db,
  organisation_id: string,
  phone: string,
  { assignee_id, current }: { assignee_id: string | null; current: string | null | undefined },
): Promise<boolean> {
  const assigned = await db`
    update conversations set assignee_id = ${assignee_id}::uuid
    where organisation_id = ${organisation_id} and phone = ${phone}
      ${current === undefined ? db`` : db`and assignee_id is not distinct from ${current}::uuid`}`
  return assigned.count === 1
}

export type NoteRow = { id: string; author_id: string | null; text: string; created_datetime: string }

/**
 * Undefined if the conversation has as many notes as it may. Concurrent notes may exceed the limit by a few. The table is
 * qualified in `returning`, or Citus gets it wrong.
 */
export async function insertNote(
  db: Db,
  organisation_id: string,
  phone: string,
  { id, author_id, text }: Omit<NoteRow, 'created_datetime'>,
): Promise<NoteRow | undefined> {
  const [note] = await db<NoteRow[]>`
    insert into conversation_notes as made (organisation_id, phone, id, author_id, text)
    select organisation_id, phone, ${id}::uuid, ${author_id}::uuid, ${text} from conversations
    where organisation_id = ${organisation_id} and phone = ${phone} and (
      select count(*) from conversation_notes note
      where note.organisation_id = ${organisation_id} and note.phone = ${phone}
    ) < ${MAX_NOTES}
    returning made.id, made.author_id, made.text, made.created_datetime`
  return note
}

/** Notes of a conversation, newest first, before an id. */
export async function listNotes(
  db: Db,
  organisation_id: string,
  phone: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<NoteRow[]> {
  return db<NoteRow[]>`
    select id, author_id, text, created_datetime from conversation_notes
    where organisation_id = ${organisation_id} and phone = ${phone}
      ${before === undefined ? db`` : db`and id < ${before}`}
    order by id desc limit ${limit}`
}

/** Returns the number of its conversation; undefined if there is no such note. */
export async function deleteNote(db: Db, organisation_id: string, id: string): Promise<string | undefined> {
  const [gone] = await db<{ phone: string }[]>`
    delete from conversation_notes where organisation_id = ${organisation_id} and id = ${id} returning phone`
  return gone?.phone
}

import type { Db, Tx } from '../db/connect.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import { prepare } from '../db/sql.ts'
import type { Page } from '../values/page.ts'
import type { SenderClass, SenderState } from './schema.ts'

export type SenderRow = {
  organisation_id: string
  id: string
  sender_id: string
  state: SenderState
  class: SenderClass
  note: string | null
  reason: string | null
  created_datetime: string
  updated_datetime: string | null
}

/** Serializes changes of an organisation's senders. */
export async function lockSenders(tx: Tx, organisation_id: string): Promise<void> {
  await tx`select 1 from organisations where id = ${organisation_id} for update`
}

export async function countSenders(sql: Db | Tx, organisation_id: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from senders where organisation_id = ${organisation_id}`
  return row?.count ?? 0
}

export async function findSenderByName(sql: Db | Tx, organisation_id: string, sender_id: string) {
  const [row] = await sql<SenderRow[]>`
    select ${columns(sql)} from senders where organisation_id = ${organisation_id} and sender_key = lower(${sender_id})`
  return row
}

export async function findSender(sql: Db | Tx, organisation_id: string, id: string): Promise<SenderRow | undefined> {
  const [row] = await sql<SenderRow[]>`
    select ${columns(sql)} from senders where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

/** Newest first. */
export async function listSenders(db: Db, organisation_id: string, page: Page): Promise<Listed<SenderRow>> {
  return listPage<SenderRow>(db, page, {
    select: columns(db),
    from: db`senders`,
    where: db`organisation_id = ${organisation_id}`,
  })
}

function columns(sql: Db | Tx) {
  return prepare(sql`organisation_id, id, sender_id, state, class, note, reason, created_datetime, updated_datetime`)
}

export async function insertSender(
  tx: Tx,
  organisation_id: string,
  sender: Pick<SenderRow, 'id' | 'sender_id' | 'class' | 'note'>,
): Promise<void> {
  await tx`
    insert into senders (organisation_id, id, sender_id, class, note)
    values (${organisation_id}, ${sender.id}, ${sender.sender_id}, ${sender.class}, ${sender.note})`
}

/** A new name or class needs a new approval. */
export async function updateSender(
  tx: Tx,
  organisation_id: string,
  sender: Pick<SenderRow, 'id' | 'sender_id' | 'class' | 'note'>,
): Promise<void> {
  await tx`
    update senders
    set sender_id = ${sender.sender_id}, class = ${sender.class}, note = ${sender.note}, updated_datetime = now(),
      state = case when sender_id = ${sender.sender_id} and class = ${sender.class} then state else 'pending' end,
      reason = case when sender_id = ${sender.sender_id} and class = ${sender.class} then reason end
    where organisation_id = ${organisation_id} and id = ${sender.id}`
}

export async function deleteSender(tx: Tx, organisation_id: string, id: string): Promise<void> {
  await tx`delete from senders where organisation_id = ${organisation_id} and id = ${id}`
}

export async function isDefaultSender(tx: Tx, organisation_id: string, sender_id: string): Promise<boolean> {
  const found = await tx`
    select 1 from organisations where id = ${organisation_id} and lower(default_sender_id) = lower(${sender_id})`
  return found.length > 0
}

/** The first sender of a new organisation is approved, unless its number belongs to another organisation. */
export async function insertFirstSender(tx: Tx, organisation_id: string, sender: { id: string; sender_id: string }) {
  await tx`
    insert into senders (organisation_id, id, sender_id, state)
    select ${organisation_id}, ${sender.id}, ${sender.sender_id},
      case when exists (
        select 1 from senders
        where sender_id = ${sender.sender_id} and state = 'approved' and sender_id ~ '^[0-9]+$'
      ) then 'pending' else 'approved' end`
}

/** Records the operator's decision. */
export async function writeState(
  db: Db | Tx,
  organisation_id: string,
  id: string,
  { state, reason }: { state: SenderState; reason: string | null },
): Promise<SenderRow | undefined> {
  const [row] = await db<SenderRow[]>`
    update senders set state = ${state}, reason = ${reason}, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id}
    returning ${columns(db)}`
  return row
}

const LISTED_FOR_OPERATOR = 1_000

export type SenderOfOrganisation = SenderRow & { organisation: string; mode: 'live' | 'test' }

/** Senders of all organisations, pending ones first. */
export async function listAllSenders(db: Db, state: SenderState | undefined): Promise<SenderOfOrganisation[]> {
  return db<SenderOfOrganisation[]>`
    select organisation_id, senders.id, sender_id, state, class, note, reason, senders.created_datetime,
      updated_datetime, name as organisation, mode
    from senders join organisations on organisations.id = organisation_id
    where ${state ?? null}::text is null or state = ${state ?? null}
    order by state <> 'pending', senders.id
    limit ${LISTED_FOR_OPERATOR}`
}

/** Live organisations with these approved names (case-insensitive). Unlike a number, a name may belong to several. */
export async function findNamesakes(db: Db, sender_keys: readonly string[]) {
  return db<{ sender_key: string; organisation_id: string }[]>`
    select sender_key, organisation_id from senders join organisations on organisations.id = organisation_id
    where sender_key = any (${sender_keys}::text[]) and state = 'approved' and mode = 'live'`
}

/** The organisations that own these numbers and short codes. */
export async function findOwners(db: Db, numbers: readonly string[]) {
  return db<{ number: string; organisation_id: string }[]>`
    select sender_id as number, organisation_id from senders
    where sender_id = any (${numbers}::text[]) and state = 'approved' and sender_id ~ '^[0-9]+$'`
}

/** A sender that can receive texts. */
export type NumberRow = { id: string; sender_id: string; created_datetime: string; updated_datetime: string | null }

/** Approved numeric senders: those before an id newest first, or those after one oldest first. */
export async function listNumbers(
  db: Db,
  organisation_id: string,
  number: string | undefined,
  { before, after, limit }: { before?: string | undefined; after?: string | undefined; limit: number },
): Promise<NumberRow[]> {
  return db<NumberRow[]>`
    select id, sender_id, created_datetime, updated_datetime from senders
    where organisation_id = ${organisation_id} and state = 'approved' and sender_id ~ '^[0-9]+$'
      ${number === undefined ? db`` : db`and sender_id = ${number}`}
      ${before === undefined ? db`` : db`and id < ${before}`}
      ${after === undefined ? db`` : db`and id > ${after}`}
    order by id ${after === undefined ? db`desc` : db``} limit ${limit}`
}

export async function findNumber(db: Db, organisation_id: string, id: string): Promise<NumberRow | undefined> {
  const [row] = await db<NumberRow[]>`
    select id, sender_id, created_datetime, updated_datetime from senders
    where organisation_id = ${organisation_id} and id = ${id} and state = 'approved' and sender_id ~ '^[0-9]+$'`
  return row
}

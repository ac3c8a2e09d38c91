import type { Db, Tx } from '../../db/connect.ts'

export type LongTextKey = {
  organisation_id: string
  account_id: string
  /** Empty for the default sender. */
  sender: string
  recipient: string
  reference: number
  total: number
}

/** With its id, because the key may be reused after it is deleted. */
export type KnownText = LongTextKey & { id: string }

/** A long text with the segments received so far. */
export type LongText = KnownText & {
  segments: (string | null)[]
  wanted: (number | null)[]
  callback: string | null
  is_bulk: boolean
  user_references: (number | null)[]
  send_at: string | null
  expires_at: string | null
}

export type NewSegment = LongTextKey & {
  /** The id of the text, if this is its first segment. */
  id: string
  segment: number
  text: string
  wants: number
  callback: string | null
  is_bulk: boolean
  user_reference: number | null
  send_at: string | null
  expires_at: string | null
}

/**
 * Stores a segment and returns the text. Concurrent segments of a text wait for each other, so the caller that adds the last
 * one sees the complete text. Undefined if the organisation has too many incomplete texts; concurrent first segments may
 * exceed that limit by their number.
 */
export async function storeSegment(db: Db, given: NewSegment, most: number): Promise<LongText | undefined> {
  const [limit] = await db<{ allowed: boolean }[]>`
    select exists (select from smpp_long_texts where ${sameText(db, given)}) or (
      select count(*) from (
        select from smpp_long_texts where organisation_id = ${given.organisation_id} limit ${most}
      ) open
    ) < ${most} as allowed`
  if (!limit?.allowed) return undefined
  const only = <T>(value: T): (T | null)[] =>
    Array.from({ length: given.total }, (_, n) => (n === given.segment - 1 ? value : null))
  const [row] = await db<LongText[]>`
    insert into smpp_long_texts
      (organisation_id, account_id, sender, recipient, reference, total, id, segments, wanted, user_references, callback,
       is_bulk, send_at, expires_at, created_datetime)
    values (${given.organisation_id}, ${given.account_id}, ${given.sender}, ${given.recipient}, ${given.reference},
      ${given.total}, ${given.id}, ${only(given.text)}, ${only(given.wants)}, ${only(given.user_reference)},
      ${given.callback}, ${given.is_bulk}, ${given.send_at}, ${given.expires_at}, now())
    on conflict (organisation_id, account_id, sender, recipient, reference, total) do update
    set segments = with_element(smpp_long_texts.segments, ${given.segment}::integer, ${given.text}::text),
      wanted = with_element(smpp_long_texts.wanted, ${given.segment}::integer, ${given.wants}::smallint),
      user_references = with_element(
        smpp_long_texts.user_references, ${given.segment}::integer, ${given.user_reference}::integer
      ),
      callback = coalesce(excluded.callback, smpp_long_texts.callback), is_bulk = excluded.is_bulk,
      send_at = excluded.send_at, expires_at = excluded.expires_at
    returning ${columns(db)}`
  return row
}

/** Deletes a segment, so that the client may submit it again. */
export async function deleteSegment(db: Db, text: KnownText, segment: number): Promise<void> {
  await db`
    update smpp_long_texts
    set segments = with_element(segments, ${segment}::integer, null::text)
    where ${sameText(db, text)} and id = ${text.id}`
}

/** False if another process has deleted it. */
export async function deleteLongText(sql: Db | Tx, text: KnownText): Promise<boolean> {
  const gone = await sql`delete from smpp_long_texts where ${sameText(sql, text)} and id = ${text.id}`
  return gone.count === 1
}

/** Complete texts left by a crash, and incomplete ones past their time limit; without their contents. */
export async function findAbandoned(
  db: Db,
  { complete_after_s, wait_s, limit }: { complete_after_s: number; wait_s: number; limit: number },
): Promise<KnownText[]> {
  return db<KnownText[]>`
    select organisation_id, account_id, sender, recipient, reference, total, id from smpp_long_texts
    where created_datetime < now() - ${wait_s} * interval '1 s'
      or (created_datetime < now() - ${complete_after_s} * interval '1 s' and array_position(segments, null) is null)
    order by created_datetime limit ${limit}`
}

/** Undefined if it was deleted, or its key was reused. */
export async function readLongText(db: Db, text: KnownText): Promise<LongText | undefined> {
  const [row] = await db<LongText[]>`
    select ${columns(db)} from smpp_long_texts where ${sameText(db, text)} and id = ${text.id}`
  return row
}

function sameText(sql: Db | Tx, key: LongTextKey) {
  return sql`organisation_id = ${key.organisation_id} and account_id = ${key.account_id} and sender = ${key.sender}
      and recipient = ${key.recipient} and reference = ${key.reference} and total = ${key.total}`
}

function columns(sql: Db | Tx) {
  return sql`
    smpp_long_texts.organisation_id, smpp_long_texts.account_id, smpp_long_texts.sender, smpp_long_texts.recipient,
    smpp_long_texts.reference, smpp_long_texts.total, smpp_long_texts.id, smpp_long_texts.segments,
    smpp_long_texts.wanted, smpp_long_texts.user_references, smpp_long_texts.callback, smpp_long_texts.is_bulk,
    smpp_long_texts.send_at, smpp_long_texts.expires_at`
}

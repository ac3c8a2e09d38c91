import type { Db } from '../../db/connect.ts'
import { everyMessage, mentionOf } from './message-rows-store.ts'

/** The first messages charged by ledger lines for several messages, by line number. */
export async function findChargedBy(
  db: Db,
  organisation_id: string,
  lines: readonly string[],
  at_most: number,
): Promise<Map<string, string[]>> {
  if (lines.length === 0) return new Map()
  const rows = await db<{ line: string; ids: string[] | null }[]>`
    select line.sequence::text as line, found.ids
    from ledger_lines line
    cross join lateral (
      select array_agg(id order by id) as ids
      from (
        select id from messages
        where organisation_id = ${organisation_id} and id between line.subject_id and line.last_subject_id
          and messages.line = line.sequence
        union
        select message.id from intake cross join lateral messages_in(intake.messages) message
        where organisation_id = ${organisation_id} and intake.line = line.sequence
          and first_id <= line.last_subject_id and last_id >= line.subject_id
        order by id
        limit ${at_most}
      ) message
    ) found
    where line.organisation_id = ${organisation_id} and line.sequence = any (${lines}::bigint[])`
  return new Map(rows.map(({ line, ids }) => [line, ids ?? []]))
}

/** The lines that these messages were charged by together with others. */
export async function findLinesOf(db: Db, organisation_id: string, message_ids: readonly string[]): Promise<string[]> {
  if (message_ids.length === 0) return []
  const rows = await db<{ line: string }[]>`
    select line::text as line from messages
    where organisation_id = ${organisation_id} and id = any (${message_ids}::uuid[]) and line is not null
    union
    select fee_line::text from otps
    where organisation_id = ${organisation_id} and id = any (${message_ids}::uuid[]) and fee_line is not null
    union
    select intake.line::text from unnest(${message_ids}::uuid[]) as wanted (id)
    cross join lateral (
      select line, messages from intake
      where organisation_id = ${organisation_id} and last_id >= wanted.id and first_id <= wanted.id and line is not null
    ) intake
    where strpos(intake.messages, wanted.id::text) > 0`
  return rows.map(({ line }) => line)
}

/** Messages with a reference, newest first. */
export async function findReferred(
  db: Db,
  organisation_id: string,
  external_ref: string,
  limit: number,
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from ${everyMessage(db, organisation_id, { mention: mentionOf(external_ref) })} message
    where external_ref = ${external_ref}
    order by id desc limit ${limit}`
  return rows.map(({ id }) => id)
}

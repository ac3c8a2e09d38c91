import type { Db } from '../../db/connect.ts'

/** The first messages behind lines of the ledger that are for several, by the number of the line. */
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

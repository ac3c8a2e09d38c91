import type { Query, Sql } from '../../db/sql.ts'

/** Between which ids is looked, both included, and what rows of the intake need not be opened for it. */
export type Wanted = {
  from?: string | undefined
  up_to?: string | undefined
  /** No more than so many, the newest. */
  newest?: number | undefined
  /** What is looked for is written so in the intake. */
  mention?: string | undefined
}

export const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Only these messages. */
export function among(message_ids: readonly string[]): { from: string; up_to: string } {
  const ids = [...message_ids].sort()
  return { from: ids[0] ?? HIGHEST_ID, up_to: ids.at(-1) ?? LOWEST_ID }
}

/** How a reference is written in the intake. */
export function mentionOf(external_ref: string): string {
  return `"external_ref":${JSON.stringify(external_ref)}`
}

/**
 * Every message of an organisation, by itself or still in the intake, as a subquery. Who asks once sees each exactly
 * once. This and the next are the only places that look inside the intake for a reader.
 */
export function everyMessage(
  sql: Sql,
  organisation_id: string,
  { from = LOWEST_ID, up_to = HIGHEST_ID, newest, mention }: Wanted,
): Query {
  return sql`(
    select id, channel, sender_id, content, template_id, template_version, personalisation, external_ref, is_trackable,
      callback, charge, created_datetime
    from messages
    where organisation_id = ${organisation_id} and id >= ${from} and id <= ${up_to}
    union all
    select id, channel, sender_id, content, template_id, template_version, personalisation, external_ref, is_trackable,
      callback, charge, created_datetime
    from waiting_messages(
      ${organisation_id}, ${from}, ${up_to}, ${newest ?? null}::integer, ${mention ?? null}::text
    )
  )`
}

/** Likewise every delivery. `positions_below`: only the first recipients of each message. */
export function everyDelivery(
  sql: Sql,
  organisation_id: string,
  { from = LOWEST_ID, up_to = HIGHEST_ID, newest, mention, positions_below }: Wanted & { positions_below?: number },
): Query {
  const first = positions_below === undefined ? sql`` : sql`and position < ${positions_below}`
  return sql`(
    select message_id, recipient, position, status, text, pages, charge, refunded, route, carrier, code, description,
      send_at, clicked_datetime, created_datetime, updated_datetime, sent_datetime
    from deliveries
    where organisation_id = ${organisation_id} and message_id >= ${from} and message_id <= ${up_to} ${first}
    union all
    select message_id, recipient, position, 'queued', text, pages, charge, false, route, null, null, null, null, null,
      created_datetime, null, null
    from waiting_deliveries(
      ${organisation_id}, ${from}, ${up_to}, ${newest ?? null}::integer, ${mention ?? null}::text,
      ${positions_below ?? null}::integer
    )
  )`
}

import type { Query, Sql } from '../../db/sql.ts'

/** The range of ids, inclusive, and filters that avoid parsing rows of the intake. */
export type Wanted = {
  from?: string | undefined
  up_to?: string | undefined
  /** Only this many, the newest. */
  newest?: number | undefined
  /** A string that the wanted rows of the intake contain. */
  mention?: string | undefined
}

export const LOWEST_ID = '00000000-0000-0000-0000-000000000000'
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The range of these messages. */
export function among(message_ids: readonly string[]): { from: string; up_to: string } {
  const ids = [...message_ids].sort()
  return { from: ids[0] ?? HIGHEST_ID, up_to: ids.at(-1) ?? LOWEST_ID }
}

/** A reference as the intake stores it. */
export function mentionOf(external_ref: string): string {
  return `"external_ref":${JSON.stringify(external_ref)}`
}

/**
 * A subquery of all messages of an organisation, stored or in the intake. One statement sees each message exactly once.
 * This and the next function are the only ones that read the intake for readers.
 */
export function everyMessage(
  sql: Sql,
  organisation_id: string,
  { from = LOWEST_ID, up_to = HIGHEST_ID, newest, mention }: Wanted,
): Query {
  return sql`(
    select id, channel, sender_id, content, template_id, template_version, personalisation, external_ref, is_trackable,
      callback, charge, created_datetime, encoding
    from messages
    where organisation_id = ${organisation_id} and id >= ${from} and id <= ${up_to}
    union all
    select id, channel, sender_id, content, template_id, template_version, personalisation, external_ref, is_trackable,
      callback, charge, created_datetime, encoding
    from waiting_messages(
      ${organisation_id}, ${from}, ${up_to}, ${newest ?? null}::integer, ${mention ?? null}::text
    )
  )`
}

/** The same for deliveries. `positions_below`: only the first recipients of each message. */
export function everyDelivery(
  sql: Sql,
  organisation_id: string,
  { from = LOWEST_ID, up_to = HIGHEST_ID, newest, mention, positions_below }: Wanted & { positions_below?: number },
): Query {
  const first = positions_below === undefined ? sql`` : sql`and position < ${positions_below}`
  return sql`(
    select message_id, recipient, position, status, text, whatsapp, pages, charge, refunded, route, carrier, code, description,
      send_at, clicked_datetime, created_datetime, updated_datetime, sent_datetime, read_datetime, price_category,
      price_rule_id, promotional, tried, routing, cost, cost_if_delivered
    from deliveries
    where organisation_id = ${organisation_id} and message_id >= ${from} and message_id <= ${up_to} ${first}
    union all
    select message_id, recipient, position, 'queued', text, whatsapp, pages, charge, false, route, null, null, null, null, null,
      created_datetime, null, null, null, null, price_rule_id, null, null, null, null, null
    from waiting_deliveries(
      ${organisation_id}, ${from}, ${up_to}, ${newest ?? null}::integer, ${mention ?? null}::text,
      ${positions_below ?? null}::integer
    )
  )`
}

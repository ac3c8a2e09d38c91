import type { Channel } from '../../carriers/message-carrier.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { DeliveryStatus } from '../schema.ts'

/** The target of a code, and the delivery it belongs to. */
export type Target = { code: string; url: string; organisation_id: string; message_id: string; recipient: string }

export async function findTargets(db: Db, codes: readonly string[]): Promise<Target[]> {
  return db<Target[]>`
    select code, url, organisation_id, message_id, recipient from links where code = any (${codes}::text[])`
}

export type Tally = Target & { clicks: number; clicks_raw: number }

/** Adds the counts. Rows are locked in one order, so that processes cannot deadlock. */
export async function addClicks(tx: Tx, organisation_id: string, tallies: readonly Tally[]): Promise<void> {
  await tx`
    with counted as (
      select links.code, tally.clicks, tally.clicks_raw
      from ${rows(tx, tallies, 'tally', { code: 'text', clicks: 'integer', clicks_raw: 'integer' })}
      cross join lateral (
        select code from links where code = tally.code and organisation_id = ${organisation_id} for update
      ) links
    )
    update links
    set clicks = links.clicks + counted.clicks, clicks_raw = links.clicks_raw + counted.clicks_raw,
      clicked_datetime = case when counted.clicks > 0 then coalesce(clicked_datetime, now()) else clicked_datetime end
    from counted
    where links.code = counted.code and organisation_id = ${organisation_id}`
}

/** A delivery clicked by a person for the first time, with the fields of its callback. */
export type Clicked = {
  message_id: string
  recipient: string
  status: DeliveryStatus
  channel: Channel
  sender_id: string | null
  external_ref: string | null
  callback: string | null
  /** The organisation has enabled webhooks. */
  has_webhooks: boolean
  clicked_datetime: string
}

/** Marks deliveries as clicked; returns those that were not before. Exactly one caller gets each. */
export async function markClicked(
  tx: Tx,
  organisation_id: string,
  deliveries: readonly { message_id: string; recipient: string }[],
): Promise<Clicked[]> {
  return tx<Clicked[]>`
    with fresh as (
      select given.message_id, given.recipient
      from ${rows(tx, deliveries, 'given', { message_id: 'uuid', recipient: 'text' })}
      cross join lateral (
        select 1 from deliveries
        where organisation_id = ${organisation_id}
          and message_id = given.message_id and recipient = given.recipient and clicked_datetime is null
        for update
      ) locked
    ),
    marked as (
      update deliveries set clicked_datetime = now()
      from fresh
      where organisation_id = ${organisation_id}
        and deliveries.message_id = fresh.message_id and deliveries.recipient = fresh.recipient
      returning deliveries.message_id, deliveries.recipient, deliveries.status, deliveries.clicked_datetime
    )
    select marked.*, channel, sender_id, external_ref, callback,
      exists (select 1 from webhooks where organisation_id = ${organisation_id} and enabled) as has_webhooks
    from marked join messages on organisation_id = ${organisation_id} and id = message_id`
}

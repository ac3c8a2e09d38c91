import type { Channel, ReceivedText } from '../../carriers/message-carrier.ts'
import type { ReceivedContent } from '../../carriers/whatsapp/content-schema.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { listPage, type Listed } from '../../db/list-page.ts'
import { rows } from '../../db/rows.ts'
import { prepare, type Sql } from '../../db/sql.ts'
import type { MediaRow } from '../../media/store.ts'
import type { Keyword } from '../../optouts/keyword.ts'
import type { Page } from '../../values/page.ts'

/** The organisation of texts to numbers that belong to none. */
export const UNOWNED = '00000000-0000-0000-0000-000000000000'

export type InboundRow = {
  id: string
  from: string
  to: string
  channel: Channel
  text: string
  /** On WhatsApp: what it is besides its text. */
  whatsapp: ReceivedContent | null
  keyword: Keyword | null
  created_datetime: string
  media: MediaOfText | null
}

/** A file that came with a text. */
export type MediaOfText = Pick<MediaRow, 'state' | 'type' | 'filename'> & { size: number | null }

/** Stores the carriers' ids as hashes, because some contain the number. Returns the new ones. */
export async function claimIds(
  tx: Tx,
  texts: readonly Pick<ReceivedText, 'carrier' | 'received_id'>[],
): Promise<{ carrier: string; received_id: string }[]> {
  return tx<{ carrier: string; received_id: string }[]>`
    with given as (
      select distinct carrier, received_id, encode(sha256(convert_to(received_id, 'UTF8')), 'hex') as hash
      from ${rows(tx, texts, 'given', { carrier: 'text', received_id: 'text' })}
    ),
    made as (
      insert into inbound_ids (carrier, received_id)
      select carrier, hash from given order by carrier, hash
      on conflict (carrier, received_id) do nothing
      returning carrier, received_id as hash
    )
    select carrier, received_id from given join made using (carrier, hash)`
}

/**
 * Our ids of messages and texts, by the ids that a carrier gave them. A message is found for a few days after it was sent,
 * as long as its submission is kept.
 */
export async function findReplied(
  tx: Tx,
  organisation_id: string,
  named: readonly { carrier: string; replied_id: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (named.length === 0) return new Map()
  const ids = named.map(({ replied_id }) => replied_id)
  const sent = await tx<{ replied_id: string; id: string }[]>`
    select carrier_message_id as replied_id, message_id as id from submissions
    join ${rows(tx, named, 'named', { carrier: 'text', replied_id: 'text' })}
      on submissions.carrier = named.carrier and carrier_message_id = named.replied_id
    where organisation_id = ${organisation_id}`
  const received = await tx<{ replied_id: string; id: string }[]>`
    select carrier_message_id as replied_id, id from inbound_messages
    where organisation_id = ${organisation_id} and carrier_message_id = any (${ids}::text[])`
  return new Map([...sent, ...received].map(({ replied_id, id }) => [replied_id, id]))
}

export async function insertInbound(
  tx: Tx,
  organisation_id: string,
  texts: readonly (Omit<InboundRow, 'created_datetime' | 'media'> & {
    carrier: string
    carrier_message_id: string | null
  })[],
): Promise<Omit<InboundRow, 'media'>[]> {
  return tx<Omit<InboundRow, 'media'>[]>`
    insert into inbound_messages
      (organisation_id, id, "from", "to", channel, text, whatsapp, keyword, carrier, carrier_message_id)
    select ${organisation_id}, id, "from", "to", channel, text, whatsapp, keyword, carrier, carrier_message_id
    from ${rows(tx, texts, 'given', {
      id: 'uuid',
      from: 'text',
      to: 'text',
      channel: 'text',
      text: 'text',
      whatsapp: 'jsonb',
      keyword: 'text',
      carrier: 'text',
      carrier_message_id: 'text',
    })}
    returning id, "from", "to", channel, text, whatsapp, keyword, created_datetime`
}

/** Texts of one person in one batch: how many, and the newest. */
type ReceivedFrom = {
  phone: string
  id: string
  channel: Channel
  to: string
  received: bigint
  received_datetime: string
}

/** Starts conversations or adds to them. Rows are locked in the order of the numbers, so that batches cannot deadlock. */
export async function addToConversations(
  tx: Tx,
  organisation_id: string,
  received: readonly ReceivedFrom[],
): Promise<void> {
  await tx`
    insert into conversations (organisation_id, phone, id, direction, channel, "to", received, received_datetime)
    select ${organisation_id}, phone, id, 'in', channel, "to", received, received_datetime
    from ${rows(tx, received, 'given', {
      phone: 'text',
      id: 'uuid',
      channel: 'text',
      to: 'text',
      received: 'bigint',
      received_datetime: 'timestamptz',
    })}
    order by phone
    on conflict (organisation_id, phone) do update
    set id = greatest(conversations.id, excluded.id),
      direction = case when excluded.id > conversations.id then 'in' else conversations.direction end,
      channel = excluded.channel,
      "to" = excluded."to",
      received = conversations.received + excluded.received,
      received_datetime = greatest(conversations.received_datetime, excluded.received_datetime)`
}

export async function findInbound(db: Db, organisation_id: string, id: string): Promise<InboundRow | undefined> {
  const [row] = await db<InboundRow[]>`
    select ${inboundColumns(db)} from inbound_messages ${withMedia(db, organisation_id)}
    where inbound_messages.organisation_id = ${organisation_id} and inbound_messages.id = ${id}`
  return row
}

/** Newest first. */
export async function listInbound(
  db: Db,
  organisation_id: string,
  from: string | undefined,
  page: Page,
): Promise<Listed<InboundRow>> {
  return listPage<InboundRow>(db, page, {
    select: inboundColumns(db),
    from: db`inbound_messages`,
    join: withMedia(db, organisation_id),
    key: db`inbound_messages.id`,
    where: db`inbound_messages.organisation_id = ${organisation_id}
      ${from === undefined ? db`` : db`and inbound_messages."from" = ${from}`}`,
  })
}

/** Texts to numbers of no organisation; newest first. */
export async function listUnowned(db: Db, limit: number): Promise<InboundRow[]> {
  return db<InboundRow[]>`
    select ${inboundColumns(db)} from inbound_messages ${withMedia(db, UNOWNED)}
    where inbound_messages.organisation_id = ${UNOWNED} order by inbound_messages.id desc limit ${limit}`
}

export function inboundColumns(sql: Sql) {
  return prepare(sql`inbound_messages.id, inbound_messages."from", "to", channel, text, whatsapp, keyword,
    inbound_messages.created_datetime,
    case when media.id is not null then jsonb_build_object(
      'state', media.state, 'type', media.type, 'filename', media.filename, 'size', media.size
    ) end as media`)
}

/** A received file has the id of its text. */
export function withMedia(sql: Sql, organisation_id: string) {
  return prepare(sql`
    left join media on media.organisation_id = ${organisation_id} and media.id = inbound_messages.id`)
}

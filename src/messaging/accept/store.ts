import { idArray, sparse } from '../../db/array.ts'
import type { Tx } from '../../db/connect.ts'
import { prepare, type Query, type Sql } from '../../db/sql.ts'
import type { Statement } from '../../db/transaction.ts'
import { bundleCtes } from './bundle-store.ts'
import { bundleUp } from './bundle.ts'
import type { Draft, DraftDelivery } from '../draft.ts'
import { packCtes } from './pack-store.ts'

/**
 * Stores the messages of a burst with the deliveries that go at once and their queue entries: those that were
 * charged, in the same transaction, and no others. The condition is a scalar subquery and not a join, so that it is
 * always a probe by key: without statistics the planner takes an organisation to have one row and reads them all.
 */
export function storeMessages(tx: Tx, organisation_id: string, drafts: readonly Draft[]): Statement[] {
  for (const draft of drafts) draft.bundled = false
  const isCharged = (id: Query): Query => tx`(
    select true from ledger_lines
    where organisation_id = ${organisation_id} and subject_id = ${id} and kind = 'message' and subject_key = ''
  )`
  return [prepare(tx`with ${messageCtes(tx, organisation_id, drafts, isCharged)} select 1`)]
}

/** The same inside the charging statement, for bursts that are charged as a whole or not at all. */
export function storeMessagesAtOnce(sql: Sql, organisation_id: string, drafts: readonly Draft[]): Query {
  const isCharged = (): Query => sql`exists (select from spent)`
  const bundle = bundleUp(drafts)
  if (!bundle) return messageCtes(sql, organisation_id, drafts, isCharged)
  const bundled = bundleCtes(sql, organisation_id, bundle)
  const others = drafts.filter((draft) => !draft.bundled)
  return others.length === 0 ? bundled : sql`${bundled}, ${messageCtes(sql, organisation_id, others, isCharged)}`
}

/**
 * The literals are joined by hand where every value is made of digits, hex or our own names: for ten thousand
 * recipients that takes a millisecond where the driver's escaping takes ten.
 */
function messageCtes(
  sql: Sql,
  organisation_id: string,
  drafts: readonly Draft[],
  isCharged: (id: Query) => Query,
): Query {
  const unpacked = drafts.filter(({ packs }) => !packs)
  const rows = rowsOf(unpacked).filter(({ delivery }) => delivery.send_at === undefined)
  const message = messageCte(sql, organisation_id, drafts, isCharged)
  if (unpacked.length === drafts.length) return sql`${message}, ${deliveryCtes(sql, organisation_id, rows, isCharged)}`
  const packs = packCtes(sql, organisation_id, drafts, isCharged)
  if (unpacked.length === 0) return sql`${message}, ${packs}`
  return sql`${message}, ${deliveryCtes(sql, organisation_id, rows, isCharged)}, ${packs}`
}

function messageCte(
  sql: Sql,
  organisation_id: string,
  drafts: readonly Draft[],
  isCharged: (id: Query) => Query,
): Query {
  return sql`
    message as (
      insert into messages
        (organisation_id, id, channel, sender_id, content, personalisation, external_ref, is_trackable, callback,
         encoding, message_length, pages, charge, template_id, template_version)
      select ${organisation_id}, id, channel, sender_id, content, personalisation::jsonb, external_ref,
        is_trackable, callback, encoding, message_length, pages, charge, template_id, template_version
      from unnest(
        ${literal(drafts, (draft) => draft.id)}::uuid[],
        ${literal(drafts, (draft) => draft.channel)}::text[],
        ${drafts.map((draft) => draft.sender_id)}::text[],
        ${drafts.map((draft) => draft.content)}::text[],
        ${sparse(drafts.map((draft) => (draft.personalisation ? JSON.stringify(draft.personalisation) : null)))}::text[],
        ${sparse(drafts.map((draft) => draft.external_ref ?? null))}::text[],
        ${literal(drafts, (draft) => String(draft.is_trackable))}::boolean[],
        ${sparse(drafts.map((draft) => draft.callback ?? null))}::text[],
        ${literal(drafts, (draft) => draft.encoding)}::text[],
        ${literal(drafts, (draft) => draft.message_length)}::integer[],
        ${literal(drafts, (draft) => draft.pages)}::smallint[],
        ${literal(drafts, (draft) => draft.charge)}::bigint[],
        ${sparse(drafts.map(({ template }) => template?.id ?? null))}::text[],
        ${sparse(drafts.map(({ template }) => template?.version ?? null))}::integer[]
      ) as draft (id, channel, sender_id, content, personalisation, external_ref, is_trackable, callback,
        encoding, message_length, pages, charge, template_id, template_version)
      where ${isCharged(sql`draft.id`)}
    )`
}

/** Deliveries that go at once, a row and a queue entry each. */
function deliveryCtes(
  sql: Sql,
  organisation_id: string,
  rows: readonly DraftRow[],
  isCharged: (id: Query) => Query,
): Query {
  return sql`
    given as (
      select message_id, recipient, position, charge, pages, route, priority, sealed_text, expires_in_s, text, whatsapp
      from unnest(
        ${literal(rows, ({ draft }) => draft.id)}::uuid[],
        ${literal(rows, ({ delivery }) => delivery.recipient)}::text[],
        ${literal(rows, ({ n }) => n)}::integer[],
        ${literal(rows, ({ delivery }) => delivery.charge)}::bigint[],
        ${literal(rows, ({ delivery }) => delivery.pages)}::smallint[],
        ${literal(rows, ({ delivery }) => delivery.route)}::text[],
        ${literal(rows, ({ draft }) => draft.priority)}::smallint[],
        ${sealedTexts(rows)}::text[],
        ${expiries(rows)}::float8[],
        ${ownTexts(rows)}::text[],
        ${whatsapps(rows)}::text[]
      ) as given (message_id, recipient, position, charge, pages, route, priority, sealed_text, expires_in_s, text,
        whatsapp)
      where ${isCharged(sql`given.message_id`)}
    ),
    delivery as (
      insert into deliveries
        (organisation_id, message_id, recipient, position, status, pages, charge, route, sealed_text, expires_datetime,
         text, whatsapp)
      select ${organisation_id}, message_id, recipient, position, 'queued', pages, charge, route,
        decode(sealed_text, 'hex'), now() + expires_in_s * interval '1 s', text, whatsapp::jsonb
      from given
    ),
    job as (
      insert into jobs (queue, priority, lane, organisation_id, subject_id, subject_key)
      select 'route:' || route, priority, ${organisation_id}, ${organisation_id}, message_id, recipient from given
    )`
}

export type DraftRow = { draft: Draft; delivery: DraftDelivery; n: number }

export function rowsOf(drafts: readonly Draft[]): DraftRow[] {
  return drafts.flatMap((draft) => draft.deliveries.map((delivery, n) => ({ draft, delivery, n })))
}

/** Hardly a burst has any; `unnest` fills up an empty array with nulls, so the others pay nothing for it. */
function sealedTexts(rows: readonly DraftRow[]): string {
  if (!rows.some(({ delivery }) => delivery.sealed_text)) return '{}'
  return literal(rows, ({ delivery }) => delivery.sealed_text?.toString('hex') ?? 'null')
}

function expiries(rows: readonly DraftRow[]): string {
  if (!rows.some(({ draft }) => draft.expires_in_s !== undefined)) return '{}'
  return literal(rows, ({ draft }) => draft.expires_in_s ?? 'null')
}

function ownTexts(rows: readonly DraftRow[]): readonly (string | null)[] {
  return sparse(rows.map(({ delivery }) => delivery.text ?? null))
}

/** Templates of WhatsApp with their values: of nobody else's messages. */
function whatsapps(rows: readonly DraftRow[]): readonly (string | null)[] {
  return sparse(rows.map(({ delivery }) => (delivery.whatsapp ? JSON.stringify(delivery.whatsapp) : null)))
}

function literal<T>(rows: readonly T[], value: (row: T) => string | number | bigint): string {
  return idArray(rows.map(value))
}

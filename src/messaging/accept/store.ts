import {
  chargedAt,
  manySaleArguments,
  saleArguments,
  theOne,
  type Charged,
  type ChargedMany,
  type SaleRow,
} from '../../billing/store.ts'
import { byLayout, connectionsOf } from '../../db/layout.ts'
import { idArray, sparse } from '../../db/array.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { rows as rowsOf } from '../../db/rows.ts'
import { prepare, type Query } from '../../db/sql.ts'
import { groupBy } from '../../values/group.ts'
import { LEASE_S } from '../../queue/leases.ts'
import type { Draft, DraftLink } from '../draft.ts'
import { firstPosition, idRange, writeMessage, writeRow, type NewRow } from '../intake/row.ts'

/** What is stored for a batch of messages. */
export type MessageBatch = {
  rows: readonly NewRow[]
  /** Messages that are stored immediately, because they have several routes or times. */
  stored: readonly Draft[]
  /** The one-time passwords in them, as a JSON list for `store_otps` (functions/otp.sql). */
  otps?: string | undefined
}

/** Messages of one organisation that are charged and stored together. */
export type AcceptGroup = { organisation_id: string; sales: readonly SaleRow[]; batch: MessageBatch }

export type Accepted = Charged & {
  /** The ids that were charged; null: all of them. */
  charged: string[] | null
  /** Recipients who have opted out within the last minute; if there are `MAX_OPTED_OUT`, perhaps not all of them. */
  opted_out: string[] | null
}

/** As in functions/accept.sql. */
export const MAX_OPTED_OUT = 100

/** Charges messages and stores those that were charged. `together`: as one ledger line. */
export async function acceptMessages(db: Db, group: AcceptGroup, together: boolean): Promise<Accepted> {
  const there = connectionsOf(db, group.organisation_id)
  const [accepted] = await prepare(there<Accepted[]>`
    select balance_left, line, moment, outcomes, balances_left, known_answers, charged, opted_out
    from accept_messages(${messageArguments(db, group, together)})`)
  return theOne(accepted)
}

/** The arguments of `accept_messages`. */
export function messageArguments(
  sql: Db | Tx,
  { organisation_id, sales, batch: { rows, stored, otps } }: AcceptGroup,
  together: boolean,
): Query {
  return prepare(sql`
    ${organisation_id}, ${together}, ${saleArguments(sql, sales)}, ${rowArguments(sql, rows)},
    ${writeStored(stored)}::text, ${listOf(stored.flatMap(scheduledOf))}::json,
    ${byLayout(sql, { single_server: () => listOf(linksOf({ rows, stored })), cluster: () => null })()}::json,
    ${otps ?? null}::json ${feeArguments(sql, sales)}`)
}

/** Most batches have no fees: their statement has no argument for them. */
function feeArguments(sql: Db | Tx, sales: readonly SaleRow[]): Query {
  const has_fees = sales.some(({ fee }) => fee)
  return has_fees ? prepare(sql`, ${idArray(sales.map(({ fee = 0n }) => fee))}::bigint[]`) : prepare(sql``)
}

/** The rows of the intake, from `row_ids` to `lease_s`. */
function rowArguments(sql: Db | Tx, rows: MessageBatch['rows']): Query {
  const ranges = rows.map(idRange)
  return prepare(sql`
    ${idArray(rows.map(({ id }) => id))}::uuid[],
    ${rows.map(({ route }) => route)}::text[],
    ${idArray(rows.map(({ priority }) => priority))}::smallint[],
    ${idArray(rows.map(({ size }) => size))}::integer[],
    ${idArray(ranges.map(({ first_id }) => first_id))}::uuid[],
    ${idArray(ranges.map(({ last_id }) => last_id))}::uuid[],
    ${idArray(rows.map(firstPosition))}::integer[],
    ${idArray(rows.map(({ leased }) => String(leased)))}::boolean[],
    ${checked(rows.map(writeRow).join(BETWEEN_ROWS))}, ${LEASE_S}::float8`)
}

function writeStored(stored: readonly Draft[]): string | null {
  return stored.length === 0 ? null : checked(stored.map(writeMessage).join(',\n'))
}

type AcceptedMany = ChargedMany & { opted_out_of: number[] | null; opted_out: string[] | null }

/**
 * Charges and stores the messages of several organisations, sorted by id, in one statement; on a single server. Undefined for
 * an organisation that has to be charged alone: its balance is locked or does not cover everything, or a key is known.
 */
export async function acceptMany(db: Db, groups: readonly AcceptGroup[]): Promise<(Accepted | undefined)[]> {
  const batches = groups.map(({ batch }) => batch)
  const rows = batches.flatMap((batch) => batch.rows)
  const [row] = await prepare(db<AcceptedMany[]>`
    select balances_left::text[], lines::text[], moment, opted_out_of, opted_out
    from accept_many(
      ${idArray(groups.map(({ organisation_id }) => organisation_id))}::uuid[],
      ${manySaleArguments(
        db,
        groups.map(({ sales }) => sales),
        true,
      )},
      ${idArray(batches.flatMap((batch, n) => batch.rows.map(() => n + 1)))}::integer[], ${rowArguments(db, rows)},
      ${sparse(batches.map(({ stored }) => writeStored(stored)))}::text[],
      ${sparse(batches.map(({ stored }) => listOf(stored.flatMap(scheduledOf))))}::text[],
      ${sparse(batches.map((batch) => listOf(linksOf(batch))))}::text[],
      ${sparse(batches.map(({ otps }) => otps ?? null))}::text[]
    )`)
  if (!row) throw new Error('a batch was neither charged nor refused')
  const places = (row.opted_out_of ?? []).map((place, n) => ({ place, recipient: row.opted_out?.[n] ?? '' }))
  const opted_out = groupBy(places, ({ place }) => place)
  return groups.map((_, n) => {
    const charged = chargedAt(row, n)
    if (!charged) return undefined
    return { ...charged, charged: null, opted_out: opted_out.get(n + 1)?.map(({ recipient }) => recipient) ?? null }
  })
}

function linksOf({ rows, stored }: MessageBatch): DraftLink[] {
  const drafts = rows.flatMap(({ items }) => items.map(({ draft }) => draft))
  return [...drafts, ...stored].flatMap((draft) => draft?.links ?? [])
}

/**
 * On a cluster links are not colocated with their organisation: they are stored before their messages. A link whose message
 * was not accepted is never sent to a recipient. Idempotent.
 */
export async function storeLinks(db: Db, organisation_id: string, batch: MessageBatch): Promise<void> {
  const links = byLayout(db, { single_server: () => [], cluster: linksOf })(batch)
  if (links.length === 0) return
  const given = rowsOf(db, links, 'given', {
    code: 'text',
    message_id: 'uuid',
    recipient: 'text',
    position: 'smallint',
    url: 'text',
  })
  await db`
    insert into links (code, organisation_id, message_id, recipient, position, url)
    select code, ${organisation_id}, message_id, recipient, position, url from ${given}
    on conflict (code) do nothing`
  const foreign = await db`
    select 1 from ${given} join links using (code) where links.message_id <> given.message_id limit 1`
  if (foreign.length > 0) throw new Error('the code of a link is taken')
}

const BETWEEN_ROWS = '\u001e'

function listOf(items: readonly object[]): string | null {
  if (items.length === 0) return null
  return checked(JSON.stringify(items, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)))
}

/**
 * Rejects what the database would only notice when it parses the messages, too late to reject them: NUL characters and
 * unpaired surrogates. The API lets none in; this is for any other way.
 */
function checked(json: string): string {
  if (json.includes('\\u') && UNREADABLE.test(json)) throw new Error('a message has characters that cannot be stored')
  return json
}

/** A backslash in the text is two in JSON: after an even number of them, `u` is not an escape. */
const UNREADABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** Items of `store_deliveries` (functions/record.sql). */
function scheduledOf({ id: message_id, deliveries }: Draft): object[] {
  return deliveries.flatMap(({ recipient, pages, charge, price_rule_id, route, send_at, text, ...rest }, position) => {
    if (send_at === undefined) return []
    const promotional = rest.promotional || undefined
    const { whatsapp } = rest
    const charged = { pages, charge, price_rule_id }
    return [
      { message_id, recipient, position, status: 'scheduled', ...charged, route, send_at, text, whatsapp, promotional },
    ]
  })
}

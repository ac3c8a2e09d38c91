import { saleArguments, theOne, type Charged, type SaleRow } from '../../billing/store.ts'
import { whereItLies } from '../../db/cluster/where-it-lies.ts'
import { idArray } from '../../db/array.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { rows as rowsOf } from '../../db/rows.ts'
import { prepare, type Query } from '../../db/sql.ts'
import { LEASE_S } from '../../queue/worker.ts'
import type { Draft, DraftLink } from '../draft.ts'
import { firstPosition, idRange, writeRow, type NewRow } from '../intake/row.ts'

/** What is stored of a burst of messages. */
export type Burst = {
  rows: readonly (NewRow & { in_hand: boolean })[]
  /** Messages that are stored as they are, because they go several ways or at several times. */
  stored: readonly Draft[]
}

export type Accepted = Charged & {
  /** Those that were, where not all were. */
  charged: string[] | null
  /** Who has asked for silence lately. */
  opted_out: string[] | null
}

/** Charges messages and stores those that were charged. `together`: by one line of the ledger. */
export async function acceptMessages(
  db: Db,
  organisation_id: string,
  sales: readonly SaleRow[],
  burst: Burst,
  together: boolean,
): Promise<Accepted> {
  const there = whereItLies(db, organisation_id)
  const [accepted] = await prepare(there<Accepted[]>`
    select balance_left, line, moment, outcomes, balances_left, known_answers, charged, opted_out
    from accept_messages(${messageArguments(db, organisation_id, sales, burst, together)})`)
  return theOne(accepted)
}

/** The arguments of `accept_messages`. */
export function messageArguments(
  sql: Db | Tx,
  organisation_id: string,
  sales: readonly SaleRow[],
  { rows, stored }: Burst,
  together: boolean,
): Query {
  const ranges = rows.map(idRange)
  return prepare(sql`
    ${organisation_id}, ${together}, ${saleArguments(sql, sales)},
    ${idArray(rows.map(({ id }) => id))}::uuid[],
    ${rows.map(({ route }) => route)}::text[],
    ${idArray(rows.map(({ priority }) => priority))}::smallint[],
    ${idArray(rows.map(({ size }) => size))}::integer[],
    ${idArray(ranges.map(({ first_id }) => first_id))}::uuid[],
    ${idArray(ranges.map(({ last_id }) => last_id))}::uuid[],
    ${idArray(rows.map(firstPosition))}::integer[],
    ${idArray(rows.map(({ in_hand }) => String(in_hand)))}::boolean[],
    ${contentsOf(rows)}, ${LEASE_S}::float8,
    ${listOf(stored.map(messageOf))}::json,
    ${listOf(stored.flatMap(scheduledOf))}::json,
    ${sql.distributed ? null : listOf(linksOf({ rows, stored }))}::json`)
}

function linksOf({ rows, stored }: Burst): DraftLink[] {
  const drafts = rows.flatMap(({ items }) => items.map(({ draft }) => draft))
  return [...drafts, ...stored].flatMap((draft) => draft?.links ?? [])
}

/**
 * On a cluster links are found where keys are, and not where their organisation lies. So they are stored before their
 * messages: a link whose message was not accepted leads nobody anywhere, for nobody has seen it. Storing them twice, as
 * whoever tries again does, changes nothing.
 */
export async function storeLinks(db: Db, organisation_id: string, burst: Burst): Promise<void> {
  const links = linksOf(burst)
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

function contentsOf(rows: readonly NewRow[]): string {
  const contents = rows.map(writeRow).join(BETWEEN_ROWS)
  refuseUnreadable(contents)
  return contents
}

function listOf(items: readonly object[]): string | null {
  if (items.length === 0) return null
  const list = JSON.stringify(items, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))
  refuseUnreadable(list)
  return list
}

/**
 * What the database would only notice when it reads the messages, too late to refuse them: NUL characters and halves of
 * a character. The door lets none in; should one come another way, it is met while there is somebody to tell.
 */
function refuseUnreadable(json: string): void {
  if (json.includes('\\u') && UNREADABLE.test(json)) throw new Error('a message has characters that cannot be stored')
}

/** A backslash that somebody wrote is two in JSON: what follows an even number of them is no escape. */
const UNREADABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

function messageOf(draft: Draft): object {
  const { id, channel, sender_id, content, template, personalisation, external_ref, is_trackable, callback } = draft
  const { encoding, message_length, pages, charge: amount, trace } = draft
  return {
    id,
    channel,
    sender_id,
    content,
    template_id: template?.id,
    template_version: template?.version,
    personalisation,
    external_ref,
    is_trackable,
    callback,
    encoding,
    message_length,
    pages,
    amount,
    trace,
  }
}

function scheduledOf({ id: message_id, deliveries }: Draft): object[] {
  return deliveries.flatMap(
    ({ recipient, pages, charge: price, route, send_at, text, whatsapp, ...rest }, position) => {
      if (send_at === undefined) return []
      const promotional = rest.promotional || undefined
      return [{ message_id, recipient, position, pages, price, route, send_at, text, whatsapp, promotional }]
    },
  )
}

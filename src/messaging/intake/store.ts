import { byLayout, connectionsOf } from '../../db/layout.ts'
import { idArray, sparse } from '../../db/array.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { prepare } from '../../db/sql.ts'
import { committedIfAnswered } from '../../db/transaction.ts'
import { LEASE_S } from '../../queue/leases.ts'
import { joinIds, type Sent, type Unsent } from '../submission.ts'
import { routingOf } from '../routing.ts'
import { makeLeasedRow, readItems, truncateRow, type LeasedDelivery, type LeasedRow } from './leased-row.ts'

type ClaimedRow = {
  id: string
  size: number
  submitted: number
  granted: number
  claims: number
  created_datetime: string
  age_s: number
  messages: string
  recorded: string[] | null
  opted_out: string[] | null
}

export type Claimed = {
  row: LeasedRow
  /** To be submitted now; the rest of the row waits for capacity. */
  granted: LeasedDelivery[]
}

/**
 * Claims rows of one organisation for up to `budget` deliveries. Deliveries that a process whose lease expired had begun and
 * not recorded are included, as interrupted.
 *
 * The claim commits only if its result has arrived (`committedIfAnswered`): otherwise the rows would come back as interrupted,
 * although no process had them.
 */
export async function claimRows(db: Db, organisation_id: string, wanted: WantedRows): Promise<Claimed[]> {
  const rows = await committedIfAnswered(connectionsOf(db, organisation_id), (tx) => claim(tx, organisation_id, wanted))
  return claimedOf(organisation_id, wanted, rows)
}

/** The same in a transaction: if it does not commit, nothing was claimed. */
export async function claimRowsIn(tx: Tx, organisation_id: string, wanted: WantedRows): Promise<Claimed[]> {
  return claimedOf(organisation_id, wanted, await claim(tx, organisation_id, wanted))
}

type WantedRows = { route: string; priority: number; budget: number }

function claim(tx: Tx, organisation_id: string, { route, priority, budget }: WantedRows) {
  return prepare(tx<ClaimedRow[]>`
    select id, size, submitted, granted, claims, created_datetime, age_s, messages, recorded, opted_out
    from claim_intake(${organisation_id}, ${route}, ${priority}, ${budget}, ${LEASE_S})`)
}

function claimedOf(
  organisation_id: string,
  { priority }: Pick<WantedRows, 'priority'>,
  rows: readonly ClaimedRow[],
): Claimed[] {
  return rows.map((found) => {
    const { id, claims, created_datetime: accepted, age_s } = found
    const known = { organisation_id, id, priority, claims, accepted, age_s, opted_out: new Set(found.opted_out) }
    const row = makeLeasedRow(known, readItems(found.messages))
    truncateRow(row, found.size)
    const recorded = new Set(found.recorded)
    const before = row.deliveries.slice(0, found.submitted)
    for (const delivery of before) delivery.interrupted = true
    const lost = before.filter(({ message_id, recipient }) => !recorded.has(`${message_id} ${recipient}`))
    row.submitted = found.submitted + found.granted
    row.left = row.deliveries.length - before.length + lost.length
    return { row, granted: [...lost, ...row.deliveries.slice(found.submitted, row.submitted)] }
  })
}

/** Deletes a row of which everything is recorded. */
export async function deleteRow(db: Db, { organisation_id, id }: LeasedRow): Promise<void> {
  const there = connectionsOf(db, organisation_id)
  await there`delete from intake where organisation_id = ${organisation_id} and id = ${id}`
}

/**
 * Stores that more of a leased row is about to be submitted, and returns up to which delivery: less than asked for where the
 * end was canceled. Undefined if another process has claimed the row.
 */
export async function advanceRow(
  db: Db,
  { organisation_id, id, claims }: LeasedRow,
  up_to: number,
): Promise<number | undefined> {
  const there = connectionsOf(db, organisation_id)
  const [answer] = await there<{ granted: number | null }[]>`
    select advance_intake(${organisation_id}, ${id}, ${claims}, ${up_to}, ${LEASE_S}) as granted`
  return answer?.granted ?? undefined
}

export type CanceledDelivery = { message_id: string; recipient: string; charge: bigint; route: string }

/**
 * Cancels the deliveries of these messages that are in the intake or wait for a retry, and are not leased. Only for messages
 * with rows of their own.
 */
export async function cancelUnsent(
  tx: Tx,
  organisation_id: string,
  message_ids: readonly string[],
  route_queues: readonly string[],
): Promise<CanceledDelivery[]> {
  const canceled: CanceledDelivery[] = []
  for (const message_id of message_ids) {
    const rows = await tx<Omit<CanceledDelivery, 'message_id'>[]>`
      select recipient, charge, route from cancel_intake(${organisation_id}, ${message_id})`
    canceled.push(...rows.map((row) => ({ message_id, ...row })))
  }
  const retries = await tx<CanceledDelivery[]>`
    select message_id, recipient, charge, route
    from cancel_retries(${organisation_id}, ${message_ids}::uuid[], ${route_queues}::text[])`
  return [...canceled, ...retries]
}

/** Recipients of an organisation in the intake that belong to bulk messages. */
export async function countBulk(db: Db, organisation_id: string, bulk: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select coalesce(sum(size - submitted), 0)::integer as count
    from intake where organisation_id = ${organisation_id} and priority = ${bulk}`
  return row?.count ?? 0
}

/** Extends the leases of rows; 0 seconds release them. Rows that another process has claimed are left alone. */
export async function extendRowLeases(
  db: Db,
  organisation_id: string,
  rows: readonly LeasedRow[],
  lease_s: number,
): Promise<void> {
  const there = connectionsOf(db, organisation_id)
  await there`
    select extend_intake_leases(
      ${organisation_id}, ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ claims }) => claims)}::integer[], ${lease_s}
    )`
}

/** Releases rows that were stored as leased, but too late to be submitted; returns how many. */
export async function releaseRows(db: Db, organisation_id: string, row_ids: readonly string[]): Promise<number> {
  const there = connectionsOf(db, organisation_id)
  const [row] = await there<{ released: number }[]>`
    select release_intake(${organisation_id}, ${row_ids}::uuid[]) as released`
  return row?.released ?? 0
}

/** The rows of deliveries that are recorded together: the number of the row among them, and how many deliveries it has. */
export type RecordedRows = ReadonlyMap<LeasedRow, { number: number; count: number }>

export function countRows(outcomes: readonly { delivery: LeasedDelivery }[]): RecordedRows {
  const rows = new Map<LeasedRow, { number: number; count: number }>()
  for (const { delivery } of outcomes) {
    const known = rows.get(delivery.row)
    if (known) known.count += 1
    else rows.set(delivery.row, { number: rows.size + 1, count: 1 })
  }
  return rows
}

/**
 * Inserts deliveries with their outcome. Returns those of `unsent` that were inserted (the caller must not end a delivery
 * that another process has recorded), and the time that was stored.
 *
 * On a single server `sent` may be of several organisations if there are no others. If that has to wait long for a lock, it
 * fails, and has to be repeated for each organisation.
 */
export async function recordIntake(
  sql: Db | Tx,
  route: string,
  rows: RecordedRows,
  sent: readonly Sent<LeasedDelivery>[],
  unsent: readonly Unsent<LeasedDelivery>[],
): Promise<{ stored: Unsent<LeasedDelivery>[]; clock_ms: number }> {
  const numberOf = ({ row }: LeasedDelivery): number => rows.get(row)?.number ?? 0
  const row_list = [...rows.keys()]
  const given = sent.map(({ delivery }) => delivery)
  const list = unsent.length === 0 ? null : JSON.stringify(unsent.map((one) => unsentJson(one, numberOf(one.delivery))))
  const [recorded] = await prepare(sql<{ stored: string[] | null; clock_ms: number }[]>`
    select stored, (extract(epoch from now()) * 1000)::float8 as clock_ms
    from record_intake(
      ${byLayout(sql, { single_server: null, cluster: row_list[0]?.organisation_id })}::uuid, ${route},
      ${idArray(row_list.map(({ organisation_id }) => organisation_id))}::uuid[],
      ${idArray(row_list.map(({ id }) => id))}::uuid[],
      ${row_list.map(({ accepted }) => accepted)}::timestamptz[],
      ${idArray(row_list.map(({ opened }) => String(!opened)))}::boolean[],
      ${idArray(row_list.map((row) => String(row.left === rows.get(row)?.count)))}::boolean[],
      ${idArray(given.map(({ row }) => row.organisation_id))}::uuid[],
      ${idArray(given.map(numberOf))}::integer[],
      ${sent.map(({ carrier }) => carrier)}::text[],
      ${idArray(given.map(({ message_id }) => message_id))}::uuid[],
      ${idArray(given.map(({ recipient }) => recipient))}::text[],
      ${idArray(given.map(({ position }) => position))}::integer[],
      ${idArray(given.map(({ pages }) => pages))}::smallint[],
      ${idArray(given.map(({ charge }) => charge))}::bigint[],
      ${sparse(given.map(({ has_own_text, text }) => (has_own_text ? text : null)))}::text[],
      ${sparse(given.map(({ whatsapp }) => (whatsapp ? JSON.stringify(whatsapp) : null)))}::text[],
      ${byLayout(sql, { single_server: sent, cluster: [] }).map(({ ids }) => joinIds(ids))}::text[],
      ${idArray(sent.map(({ report_due_s }) => report_due_s))}::float8[],
      ${list}::json,
      ${sparse(given.map(({ price_rule_id }) => price_rule_id))}::bigint[],
      ${sparse(sent.map(({ cost }) => cost?.cost ?? null))}::bigint[],
      ${sparse(sent.map(({ cost }) => cost?.if_delivered || null))}::boolean[],
      ${sparse(given.map(routingOf))}::smallint[]
    )`)
  const keys = new Set(recorded?.stored)
  const stored = unsent.filter(({ delivery }) => keys.has(`${delivery.message_id} ${delivery.recipient}`))
  return { stored, clock_ms: recorded?.clock_ms ?? 0 }
}

/** An item of `store_unsent` (functions/record.sql). */
function unsentJson(
  { delivery, queue, delay_ms, attempts, tried, possible_carrier }: Unsent<LeasedDelivery>,
  row_number: number,
): object {
  const { message_id, recipient, position, pages, charge, price_rule_id, has_own_text, text, row } = delivery
  const { whatsapp, sealed_text } = delivery
  return {
    row_number,
    message_id,
    recipient,
    position,
    pages,
    charge: String(charge),
    price_rule_id,
    text: has_own_text ? text : undefined,
    whatsapp: whatsapp ?? undefined,
    sealed: sealed_text?.toString('base64'),
    expires_in_s: delivery.expires_in_s ?? undefined,
    queue,
    priority: row.priority,
    delay_ms: Math.round(delay_ms ?? 0),
    attempts: attempts ?? 0,
    tried: tried === undefined ? undefined : [tried],
    carrier: possible_carrier,
    promotional: delivery.promotional || undefined,
    routing: routingOf(delivery) ?? undefined,
  }
}

/** Recipients of an organisation in the intake, pending or in flight. */
export async function countInIntake(db: Db, organisation_id: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select coalesce(sum(size), 0)::integer as count from intake where organisation_id = ${organisation_id}`
  return row?.count ?? 0
}

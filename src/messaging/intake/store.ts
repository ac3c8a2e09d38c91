import { whereItLies } from '../../db/cluster/where-it-lies.ts'
import { idArray, sparse } from '../../db/array.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { prepare } from '../../db/sql.ts'
import { onlyIfHeard } from '../../db/transaction.ts'
import { LEASE_S } from '../../queue/worker.ts'
import type { Change } from '../settle/store.ts'
import { cutOff, makeLeasedRow, readItems, type LeasedDelivery, type LeasedRow } from './leased-row.ts'

type ClaimedRow = {
  id: string
  size: number
  handed: number
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
  /** To be handed over now; the rest of the row waits for its turn. */
  granted: LeasedDelivery[]
}

/**
 * Takes rows of one organisation for up to `budget` deliveries. What somebody had before and did not write down comes
 * along as interrupted.
 *
 * Rows that were claimed for somebody who never heard of it would come back as interrupted, though nobody touched them.
 */
export async function claimRows(
  db: Db,
  organisation_id: string,
  { route, priority, budget }: { route: string; priority: number; budget: number },
): Promise<Claimed[]> {
  const rows = await onlyIfHeard(whereItLies(db, organisation_id), (tx) =>
    prepare(tx<ClaimedRow[]>`
      select id, size, handed, granted, claims, created_datetime, age_s, messages, recorded, opted_out
      from claim_intake(${organisation_id}, ${route}, ${priority}, ${budget}, ${LEASE_S})`),
  )
  return rows.map((found) => {
    const { id, claims, created_datetime: accepted, age_s } = found
    const known = { organisation_id, id, priority, claims, accepted, age_s, opted_out: new Set(found.opted_out) }
    const row = makeLeasedRow(known, readItems(found.messages))
    cutOff(row, found.size)
    const recorded = new Set(found.recorded)
    const before = row.deliveries.slice(0, found.handed)
    for (const delivery of before) delivery.interrupted = true
    const lost = before.filter(({ message_id, recipient }) => !recorded.has(`${message_id} ${recipient}`))
    row.handed = found.handed + found.granted
    row.left = row.deliveries.length - before.length + lost.length
    return { row, granted: [...lost, ...row.deliveries.slice(found.handed, row.handed)] }
  })
}

/** Ends a row of which everything is written, but that itself was not taken away. */
export async function deleteRow(db: Db, { organisation_id, id }: LeasedRow): Promise<void> {
  const there = whereItLies(db, organisation_id)
  await there`delete from intake where organisation_id = ${organisation_id} and id = ${id}`
}

/**
 * Writes down that more of a row is about to be handed over, and gives how far that may go: less far than asked where the
 * end was taken back. Undefined when somebody else has the row by now.
 */
export async function advanceRow(
  db: Db,
  { organisation_id, id, claims }: LeasedRow,
  up_to: number,
): Promise<number | undefined> {
  const there = whereItLies(db, organisation_id)
  const [answer] = await there<{ granted: number | null }[]>`
    select advance_intake(${organisation_id}, ${id}, ${claims}, ${up_to}, ${LEASE_S}) as granted`
  return answer?.granted ?? undefined
}

export type TakenBack = { message_id: string; recipient: string; charge: bigint; route: string }

/**
 * Takes back what of these messages waits, for the first time or to be tried again, and is in nobody's hands. Only for
 * messages that have rows of their own.
 */
export async function cancelUnsent(
  tx: Tx,
  organisation_id: string,
  message_ids: readonly string[],
  route_queues: readonly string[],
): Promise<TakenBack[]> {
  const gone: TakenBack[] = []
  for (const message_id of message_ids) {
    const rows = await tx<Omit<TakenBack, 'message_id'>[]>`
      select recipient, charge, route from cancel_intake(${organisation_id}, ${message_id})`
    gone.push(...rows.map((row) => ({ message_id, ...row })))
  }
  const retries = await tx<TakenBack[]>`
    select message_id, recipient, charge, route
    from cancel_retries(${organisation_id}, ${message_ids}::uuid[], ${route_queues}::text[])`
  return [...gone, ...retries]
}

/** How many recipients of an organisation wait in the intake as part of something large. */
export async function countBulk(db: Db, organisation_id: string, bulk: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select coalesce(sum(size - handed), 0)::integer as count
    from intake where organisation_id = ${organisation_id} and priority = ${bulk}`
  return row?.count ?? 0
}

/** Keeps rows for another lease, or gives them back at once, unless somebody else has them by now. */
export async function extendRowLeases(
  db: Db,
  organisation_id: string,
  rows: readonly LeasedRow[],
  lease_s: number,
): Promise<void> {
  const there = whereItLies(db, organisation_id)
  await there`
    select extend_intake_leases(
      ${organisation_id}, ${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ claims }) => claims)}::integer[], ${lease_s}
    )`
}

/** Rows that were stored as in hand and came back too late to be handed over wait as any other. */
export async function releaseRows(db: Db, organisation_id: string, row_ids: readonly string[]): Promise<number> {
  const there = whereItLies(db, organisation_id)
  const [row] = await there<{ given_back: number }[]>`
    select release_intake(${organisation_id}, ${row_ids}::uuid[]) as given_back`
  return row?.given_back ?? 0
}

/** Deliveries that a carrier has taken, and what it calls them. */
export type Sent = { delivery: LeasedDelivery; ids: readonly string[]; report_due_s: number }

/** A delivery that no carrier has taken: it waits in a queue, or its end is written in the same transaction. */
export type Other = {
  delivery: LeasedDelivery
  queue?: string | undefined
  delay_ms?: number | undefined
  attempts?: number | undefined
  tried?: string | undefined
  /** The carrier that may have it all the same. */
  maybe_with?: string | undefined
  /** What it ends with, where it does not wait. */
  end?: Pick<Change, 'status' | 'code' | 'description'> | undefined
}

/**
 * Writes down what became of deliveries of one organisation; rows with nothing left go. Gives those of the `others` that
 * were stored by it: what somebody else has written by now is no longer ours to end; and the time that was written.
 */
export async function recordIntake(
  sql: Db | Tx,
  organisation_id: string,
  { route, carrier }: { route: string; carrier: string },
  {
    opened,
    ended,
    sent,
    others,
  }: {
    opened: readonly LeasedRow[]
    ended: readonly LeasedRow[]
    sent: readonly Sent[]
    others: readonly Other[]
  },
): Promise<{ stored: Other[]; clock_ms: number }> {
  const numbers = new Map<LeasedRow, number>()
  const numberOf = ({ row }: LeasedDelivery): number => {
    const known = numbers.get(row) ?? numbers.size + 1
    numbers.set(row, known)
    return known
  }
  const given = sent.map(({ delivery }) => delivery)
  const row_numbers = given.map(numberOf)
  const waiting = others.length === 0 ? null : JSON.stringify(others.map((one) => written(one, numberOf(one.delivery))))
  const [recorded] = await prepare(sql<{ stored: string[] | null; clock_ms: number }[]>`
    select stored, (extract(epoch from now()) * 1000)::float8 as clock_ms
    from record_intake(
      ${organisation_id}, ${route}, ${carrier},
      ${idArray(opened.map(({ id }) => id))}::uuid[],
      ${idArray(ended.map(({ id }) => id))}::uuid[],
      ${[...numbers.keys()].map(({ accepted }) => accepted)}::timestamptz[],
      ${idArray(row_numbers)}::integer[],
      ${idArray(given.map(({ message_id }) => message_id))}::uuid[],
      ${idArray(given.map(({ recipient }) => recipient))}::text[],
      ${idArray(given.map(({ position }) => position))}::integer[],
      ${idArray(given.map(({ pages }) => pages))}::smallint[],
      ${idArray(given.map(({ charge }) => charge))}::bigint[],
      ${sparse(given.map(({ has_own_text, text }) => (has_own_text ? text : null)))}::text[],
      ${sparse(given.map(({ whatsapp }) => (whatsapp ? JSON.stringify(whatsapp) : null)))}::text[],
      ${sql.distributed ? [] : sent.map(joinIds)}::text[],
      ${idArray(sent.map(({ report_due_s }) => report_due_s))}::float8[],
      ${waiting}::json
    )`)
  const keys = new Set(recorded?.stored)
  const stored = others.filter(({ delivery }) => keys.has(`${delivery.message_id} ${delivery.recipient}`))
  return { stored, clock_ms: recorded?.clock_ms ?? 0 }
}

const BETWEEN_IDS = '\u001f'

/** One for each segment. No carrier has that character in its ids; should one, it is not taken for another segment. */
function joinIds({ ids }: Sent): string {
  return ids.map((id) => (id.includes(BETWEEN_IDS) ? id.replaceAll(BETWEEN_IDS, '') : id)).join(BETWEEN_IDS)
}

function written({ delivery, queue, delay_ms, attempts, tried, maybe_with }: Other, row_number: number): object {
  const { message_id, recipient, position, pages, charge, has_own_text, text, whatsapp, sealed_text, row } = delivery
  return {
    row_number,
    message_id,
    recipient,
    position,
    pages,
    charge: String(charge),
    text: has_own_text ? text : undefined,
    whatsapp: whatsapp ?? undefined,
    sealed: sealed_text?.toString('base64'),
    expires_in_s: delivery.expires_in_s ?? undefined,
    queue,
    priority: row.priority,
    delay_ms: Math.round(delay_ms ?? 0),
    attempts: attempts ?? 0,
    tried: tried === undefined ? undefined : [tried],
    carrier: maybe_with,
    promotional: delivery.promotional || undefined,
  }
}

/** How many recipients of an organisation wait in the intake, or are being handed over. */
export async function countInIntake(db: Db, organisation_id: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select coalesce(sum(size), 0)::integer as count from intake where organisation_id = ${organisation_id}`
  return row?.count ?? 0
}

/** What nobody could hand over in all that time goes with the messages of its months. */
export async function forgetIntake(db: Db, older_than_days: number): Promise<void> {
  await db`delete from intake where last_id < first_id_at(now() - ${older_than_days} * interval '1 day')`
}

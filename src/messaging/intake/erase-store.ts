import type { Tx } from '../../db/connect.ts'
import type { WrittenItem } from './leased-row.ts'

/** A row of the intake; `leased`: it is leased by a process. */
export type LockedRow = {
  id: string
  route: string
  submitted: number
  messages: string
  line: bigint | null
  created_datetime: string
  leased: boolean
}

export async function lockRow(tx: Tx, organisation_id: string, id: string): Promise<LockedRow | undefined> {
  const [row] = await tx<LockedRow[]>`
    select id, route, submitted, messages, line, created_datetime, coalesce(leased_until > now(), false) as leased
    from intake where organisation_id = ${organisation_id} and id = ${id} for update`
  return row
}

/** Stores messages of a row, with their whole charge, before a recipient is removed from it. Idempotent. */
export async function storeMessages(
  tx: Tx,
  organisation_id: string,
  { messages, line, created_datetime }: LockedRow,
  message_ids: readonly string[],
): Promise<void> {
  await tx`
    select store_messages(
      ${organisation_id}, ${messages}, ${line === null ? null : String(line)}::bigint, ${created_datetime}::timestamptz,
      ${message_ids}::uuid[]
    )`
}

/** A delivery of a row whose recipient is erased. */
export type EndedDelivery = {
  message_id: string
  recipient: string
  position: number
  pages: number
  charge: number
  status: 'canceled' | 'unknown'
}

export async function insertEnded(
  tx: Tx,
  organisation_id: string,
  { route, created_datetime }: LockedRow,
  ended: readonly EndedDelivery[],
): Promise<void> {
  if (ended.length === 0) return
  await tx`
    select store_deliveries(
      ${organisation_id}, ${route}, ${[created_datetime]}::timestamptz[],
      ${JSON.stringify(ended.map((one) => ({ row_number: 1, ...one })))}::json
    )`
}

/** The messages among these whose delivery to the recipient is stored. */
export async function findRecorded(
  tx: Tx,
  organisation_id: string,
  message_ids: readonly string[],
  recipient: string,
): Promise<Set<string>> {
  const found = await tx<{ message_id: string }[]>`
    select message_id from deliveries
    where organisation_id = ${organisation_id} and message_id = any (${message_ids}::uuid[]) and recipient = ${recipient}`
  return new Set(found.map(({ message_id }) => message_id))
}

/** Replaces the messages of a row; without any, the row is deleted. */
export async function rewriteRow(
  tx: Tx,
  organisation_id: string,
  { id }: LockedRow,
  items: readonly WrittenItem[],
): Promise<void> {
  if (items.length === 0) {
    await tx`delete from intake where organisation_id = ${organisation_id} and id = ${id}`
    return
  }
  const ids = items.map((item) => item.id).toSorted()
  const size = items.reduce((sum, { to }) => sum + to.split(',').length, 0)
  await tx`
    update intake
    set messages = ${items.map((item) => JSON.stringify(item)).join(',\n')}, size = ${size},
      first_id = ${ids[0]}, last_id = ${ids.at(-1)}
    where organisation_id = ${organisation_id} and id = ${id}`
}

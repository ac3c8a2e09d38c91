import type { KnownDelivery } from '../../carriers/message-carrier.ts'
import { idArray } from '../../db/array.ts'
import { connectionsOf } from '../../db/layout.ts'
import type { Db } from '../../db/connect.ts'
import { groupBy } from '../../values/group.ts'
import type { Changed } from '../settle/store.ts'

type Key = { organisation_id: string; message_id: string; recipient: string }

/** A delivery as the node of its organisation stores it; `waits`: it is still in the intake. */
export type StoredDelivery = Pick<
  Changed,
  | 'pages'
  | 'charge'
  | 'route'
  | 'channel'
  | 'sender_id'
  | 'template_id'
  | 'external_ref'
  | 'callback'
  | 'has_webhooks'
  | 'was_code'
> & {
  n: number
  delivery_status: string | null
  waits: boolean
  routing: number | null
  sent_datetime: string | null
}

/**
 * Reads deliveries on the nodes of their organisations. On a cluster carrier message ids are not colocated with an
 * organisation, so submission and delivery are read one after the other. The keys of an unreachable node are returned as
 * `unreachable`: their reports are stored for later.
 */
export async function readStoredDeliveries<K extends Key>(
  db: Db,
  keys: readonly K[],
): Promise<{ read: { key: K; known: StoredDelivery }[]; unreachable: K[] }> {
  const groups = [...groupBy(keys, ({ organisation_id }) => organisation_id)]
  const answers = await Promise.allSettled(
    groups.map(async ([organisation_id, own]) => {
      const rows = await connectionsOf(db, organisation_id)<StoredDelivery[]>`
        select n, delivery_status, was_code, pages, charge, route, channel, sender_id, template_id, external_ref, callback,
          has_webhooks, waits, routing, sent_datetime
        from read_reported(
          ${organisation_id}, ${idArray(own.map(({ message_id }) => message_id))}::uuid[],
          ${own.map(({ recipient }) => recipient)}::text[]
        )`
      return rows.flatMap((known) => {
        const key = own[known.n - 1]
        return key ? [{ key, known }] : []
      })
    }),
  )
  return {
    read: answers.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])),
    unreachable: answers.flatMap((outcome, n) => (outcome.status === 'rejected' ? (groups[n]?.[1] ?? []) : [])),
  }
}

/**
 * The deliveries that exist here, stored or in the intake. Those of an unreachable node count as existing: an id too many
 * is harmless, a missing one loses its report.
 */
export async function findOwnDeliveries(db: Db, known: readonly KnownDelivery[]): Promise<KnownDelivery[]> {
  const { read, unreachable } = await readStoredDeliveries(db, known)
  const own = read.filter(({ known: one }) => one.delivery_status !== null || one.waits)
  return [...own.map(({ key }) => key), ...unreachable]
}

import type { KnownDelivery } from '../../carriers/message-carrier.ts'
import { idArray } from '../../db/array.ts'
import { whereItLies } from '../../db/cluster/where-it-lies.ts'
import type { Db } from '../../db/connect.ts'
import { groupBy } from '../../values/group.ts'
import type { Changed } from '../settle/store.ts'

type Key = { organisation_id: string; message_id: string; recipient: string }

/** What is known of a delivery where its organisation lies; `waits`: it is still in the intake. */
export type Reported = Pick<
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
> & { n: number; delivery_status: string | null; waits: boolean }

/**
 * On a cluster what a carrier calls a delivery lies with nobody and the delivery with its organisation, so they are read
 * one after the other. Those of an organisation whose node is away come apart: their reports are stored, and wait.
 */
export async function readReported<K extends Key>(
  db: Db,
  keys: readonly K[],
): Promise<{ read: { key: K; known: Reported }[]; away: K[] }> {
  const groups = [...groupBy(keys, ({ organisation_id }) => organisation_id)]
  const answers = await Promise.allSettled(
    groups.map(async ([organisation_id, own]) => {
      const rows = await whereItLies(db, organisation_id)<Reported[]>`
        select n, delivery_status, was_code, pages, charge, route, channel, sender_id, template_id, external_ref, callback,
          has_webhooks, waits
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
    away: answers.flatMap((outcome, n) => (outcome.status === 'rejected' ? (groups[n]?.[1] ?? []) : [])),
  }
}

/**
 * Those that are ours: stored, or in the intake. Of an organisation whose node is away all are taken to be: an id too
 * many is harmless, one that is forgotten loses its report.
 */
export async function findOurs(db: Db, known: readonly KnownDelivery[]): Promise<KnownDelivery[]> {
  const { read, away } = await readReported(db, known)
  const ours = read.filter(({ known: one }) => one.delivery_status !== null || one.waits)
  return [...ours.map(({ key }) => key), ...away]
}

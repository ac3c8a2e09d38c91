import { idArray } from '../../db/array.ts'
import type { Db } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import { prepare, type Query } from '../../db/sql.ts'
import { readReported, type Reported } from './cluster-store.ts'
import { meantSubmission } from './meant-store.ts'
import type { MatchedReport, NewReport } from './store.ts'

/** What a report speaks of; with the delivery and its message, where they are whole. */
export type Found = Pick<
  MatchedReport,
  'organisation_id' | 'message_id' | 'recipient' | 'segments' | 'kept_id' | 'of_number'
> &
  Omit<Reported, 'n' | 'waits' | 'delivery_status'> & {
    id: string
    /** Null: it is in segments, or its delivery is not stored, not yet or no longer; then nothing more is known of it here. */
    delivery_status: string | null
    /** The database's time. */
    clock: string
  }

/** A report, and the delivery it speaks of. */
export type Arrived = { found: Found; report: NewReport }

/** What reports that are not stored yet speak of, by their ids; those that nobody knows are left out. */
export async function findMeant(db: Db, reports: readonly NewReport[]): Promise<Found[]> {
  if (db.distributed) return findOnCluster(db, reports)
  return prepare(db<Found[]>`
    select report.id, found.organisation_id, found.message_id, found.recipient, found.segments,
      found.carrier_message_id as kept_id, found.of_number, delivery.status as delivery_status, delivery.pages, delivery.charge,
      delivery.route, delivery.code as was_code, message.channel, message.sender_id, message.template_id,
      message.external_ref, message.callback, now() as clock,
      exists (
        select 1 from webhooks where organisation_id = found.organisation_id and enabled
      ) as has_webhooks
    from ${reportRows(db, reports)} report
    cross join lateral (${meantSubmission(db, prepare(db``))}) found
    left join lateral (
      select status, code, pages, charge, route from deliveries
      where organisation_id = found.organisation_id and message_id = found.message_id
        and recipient = found.recipient and found.segments = 1
      limit 1
    ) delivery on true
    left join lateral (
      select channel, sender_id, template_id, external_ref, callback from messages
      where organisation_id = found.organisation_id and id = found.message_id and delivery.status is not null
      limit 1
    ) message on true`)
}

type Submitted = Omit<Found, keyof Omit<Reported, 'n' | 'waits'>>

async function findOnCluster(db: Db, reports: readonly NewReport[]): Promise<Found[]> {
  const submitted = await prepare(db<Submitted[]>`
    select report.id, found.organisation_id, found.message_id, found.recipient, found.segments,
      found.carrier_message_id as kept_id, found.of_number, now() as clock
    from ${reportRows(db, reports)} report
    cross join lateral (${meantSubmission(db, prepare(db``))}) found`)
  const { read } = await readReported(db, submitted)
  return read.flatMap(({ key, known }) => (known.waits ? [] : [foundOf(key, known)]))
}

/** Field by field: to spread both takes fifteen times as long, and what comes of it is slow to read. */
function foundOf(key: Submitted, known: Reported): Found {
  return {
    id: key.id,
    organisation_id: key.organisation_id,
    message_id: key.message_id,
    recipient: key.recipient,
    segments: key.segments,
    kept_id: key.kept_id,
    of_number: key.of_number,
    clock: key.clock,
    delivery_status: key.segments === 1 ? known.delivery_status : null,
    was_code: known.was_code,
    pages: known.pages,
    charge: known.charge,
    route: known.route,
    channel: known.channel,
    sender_id: known.sender_id,
    template_id: known.template_id,
    external_ref: known.external_ref,
    callback: known.callback,
    has_webhooks: known.has_webhooks,
  }
}

function reportRows(db: Db, reports: readonly NewReport[]): Query {
  return prepare(db`(
      select id, carrier, string_to_array(keys, ' ') as meant, recipient, certain
      from unnest(
        ${idArray(reports.map(({ id }) => id))}::uuid[],
        ${reports.map(({ carrier }) => carrier)}::text[],
        ${reports.map(({ keys }) => keys.join(' '))}::text[],
        ${reports.map(({ recipient }) => recipient ?? null)}::text[],
        ${idArray(reports.map(({ certain }) => certain))}::smallint[]
      ) as report (id, carrier, keys, recipient, certain)
    )`)
}

/** Those of them whose delivery is still in the intake; one that is not stored at all is gone, and they go with it. */
export async function findEarly(db: Db, meant: readonly Found[]): Promise<Set<string>> {
  const unwritten = meant.filter(({ delivery_status }) => delivery_status === null)
  if (unwritten.length === 0 || db.distributed) return new Set() // on a cluster those are not among the found
  const early = await db<{ id: string }[]>`
    select id
    from ${rows(db, unwritten, 'found', { id: 'uuid', organisation_id: 'uuid', message_id: 'uuid', recipient: 'text' })}
    where exists (
      select from waiting_deliveries(found.organisation_id, found.message_id, found.message_id) waiting
      where waiting.recipient = found.recipient
    )`
  return new Set(early.map(({ id }) => id))
}

import { byLayout } from '../../db/layout.ts'
import { idArray } from '../../db/array.ts'
import type { Db } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import { prepare, type Query } from '../../db/sql.ts'
import { readStoredDeliveries, type StoredDelivery } from './reported-delivery-store.ts'
import { submissionOfReport } from './find-submission-store.ts'
import type { MatchedReport, NewReport } from './store.ts'

/** The delivery that a report refers to, with the fields of its message. */
export type ReportedDelivery = Pick<
  MatchedReport,
  'organisation_id' | 'message_id' | 'recipient' | 'segments' | 'kept_id' | 'of_number'
> &
  Omit<StoredDelivery, 'n' | 'waits' | 'delivery_status'> & {
    id: string
    /** Null if it was sent in segments, or is not stored (not yet, or no longer); then its other fields are null, too. */
    delivery_status: string | null
    /** The database's `now()`. */
    clock: string
  }

/** A report with the delivery that it refers to. */
export type ReportMatch = { found: ReportedDelivery; report: NewReport }

/** The deliveries that new reports refer to; a report whose ids are unknown has none. */
export async function findReportedDeliveries(db: Db, reports: readonly NewReport[]): Promise<ReportedDelivery[]> {
  return byLayout(db, { single_server: findOnServer, cluster: findOnCluster })(db, reports)
}

async function findOnServer(db: Db, reports: readonly NewReport[]): Promise<ReportedDelivery[]> {
  return prepare(db<ReportedDelivery[]>`
    select report.id, found.organisation_id, found.message_id, found.recipient, found.segments,
      found.carrier_message_id as kept_id, found.of_number, delivery.status as delivery_status, delivery.pages, delivery.charge,
      delivery.route, delivery.code as was_code, delivery.routing, delivery.sent_datetime, message.channel, message.sender_id, message.template_id,
      message.external_ref, message.callback, now() as clock,
      exists (
        select 1 from webhooks where organisation_id = found.organisation_id and enabled
      ) as has_webhooks
    from ${reportRows(db, reports)} report
    cross join lateral (${submissionOfReport(db, prepare(db``))}) found
    left join lateral (
      select status, code, pages, charge, route, routing, sent_datetime from deliveries
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

type Submitted = Omit<ReportedDelivery, keyof Omit<StoredDelivery, 'n' | 'waits'>>

async function findOnCluster(db: Db, reports: readonly NewReport[]): Promise<ReportedDelivery[]> {
  const submitted = await prepare(db<Submitted[]>`
    select report.id, found.organisation_id, found.message_id, found.recipient, found.segments,
      found.carrier_message_id as kept_id, found.of_number, now() as clock
    from ${reportRows(db, reports)} report
    cross join lateral (${submissionOfReport(db, prepare(db``))}) found`)
  const { read } = await readStoredDeliveries(db, submitted)
  return read.flatMap(({ key, known }) => (known.waits ? [] : [foundOf(key, known)]))
}

/** Field by field: object spread takes fifteen times as long, and its result is slow to read. */
function foundOf(key: Submitted, known: StoredDelivery): ReportedDelivery {
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
    routing: known.routing,
    sent_datetime: known.sent_datetime,
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
      select id, carrier, string_to_array(keys, ' ') as candidates, recipient, certain
      from unnest(
        ${idArray(reports.map(({ id }) => id))}::uuid[],
        ${reports.map(({ carrier }) => carrier)}::text[],
        ${reports.map(({ keys }) => keys.join(' '))}::text[],
        ${reports.map(({ recipient }) => recipient ?? null)}::text[],
        ${idArray(reports.map(({ certain }) => certain))}::smallint[]
      ) as report (id, carrier, keys, recipient, certain)
    )`)
}

/** The ids of reports whose delivery is still in the intake. One that is stored nowhere was deleted. */
export async function findInIntake(db: Db, deliveries: readonly ReportedDelivery[]): Promise<Set<string>> {
  const unwritten = deliveries.filter(({ delivery_status }) => delivery_status === null)
  // On a cluster `findOnCluster` has left them out.
  const unknown = byLayout(db, { single_server: unwritten, cluster: [] })
  if (unknown.length === 0) return new Set()
  const waiting = await db<{ id: string }[]>`
    select id
    from ${rows(db, unknown, 'found', { id: 'uuid', organisation_id: 'uuid', message_id: 'uuid', recipient: 'text' })}
    where exists (
      select from waiting_deliveries(found.organisation_id, found.message_id, found.message_id) waiting
      where waiting.recipient = found.recipient
    )`
  return new Set(waiting.map(({ id }) => id))
}

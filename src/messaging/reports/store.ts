import type { CarrierReport, KnownDelivery } from '../../carriers/message-carrier.ts'
import { idArray } from '../../db/array.ts'
import { rows } from '../../db/rows.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { prepare, type Query } from '../../db/sql.ts'
import { readReported, type Reported } from './cluster-store.ts'

export type NewReport = CarrierReport & {
  id: string
  /** The kept ids it may mean, likeliest first, and how many of them are believed whatever number it names. */
  keys: readonly string[]
  certain: number
  /** The only key is the id itself: nothing needs to be stored of it. */
  plain: boolean
}

export type StoredReport = {
  id: string
  carrier: string
  carrier_message_id: string
  status: CarrierReport['status']
  code: string | null
  description: string | null
  operator: string | null
  age_h: number
}

export type MatchedReport = StoredReport & {
  organisation_id: string
  message_id: string
  recipient: string
  segment: number
  segments: number
  /** The id it was found by, and whether it named the number that the message went to. */
  kept_id: string
  of_number: boolean
}

/** `waits`: what it speaks of is known, and not written yet or on a node that is away. */
type UnmatchedReport = StoredReport & { organisation_id: null; waits?: boolean }

export async function insertReports(tx: Tx, reports: readonly NewReport[]): Promise<void> {
  await tx`
    insert into reports (id, carrier, carrier_message_id, status, code, description, operator, keys, recipient, certain)
    select id, carrier, carrier_message_id, status, code, description, operator, string_to_array(keys, ' '), recipient,
      certain
    from unnest(
      ${reports.map(({ id }) => id)}::uuid[],
      ${reports.map(({ carrier }) => carrier)}::text[],
      ${reports.map(({ carrier_message_id }) => carrier_message_id)}::text[],
      ${reports.map(({ status }) => status)}::text[],
      ${reports.map(({ code }) => code)}::text[],
      ${reports.map(({ description }) => description)}::text[],
      ${reports.map(({ operator }) => operator ?? null)}::text[],
      ${reports.map(({ keys, plain }) => (plain ? null : keys.join(' ')))}::text[],
      ${reports.map(({ recipient }) => recipient ?? null)}::text[],
      ${reports.map(({ certain }) => certain)}::smallint[]
    ) as report (id, carrier, carrier_message_id, status, code, description, operator, keys, recipient, certain)`
}

/**
 * Carriers named these by our own reference; most of them are known under their id already. What stands in for the id is
 * due as late as the id itself, and is there before the delivery is handed over under it.
 */
export async function insertKnown(tx: Tx, known: readonly KnownDelivery[]): Promise<void> {
  if (known.length === 0) return
  const ours = tx.distributed ? tx`` : tx`and ${isOurs(tx)}` // on a cluster the caller has looked
  await tx`
    with known as (
      select distinct on (carrier, carrier_message_id) carrier, carrier_message_id, organisation_id, message_id,
        recipient, stand_in, now() + report_due_s * interval '1 s' as report_due
      from ${rows(tx, known, 'known', {
        carrier: 'text',
        carrier_message_id: 'text',
        organisation_id: 'uuid',
        message_id: 'uuid',
        recipient: 'text',
        report_due_s: 'float8',
        stand_in: ['text', ({ stand_in }) => stand_in],
      })}
    ),
    put_off as (
      update submissions set report_due = greatest(submissions.report_due, known.report_due)
      from known
      where submissions.carrier = known.carrier and submissions.carrier_message_id = known.stand_in
        and submissions.message_id = known.message_id and submissions.recipient = known.recipient
    )
    insert into submissions
      (carrier, carrier_message_id, organisation_id, message_id, recipient, segment, segments, report_due)
    select carrier, name, organisation_id, message_id, recipient, 1, 1, report_due
    from known cross join lateral unnest(array[carrier_message_id, stand_in]) as name
    where not exists (
        select 1 from submissions
        where submissions.carrier = known.carrier
          and submissions.carrier_message_id in (known.carrier_message_id, name)
      )
      and name is not null
      ${ours}`
}

function isOurs(tx: Tx): Query {
  return tx`
      (
        exists (
          select from deliveries
          where deliveries.organisation_id = known.organisation_id and deliveries.message_id = known.message_id
            and deliveries.recipient = known.recipient
        )
        or exists (
          select from waiting_deliveries(known.organisation_id, known.message_id, known.message_id) waiting
          where waiting.recipient = known.recipient
        )
      )`
}

/**
 * The reports, each with the delivery it speaks of where that is known. Ids come again, and the same digits mean two
 * messages when one is read as hexadecimal: the message to the number that the report names goes before the likelier
 * reading, and that before the newer message. Numbers are compared by their last digits, because reports write them
 * nationally, too.
 */
export async function readReports(db: Db, ids: readonly string[]): Promise<(MatchedReport | UnmatchedReport)[]> {
  if (db.distributed) return readOnCluster(db, ids)
  return readWith(db, ids, isWritten(db))
}

/** A report on a delivery that is in the intake waits; so does one whose organisation's node is away. */
async function readOnCluster(db: Db, ids: readonly string[]): Promise<(MatchedReport | UnmatchedReport)[]> {
  const reports = await readWith(db, ids, prepare(db``))
  const matched = reports.filter((report) => report.organisation_id !== null)
  const { read } = await readReported(db, matched)
  const written = new Set(read.flatMap(({ key, known }) => (known.waits ? [] : [key.id])))
  return reports.map((report) => {
    if (report.organisation_id === null || written.has(report.id)) return report
    return { ...report, organisation_id: null, waits: true }
  })
}

/** Once the ids of all carriers were kept as those of SMPP are: those without keys may mean such a one, too. */
async function readWith(
  db: Db,
  ids: readonly string[],
  condition: Query,
): Promise<(MatchedReport | UnmatchedReport)[]> {
  return prepare(db<(MatchedReport | UnmatchedReport)[]>`
    select report.id, report.carrier, report.carrier_message_id, report.status, report.code, report.description,
      report.operator, found.organisation_id, found.message_id, found.recipient, found.segment, found.segments,
      found.carrier_message_id as kept_id, found.of_number,
      (extract(epoch from now() - report.received_datetime) / 3600)::float8 as age_h
    from (
      select id, carrier, carrier_message_id, status, code, description, operator, recipient, received_datetime,
        coalesce(keys, array[carrier_message_id, lower(regexp_replace(carrier_message_id, '^0+(?=.)', ''))]) as meant,
        case when keys is null then 2 else certain end as certain
      from reports where id = any (${ids}::uuid[])
    ) report
    left join lateral (${meantSubmission(db, condition)}) found on true`)
}

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

/** The same for reports that are not stored yet, by their ids; those nobody knows are left out. */
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
  return read.flatMap(({ key, known }) => {
    if (known.waits) return []
    return [{ ...key, ...known, delivery_status: key.segments === 1 ? known.delivery_status : null }]
  })
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

/** What `report` speaks of, by its carrier, the ids it may mean and the number it names. */
function meantSubmission(db: Db, condition: Query): Query {
  return prepare(db`
      select organisation_id, message_id, recipient, segment, segments, carrier_message_id,
        coalesce(right(submissions.recipient, 8) = right(report.recipient, 8), false) as of_number
      from submissions
      where submissions.carrier = report.carrier and carrier_message_id = any (report.meant)
        and (
          array_position(report.meant, carrier_message_id) <= report.certain
          or right(submissions.recipient, 8) = right(report.recipient, 8)
        )
        ${condition}
      order by of_number desc, array_position(report.meant, carrier_message_id), report_due desc
      limit 1`)
}

/** A report on a delivery that is still in the intake waits until it is written; on one that is gone, it goes, too. */
function isWritten(db: Db): Query {
  return db`
        and (
          exists (
            select from deliveries
            where deliveries.organisation_id = submissions.organisation_id
              and deliveries.message_id = submissions.message_id and deliveries.recipient = submissions.recipient
          )
          or not exists (
            select from waiting_deliveries(submissions.organisation_id, submissions.message_id, submissions.message_id)
              waiting
            where waiting.recipient = submissions.recipient
          )
        )`
}

export async function deleteReports(sql: Db | Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`delete from reports where id = any (${ids}::uuid[])`
}

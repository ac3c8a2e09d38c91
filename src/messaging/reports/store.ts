import type { CarrierReport, KnownDelivery } from '../../carriers/message-carrier.ts'
import { rows } from '../../db/rows.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { prepare, type Query } from '../../db/sql.ts'
import { readReported } from './cluster-store.ts'
import { meantSubmission } from './meant-store.ts'

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

import { byLayout } from '../../db/layout.ts'
import type { CarrierReport, KnownDelivery } from '../../carriers/message-carrier.ts'
import { rows } from '../../db/rows.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { prepare, type Query } from '../../db/sql.ts'
import { readStoredDeliveries } from './reported-delivery-store.ts'
import { submissionOfReport } from './find-submission-store.ts'

export type NewReport = CarrierReport & {
  id: string
  /** The ids it may refer to, likeliest first; the first `certain` of them count whatever number the report names. */
  keys: readonly string[]
  certain: number
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
  /** The stored id it was found by, and whether it named the recipient's number. */
  kept_id: string
  of_number: boolean
}

/** `waits`: its delivery is known, but not recorded yet or on an unreachable node. */
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
      ${reports.map(storedKeys)}::text[],
      ${reports.map(({ recipient }) => recipient ?? null)}::text[],
      ${reports.map(({ certain }) => certain)}::smallint[]
    ) as report (id, carrier, carrier_message_id, status, code, description, operator, keys, recipient, certain)`
}

/** Null where the only key is the carrier's id itself. */
function storedKeys({ keys, carrier_message_id }: NewReport): string | null {
  return keys.length === 1 && keys[0] === carrier_message_id ? null : keys.join(' ')
}

/**
 * Stores the ids of deliveries that carriers named by our own reference; most are stored already. A placeholder id
 * (`stand_in`) is due as late as the id itself, and is stored before the delivery is submitted under it.
 */
export async function insertKnown(tx: Tx, known: readonly KnownDelivery[]): Promise<void> {
  if (known.length === 0) return
  // On a cluster the caller has checked.
  const existing = byLayout(tx, { single_server: tx`and ${exists(tx)}`, cluster: tx`` })
  await tx`
    with known as (
      select distinct on (carrier, carrier_message_id) carrier, carrier_message_id, organisation_id, message_id,
        recipient, placeholder_id, now() + report_due_s * interval '1 s' as report_due
      from ${rows(tx, known, 'known', {
        carrier: 'text',
        carrier_message_id: 'text',
        organisation_id: 'uuid',
        message_id: 'uuid',
        recipient: 'text',
        report_due_s: 'float8',
        placeholder_id: ['text', ({ placeholder_id }) => placeholder_id],
      })}
    ),
    put_off as (
      update submissions set report_due = greatest(submissions.report_due, known.report_due)
      from known
      where submissions.carrier = known.carrier and submissions.carrier_message_id = known.placeholder_id
        and submissions.message_id = known.message_id and submissions.recipient = known.recipient
    )
    insert into submissions
      (carrier, carrier_message_id, organisation_id, message_id, recipient, segment, segments, report_due)
    select carrier, name, organisation_id, message_id, recipient, 1, 1, report_due
    from known cross join lateral unnest(array[carrier_message_id, placeholder_id]) as name
    where not exists (
        select 1 from submissions
        where submissions.carrier = known.carrier
          and submissions.carrier_message_id in (known.carrier_message_id, name)
      )
      and name is not null
      ${existing}`
}

function exists(tx: Tx): Query {
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
 * The reports, each with its delivery where that is known. Carriers reuse ids, and the same digits may be decimal or
 * hexadecimal. Preference: a message to the number that the report names, then the likelier reading, then the newer
 * message. Numbers are compared by their last digits, because some reports write them nationally.
 */
export async function readReports(db: Db, ids: readonly string[]): Promise<(MatchedReport | UnmatchedReport)[]> {
  return byLayout(db, { single_server: readOnServer, cluster: readOnCluster })(db, ids)
}

async function readOnServer(db: Db, ids: readonly string[]): Promise<(MatchedReport | UnmatchedReport)[]> {
  return matchById(db, ids, isWritten(db))
}

/** A report waits while its delivery is in the intake, or the node of its organisation is unreachable. */
async function readOnCluster(db: Db, ids: readonly string[]): Promise<(MatchedReport | UnmatchedReport)[]> {
  const reports = await matchById(db, ids, prepare(db``))
  const matched = reports.filter((report) => report.organisation_id !== null)
  const { read } = await readStoredDeliveries(db, matched)
  const written = new Set(read.flatMap(({ key, known }) => (known.waits ? [] : [key.id])))
  return reports.map((report) => {
    if (report.organisation_id === null || written.has(report.id)) return report
    return { ...report, organisation_id: null, waits: true }
  })
}

async function matchById(
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
        coalesce(keys, array[carrier_message_id]) as candidates, certain
      from reports where id = any (${ids}::uuid[])
    ) report
    left join lateral (${submissionOfReport(db, condition)}) found on true`)
}

/** A report waits while its delivery is in the intake. If the delivery was deleted, the report is matched, and dropped. */
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

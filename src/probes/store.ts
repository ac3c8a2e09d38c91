import type { Db, Tx } from '../db/connect.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import type { Sql } from '../db/sql.ts'
import type { Page } from '../values/page.ts'
import type { Displayed, ProbeCounts, ProbeFilter, ProbeOutcome, ShownProbe } from './schema.ts'

export type NewProbe = {
  id: string
  plan: string
  carrier: string
  country: string
  operator: string
  sender_id: string
  phone_carrier: string
  recipient: string
  text: string
  /** `=` and the id of the probe, if its text has no mark. */
  mark: string
  /** The text is that of a campaign. */
  campaign_id: string | null
}

/** Stores a probe that is about to be submitted. False: another one to this number has its mark. */
export async function insertProbe(tx: Tx, probe: NewProbe): Promise<boolean> {
  const added = await tx`
    insert into probes (id, plan, carrier, country, operator, sender_id, phone_carrier, recipient, text, mark,
      campaign_id)
    values (${probe.id}, ${probe.plan}, ${probe.carrier}, ${probe.country}, ${probe.operator}, ${probe.sender_id},
      ${probe.phone_carrier}, ${probe.recipient}, ${probe.text}, ${probe.mark}, ${probe.campaign_id})
    on conflict (recipient, mark) do nothing`
  return added.count === 1
}

/** How often a plan has sent the text of a campaign. */
export async function countOfCampaign(tx: Tx, plan: string, campaign_id: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from probes
    where campaign_id = ${campaign_id} and plan = ${plan} and outcome not in ('held', 'temporary')`
  return row?.count ?? 0
}

/** A text without a mark that has not arrived within this time is lost. */
const UNMARKED_WITHIN = '1 day'
/** A number gets few campaigns a day. */
const MAX_UNMARKED = 50

/** Those of these numbers that were sent no text without a mark that a text like this one could be taken for. */
export async function listFree(tx: Tx, campaign_id: string, numbers: readonly string[]): Promise<string[]> {
  const rows = await tx<{ number: string }[]>`
    select number from unnest(${[...numbers]}::text[]) as given (number)
    where not exists (
      select from probes
      where probes.campaign_id = ${campaign_id} and recipient = number and mark like '=%'
        and submitted_datetime > now() - ${UNMARKED_WITHIN}::interval
    )`
  return rows.map(({ number }) => number)
}

/** Probes without a mark that a text to one of these phones may be; those to this number first, the oldest first. */
export async function lockUnmarked(
  tx: Tx,
  { phone_carrier, to }: Omit<Arriving, 'marks'>,
): Promise<{ id: string; text: string }[]> {
  return tx<{ id: string; text: string }[]>`
    select id, text from probes
    where phone_carrier = ${phone_carrier} and mark like '=%' and arrived_datetime is null
      and submitted_datetime > now() - ${UNMARKED_WITHIN}::interval
    order by recipient = ${to} desc, id limit ${MAX_UNMARKED} for update`
}

export type Answered = { outcome: ProbeOutcome; outcome_reason: string | null; carrier_message_ids: readonly string[] }

/** Stores the carrier's answer, once. */
export async function storeOutcome(db: Db, id: string, { outcome, outcome_reason, carrier_message_ids }: Answered) {
  await db`
    update probes set outcome = ${outcome}, outcome_reason = ${outcome_reason},
      carrier_message_ids = ${[...carrier_message_ids]}::text[]
    where id = ${id} and outcome = 'submitting'`
}

/** Probes whose process has ended before it stored an answer: the carrier may have them, and they are not sent again. */
export async function closeAbandoned(db: Db, after_s: number): Promise<void> {
  await db`
    update probes set outcome = 'unknown', outcome_reason = 'The process ended before the answer was stored.'
    where outcome = 'submitting' and submitted_datetime < now() - ${after_s} * interval '1 second'`
}

/** Carriers reuse ids: a later report is on another message. */
const REPORTED_WITHIN = '7 days'

/**
 * Stores those of these reports that are on probes, and returns their ids. A report that names a number is on a probe to
 * it; one that names none must have exactly the id of a probe that was not reported yet, because it may also be on a
 * message that is not recorded yet. A probe in segments is delivered once each of them is; its first final report stays.
 */
export async function settleProbes(tx: Tx, report_ids: readonly string[]): Promise<string[]> {
  const found = await tx<{ report_id: string }[]>`
    with found as (
      select distinct on (report.id) report.id as report_id, report.status, report.code, report.received_datetime,
        probes.id as probe_id, named.key
      from reports report
      cross join lateral unnest(coalesce(report.keys, array[report.carrier_message_id]))
        with ordinality as named (key, place)
      join probes on probes.carrier_message_ids @> array[named.key] and probes.carrier = report.carrier
        and probes.submitted_datetime > now() - ${REPORTED_WITHIN}::interval
        and case when length(report.recipient) >= 7 then right(probes.recipient, 8) = right(report.recipient, 8)
          else named.place <= report.certain and probes.report is null end
      where report.id = any (${[...report_ids]}::uuid[])
      order by report.id, probes.id desc
    ),
    combined as (
      select probes.id,
        array(select unnest(probes.delivered_ids) union
              select key from found one where one.probe_id = probes.id and status = 'delivered') as delivered_ids,
        (select status from found one where one.probe_id = probes.id and status <> 'delivered'
         order by received_datetime limit 1) as other,
        (select code from found one where one.probe_id = probes.id
         order by status = 'delivered', received_datetime limit 1) as code,
        (select max(received_datetime) from found one where one.probe_id = probes.id) as received_datetime
      from probes where id in (select probe_id from found)
    ),
    settled as (
      update probes set delivered_ids = combined.delivered_ids,
        report = coalesce(combined.other, 'delivered'), report_code = combined.code,
        reported_datetime = combined.received_datetime
      from combined
      where probes.id = combined.id and report is null
        and (other is not null or cardinality(combined.delivered_ids) >= cardinality(carrier_message_ids))
    ),
    partial as (
      update probes set delivered_ids = combined.delivered_ids
      from combined
      where probes.id = combined.id and report is null and other is null
        and cardinality(combined.delivered_ids) < cardinality(carrier_message_ids)
    )
    select report_id from found`
  return found.map(({ report_id }) => report_id)
}

export type Arriving = { phone_carrier: string; marks: readonly string[]; to: string }

/** The newest probe that a text to one of these phones may be, unless it has arrived before. */
export async function lockArriving(
  tx: Tx,
  { phone_carrier, marks, to }: Arriving,
): Promise<{ id: string; text: string } | undefined> {
  const [row] = await tx<{ id: string; text: string }[]>`
    select id, text from probes
    where phone_carrier = ${phone_carrier} and mark = any (${[...marks]}::text[]) and arrived_datetime is null
    order by recipient = ${to} desc, id desc limit 1 for update`
  return row
}

export async function storeArrival(
  tx: Tx,
  id: string,
  shown: { displayed_sender: string; displayed_text: string | null; displayed: Displayed },
): Promise<void> {
  await tx`
    update probes set arrived_datetime = clock_timestamp(), displayed_sender = ${shown.displayed_sender},
      displayed_text = ${shown.displayed_text}, displayed = ${shown.displayed}
    where id = ${id} and arrived_datetime is null`
}

export type ProbeRow = Omit<NewProbe, 'phone_carrier' | 'mark'> &
  Pick<ShownProbe, 'submitted_datetime' | 'outcome' | 'carrier_message_ids'> & {
    outcome_reason: string | null
    report: NonNullable<ShownProbe['report']> | null
    report_code: string | null
    reported_datetime: string | null
    /** Null: it may still arrive, or was not accepted. */
    arrived: boolean | null
    arrived_datetime: string | null
    seconds: number | null
    displayed_sender: string | null
    displayed_text: string | null
    displayed: Displayed | null
  }

/** A probe that has not arrived after this time counts as lost. It is still accepted later. */
const LOST_AFTER = '1 hour'

const columns = (sql: Sql) => sql`
  id, plan, carrier, country, operator, sender_id, recipient, text, submitted_datetime, outcome, outcome_reason,
  carrier_message_ids, report, report_code, reported_datetime, campaign_id,
  case when arrived_datetime is not null then true
    when outcome in ('accepted', 'unknown') and submitted_datetime < now() - ${LOST_AFTER}::interval then false
  end as arrived, arrived_datetime,
  extract(epoch from arrived_datetime - submitted_datetime)::float8 as seconds, displayed_sender, displayed_text, displayed`

/** Newest first. */
export async function listProbes(db: Db, filter: ProbeFilter, page: Page): Promise<Listed<ProbeRow>> {
  const { plan = null, carrier = null } = filter
  return listPage<ProbeRow>(db, page, {
    select: columns(db),
    from: db`probes`,
    where: db`(${plan}::text is null or plan = ${plan}::text) and (${carrier}::text is null or carrier = ${carrier}::text)`,
  })
}

export async function readProbe(db: Db, id: string): Promise<ProbeRow | undefined> {
  const [row] = await db<ProbeRow[]>`select ${columns(db)} from probes where id = ${id}`
  return row
}

/** Shares are judged from the probes of a day around each. */
const BRACKET = '1 day'

/**
 * Probes since a moment that were reported as delivered, and how many of them arrived, for the honesty of carriers. A
 * number that has no reception accuses no carrier: a probe counts only if its number received another one, through
 * whichever carrier, in the day before it and in the day after it.
 */
export async function countProbes(db: Db, since: string): Promise<ProbeCounts[]> {
  return db<ProbeCounts[]>`
    with bracketed as (
      select carrier, country, operator, report, submitted_datetime, arrived_datetime,
        max(submitted_datetime) filter (where arrived_datetime is not null) over before as received_before,
        min(submitted_datetime) filter (where arrived_datetime is not null) over after as received_after
      from probes
      where id > first_id_at(${since}::timestamptz - ${BRACKET}::interval)
      window before as (partition by recipient order by id rows between unbounded preceding and 1 preceding),
        after as (partition by recipient order by id rows between 1 following and unbounded following)
    )
    select carrier, country, operator, count(*)::integer as delivered, count(arrived_datetime)::integer as arrived
    from bracketed
    where report = 'delivered' and submitted_datetime >= ${since}::timestamptz
      and (arrived_datetime is not null or submitted_datetime < now() - ${LOST_AFTER}::interval)
      and received_before > submitted_datetime - ${BRACKET}::interval
      and received_after < submitted_datetime + ${BRACKET}::interval
    group by carrier, country, operator
    order by carrier, country, operator`
}

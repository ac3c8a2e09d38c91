import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'

/** People, charge and refunds of a slice by outcome, code, operator and hour. */
export type Counts = Record<string, [people: number, charge: number, refunded: number]>

export type CountedSlice = {
  number: number
  text_number: number
  message_id: string
  people: number
  accepted_datetime: string
  age_s: number
}

/** Slices that are due for a count. */
export async function listToCount(db: Db, organisation_id: string, campaign_id: string, limit: number) {
  return db<CountedSlice[]>`
    select number, text_number, message_id, people, accepted_datetime,
      extract(epoch from now() - accepted_datetime)::float8 as age_s
    from campaign_slices
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and count_at <= now()
    order by count_at limit ${limit}`
}

/** Milliseconds until the next slice is due for a count; undefined if none is. */
export async function nextCount(db: Db, organisation_id: string, campaign_id: string): Promise<number | undefined> {
  const [row] = await db<{ wait_ms: number | null }[]>`
    select extract(epoch from min(count_at) - now())::float8 * 1000 as wait_ms from campaign_slices
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and count_at is not null`
  return row?.wait_ms ?? undefined
}

export type CountedDelivery = {
  recipient: string
  status: string
  code: string | null
  charge: bigint
  refunded: boolean
  is_clicked: boolean
  /** The hour of the last change of status. */
  hour: string
}

/** The deliveries of a slice. Recipients without one wait in the intake. */
export async function readDeliveries(db: Db, organisation_id: string, message_id: string): Promise<CountedDelivery[]> {
  return db<CountedDelivery[]>`
    select recipient, status, code, charge, refunded, clicked_datetime is not null as is_clicked,
      date_trunc('hour', coalesce(updated_datetime, created_datetime)) as hour
    from deliveries where organisation_id = ${organisation_id} and message_id = ${message_id}`
}

/** How many of these numbers have replied since, and how many have opted out. */
export async function countAnswers(
  db: Db,
  organisation_id: string,
  recipients: readonly string[],
  since: string,
  within_h: number,
): Promise<{ replied: number; opted_out: number }> {
  const [row] = await db<{ replied: number; opted_out: number }[]>`
    select
      (
        select count(distinct "from")::integer from inbound_messages
        where organisation_id = ${organisation_id} and "from" = any (${recipients}::text[])
          and created_datetime >= ${since} and created_datetime < ${since}::timestamptz + ${within_h} * interval '1 hour'
      ) as replied,
      (
        select count(*)::integer from optouts
        where organisation_id = ${organisation_id} and recipient = any (${recipients}::text[])
          and created_datetime >= ${since} and created_datetime < ${since}::timestamptz + ${within_h} * interval '1 hour'
      ) as opted_out`
  return row ?? { replied: 0, opted_out: 0 }
}

/** Locks a slice and returns its last counts. */
export async function lockCounts(
  tx: Tx,
  organisation_id: string,
  campaign_id: string,
  number: number,
): Promise<Counts | undefined> {
  const [row] = await tx<{ outcomes: Counts }[]>`
    select outcomes from campaign_slices
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and number = ${number}
    for update`
  return row?.outcomes
}

export async function writeCounts(
  tx: Tx,
  organisation_id: string,
  campaign_id: string,
  slice: { number: number; outcomes: Counts; waiting: number; again_in_s: number | undefined },
): Promise<void> {
  const { again_in_s } = slice
  await tx`
    update campaign_slices
    set outcomes = ${JSON.stringify(slice.outcomes)}::text::jsonb, waiting = ${slice.waiting},
      count_at = ${again_in_s === undefined ? tx`null` : tx`now() + ${again_in_s} * interval '1 s'`}
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and number = ${slice.number}`
}

export type Difference = {
  text_number: number
  outcome: string
  code: string
  operator: string
  hour: string
  people: number
  charge: number
  refunded: number
}

/** Adds the changes of a slice's counts to the campaign's counters. */
export async function addDifferences(
  tx: Tx,
  organisation_id: string,
  campaign_id: string,
  differences: readonly Difference[],
): Promise<void> {
  if (differences.length === 0) return
  await tx`
    insert into campaign_outcomes
      (organisation_id, campaign_id, text_number, outcome, code, operator, hour, people, charge, refunded)
    select ${organisation_id}, ${campaign_id}, text_number, outcome, code, operator, hour, people, charge, refunded
    from ${rows(tx, differences, 'given', {
      text_number: 'smallint',
      outcome: 'text',
      code: 'text',
      operator: 'text',
      hour: 'timestamptz',
      people: 'bigint',
      charge: 'bigint',
      refunded: 'bigint',
    })}
    order by text_number, outcome, code, operator, hour
    on conflict (organisation_id, campaign_id, text_number, outcome, code, operator, hour) do update
    set people = campaign_outcomes.people + excluded.people, charge = campaign_outcomes.charge + excluded.charge,
      refunded = campaign_outcomes.refunded + excluded.refunded`
}

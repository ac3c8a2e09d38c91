import type { Db } from '../../db/connect.ts'
import type { SliceEntry } from '../message.ts'
import { FAILED } from '../failures.ts'

/** People by outcome of their delivery; replies, opt-outs and clicks are in the report. */
export async function countOutcomes(db: Db, organisation_id: string, campaign_id: string) {
  return db<{ outcome: string; people: number }[]>`
    select outcome, sum(people)::integer as people from campaign_outcomes
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and outcome not like 'answer%'
    group by outcome having sum(people) <> 0 order by outcome`
}

export type OutcomeRow = {
  text_number: number
  outcome: string
  code: string
  operator: string
  hour: string
  people: number
  charge: bigint
  refunded: bigint
}

/** All counters of a campaign: some hundreds, regardless of its number of recipients. */
export async function listOutcomes(db: Db, organisation_id: string, campaign_id: string): Promise<OutcomeRow[]> {
  return db<OutcomeRow[]>`
    select text_number, outcome, code, operator, hour, people::integer as people, charge, refunded
    from campaign_outcomes
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and people <> 0
    order by hour, outcome, code, operator, text_number`
}

export type ExportedSlice = { number: number; text_number: number; message_id: string | null; recipients: SliceEntry[] }

export async function findSliceAfter(db: Db, organisation_id: string, campaign_id: string, after: number) {
  const [slice] = await db<ExportedSlice[]>`
    select number, text_number, message_id, recipients from campaign_slices
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and number > ${after}
    order by number limit 1`
  return slice
}

export type ExportedDelivery = {
  recipient: string
  status: string
  code: string | null
  description: string | null
  pages: number
  charge: bigint
  refunded: boolean
  is_clicked: boolean
  sent_datetime: string | null
  updated_datetime: string | null
}

export async function findSliceDeliveries(
  db: Db,
  organisation_id: string,
  message_id: string,
  recipients: readonly string[],
): Promise<ExportedDelivery[]> {
  return db<ExportedDelivery[]>`
    select recipient, status, code, description, pages, charge, refunded, clicked_datetime is not null as is_clicked,
      sent_datetime, updated_datetime
    from deliveries
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = any (${recipients}::text[])`
}

export async function findLeftOutAfter(
  db: Db,
  organisation_id: string,
  campaign_id: string,
  after: number,
): Promise<{ step: number; entries: [written: string, reason: string][] } | undefined> {
  const [step] = await db<{ step: number; entries: [string, string][] }[]>`
    select step, entries from campaign_left_out
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and step > ${after}
    order by step limit 1`
  return step
}

export type FailedDelivery = {
  recipient: string
  status: string
  code: string | null
  description: string | null
  message_id: string
}

/** The next slice with failed deliveries, according to its last count, and these. */
export async function findFailedAfter(
  db: Db,
  organisation_id: string,
  campaign_id: string,
  after: number,
): Promise<{ number: number; failed: FailedDelivery[] } | undefined> {
  const [slice] = await db<{ number: number; message_id: string }[]>`
    select number, message_id from campaign_slices
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and number > ${after}
      and message_id is not null
      and exists (
        select from jsonb_object_keys(outcomes) as counted (key)
        where split_part(key, e'\t', 1) = any (${FAILED}::text[])
      )
    order by number limit 1`
  if (!slice) return undefined
  const failed = await db<FailedDelivery[]>`
    select recipient, status, code, description, message_id from deliveries
    where organisation_id = ${organisation_id} and message_id = ${slice.message_id} and status = any (${FAILED}::text[])
    order by recipient`
  return { number: slice.number, failed }
}

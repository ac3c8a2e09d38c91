import type { Db } from '../db/connect.ts'
import type { Query, Sql } from '../db/sql.ts'
import type { CampaignStatus } from './schema.ts'

/** Messages of one campaign that a filter may name. */
const MAX_MESSAGES = 50_000

/** The messages of a campaign, newest first. */
export async function listMessageIds(db: Db, organisation_id: string, campaign_id: string): Promise<string[]> {
  const rows = await db<{ message_id: string }[]>`
    select message_id from campaign_slices
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and message_id is not null
    order by message_id desc limit ${MAX_MESSAGES}`
  return rows.map(({ message_id }) => message_id)
}

export type CampaignOfMessage = {
  message_id: string
  id: string
  name: string
  status: CampaignStatus
  accepted: number
  charged: bigint
  /** Whether the message is the first of the campaign. The totals below are of the campaign, and only read for that one. */
  is_first: boolean
  /** Slices that were charged, each as one message. */
  messages: number
  refunded: bigint
  statuses: Record<string, number>
}

/** The campaigns of these messages, with their totals. A message that is not a slice is absent. */
export async function findCampaignsOf(
  db: Db,
  organisation_id: string,
  message_ids: readonly string[],
): Promise<Map<string, CampaignOfMessage>> {
  const rows = await db<CampaignOfMessage[]>`
    select slice.message_id, id, name, campaign.status, accepted, charged,
      coalesce(first.message_id = slice.message_id, false) as is_first, counted.messages,
      coalesce(outcome.refunded, 0)::bigint as refunded, coalesce(outcome.statuses, '{}') as statuses
    from campaign_slices slice
    join campaigns campaign on campaign.organisation_id = ${organisation_id} and campaign.id = slice.campaign_id
    left join lateral (${firstSlice(db, organisation_id)}) first on true
    cross join lateral (
      select count(*)::integer as messages from campaign_slices own
      where own.organisation_id = ${organisation_id} and own.campaign_id = slice.campaign_id
        and slice.message_id = first.message_id and ${wasCharged(db)}
    ) counted
    cross join lateral (
      select sum(refunded) as refunded, jsonb_object_agg(outcome, people) filter (where people > 0) as statuses
      from (
        select case outcome when 'waiting' then 'queued' else outcome end as outcome, sum(people) as people,
          sum(refunded) as refunded
        from campaign_outcomes own
        where own.organisation_id = ${organisation_id} and own.campaign_id = slice.campaign_id
          and slice.message_id = first.message_id and outcome not like 'answer%'
        group by 1
      ) every
    ) outcome
    where slice.organisation_id = ${organisation_id} and slice.message_id = any (${message_ids}::uuid[])`
  return new Map(rows.map((row) => [row.message_id, row]))
}

/** Whether a message is a further slice of a campaign whose first one since `from` stands for all of them. */
export function isFurtherSlice(sql: Sql, organisation_id: string, message_id: Query, from: string): Query {
  return sql`exists (
    select from campaign_slices slice
    where slice.organisation_id = ${organisation_id} and slice.message_id = ${message_id}
      and exists (
        select from campaign_slices own
        where own.organisation_id = ${organisation_id} and own.campaign_id = slice.campaign_id
          and own.message_id < slice.message_id and own.message_id >= ${from} and ${wasCharged(sql)}
      )
  )`
}

/**
 * Whether a ledger line charges or refunds a further slice of a campaign. The line of the first slice stands for all of
 * them, unless it is not among the lines after `after`.
 */
export function isFurtherLine(sql: Sql, organisation_id: string, line: Query, after: bigint): Query {
  return sql`${line}.kind in ('message', 'refund') and exists (
    select from campaign_slices slice
    cross join lateral (${firstSlice(sql, organisation_id)}) first
    join ledger_lines head on head.organisation_id = ${organisation_id} and head.subject_id = first.message_id
      and head.kind = 'message'
    where slice.organisation_id = ${organisation_id} and slice.message_id = ${line}.subject_id
      and head.sequence > ${String(after)}::bigint and head.sequence <> ${line}.sequence
  )`
}

function firstSlice(sql: Sql, organisation_id: string): Query {
  return sql`
    select own.message_id from campaign_slices own
    where own.organisation_id = ${organisation_id} and own.campaign_id = slice.campaign_id and ${wasCharged(sql)}
    order by own.message_id limit 1`
}

/** A slice is only sent, and has a message and a ledger line, if some of its recipients were still to be reached. */
function wasCharged(sql: Sql): Query {
  return sql`own.message_id is not null and own.status in ('accepted', 'taken_back') and own.people > 0`
}

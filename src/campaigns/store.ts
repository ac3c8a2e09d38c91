import type { SavedFilters } from '../contacts/query/schema.ts'
import type { Db, Tx } from '../db/connect.ts'
import { listPage } from '../db/list-page.ts'
import type { Sql } from '../db/sql.ts'
import type { RouteClass } from '../messaging/settings.ts'
import type { Channel } from '../carriers/message-carrier.ts'
import type { WhatsappTemplate } from '../templates/schema.ts'
import type { Page } from '../values/page.ts'
import type { CampaignBody, CampaignStatus, LeftOut, PauseReason, Sample } from './schema.ts'

/** What all texts of a campaign share. */
export type CampaignMessage = {
  channel: Channel
  sender_id?: string
  route_class?: RouteClass
  is_trackable?: boolean
  smart_encoding?: boolean
  external_ref?: string
  callback?: string
}

/** One of its texts; of a template, the version at the time it was chosen. */
export type CampaignText = {
  content: string
  share: number
  template_id?: string
  template_version?: number
  whatsapp?: WhatsappTemplate
}

export type CampaignRow = {
  id: string
  name: string
  status: CampaignStatus
  is_list_send: boolean
  smartlist_id: string | null
  filters: SavedFilters
  number: number | null
  uploads: number
  uploaded: number
  message: CampaignMessage
  texts: CampaignText[]
  send_at: string | null
  pace_per_hour: number | null
  quiet_from: string | null
  quiet_until: string | null
  /** Of an incomplete campaign: its fields as given, instead of the columns above. */
  draft: Partial<CampaignBody> | null
  resend_of: string | null
  run: number
  /** Number of estimates so far. */
  estimates: number
  gathered: boolean
  place: string | null
  steps: number
  slices: number
  rows: number
  people: number
  charge: bigint
  /** People and charge (in ten-thousandths) by text, encoding and pages (`1 GSM 2`). */
  sizes: Record<string, [people: number, charge: number]>
  left_out: Partial<Record<LeftOut, number>>
  samples: Sample[]
  asked_datetime: string | null
  estimated_datetime: string | null
  accepted: number
  charged: bigint
  dropped: number
  taken_back: number
  given_back: bigint
  all_accepted: boolean
  /** Milliseconds until the pace allows the next slice. */
  wait_ms: number
  holds_price: boolean
  pause_reason: PauseReason | null
  /** The API key that started it, whose spending limit applies. */
  key_id: string | null
  fault: string | null
  started_datetime: string | null
  ended_datetime: string | null
  created_datetime: string
  updated_datetime: string | null
}

/** The parts set by the API's caller. */
export type CampaignParts = Pick<
  CampaignRow,
  | 'name'
  | 'smartlist_id'
  | 'filters'
  | 'number'
  | 'message'
  | 'texts'
  | 'send_at'
  | 'pace_per_hour'
  | 'quiet_from'
  | 'quiet_until'
  | 'draft'
>

const columns = (sql: Sql) => sql`
  id, name, status, is_list_send, smartlist_id, filters, number, uploads, uploaded, message, texts, send_at,
  pace_per_hour, quiet_from, quiet_until, draft, resend_of, key_id, run, estimates, gathered, place, steps, slices, rows, people, charge, sizes, left_out,
  samples, asked_datetime, estimated_datetime, accepted, charged, dropped, taken_back, given_back, all_accepted,
  greatest(0, coalesce(extract(epoch from next_at - now()) * 1000, 0))::float8 as wait_ms, holds_price, pause_reason,
  fault, started_datetime, ended_datetime, created_datetime, updated_datetime`

/** False if a campaign with this idempotency key exists. */
export async function insertCampaign(
  tx: Tx,
  organisation_id: string,
  campaign: CampaignParts & {
    id: string
    status: CampaignStatus
    is_list_send: boolean
    run: number
    resend_of?: string
    key_id?: string | null
    idempotency?: { key: string; request_hash: Buffer } | undefined
  },
): Promise<boolean> {
  const made = await tx`
    insert into campaigns
      (organisation_id, id, status, is_list_send, run, idempotency_key, request_hash, name, smartlist_id, filters,
       number, message, texts, send_at, pace_per_hour, quiet_from, quiet_until, draft, resend_of, key_id)
    values (${organisation_id}, ${campaign.id}, ${campaign.status}, ${campaign.is_list_send}, ${campaign.run},
      ${campaign.idempotency?.key ?? null}, ${campaign.idempotency?.request_hash ?? null}, ${campaign.name},
      ${campaign.smartlist_id}, ${JSON.stringify(campaign.filters)}::text::jsonb, ${campaign.number},
      ${JSON.stringify(campaign.message)}::text::jsonb, ${JSON.stringify(campaign.texts)}::text::jsonb,
      ${campaign.send_at}, ${campaign.pace_per_hour}, ${campaign.quiet_from}, ${campaign.quiet_until},
      ${campaign.draft && JSON.stringify(campaign.draft)}::text::jsonb, ${campaign.resend_of ?? null},
      ${campaign.key_id ?? null})
    on conflict (organisation_id, idempotency_key) do nothing`
  return made.count === 1
}

export async function findCampaignByKey(tx: Tx | Db, organisation_id: string, key: string) {
  const [row] = await tx<{ id: string; request_hash: Buffer }[]>`
    select id, request_hash from campaigns where organisation_id = ${organisation_id} and idempotency_key = ${key}`
  return row
}

/** The draft for the failed recipients of a campaign, unless it was canceled. */
export async function findResend(tx: Tx, organisation_id: string, campaign_id: string) {
  const [row] = await tx<{ id: string }[]>`
    select id from campaigns
    where organisation_id = ${organisation_id} and resend_of = ${campaign_id} and status <> 'canceled'`
  return row
}

export async function findCampaign(sql: Db | Tx, organisation_id: string, id: string) {
  const [row] = await sql<CampaignRow[]>`
    select ${columns(sql)} from campaigns where organisation_id = ${organisation_id} and id = ${id}`
  return row
}

export async function lockCampaign(tx: Tx, organisation_id: string, id: string): Promise<CampaignRow | undefined> {
  const [row] = await tx<CampaignRow[]>`
    select ${columns(tx)} from campaigns where organisation_id = ${organisation_id} and id = ${id} for update`
  return row
}

/** Newest first. */
export async function listCampaigns(db: Db, organisation_id: string, status: CampaignStatus | undefined, page: Page) {
  return listPage<CampaignRow>(db, page, {
    select: columns(db),
    from: db`campaigns`,
    where: db`organisation_id = ${organisation_id} ${status === undefined ? db`` : db`and status = ${status}`}`,
  })
}

/** Part of an update that discards the estimate of a changed draft. */
export function backToDraft(tx: Tx) {
  return tx`status = 'draft', estimated_datetime = null, asked_datetime = null, gathered = false, run = run + 1,
    updated_datetime = now()`
}

/** Replaces the parts of a draft and discards its estimate. */
export async function updateDraft(tx: Tx, organisation_id: string, id: string, parts: CampaignParts): Promise<void> {
  await tx`
    update campaigns
    set name = ${parts.name}, smartlist_id = ${parts.smartlist_id},
      filters = ${JSON.stringify(parts.filters)}::text::jsonb, number = ${parts.number},
      message = ${JSON.stringify(parts.message)}::text::jsonb, texts = ${JSON.stringify(parts.texts)}::text::jsonb,
      send_at = ${parts.send_at}, pace_per_hour = ${parts.pace_per_hour}, quiet_from = ${parts.quiet_from},
      quiet_until = ${parts.quiet_until}, draft = ${parts.draft && JSON.stringify(parts.draft)}::text::jsonb,
      ${backToDraft(tx)}
    where organisation_id = ${organisation_id} and id = ${id} and status in ('draft', 'estimating', 'estimated')`
}

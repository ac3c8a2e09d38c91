import type { Db } from '../db/connect.ts'
import { isId } from '../values/id.ts'
import { moneyToNumber } from '../values/money.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { pickPresent } from '../values/record.ts'
import { Refusal } from '../values/refusal.ts'
import { countOutcomes } from './report/report-store.ts'
import type { Campaign, CampaignStatus, CampaignWithOutcomes } from './schema.ts'
import { findCampaign, listCampaigns, type CampaignRow } from './store.ts'
import { shownIncomplete } from './draft/incomplete.ts'

type Owner = { organisation_id: string }

export async function readCampaign(
  deps: { db: Db },
  { organisation_id }: Owner,
  id: string,
): Promise<CampaignWithOutcomes> {
  const row = await knownCampaign(deps.db, organisation_id, id)
  const outcomes = await countOutcomes(deps.db, organisation_id, row.id)
  return {
    ...shownCampaign(row),
    outcomes: Object.fromEntries(outcomes.map(({ outcome, people }) => [outcome, people])),
  }
}

export async function findCampaigns(
  deps: { db: Db },
  { organisation_id }: Owner,
  { status, ...query }: PageQuery & { status?: CampaignStatus },
): Promise<{ campaigns: Campaign[]; pagination: Pagination }> {
  const { rows, pagination } = await listCampaigns(deps.db, organisation_id, status, readPage(query))
  return { campaigns: rows.map(shownCampaign), pagination }
}

export async function knownCampaign(db: Db, organisation_id: string, id: string): Promise<CampaignRow> {
  const row = isId(id) ? await findCampaign(db, organisation_id, id) : undefined
  if (!row) throw new Refusal('not_found', 'There is no such campaign.')
  return row
}

export function shownCampaign(stored: CampaignRow): Campaign {
  const row = shownIncomplete(stored)
  const { message } = row
  return {
    ...pickPresent(row, 'id', 'name', 'status', 'smartlist_id'),
    ...(row.filters.length > 0 ? { filters: row.filters } : {}),
    uploaded: row.uploaded,
    ...(row.draft ? { is_incomplete: true } : {}),
    ...pickPresent(row, 'resend_of'),
    ...pickPresent(message, 'channel', 'sender_id'),
    texts: row.texts.map((text) => pickPresent(text, 'content', 'template_id', 'template_version', 'share')),
    route_class: message.route_class ?? 'transactional',
    is_trackable: message.is_trackable ?? false,
    ...pickPresent(message, 'smart_encoding', 'external_ref', 'callback'),
    ...pickPresent(row, 'send_at', 'pace_per_hour', 'quiet_from', 'quiet_until'),
    ...(row.asked_datetime === null && !row.gathered ? {} : { estimate: shownEstimate(row) }),
    progress: {
      ...pickPresent(row, 'accepted', 'dropped', 'taken_back'),
      charge: moneyToNumber(row.charged),
      given_back: moneyToNumber(row.given_back),
    },
    ...pickPresent(row, 'pause_reason', 'fault', 'created_datetime', 'updated_datetime'),
    ...pickPresent(row, 'started_datetime', 'ended_datetime'),
  }
}

const MOST_SIZES = 100

function shownEstimate(row: CampaignRow): NonNullable<Campaign['estimate']> {
  const sizes = Object.entries(row.sizes).map(([key, [people, charge]]) => {
    const [text_number, encoding = '', pages] = key.split(' ')
    const cost = moneyToNumber(BigInt(charge))
    return { text_number: Number(text_number), encoding, pages: Number(pages), people, charge: cost }
  })
  return {
    is_complete: row.gathered,
    ...pickPresent(row, 'rows', 'people'),
    charge: moneyToNumber(row.charge),
    sizes: sizes.sort((a, b) => b.people - a.people).slice(0, MOST_SIZES),
    ...pickPresent(row, 'left_out', 'samples', 'estimated_datetime'),
  }
}

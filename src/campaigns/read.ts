import type { Db } from '../db/connect.ts'
import { isId } from '../values/id.ts'
import { moneyToNumber } from '../values/money.ts'
import { readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { present } from '../values/record.ts'
import { Refusal } from '../values/refusal.ts'
import { countOutcomes } from './report/report-store.ts'
import type { Campaign, CampaignStatus, CampaignWithOutcomes } from './schema.ts'
import { findCampaign, listCampaigns, type CampaignRow } from './store.ts'

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

export function shownCampaign(row: CampaignRow): Campaign {
  const { id, name, status, message, accepted, dropped, taken_back } = row
  return {
    id,
    name,
    status,
    ...present('smartlist_id', row.smartlist_id),
    ...(row.filters.length > 0 ? { filters: row.filters } : {}),
    uploaded: row.uploaded,
    channel: message.channel,
    ...present('sender_id', message.sender_id),
    texts: row.texts.map(({ content, template_id, template_version, share }) => {
      return {
        content,
        ...present('template_id', template_id),
        ...present('template_version', template_version),
        share,
      }
    }),
    route_class: message.route_class ?? 'transactional',
    is_trackable: message.is_trackable ?? false,
    ...present('smart_encoding', message.smart_encoding),
    ...present('external_ref', message.external_ref),
    ...present('callback', message.callback),
    ...present('send_at', row.send_at),
    ...present('pace_per_hour', row.pace_per_hour),
    ...present('quiet_from', row.quiet_from),
    ...present('quiet_until', row.quiet_until),
    ...(row.asked_datetime === null && !row.gathered ? {} : { estimate: shownEstimate(row) }),
    progress: {
      accepted,
      charge: moneyToNumber(row.charged),
      dropped,
      taken_back,
      given_back: moneyToNumber(row.given_back),
    },
    ...present('pause_reason', row.pause_reason),
    ...present('fault', row.fault),
    created_datetime: row.created_datetime,
    ...present('updated_datetime', row.updated_datetime),
    ...present('started_datetime', row.started_datetime),
    ...present('ended_datetime', row.ended_datetime),
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
    rows: row.rows,
    people: row.people,
    charge: moneyToNumber(row.charge),
    sizes: sizes.sort((a, b) => b.people - a.people).slice(0, MOST_SIZES),
    left_out: row.left_out,
    samples: row.samples,
    ...present('estimated_datetime', row.estimated_datetime),
  }
}

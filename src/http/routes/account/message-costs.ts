import type { CampaignQuery, LedgerTimes, MessageCost } from '../../../billing/schema.ts'
import type { FoundMessage } from '../../../messaging/read/schema.ts'
import { searchMessages, type Search } from '../../../messaging/read/search.ts'
import { searchPages } from '../../../messaging/read/search-pages.ts'
import { csvLine } from '../../../values/csv-write.ts'
import { present } from '../../../values/record.ts'
import type { HttpDeps } from '../../deps.ts'
import { messagesOf, searchWithCampaigns } from '../../../campaigns/messages.ts'
import { refuseIfFaulty } from '../../../values/refusal.ts'
import { readTimes } from './ledger-filter.ts'

/** Ten-thousandths per unit: sums of floating point numbers would drift. */
const EXACT = 10_000

type CostSearch = { search: Search; is_grouped: boolean }

export async function readCostSearch(
  deps: Pick<HttpDeps, 'db'>,
  organisation_id: string,
  query: LedgerTimes & CampaignQuery,
): Promise<CostSearch> {
  const times = readTimes(query)
  const { campaign_id, group } = query
  if (!campaign_id) return { search: times, is_grouped: group === 'campaign' }
  if (times.external_ref !== undefined) {
    const message = 'Give a campaign or a reference, not both.'
    refuseIfFaulty([{ field: 'campaign_id', message, type: 'invalid' }])
  }
  const message_ids = await messagesOf(deps, organisation_id, campaign_id)
  return { search: { ...times, message_ids }, is_grouped: false }
}

/** Messages with what was charged, refunded, and remains. */
export async function findCosts(
  deps: Pick<HttpDeps, 'db'>,
  organisation_id: string,
  { search, is_grouped }: CostSearch,
  place: { before: string | undefined; limit: number },
): Promise<{ messages: MessageCost[]; next: string | undefined }> {
  const find = is_grouped ? searchWithCampaigns : searchMessages
  const { messages, next } = await find(deps, organisation_id, search, place)
  return { messages: messages.map(costOf), next }
}

function costOf({ id, channel, external_ref, recipients, recipients_total, ...rest }: FoundMessage): MessageCost {
  const { charge, refunded = 0, created_datetime, campaign } = rest
  const net = Math.round((charge - refunded) * EXACT) / EXACT
  const about = { id, channel, ...present('external_ref', external_ref), recipients, recipients_total }
  const of = campaign && { id: campaign.id, name: campaign.name, ...present('messages', campaign.messages) }
  return { ...about, charge, refunded, net, created_datetime, ...present('campaign', of) }
}

const HEAD = ['message_id', 'created_datetime', 'channel', 'external_ref', 'recipients', 'charge', 'refunded', 'net']

/** The same as CSV, read as fast as the client does. */
export async function* exportCosts(
  deps: Pick<HttpDeps, 'db'>,
  organisation_id: string,
  search: Search,
): AsyncGenerator<string> {
  yield `\ufeff${csvLine(HEAD)}`
  for await (const messages of searchPages(deps, organisation_id, search)) {
    yield messages
      .map(costOf)
      .map((one) =>
        csvLine([
          one.id,
          one.created_datetime,
          one.channel,
          one.external_ref ?? '',
          String(one.recipients_total),
          String(one.charge),
          String(one.refunded),
          String(one.net),
        ]),
      )
      .join('')
  }
}

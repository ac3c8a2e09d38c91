import type { LedgerEntry } from '../billing/schema.ts'
import type { Db } from '../db/connect.ts'
import type { DeliveryStatus } from '../messaging/schema.ts'
import type { FoundMessage } from '../messaging/read/schema.ts'
import { searchMessages, type Found, type Search } from '../messaging/read/search.ts'
import { moneyToNumber } from '../values/money.ts'
import { present } from '../values/record.ts'
import { findCampaignsOf, isFurtherSlice, listMessageIds, type CampaignOfMessage } from './messages-store.ts'
import { knownCampaign } from './read.ts'

/** The messages of a campaign, as a filter. */
export async function messagesOf({ db }: { db: Db }, organisation_id: string, campaign_id: string): Promise<string[]> {
  const { id } = await knownCampaign(db, organisation_id, campaign_id)
  return listMessageIds(db, organisation_id, id)
}

/** The campaigns that ledger entries stand for, by entry: those of the first charge of a campaign. */
export async function entryCampaigns(
  { db }: { db: Db },
  organisation_id: string,
  entries: readonly LedgerEntry[],
): Promise<Map<string, NonNullable<LedgerEntry['campaign']>>> {
  const charges = entries.filter(({ kind, subjects }) => kind === 'message' && subjects === undefined)
  const ids = charges.map(({ subject_id }) => subject_id)
  const found = await findCampaignsOf(db, organisation_id, ids)
  return new Map(
    charges.flatMap(({ id, subject_id }) => {
      const of = found.get(subject_id)
      if (!of?.is_first) return []
      const { name, messages, charged, refunded } = of
      const totals = { charge: moneyToNumber(charged), refunded: moneyToNumber(refunded) }
      return [[id, { id: of.id, name, messages, ...totals }] as const]
    }),
  )
}

/**
 * Searches messages and names the campaign of each. A search by nothing but time lists a campaign as one message, the
 * first since the beginning of that time, with the totals of the campaign.
 */
export async function searchWithCampaigns(
  deps: { db: Db },
  organisation_id: string,
  search: Search,
  place: { before: string | undefined; limit: number },
): Promise<Found> {
  const { recipient, status, external_ref, text, message_ids } = search
  const is_grouped = [recipient, status, external_ref, text, message_ids].every((one) => one === undefined)
  const found = await searchMessages(
    deps,
    organisation_id,
    is_grouped ? { ...search, hides: (sql, id, from) => isFurtherSlice(sql, organisation_id, id, from) } : search,
    place,
  )
  const ids = found.messages.map(({ id }) => id)
  const campaigns = await findCampaignsOf(deps.db, organisation_id, ids)
  const messages = found.messages.map((message) => withCampaign(message, campaigns.get(message.id), is_grouped))
  return { ...found, messages }
}

function withCampaign(message: FoundMessage, of: CampaignOfMessage | undefined, is_grouped: boolean): FoundMessage {
  if (!of) return message
  const { id, name, status, messages } = of
  if (!is_grouped || !of.is_first) return { ...message, campaign: { id, name, status } }
  const { refunded: _own, ...rest } = message
  return {
    ...rest,
    recipients_total: of.accepted,
    statuses: statusesOf(of),
    charge: moneyToNumber(of.charged),
    ...present('refunded', of.refunded > 0n ? moneyToNumber(of.refunded) : undefined),
    campaign: { id, name, status, messages },
  }
}

/** Counters have the statuses of deliveries. */
function statusesOf({ statuses }: CampaignOfMessage): Partial<Record<DeliveryStatus, number>> {
  return statuses
}

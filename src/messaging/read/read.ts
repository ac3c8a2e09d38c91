import { urlOf } from '../../callbacks/formats/address.ts'
import type { Db } from '../../db/connect.ts'
import { groupBy } from '../../values/group.ts'
import { isId } from '../../values/id.ts'
import { moneyToNumber } from '../../values/money.ts'
import { COUNT_LIMIT, paginate, readPage, type PageQuery, type Pagination } from '../../values/page.ts'
import { present } from '../../values/present.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { checkPlain } from '../compose/check.ts'
import { listLinks, type LinkRow } from '../links/link-store.ts'
import type { Delivery, ListedMessage } from '../schema.ts'
import {
  countMessages,
  findMessage,
  listDeliveries,
  listMessages,
  summariseDeliveries,
  type DeliveryRow,
  type DeliverySummary,
  type MessageRow,
} from './store.ts'

/** A list shows this many recipients of a message; reading the message shows all. */
const LISTED_RECIPIENTS = 100

export async function readMessage(
  deps: { db: Db; public_url: string },
  organisation_id: string,
  id: string,
): Promise<ListedMessage & { deliveries: Delivery[] }> {
  const message = isId(id) ? await findMessage(deps.db, organisation_id, id) : undefined
  if (!message) throw new Refusal('not_found', 'There is no such message.')
  const [deliveries, links] = await Promise.all([
    listDeliveries(deps.db, organisation_id, message.id),
    message.is_trackable ? listLinks(deps.db, organisation_id, message.id) : [],
  ])
  const links_of = groupBy(links, ({ recipient }) => recipient)
  const updated_datetime = deliveries.reduce((latest, row) => later(latest, row.updated_datetime), '')
  const recipients = deliveries.map(({ recipient }) => recipient)
  const summary = { recipients, send_at: firstTime(deliveries), updated_datetime: updated_datetime || null }
  return {
    ...listed(message, summary),
    deliveries: deliveries.map((row) => ({ ...shown(row), ...clicksOf(deps, message, row, links_of) })),
  }
}

export async function findMessages(
  deps: { db: Db },
  organisation_id: string,
  query: PageQuery & { external_ref?: string },
): Promise<{ messages: ListedMessage[]; pagination: Pagination }> {
  const page = readPage(query)
  const { external_ref } = query
  const faults: Fault[] = []
  checkPlain('external_ref', external_ref, faults)
  refuseIfFaulty(faults)
  const [found, count_total] = await Promise.all([
    listMessages(deps.db, organisation_id, { ...page, external_ref, limit: page.limit + 1 }),
    countMessages(deps.db, organisation_id, external_ref, COUNT_LIMIT),
  ])
  const { rows, pagination } = paginate(page, found, count_total)
  const summaries = await summariseDeliveries(
    deps.db,
    organisation_id,
    rows.map(({ id }) => id),
    LISTED_RECIPIENTS,
  )
  const summary_of = new Map(summaries.map((summary) => [summary.message_id, summary]))
  const messages = rows.map((row) => {
    return listed(row, summary_of.get(row.id) ?? { recipients: [], send_at: null, updated_datetime: null })
  })
  return { messages, pagination }
}

function listed(
  message: MessageRow,
  { recipients, send_at, updated_datetime }: Omit<DeliverySummary, 'message_id'>,
): ListedMessage {
  return {
    id: message.id,
    recipients,
    ...present('sender_id', message.sender_id),
    channel: message.channel,
    is_trackable: message.is_trackable,
    ...present('content', message.content),
    ...present('external_ref', message.external_ref),
    ...present('callback', message.callback === null ? null : urlOf(message.callback) || null),
    ...present('template_id', message.template_id),
    ...present('template_version', message.template_version),
    ...present('personalisation', message.personalisation),
    ...present('send_at', send_at),
    created_datetime: message.created_datetime,
    ...present('updated_datetime', updated_datetime),
  }
}

type Clicks = Pick<Delivery, 'clicks' | 'clicks_raw' | 'clicked_datetime' | 'links'>

/** What happened to the links of a recipient; nothing is said about messages whose links are not tracked. */
function clicksOf(
  { public_url }: { public_url: string },
  { is_trackable }: MessageRow,
  { recipient }: DeliveryRow,
  links_of: ReadonlyMap<string, LinkRow[]>,
): Clicks {
  if (!is_trackable) return {}
  const own = links_of.get(recipient) ?? []
  // From the links as well, read a moment before or after the delivery: an answer agrees with itself.
  const [first] = own.flatMap(({ clicked_datetime }) => clicked_datetime ?? []).sort()
  return {
    clicks: own.reduce((sum, { clicks }) => sum + clicks, 0),
    clicks_raw: own.reduce((sum, { clicks_raw }) => sum + clicks_raw, 0),
    ...present('clicked_datetime', first),
    links: own.map(({ url, code, clicks, clicks_raw, clicked_datetime }) => ({
      url,
      short_url: `${public_url}/l/${code}`,
      clicks,
      clicks_raw,
      ...present('clicked_datetime', clicked_datetime),
    })),
  }
}

/** A message was last updated when the last of its deliveries was. Our timestamps sort as text. */
function later(latest: string, updated_datetime: string | null): string {
  return updated_datetime !== null && updated_datetime > latest ? updated_datetime : latest
}

/** When the first delivery was to go, if none was to go at once. */
function firstTime(deliveries: readonly DeliveryRow[]): string | null {
  const times = deliveries.map(({ send_at }) => send_at ?? '')
  return times.reduce((first, one) => (one < first ? one : first), times[0] ?? '') || null
}

function shown(row: DeliveryRow): Delivery {
  return {
    recipient: row.recipient,
    ...present('text', row.text),
    status: row.status,
    ...present('code', row.code),
    ...present('description', row.description),
    pages: row.pages,
    charge: moneyToNumber(row.charge),
    refunded: row.refunded,
    ...present('send_at', row.send_at),
    created_datetime: row.created_datetime,
    ...present('updated_datetime', row.updated_datetime),
  }
}

import { adviceFor } from '../../carriers/delivery-codes.ts'
import type { Db } from '../../db/connect.ts'
import { forOperators, type Viewer } from '../../users/viewer.ts'
import { isId } from '../../values/id.ts'
import { moneyToNumber } from '../../values/money.ts'
import { paginate, readPage, type PageQuery, type Pagination } from '../../values/page.ts'
import { present } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import type { DeliveryStatus } from '../schema.ts'
import type { ShownDelivery, ShownLink, Timeline, TimelineEvent } from './schema.ts'
import {
  countClicks,
  findDelivery,
  listLinksOf,
  listSome,
  type ClickedLink,
  type TimelineRow,
} from './timeline-store.ts'

const OPEN: readonly DeliveryStatus[] = ['scheduled', 'queued', 'sent']

const MAX_LINKS = 100

/** The events of a message to one recipient, oldest first. */
export async function readTimeline(
  deps: { db: Db; public_url: string },
  organisation_id: string,
  message_id: string,
  recipient: string,
  viewer: Viewer,
): Promise<Timeline> {
  const row = isId(message_id) ? await findDelivery(deps.db, organisation_id, message_id, recipient) : undefined
  if (!row) throw new Refusal('not_found', 'There is no such recipient of such a message.')
  const links = await listLinksOf(deps.db, organisation_id, message_id, recipient, MAX_LINKS)
  return {
    recipient: row.recipient,
    status: row.status,
    ...present('text', row.text),
    ...present('links', links.length === 0 ? null : links.map((link) => shownLink(deps, link))),
    events: [...eventsOf(row, viewer), ...links.flatMap(clickOf)],
  }
}

function shownLink({ public_url }: { public_url: string }, { url, code, clicks, clicks_raw }: ClickedLink): ShownLink {
  return { url, short_url: `${public_url}/l/${code}`, clicks, clicks_raw }
}

/** Only clicks of people are events; previews and bots are counted with the link. */
function clickOf({ url, clicks, clicked_datetime }: ClickedLink): TimelineEvent[] {
  return clicked_datetime === null ? [] : [{ kind: 'click', created_datetime: clicked_datetime, url, clicks }]
}

/** The deliveries of a message, page by page. */
export async function findDeliveries(
  deps: { db: Db },
  organisation_id: string,
  message_id: string,
  query: PageQuery & { status?: DeliveryStatus; recipient?: string | undefined },
  total: number,
  viewer: Viewer,
): Promise<{ deliveries: ShownDelivery[]; pagination: Pagination }> {
  const page = readPage(query)
  const { status, recipient } = query
  const wanted = { status, recipient, skip: page.skip, limit: page.limit + 1 }
  const found = await listSome(deps.db, organisation_id, message_id, wanted)
  const { pagination } = paginate(
    page,
    found.map(() => ({ id: message_id })),
    total,
  )
  const rows = found.slice(0, page.limit)
  const recipients = rows.map((row) => row.recipient)
  const counted = await countClicks(deps.db, organisation_id, message_id, recipients)
  const clicks_of = new Map(counted.map(({ recipient: clicker, ...counts }) => [clicker, counts]))
  const deliveries = rows.map((row) => ({ ...shownDelivery(row, viewer), ...clicks_of.get(row.recipient) }))
  return { deliveries, pagination }
}

export function shownDelivery(row: TimelineRow, viewer: Viewer): ShownDelivery {
  return {
    recipient: row.recipient,
    status: row.status,
    ...present('text', row.text),
    ...present('code', row.code),
    ...present('description', row.description),
    ...present('advice', adviceFor(row)),
    pages: row.pages,
    charge: moneyToNumber(row.charge),
    refunded: row.refunded,
    route: row.route,
    ...forOperators(viewer, present('carrier', row.carrier)),
    created_datetime: row.created_datetime,
    ...present('send_at', row.send_at),
    ...present('updated_datetime', row.updated_datetime),
    ...present('read_datetime', row.read_datetime),
    ...present('price_category', row.price_category),
  }
}

function eventsOf(row: TimelineRow, viewer: Viewer): TimelineEvent[] {
  const { status, created_datetime, updated_datetime, sent_datetime, carrier } = row
  const events: TimelineEvent[] = [{ kind: 'accepted', created_datetime, charge: moneyToNumber(row.charge) }]
  if (row.send_at !== null) events.push({ kind: 'scheduled', created_datetime, send_at: row.send_at })
  if (sent_datetime !== null) {
    events.push({ kind: 'sent', created_datetime: sent_datetime, ...forOperators(viewer, present('carrier', carrier)) })
  }
  if (updated_datetime === null || OPEN.includes(status)) return events
  events.push({
    kind: 'ended',
    status,
    created_datetime: updated_datetime,
    ...present('code', row.code),
    ...present('description', row.description),
    ...present('advice', adviceFor(row)),
  })
  if (row.read_datetime !== null) events.push({ kind: 'read', created_datetime: row.read_datetime })
  if (row.refunded) {
    events.push({ kind: 'refunded', created_datetime: updated_datetime, charge: moneyToNumber(row.charge) })
  }
  return events
}

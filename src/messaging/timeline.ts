import type { Db } from '../db/connect.ts'
import { isId } from '../values/id.ts'
import { moneyToNumber } from '../values/money.ts'
import { paginate, readPage, type PageQuery, type Pagination } from '../values/page.ts'
import { present } from '../values/present.ts'
import { Refusal } from '../values/refusal.ts'
import type { DeliveryStatus, ShownDelivery, TimelineEvent } from './schema.ts'
import { findDelivery, listOpened, listSome, type TimelineRow } from './timeline-store.ts'

const OPEN: readonly DeliveryStatus[] = ['scheduled', 'queued', 'sent']

export type Timeline = { recipient: string; status: DeliveryStatus; text?: string; events: TimelineEvent[] }

/** What happened to a message on its way to one recipient, oldest first. */
export async function readTimeline(
  deps: { db: Db },
  organisation_id: string,
  message_id: string,
  recipient: string,
): Promise<Timeline> {
  const row = isId(message_id) ? await findDelivery(deps.db, organisation_id, message_id, recipient) : undefined
  if (!row) throw new Refusal('not_found', 'There is no such recipient of such a message.')
  const opened = await listOpened(deps.db, organisation_id, message_id, recipient)
  const clicks = opened.map(({ url, clicks, clicked_datetime }) => {
    return { kind: 'click' as const, created_datetime: clicked_datetime, url, clicks }
  })
  const events = [...eventsOf(row), ...clicks]
  return { recipient: row.recipient, status: row.status, ...present('text', row.text), events }
}

/** The deliveries of a message, page by page. */
export async function findDeliveries(
  deps: { db: Db },
  organisation_id: string,
  message_id: string,
  query: PageQuery & { status?: DeliveryStatus; recipient?: string | undefined },
  total: number,
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
  return { deliveries: found.slice(0, page.limit).map(shownDelivery), pagination }
}

export function shownDelivery(row: TimelineRow): ShownDelivery {
  return {
    recipient: row.recipient,
    status: row.status,
    ...present('text', row.text),
    ...present('code', row.code),
    ...present('description', row.description),
    pages: row.pages,
    charge: moneyToNumber(row.charge),
    refunded: row.refunded,
    route: row.route,
    ...present('carrier', row.carrier),
    created_datetime: row.created_datetime,
    ...present('updated_datetime', row.updated_datetime),
  }
}

function eventsOf(row: TimelineRow): TimelineEvent[] {
  const { status, created_datetime, updated_datetime, sent_datetime, carrier } = row
  const events: TimelineEvent[] = [{ kind: 'accepted', created_datetime, charge: moneyToNumber(row.charge) }]
  if (sent_datetime !== null) {
    events.push({ kind: 'sent', created_datetime: sent_datetime, ...present('carrier', carrier) })
  }
  if (updated_datetime === null || OPEN.includes(status)) return events
  events.push({
    kind: 'ended',
    status,
    created_datetime: updated_datetime,
    ...present('code', row.code),
    ...present('description', row.description),
  })
  if (row.refunded) {
    events.push({ kind: 'refunded', created_datetime: updated_datetime, charge: moneyToNumber(row.charge) })
  }
  return events
}

import { adviceFor } from '../../carriers/delivery-codes.ts'
import type { Db } from '../../db/connect.ts'
import { groupBy } from '../../values/group.ts'
import { moneyToNumber } from '../../values/money.ts'
import { present } from '../../values/record.ts'
import { listLinks, type LinkRow } from '../links/link-store.ts'
import type { Delivery } from '../schema.ts'
import { listDeliveries, type DeliveryRow, type MessageRow } from './store.ts'

export type ReadDeps = { db: Db; public_url: string }

/** Deliveries read by one statement. */
const PER_PART = 500
/** The same for messages with tracked links, whose deliveries have links of their own. */
const TRACKED_PER_PART = 100

/** A part of the deliveries of a message, as rows and as the API returns them. */
export type DeliveriesPart = {
  rows: DeliveryRow[]
  deliveries: Delivery[]
  /** The position to continue after; undefined at the end. */
  next: number | undefined
}

/** Deliveries of a message after a position, in the order of its recipients. */
export async function readDeliveries(
  deps: ReadDeps,
  organisation_id: string,
  { id, is_trackable }: MessageRow,
  after: number,
): Promise<DeliveriesPart> {
  const limit = is_trackable ? TRACKED_PER_PART : PER_PART
  const found = await listDeliveries(deps.db, organisation_id, id, { after, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const next = found.length > limit ? rows.at(-1)?.position : undefined
  if (!is_trackable) return { rows, deliveries: rows.map(shown), next }
  const recipients = rows.map(({ recipient }) => recipient)
  const links_of = groupBy(await listLinks(deps.db, organisation_id, id, recipients), ({ recipient }) => recipient)
  const deliveries = rows.map((row) => ({ ...shown(row), ...clicksOf(deps, links_of.get(row.recipient) ?? []) }))
  return { rows, deliveries, next }
}

type Clicks = Pick<Delivery, 'clicks' | 'clicks_raw' | 'clicked_datetime' | 'links'>

/** Clicks of a recipient. */
function clicksOf({ public_url }: ReadDeps, own: readonly LinkRow[]): Clicks {
  // From the links, not from the delivery, which is read separately: an answer must be consistent.
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

export type Times = { send_at: string | null; updated_datetime: string | null }

/** The earliest scheduled time of a message, if all deliveries are scheduled, and its last update. Timestamps sort as text. */
export function timesOf(rows: readonly DeliveryRow[]): Times {
  return rows.map(({ send_at, updated_datetime }) => ({ send_at, updated_datetime })).reduce(together, rows[0] ?? NEVER)
}

/** Combines the times of two parts. */
export function together(one: Times, other: Times): Times {
  const [send_at = null] = one.send_at === null || other.send_at === null ? [] : [one.send_at, other.send_at].sort()
  const updated = [one.updated_datetime ?? '', other.updated_datetime ?? ''].sort()
  return { send_at, updated_datetime: updated.at(-1) || null }
}

const NEVER: Times = { send_at: null, updated_datetime: null }

export function shown(row: DeliveryRow): Delivery {
  return {
    recipient: row.recipient,
    ...present('text', row.text),
    status: row.status,
    ...present('code', row.code),
    ...present('description', row.description),
    ...present('advice', adviceFor(row)),
    pages: row.pages,
    charge: moneyToNumber(row.charge),
    refunded: row.refunded,
    ...present('send_at', row.send_at),
    created_datetime: row.created_datetime,
    ...present('updated_datetime', row.updated_datetime),
    ...present('read_datetime', row.read_datetime),
    ...present('price_category', row.price_category),
  }
}

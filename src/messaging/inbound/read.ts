import type { Db } from '../../db/connect.ts'
import { isId } from '../../values/id.ts'
import { readPage, type PageQuery, type Pagination } from '../../values/page.ts'
import { cleanDigits, dialPlan } from '../../values/phone/phone.ts'
import { present } from '../../values/record.ts'
import { Refusal, refuseIfFaulty } from '../../values/refusal.ts'
import type { InboundMessage } from './schema.ts'
import type { ReceivedMedia } from '../../media/schema.ts'
import { findInbound, listInbound, listUnowned, type InboundRow } from './store.ts'

type Owner = { organisation_id: string; default_country: string }

export async function readInbound(deps: { db: Db }, organisation_id: string, id: string): Promise<InboundMessage> {
  const row = isId(id) ? await findInbound(deps.db, organisation_id, id) : undefined
  if (!row) throw new Refusal('not_found', 'There is no such text.')
  return shownInbound(row)
}

export async function findInboundMessages(
  deps: { db: Db },
  { organisation_id, default_country }: Owner,
  query: PageQuery & { from?: string },
): Promise<{ inbound: InboundMessage[]; pagination: Pagination }> {
  const page = readPage(query)
  const from = query.from === undefined ? undefined : cleanDigits(query.from, dialPlan(default_country))
  if (query.from !== undefined && from === undefined) {
    refuseIfFaulty([{ field: 'from', message: 'This is not a phone number.', type: 'phone_invalid' }])
  }
  const { rows, pagination } = await listInbound(deps.db, organisation_id, from, page)
  return { inbound: rows.map(shownInbound), pagination }
}

/** For the operator: texts to numbers of no organisation, newest first. */
export async function findUnownedTexts(deps: { db: Db }, limit: number): Promise<InboundMessage[]> {
  return (await listUnowned(deps.db, limit)).map(shownInbound)
}

export function shownInbound(row: InboundRow): InboundMessage {
  const { id, from, to, channel, text, whatsapp, keyword, created_datetime } = row
  return {
    id,
    from,
    to,
    channel,
    text,
    ...present('whatsapp', whatsapp),
    ...present('keyword', keyword),
    ...present('media', shownMediaOf(row)),
    created_datetime,
  }
}

export function shownMediaOf({ id, media }: Pick<InboundRow, 'id' | 'media'>): ReceivedMedia | undefined {
  if (!media) return undefined
  const { type, filename, size, state } = media
  return {
    id,
    type,
    ...present('filename', filename),
    ...present('size', size),
    state: state === 'uploading' ? 'pending' : state,
  }
}

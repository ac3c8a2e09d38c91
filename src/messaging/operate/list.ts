import type { Db } from '../../db/connect.ts'
import { decodeCursor, encodeCursor } from '../../values/cursor.ts'
import { firstIdAt, isId, justAfter } from '../../values/id.ts'
import { refuseIfFaulty } from '../../values/refusal.ts'
import { HIGHEST_ID } from '../read/message-rows-store.ts'
import { earlier, later, searchRange } from '../read/search-range.ts'
import { findOldest } from '../read/search-store.ts'
import { listFiltered, type DeliveryFilter, type ListedDelivery } from './store.ts'

/** Behind all positions of a message. */
const LAST_POSITION = 2_147_483_647

/**
 * Deliveries of an organisation by any filters, newest first. Ranges of time are scanned within a time limit: without a hit
 * the answer has a cursor from which the search continues.
 */
export async function listDeliveriesBy(
  { db }: { db: Db },
  organisation_id: string,
  {
    since_ms,
    until_ms,
    cursor,
    limit,
    ...filter
  }: Omit<DeliveryFilter, 'after'> & {
    since_ms?: number | undefined
    until_ms?: number | undefined
    cursor?: string | undefined
    limit: number
  },
): Promise<{ deliveries: ListedDelivery[]; cursor: string | undefined }> {
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const oldest = await findOldest(db, organisation_id)
  if (oldest === undefined) return { deliveries: [], cursor: undefined }
  const range = {
    from: later(oldest, since_ms === undefined ? '' : firstIdAt(since_ms)),
    before: earlier(
      after ? justAfter(after.message_id) : HIGHEST_ID,
      until_ms === undefined ? HIGHEST_ID : firstIdAt(until_ms + 1),
    ),
  }
  const { hits, reached } = await searchRange(
    (part, wanted, timeout_ms) =>
      listFiltered(db, organisation_id, part, { ...filter, after }, { limit: wanted, timeout_ms }),
    range,
    { limit: limit + 1 },
  )
  const deliveries = hits.slice(0, limit)
  const last = hits.length > limit ? deliveries.at(-1) : undefined
  const next = last ?? (reached === undefined ? undefined : { message_id: reached, position: LAST_POSITION })
  return { deliveries, cursor: next && encodeCursor(`${next.message_id} ${next.position}`) }
}

function readCursor(cursor: string): { message_id: string; position: number } {
  const [message_id = '', position = ''] = (decodeCursor(cursor) ?? '').split(' ')
  if (!isId(message_id) || !/^\d{1,10}$/.test(position) || Number(position) > LAST_POSITION) {
    refuseIfFaulty([{ field: 'cursor', message: 'This is not the cursor of a list.', type: 'invalid' }])
  }
  return { message_id, position: Number(position) }
}

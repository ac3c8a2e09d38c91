import type { Db } from '../../db/connect.ts'
import { isId } from '../../values/id.ts'
import { paginate, readPage, type PageQuery, type Pagination } from '../../values/page.ts'
import { pickPresent } from '../../values/record.ts'
import { Refusal } from '../../values/refusal.ts'
import { urlOf } from '../formats/address.ts'
import type { CallbackWithAttempts, ListedCallback } from '../schema.ts'
import { findCallback, listAttempts, listCallbacks, type CallbackFilter, type CallbackRow } from './store.ts'

export async function requireCallback(deps: { db: Db }, organisation_id: string, id: string): Promise<CallbackRow> {
  const callback = isId(id) ? await findCallback(deps.db, organisation_id, id) : undefined
  if (!callback) throw new Refusal('not_found', 'There is no such callback.')
  return callback
}

export async function readCallback(
  deps: { db: Db },
  organisation_id: string,
  id: string,
): Promise<CallbackWithAttempts> {
  const callback = await requireCallback(deps, organisation_id, id)
  const attempts = await listAttempts(deps.db, organisation_id, callback.id)
  return {
    ...listedCallback(callback),
    body: callback.body,
    attempts_log: attempts.map((attempt) =>
      pickPresent(attempt, 'attempt', 'status_code', 'reason', 'excerpt', 'duration_ms', 'created_datetime'),
    ),
  }
}

/** Newest first. */
export async function findCallbacks(
  deps: { db: Db },
  organisation_id: string,
  query: PageQuery & CallbackFilter,
): Promise<{ callbacks: ListedCallback[]; pagination: Pagination }> {
  const page = readPage(query)
  const { subject_id, webhook_id, event_id, status } = query
  if ([subject_id, webhook_id, event_id].some((id) => id !== undefined && !isId(id))) {
    return { callbacks: [], pagination: paginate(page, [], 0).pagination }
  }
  const filter = { subject_id, webhook_id, event_id, status }
  const { rows, pagination } = await listCallbacks(deps.db, organisation_id, filter, page)
  return { callbacks: rows.map(listedCallback), pagination }
}

export function listedCallback(row: CallbackRow): ListedCallback {
  return {
    ...pickPresent(row, 'id', 'type', 'status', 'attempts', 'subject_id', 'event_id', 'webhook_id'),
    url: urlOf(row.url),
    ...pickPresent(row, 'created_datetime', 'updated_datetime'),
    ...(row.status === 'pending' ? pickPresent(row, 'next_attempt_datetime') : {}),
  }
}

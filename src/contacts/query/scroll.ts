import { createHash } from 'node:crypto'
import { decodeCursor, encodeCursor } from '../../values/cursor.ts'
import { isId } from '../../values/id.ts'
import { parseJson } from '../../values/input/parse-json.ts'
import { refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import type { SavedFilters } from './schema.ts'

/** A query without its page, stored while a client scrolls. */
export type SavedQuery = { filters: SavedFilters; smartlist_id?: string; search?: string; sort?: string }

/** The content of a `query_id`. The query itself is stored under its organisation: a forged id finds nothing. */
export type Place = {
  /** The id of the saved query; absent for the whole list, newest first. */
  query?: string
  page: number
  limit: number
  count_total: number
  /** The last row seen, and its key in a sorted list. Absent at the end of the list. */
  after?: { id: string; key: string | null }
}

/** Equal queries have equal ids and are stored once. */
export function queryKey(query: SavedQuery): string | undefined {
  const { filters, smartlist_id, search, sort } = query
  if (filters.length === 0 && [smartlist_id, search, sort].every((one) => one === undefined)) return undefined
  // Column names may change; their ids identify them.
  const asked = JSON.stringify([filters, smartlist_id, sort, search], (key, value: unknown) =>
    key === 'name' ? undefined : value,
  )
  const hex = createHash('sha256').update(asked).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}

export function writePlace({ query, page, limit, count_total, after }: Place): string {
  return encodeCursor(JSON.stringify([query ?? null, page, limit, count_total, after?.id, after?.key]))
}

/** Longer than any issued `query_id`: it contains the key of one cell, escaped and encoded. */
const LONGEST_PLACE = 16_384

/** Null for a `query_id` that was not issued here. */
export function readPlace(query_id: string): Place | null {
  if (query_id.length > LONGEST_PLACE) return null
  const parts = parseJson(decodeCursor(query_id) ?? '')
  if (!Array.isArray(parts)) return null
  const [query, page, limit, count_total, id, key] = parts as unknown[]
  if (query !== null && !isId(query)) return null
  if (!isCount(page, 1) || !isCount(limit, 1) || limit > 1_000 || !isCount(count_total, 0)) return null
  const place = { ...(query === null ? {} : { query }), page, limit, count_total }
  if (id === null || id === undefined) return place
  if (!isId(id) || (typeof key !== 'string' && key !== null && key !== undefined)) return null
  return { ...place, after: { id, key: key ?? null } }
}

function isCount(value: unknown, least: number): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= least
}

export const FOREIGN: Fault = {
  field: 'query_id',
  message: 'This query_id was not issued here, or it is more than a day old.',
  type: 'invalid',
}

/** Throws: for a `query_id` that expired, or is used with another query. */
export function foreign(message = FOREIGN.message): never {
  refuseIfFaulty([{ ...FOREIGN, message }])
  throw new Error('unreachable')
}

import type { Db } from '../db/connect.ts'
import { firstIdAt, isId, justAfter, madeAt } from '../values/id.ts'
import { present } from '../values/record.ts'
import { Refusal } from '../values/refusal.ts'
import { isStorable } from '../values/input/storable.ts'
import { answerTime } from '../values/time/moment.ts'
import type { LoggedRequest, RequestWithContent } from './schema.ts'
import { findBursts, listBursts, listKeyNames, readContents, type BurstRow, type CallRow } from './store.ts'

export type RequestSearch = {
  /** `404`, `4xx`, or `failed`. */
  status?: string | undefined
  path?: string | undefined
  key_id?: string | undefined
  request_id?: string | undefined
  /** Milliseconds since 1970. */
  from_ms?: number | undefined
  until_ms?: number | undefined
}

/** A request within its row: `0199a1e2-… 3`. */
export type Place = { id: string; n: number }

export type FoundRequests = {
  requests: LoggedRequest[]
  next: string | undefined
  /** How far back the search went, if it ran out of time. */
  searched_until_ms: number | undefined
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const ROWS_PER_READ = 500
/** Time limit of one search. */
const BUDGET_MS = 1_500
/** A request is stored within a second or two, by a clock that may differ from the database's. */
const WRITTEN_WITHIN_MS = 5_000
const MOST_OF_ONE_ID = 100

/**
 * Lists requests, newest first, from a cursor on. Rows are scanned within a time limit; the result has a cursor to
 * continue.
 */
export async function findRequests(
  { db }: { db: Db },
  organisation_id: string,
  search: RequestSearch,
  { after, limit }: { after: Place | undefined; limit: number },
): Promise<FoundRequests> {
  const names = await readKeyNames(db, organisation_id)
  const until = Date.now() + BUDGET_MS
  const found = after ? await restOf(db, organisation_id, after, search, names) : []
  const top = search.until_ms === undefined ? LAST_ID : firstIdAt(search.until_ms + WRITTEN_WITHIN_MS)
  let before = after && after.id < top ? after.id : top
  // Every row holds at least one request: without filters, a page needs no more rows than requests.
  const most = isNarrowed(search) ? ROWS_PER_READ : Math.min(ROWS_PER_READ, limit + 1)
  while (found.length <= limit) {
    const rows = await readRows(db, organisation_id, search, before, most)
    for (const row of rows) found.push(...callsOf(row, row.calls.length, search, names))
    before = rows.at(-1)?.id ?? before
    if (rows.length < most) break
    if (found.length <= limit && Date.now() > until) {
      const requests = found.map(({ request }) => request)
      return { requests, next: `${before} 0`, searched_until_ms: madeAt(before) }
    }
  }
  const page = found.slice(0, limit)
  const last = page.at(-1)?.place
  const next = found.length > limit && last ? `${last.id} ${last.n}` : undefined
  return { requests: page.map(({ request }) => request), next, searched_until_ms: undefined }
}

function isNarrowed({ status, path, key_id, request_id }: RequestSearch): boolean {
  return [status, path, key_id, request_id].some(Boolean)
}

async function readRows(
  db: Db,
  organisation_id: string,
  { from_ms, request_id }: RequestSearch,
  before: string,
  limit: number,
): Promise<BurstRow[]> {
  const from = firstIdAt(from_ms === undefined ? 0 : from_ms - WRITTEN_WITHIN_MS)
  if (request_id === undefined) return listBursts(db, organisation_id, { from, before, limit })
  const rows = isStorable(request_id) ? await findBursts(db, organisation_id, request_id, MOST_OF_ONE_ID) : []
  return rows.filter(({ id }) => id >= from && id < before)
}

type Placed = { place: Place; request: LoggedRequest }

/** The rest of the row in which the last page ended. */
async function restOf(
  db: Db,
  organisation_id: string,
  { id, n }: Place,
  search: RequestSearch,
  names: KeyNames,
): Promise<Placed[]> {
  const [row] = await listBursts(db, organisation_id, { from: id, before: justAfter(id), limit: 1 })
  return row ? callsOf(row, n, search, names) : []
}

/** Requests of a row before its n-th, newest first. */
function callsOf(row: BurstRow, n: number, search: RequestSearch, names: KeyNames): Placed[] {
  return row.calls
    .slice(0, n)
    .map((call, place) => ({ call, place }))
    .filter(({ call }) => isWanted(row, call, search))
    .map(({ call, place }) => ({ place: { id: row.id, n: place }, request: shownRequest(row, call, names) }))
    .toReversed()
}

/** The newest request with this id, with its bodies. */
export async function readRequest(
  { db }: { db: Db },
  organisation_id: string,
  request_id: string,
): Promise<RequestWithContent> {
  const [row] = isStorable(request_id) ? await findBursts(db, organisation_id, request_id, 1) : []
  const n = row?.calls.findLastIndex((call) => call.request_id === request_id) ?? -1
  const call = row?.calls[n]
  if (!row || !call) {
    const sentence = 'There is no request with this id: it is too old, was left out of the sample, or never arrived.'
    throw new Refusal('not_found', sentence)
  }
  const [contents, names] = await Promise.all([
    readContents(db, organisation_id, row.id),
    readKeyNames(db, organisation_id),
  ])
  const content = contents[n]
  return {
    ...shownRequest(row, call, names),
    ...present('body', content?.body),
    ...present('answer', content?.answer),
    left_out: content?.left_out === true,
  }
}

export function isPlace(text: string): boolean {
  const [id, n = ''] = text.split(' ')
  return isId(id) && /^\d{1,4}$/.test(n)
}

export function placeOf(text: string): Place {
  const [id = '', n] = text.split(' ')
  return { id, n: Number(n) }
}

type KeyNames = ReadonlyMap<string, { hint: string; name: string | null }>

async function readKeyNames(db: Db, organisation_id: string): Promise<KeyNames> {
  return new Map((await listKeyNames(db, organisation_id)).map((key) => [key.id, key]))
}

function isWanted(row: BurstRow, call: CallRow, search: RequestSearch): boolean {
  const { status, path, key_id, request_id, from_ms, until_ms } = search
  if (status && !hasStatus(call.status, status)) return false
  if (path && !call.path.startsWith(path)) return false
  if (key_id && call.key_id !== key_id) return false
  if (request_id !== undefined && call.request_id !== request_id) return false
  const at = momentOf(row, call)
  return (from_ms === undefined || at >= from_ms) && (until_ms === undefined || at <= until_ms)
}

function hasStatus(status: number, wanted: string): boolean {
  if (wanted === 'failed') return status >= 400
  return wanted.endsWith('xx') ? Math.floor(status / 100) === Number(wanted[0]) : status === Number(wanted)
}

function momentOf({ created_datetime }: BurstRow, { ago_ms }: CallRow): number {
  return Date.parse(created_datetime) - ago_ms
}

function shownRequest(row: BurstRow, call: CallRow, names: KeyNames): LoggedRequest {
  const { request_id, method, path, status, ms: duration_ms, key_id } = call
  const key = key_id === null ? undefined : names.get(key_id)
  return {
    request_id,
    method,
    path,
    status,
    duration_ms,
    ...present('key', key?.hint),
    ...present('key_id', key_id),
    ...present('key_name', key?.name),
    created_datetime: answerTime(momentOf(row, call)),
    ...(row.seen > row.calls.length ? { shown: row.calls.length, seen: row.seen } : {}),
  }
}

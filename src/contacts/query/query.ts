import type { Db } from '../../db/connect.ts'
import { isFirstPage, PAGE_LIMIT, type Pagination } from '../../values/page.ts'
import { refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import { shownRow } from '../rows/rows.ts'
import type { ContactRow, ContactTable } from '../schema.ts'
import { openTable, type OpenTable, type Owner } from '../table.ts'
import type { CountRows } from './count.ts'
import { findRows } from './find.ts'
import { MARK_EVERY, type FindStart } from './marks.ts'
import { findQuery, keepQuery } from './query-store.ts'
import { DEEPEST_ROW, EXACT_COUNT, type QueryBody, type RowsQuery, type Smartlist } from './schema.ts'
import { foreign, FOREIGN, queryKey, readPlace, writePlace, type Place } from './scroll.ts'
import { readSearch, type ReadSearch } from './search.ts'
import type { FoundRow } from './statement-store.ts'

export type CountDeps = { db: Db; countContactRows: CountRows }
export type QueryDeps = CountDeps & { findContactStart: FindStart }

type FoundRows = { rows: ContactRow[]; table: ContactTable; smartlist: Smartlist | null; pagination: Pagination }

/** A page of matching rows. Parameters of the query string take precedence over those of the body. */
export async function queryRows(
  deps: QueryDeps,
  owner: Owner,
  params: RowsQuery,
  body: Partial<QueryBody>,
  shape_faults: readonly Fault[],
): Promise<FoundRows> {
  const table = await openTable(deps, owner)
  const given = { ...body, ...params }
  const { query_id } = given
  const misshapen = shape_faults.some(({ field }) => field === 'query_id')
  const place = misshapen || isFirstPage(query_id) ? undefined : readPlace(query_id)
  const asked = await readSearch(deps, table, given, [...shape_faults, ...(place === null ? [FOREIGN] : [])])
  if (place) return scroll(deps, table, asked, place, given.limit ?? given.per_page)

  const limit = given.limit ?? given.per_page ?? PAGE_LIMIT
  const page = given.page ?? 1
  const skip = (page - 1) * limit
  if (skip > DEEPEST_ROW) {
    const message = `Pages end at row ${DEEPEST_ROW}: continue with the query_id of a response.`
    refuseIfFaulty([{ field: 'page', message, type: 'less_than_equal' }])
  }
  const key = queryKey(asked.saved)
  const { found, count_total } = await findPage(deps, asked, countKey(asked, key), skip, limit)
  if (key !== undefined) await keepQuery(deps.db, table.organisation_id, key, asked.saved)
  return answer(table, asked, found, { ...(key === undefined ? {} : { query: key }), page, limit, count_total })
}

/** The rows of a page and one more, and the total. */
async function findPage(
  { db, countContactRows, findContactStart }: QueryDeps,
  { search }: ReadSearch,
  key: string,
  skip: number,
  limit: number,
): Promise<{ found: FoundRow[]; count_total: number }> {
  const count = skip > MARK_EVERY ? await countContactRows(search, key) : undefined
  const is_long = count !== undefined && count >= EXACT_COUNT
  const start = is_long ? await findContactStart(search, key, skip) : { after: undefined, skip }
  const found = await findRows(db, search, { ...start, limit: limit + 1 })
  if (count !== undefined) return { found, count_total: count }
  const ends_here = found.length <= limit && (found.length > 0 || skip === 0)
  return { found, count_total: ends_here ? skip + found.length : await countContactRows(search, key) }
}

/** Continues behind the last row of an earlier response. */
async function scroll(
  deps: QueryDeps,
  table: OpenTable,
  asked: ReadSearch,
  place: Place,
  wanted_limit: number | undefined,
): Promise<FoundRows> {
  const asked_key = queryKey(asked.saved)
  if (asked_key !== undefined && asked_key !== place.query) foreign('This query_id belongs to another query.')
  const resumed = asked_key === undefined && place.query !== undefined ? await resume(deps, table, place.query) : asked
  const here = { ...place, limit: wanted_limit ?? place.limit }
  if (!place.after) return answer(table, resumed, [], here)
  const window = { after: place.after, skip: 0, limit: here.limit + 1 }
  return answer(table, resumed, await findRows(deps.db, resumed.search, window), here)
}

async function resume(deps: QueryDeps, table: OpenTable, key: string): Promise<ReadSearch> {
  const saved = await findQuery(deps.db, table.organisation_id, key)
  if (!saved) return foreign()
  await keepQuery(deps.db, table.organisation_id, key, saved)
  return readSearch(deps, table, saved, [])
}

/** Includes the smartlist's time of change: its filters may change while the query stays the same. */
function countKey({ search, smartlist }: ReadSearch, key: string | undefined): string {
  return [search.organisation_id, key, smartlist?.updated_datetime].join(' ')
}

function answer(table: OpenTable, asked: ReadSearch, found: readonly FoundRow[], place: Place): FoundRows {
  const { limit, page, count_total } = place
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const { after: _passed, ...rest } = place
  const next = last ? { ...rest, after: { id: last.id, key: last.sort_key ?? null } } : rest
  return {
    rows: shown.map((row) => shownRow(table, row)),
    table: table.shown,
    smartlist: asked.smartlist,
    pagination: {
      next_page: found.length > limit ? 'True' : 'False',
      prev_page: page > 1 ? 'True' : 'False',
      per_page: limit,
      count_total,
      page_total: Math.ceil(count_total / limit),
      page,
      query_id: writePlace({ ...next, page: page + 1 }),
    },
  }
}

import { Type, type Static, type ArraySchema, type Schema, isOneOf } from './schema/type.ts'
import { isId } from './id.ts'
import { isRecord } from './record.ts'
import { Refusal, type Fault } from './refusal.ts'

export const PAGE_LIMIT = 100
export const MAX_PAGE_LIMIT = 1_000
/** Totals are counted exactly up to here; a longer list says this number and how to go on. */
export const COUNT_LIMIT = 100_000

/** The query parameters of every list. */
export const PageQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PAGE_LIMIT, default: PAGE_LIMIT, description: 'Entries per page.' }),
  ),
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'The page, counted from 1.' }),
  ),
  query_id: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'From the last answer: goes on behind its last entry, at the same cost however deep. `0` is the first page.',
    }),
  ),
})
export type PageQuery = Static<typeof PageQuery>

export const Pagination = Type.Object({
  next_page: isOneOf(['True', 'False'], { description: '`"True"` or `"False"`.', examples: ['False'] }),
  prev_page: isOneOf(['True', 'False'], { description: '`"True"` or `"False"`.', examples: ['False'] }),
  per_page: Type.Integer({ examples: [100] }),
  count_total: Type.Integer({ description: `Exact up to ${COUNT_LIMIT.toLocaleString('en')}.`, examples: [1] }),
  page_total: Type.Integer({ examples: [1] }),
  page: Type.Integer({ examples: [1] }),
  query_id: Type.String({ description: 'Give it back to read on.', examples: ['MiAwMTlhODQ3NQ'] }),
})
export type Pagination = Static<typeof Pagination>

/** The entries of one page. */
export function onePage<T extends Schema>(entry: T): ArraySchema<T> {
  return Type.Array(entry, { maxItems: MAX_PAGE_LIMIT })
}

/** The `meta` of a list. */
export const ListMeta = Type.Object({
  method: Type.String({ examples: ['GET'] }),
  resource: Type.String(),
  pagination: Pagination,
})

/** Of a list that is not counted, since that would cost more than the page: whether there is more, and how to read on. */
export const Scroll = Type.Object({
  next_page: isOneOf(['True', 'False'], { description: '`"True"` or `"False"`.', examples: ['False'] }),
  per_page: Type.Integer({ examples: [100] }),
  query_id: Type.Optional(
    Type.String({ description: 'Give it back to read on; left out at the end.', examples: ['MDE5YTg0NzU'] }),
  ),
})
export type Scroll = Static<typeof Scroll>

/** The query parameters of such a list. */
export const ScrollQuery = Type.Object({ limit: PageQuery.properties.limit, query_id: PageQuery.properties.query_id })

/** Its `meta`. */
export const ScrollMeta = Type.Object({
  method: Type.String({ examples: ['GET'] }),
  resource: Type.String(),
  pagination: Scroll,
  searched_until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'How far back was looked in the time there is for one answer; `query_id` looks on from there.',
    }),
  ),
})

export function scrollTo(limit: number, next: string | undefined): Scroll {
  if (next === undefined) return { next_page: 'False', per_page: limit }
  return { next_page: 'True', per_page: limit, query_id: Buffer.from(next).toString('base64url') }
}

/** Beside other faults: a `query_id` that no list has given. Whether it was this list is told once all else is right. */
export function placeFaults(query: unknown): Fault[] {
  const query_id = isRecord(query) ? query.query_id : undefined
  if (typeof query_id !== 'string' || isFirstPage(query_id)) return []
  const read = Buffer.from(query_id, 'base64url').toString()
  return Buffer.from(read).toString('base64url') === query_id ? [] : [NOT_GIVEN]
}

const NOT_GIVEN: Fault = { field: 'query_id', message: 'This query_id was not given by us.', type: 'invalid' }

/** Where to read on; a fault where we gave no such place. */
export function readScroll(query_id: string | undefined, isKey: (text: string) => boolean = isId): string | undefined {
  if (isFirstPage(query_id)) return undefined
  const place = Buffer.from(query_id, 'base64url').toString()
  if (isKey(place)) return place
  throw new Refusal('invalid_request', 'The request is invalid.', [NOT_GIVEN])
}

/** Which part of a list is wanted: behind an entry, or so many entries in. */
export type Page = { limit: number; page: number; skip: number; before: string | undefined }

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

export function readPage(
  { limit = PAGE_LIMIT, page = 1, query_id }: PageQuery,
  isKey: (text: string) => boolean = isId,
): Page {
  if (isFirstPage(query_id)) return { limit, page, skip: (page - 1) * limit, before: undefined }
  const [scrolled_page, before = ''] = Buffer.from(query_id, 'base64url').toString().split(' ')
  const number = Number(scrolled_page)
  if (!isKey(before) || !Number.isSafeInteger(number) || number < 1) {
    throw new Refusal('invalid_request', 'The request is invalid.', [NOT_GIVEN])
  }
  return { limit, page: number, skip: 0, before }
}

/** Without a place to go on from, or with the 0 that stands for none. */
export function isFirstPage(query_id: string | undefined): query_id is undefined | '' | '0' {
  return query_id === undefined || query_id === '' || query_id === '0'
}

/**
 * `rows` may hold one more than the limit, which tells that there is a next page. `nothing_before` is a key in front
 * of all others: who scrolls on from an empty page gets an empty page.
 */
export function paginate<Row extends { id: string }>(
  { limit, page }: Page,
  rows: readonly Row[],
  count_total: number,
  nothing_before: string = BEFORE_ALL,
): { rows: Row[]; pagination: Pagination } {
  const shown = rows.slice(0, limit)
  return {
    rows: shown,
    pagination: {
      next_page: rows.length > limit ? 'True' : 'False',
      prev_page: page > 1 ? 'True' : 'False',
      per_page: limit,
      count_total,
      page_total: Math.ceil(count_total / limit),
      page,
      query_id: Buffer.from(`${page + 1} ${shown.at(-1)?.id ?? nothing_before}`).toString('base64url'),
    },
  }
}

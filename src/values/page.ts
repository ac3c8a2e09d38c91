import { Type, type Static, type ArraySchema, type Schema, isOneOf } from './schema/type.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { isId } from './id.ts'
import { isRecord } from './record.ts'
import { Refusal, type Fault } from './refusal.ts'

export const PAGE_LIMIT = 100
export const MAX_PAGE_LIMIT = 1_000
/** Totals are exact up to this number; a longer list reports this number. */
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
        'From the previous answer: the page continues after its last entry, at the same cost however deep. `0` is the first page.',
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
  query_id: Type.String({ description: 'Pass it as `query_id` to read the next page.', examples: ['MiAwMTlhODQ3NQ'] }),
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

/** Pagination of a list whose entries are not counted, because counting would cost more than the page. */
export const Scroll = Type.Object({
  next_page: isOneOf(['True', 'False'], { description: '`"True"` or `"False"`.', examples: ['False'] }),
  per_page: Type.Integer({ examples: [100] }),
  query_id: Type.Optional(
    Type.String({
      description: 'Pass it as `query_id` to read the next page; absent on the last page.',
      examples: ['MDE5YTg0NzU'],
    }),
  ),
})
export type Scroll = Static<typeof Scroll>

/** The query parameters of an uncounted list. */
export const ScrollQuery = Type.Object({ limit: PageQuery.properties.limit, query_id: PageQuery.properties.query_id })

/** The `meta` of an uncounted list. */
export const ScrollMeta = Type.Object({
  method: Type.String({ examples: ['GET'] }),
  resource: Type.String(),
  pagination: Scroll,
  searched_until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'How far back the search got within the time limit of one answer; `query_id` continues from there.',
    }),
  ),
})

export function scrollTo(limit: number, next: string | undefined): Scroll {
  if (next === undefined) return { next_page: 'False', per_page: limit }
  return { next_page: 'True', per_page: limit, query_id: encodeCursor(next) }
}

/** Reports a malformed `query_id` beside the other faults of a request; the list itself checks that it belongs to it. */
export function cursorFaults(query: unknown): Fault[] {
  const query_id = isRecord(query) ? query.query_id : undefined
  if (typeof query_id !== 'string' || isFirstPage(query_id)) return []
  return decodeCursor(query_id) === undefined ? [INVALID_CURSOR] : []
}

export const INVALID_CURSOR: Fault = {
  field: 'query_id',
  message: 'This query_id was not returned by this service.',
  type: 'invalid',
}

/** The position after which the page begins; undefined for the first page. Refuses a `query_id` that is not a key of the list. */
export function readScroll(query_id: string | undefined, isKey: (text: string) => boolean = isId): string | undefined {
  if (isFirstPage(query_id)) return undefined
  const position = decodeCursor(query_id)
  if (position !== undefined && isKey(position)) return position
  throw new Refusal('invalid_request', 'The request is invalid.', [INVALID_CURSOR])
}

/** The requested part of a list: after the entry `before` (lists are newest first), or after `skip` entries. */
export type Page = { limit: number; page: number; skip: number; before: string | undefined }

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

export function readPage(
  { limit = PAGE_LIMIT, page = 1, query_id }: PageQuery,
  isKey: (text: string) => boolean = isId,
): Page {
  if (isFirstPage(query_id)) return { limit, page, skip: (page - 1) * limit, before: undefined }
  const [scrolled_page, before = ''] = (decodeCursor(query_id) ?? '').split(' ')
  const number = Number(scrolled_page)
  if (!isKey(before) || !Number.isSafeInteger(number) || number < 1) {
    throw new Refusal('invalid_request', 'The request is invalid.', [INVALID_CURSOR])
  }
  return { limit, page: number, skip: 0, before }
}

/** Absent, empty and `0` all mean the first page. */
export function isFirstPage(query_id: string | undefined): query_id is undefined | '' | '0' {
  return query_id === undefined || query_id === '' || query_id === '0'
}

/**
 * The rows of a page with its pagination. `rows` may hold one more than the limit: then there is a next page.
 * `nothing_before` is a key lower than all others, so that the page after an empty one is empty, too.
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
      query_id: encodeCursor(`${page + 1} ${shown.at(-1)?.id ?? nothing_before}`),
    },
  }
}

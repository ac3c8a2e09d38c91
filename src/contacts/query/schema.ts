import { id, isOneOf, oneOf, timestamp, Type, type Static } from '../../values/schema/type.ts'
import { ListMeta, MAX_PAGE_LIMIT, onePage, PAGE_LIMIT, Pagination } from '../../values/page.ts'
import { ContactRow, ContactTable } from '../schema.ts'

export const OPERATORS = [
  'equal',
  'not_equal',
  'contain',
  'not_contain',
  'start_with',
  'end_with',
  'empty',
  'not_empty',
  'is_any',
  'is_none_of',
  'greater',
  'less',
  'before',
  'after',
] as const
export type Operator = (typeof OPERATORS)[number]

export const MAX_FILTERS = 20
/** Including those in groups: bounds the size of the statement. */
export const MAX_FILTERS_IN_ALL = 50
export const MAX_SEARCH_CHARACTERS = 200
export const MAX_FILTER_VALUES = 200
export const MAX_SMARTLIST_NAME = 100
/** The row at which the last `page` may begin; `query_id` continues from there. */
export const DEEPEST_ROW = 10_000_000
/** Totals up to this are exact; larger ones may come from a cache. */
export const EXACT_COUNT = 10_000

const column_id = Type.Optional(Type.String({ description: 'The column, by its id.' }))
const name = Type.Optional(Type.String({ description: 'The column, by its name, where no `column_id` is given.' }))
const operator = oneOf(OPERATORS, {
  description: `One of ${OPERATORS.map((one) => `\`${one}\``).join(', ')}. Text is compared without case, phone numbers in any written form. \`greater\` and \`less\` are for NUMBER columns, \`before\` and \`after\` for DATE columns. An empty cell is equal to nothing and contains nothing, so \`not_equal\`, \`not_contain\` and \`is_none_of\` match it.`,
  examples: ['contain'],
})
const value = Type.Optional(
  Type.Unsafe<string | number | boolean | (string | number | boolean)[]>({
    type: ['string', 'number', 'boolean', 'array'],
    items: { type: ['string', 'number', 'boolean'] },
    maxItems: MAX_FILTER_VALUES,
    description:
      'A text; for `is_any` and `is_none_of` a list or a comma-separated text. Not for `empty`, `not_empty`.',
    examples: ['ada'],
  }),
)

const Filter = Type.Object({ column_id, name, operator, value })

/** A filter, or a group of them in `any`. One shape: a union would report its faults once for each variant. */
const FilterOrGroup = Type.Object({
  column_id,
  name,
  operator: Type.Optional(operator),
  value,
  any: Type.Optional(
    Type.Array(Filter, {
      minItems: 1,
      maxItems: MAX_FILTERS,
      description: 'Instead of the other fields: a group of filters, one of which must match.',
    }),
  ),
})

export const Filters = Type.Array(FilterOrGroup, {
  maxItems: MAX_FILTERS,
  description: `All of them must match. A filter with \`any\` is a group, one of which must match; at most ${MAX_FILTERS_IN_ALL} filters including those in groups.`,
})

const page = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PAGE_LIMIT, description: `Rows per page; default ${PAGE_LIMIT}.` }),
  ),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_LIMIT, description: 'Alias of `limit`.' })),
  page: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `The page, counted from 1, up to row ${DEEPEST_ROW.toLocaleString('en')}, at about the same cost at any depth. In a list of more than ${EXACT_COUNT.toLocaleString('en')} rows, pages may be shifted by as many rows as were added or deleted within the last minute: to read every row exactly once, use \`query_id\`.`,
    }),
  ),
  query_id: Type.Optional(
    Type.String({
      maxLength: 4_000,
      description:
        'From the last response: continues behind its last row, at the same cost at any depth; `0` is the first page. Filters and sort need not be repeated; the total remains that of the first page. Expires a day after its last use.',
    }),
  ),
  sort: Type.Optional(
    Type.String({
      description:
        'A column, by id or name: sorts by it, rows without a value last; with a leading `-` descending. Default: newest first. While scrolling by a column, a row whose cell changes may be returned twice or not at all.',
      examples: ['-Name'],
    }),
  ),
}

const search_text = Type.Optional(
  Type.String({
    maxLength: MAX_SEARCH_CHARACTERS,
    description:
      'Words, each of which must occur in some cell of the row; a word of fewer than three characters at the beginning of the cell. Phone numbers match in any written form, numbers as a whole, dates by their beginning (`2026-01`).',
    examples: ['ada lagos'],
  }),
)

export const RowsQuery = Type.Object({ ...page, search: search_text })
export type RowsQuery = Static<typeof RowsQuery>

const search = {
  smartlist_id: Type.Optional(Type.String({ description: 'A saved list: its filters and the given ones must match.' })),
  filters: Type.Optional(Filters),
  search: search_text,
}

/** The paging parameters are accepted in the body, too. */
export const QueryBody = Type.Object({ ...search, ...page })
export type QueryBody = Static<typeof QueryBody>

export const SearchBody = Type.Object({ ...search, sort: page.sort })
export type SearchBody = Static<typeof SearchBody>

/** A stored filter: the column by its id, the value as text. */
const SavedFilter = Type.Object({
  column_id: id,
  name: Type.String({ description: 'Of the column.', examples: ['Email'] }),
  operator: isOneOf(OPERATORS, { examples: ['contain'] }),
  value: Type.Optional(
    Type.Unsafe<string | string[]>({
      type: ['string', 'array'],
      items: { type: 'string' },
      maxItems: MAX_FILTER_VALUES,
    }),
  ),
})
export type SavedFilter = Static<typeof SavedFilter>
const SavedGroup = Type.Object({
  any: Type.Array(SavedFilter, { maxItems: MAX_FILTERS, description: 'A group, one of which must match.' }),
})

export const SavedFilters = Type.Array(Type.Union([SavedFilter, SavedGroup]), { maxItems: MAX_FILTERS })
export type SavedFilters = Static<typeof SavedFilters>

export const Smartlist = Type.Object({
  id,
  name: Type.String({ examples: ['Lagos'] }),
  filters: SavedFilters,
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type Smartlist = Static<typeof Smartlist>

export const CountedSmartlist = Type.Object({
  ...Smartlist.properties,
  count: Type.Integer({ description: 'Rows in it now; counted like `count_total` of a query.', examples: [12] }),
})
export type CountedSmartlist = Static<typeof CountedSmartlist>

export const SmartlistPage = Type.Object({ smartlists: onePage(Smartlist), meta: ListMeta })

export const RowsAnswer = Type.Object({
  rows: onePage(ContactRow),
  table: ContactTable,
  smartlist: Type.Unsafe<Smartlist | null>({ anyOf: [Smartlist, { type: 'null' }] }),
  meta: Type.Object({
    method: Type.String({ examples: ['POST'] }),
    resource: Type.String({ examples: ['/lists/contact/rows/query'] }),
    pagination: Type.Object({
      ...Pagination.properties,
      count_total: Type.Integer({
        description: `Exact up to ${EXACT_COUNT.toLocaleString('en')}. Larger totals are counted for a quarter of a second; if that is not enough, this is the previous total, or a lower bound. A total that took long to count is kept for up to a minute.`,
        examples: [1],
      }),
    }),
  }),
})

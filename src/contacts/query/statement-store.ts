import type { Db } from '../../db/connect.ts'
import type { ByNumber, StoredRow } from '../rows/row-store.ts'
import type { Condition } from './condition.ts'
import { rowSql, type Anchor, type Bind, type Way } from './sql.ts'

/* The parts that the statements on rows, counts and marks share. */

export type Search = { organisation_id: string; conditions: readonly Condition[]; sort: Sort | undefined }
export type Sort = { number: number; descending: boolean }

/** The start of a page: behind a row, or an offset. In a sorted list `key` is the row's sort key; `null` is an empty cell. */
export type Window = { after: { id: string; key: string | null } | undefined; skip: number; limit: number }

export type FoundRow = StoredRow & { keys: ByNumber; sort_key?: string | null }

export const COLUMNS = 'r.id, r.cells, r.keys, r.created_datetime, r.updated_datetime'

export function upTo(at_most: number | undefined, bind: Bind): string {
  return at_most === undefined ? '' : `limit ${bind(at_most)}`
}

/** The order of the btree index, which makes the planner use it. */
function keyOrder({ index }: Way): string {
  return index === 'key' ? 'order by left(c.key, 200), c.row_id' : ''
}

/** The rows of an anchor, at most `reach` + 1. */
export function hits(search: Search, { ways }: Anchor, reach: number, bind: Bind): string {
  const each = ways.map((way) => {
    const found = `select c.row_id from contact_cells c where ${lines(search, way, bind)}`
    return `(${found} ${keyOrder(way)} limit ${bind(reach + 1)})`
  })
  return each.length === 1 ? each.join('') : `${each.join(' union all ')} limit ${bind(reach + 1)}`
}

/** The condition on `contact_cells c` of one index lookup. */
export function lines({ organisation_id }: Search, { number, index, sql }: Way, bind: Bind): string {
  const owner = `${bind(organisation_id)}::uuid`
  const own = `c.organisation_id = ${owner} and c.number = ${number} and ${sql(bind)}`
  if (index === 'key') return own
  return `uuid_hash_extended(c.organisation_id, c.number) = uuid_hash_extended(${owner}, ${number}) and ${own}`
}

export const CELL_KEY = 'left(c.key, 200)'

/** The condition on `contact_cells c` of the lines of the sort column, behind a row. */
export function sortedLines(
  { organisation_id }: Search,
  { number, descending }: Sort,
  after: Window['after'],
  bind: Bind,
): string {
  const own = `c.organisation_id = ${bind(organisation_id)} and c.number = ${number}`
  if (!after) return own
  return `${own} and (${CELL_KEY}, c.row_id) ${descending ? '<' : '>'} (${bind(after.key ?? '')}, ${bind(after.id)}::uuid)`
}

/** Joins the rows of lines that are to meet conditions; without conditions every line is a row. */
export function ofRows(search: Search, bind: Bind): string {
  return search.conditions.length === 0 ? '' : `cross join lateral (${rowOf(search, 'c.row_id', bind)}) r`
}

/** The row, if it meets all conditions. `offset 0` keeps the planner from reordering the join. */
export function rowOf({ organisation_id, conditions }: Search, row_id: string, bind: Bind): string {
  return `
    select ${COLUMNS} from contact_rows r
    where r.organisation_id = ${bind(organisation_id)} and r.id = ${row_id}${rowSql(conditions, bind)} offset 0`
}

export function beyond(id: string, { after }: Window, bind: Bind): string {
  return after ? ` and ${id} < ${bind(after.id)}::uuid` : ''
}

export function sortKey({ number }: Sort): string {
  return `left((r.keys ->> '${number}') collate "C", 200)`
}

export function beyondSorted(sort: Sort, { after }: Window, bind: Bind): string {
  if (!after) return ''
  const order = sort.descending ? '<' : '>'
  const key = sortKey(sort)
  if (after.key === null) return ` and ${key} is null and r.id ${order} ${bind(after.id)}::uuid`
  return ` and (${key} is null or (${key}, r.id) ${order} (${bind(after.key)}, ${bind(after.id)}::uuid))`
}

/** The order of the btree index, in either direction: with `nulls last` the planner would sort again. */
export function along({ descending }: Sort, key: string, id: string): string {
  return descending ? `${key} desc, ${id} desc` : `${key}, ${id}`
}

export function sortedBy({ descending }: Sort, key: string, id: string): string {
  return descending ? `${key} desc nulls last, ${id} desc` : `${key} nulls last, ${id}`
}

export function part({ skip, limit }: Window, bind: Bind): string {
  return `${skip > 0 ? `offset ${bind(skip)} ` : ''}limit ${bind(limit)}`
}

/** Runs a statement with bound values. As a fragment, so that statements of every shape are not kept prepared. */
export async function ask<T extends readonly object[]>(db: Db, text: string, values: readonly unknown[]): Promise<T> {
  const parts = text.split(/\$\d+/)
  const strings = Object.assign(parts, { raw: parts })
  const bound = [...text.matchAll(/\$(\d+)/g)].map(([, n]) => values[Number(n) - 1])
  return db<T>`${db(strings, ...bound)}`
}

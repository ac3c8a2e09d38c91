import type { Db } from '../../db/connect.ts'
import type { ByNumber, StoredRow } from '../rows/row-store.ts'
import type { Condition } from './condition.ts'
import { makeBind, rowSql, type Anchor, type Bind, type Way } from './sql.ts'

/** Which rows, in which order. */
export type Search = { organisation_id: string; conditions: readonly Condition[]; sort: Sort | undefined }
export type Sort = { number: number; descending: boolean }

/** Where a page begins: behind a row, or so many rows in. In a sorted list the row's key counts; `null` is no value. */
export type Window = { after: { id: string; key: string | null } | undefined; skip: number; limit: number }

export type FoundRow = StoredRow & { keys: ByNumber; sort_key?: string | null }

const COLUMNS = 'r.id, r.cells, r.keys, r.created_datetime, r.updated_datetime'

/**
 * Newest first: row by row until the page is full, but at most `reach` rows of the list. The order stands beside the
 * limit and nowhere deeper: a subquery with an order of its own is planned as if all of it were wanted.
 */
export async function walkRows(db: Db, search: Search, window: Window, reach?: number): Promise<FoundRow[]> {
  const { bind, values } = makeBind()
  const from = `contact_rows r where r.organisation_id = ${bind(search.organisation_id)}${beyond('r.id', window, bind)}`
  const near = `(select r.* from ${from} order by r.id desc ${upTo(reach, bind)}) r where true`
  return ask<FoundRow[]>(
    db,
    `select ${COLUMNS} from ${reach === undefined ? from : near}${rowSql(search.conditions, bind)}
    order by r.id desc ${part(window, bind)}`,
    values,
  )
}

/** Newest first, along the lines of one key, which are in the order of their rows. */
export async function followKey(db: Db, search: Search, way: Way, window: Window): Promise<FoundRow[]> {
  const { bind, values } = makeBind()
  return ask<FoundRow[]>(
    db,
    `select ${COLUMNS} from contact_cells c cross join lateral (${rowOf(search, 'c.row_id', bind)}) r
    where ${lines(search, way, bind)}${beyond('c.row_id', window, bind)}
    order by c.row_id desc ${part(window, bind)}`,
    values,
  )
}

/** By way of an index, if it leads to no more than `reach` lines; undefined when there are more. */
export async function findByIndex(
  db: Db,
  search: Search,
  anchor: Anchor,
  window: Window,
  reach: number,
): Promise<FoundRow[] | undefined> {
  const { bind, values } = makeBind()
  const { sort } = search
  const sort_key = sort ? `, ${sortKey(sort)} as sort_key` : ''
  const rows = await ask<(FoundRow & { hits: number })[]>(
    db,
    `with hits as materialized (${hits(search, anchor, reach, bind)}),
    tally as materialized (select count(*)::integer as hits from hits)
    select tally.hits, r.* from tally left join lateral (
      select r.*${sort_key}
      from (select distinct row_id from hits where tally.hits <= ${bind(reach)} order by row_id desc) hit
      cross join lateral (${rowOf(search, 'hit.row_id', bind)}) r
      where true${sort ? beyondSorted(sort, window, bind) : beyond('r.id', window, bind)}
      order by ${sort ? sortedBy(sort, sortKey(sort), 'r.id') : 'r.id desc'} ${part(window, bind)}
    ) r on true`,
    values,
  )
  const found = rows[0]?.hits ?? 0
  return found > reach ? undefined : rows.filter(({ id }) => id !== null)
}

/** In the order of a column: the rows that have a value in it. */
export async function walkSorted(
  db: Db,
  search: Search,
  sort: Sort,
  window: Window,
  reach?: number,
): Promise<FoundRow[]> {
  const { bind, values } = makeBind()
  const { after } = window
  const key = 'left(c.key, 200)'
  const behind = after
    ? ` and (${key}, c.row_id) ${sort.descending ? '<' : '>'} (${bind(after.key ?? '')}, ${bind(after.id)}::uuid)`
    : ''
  const own = `c.organisation_id = ${bind(search.organisation_id)} and c.number = ${sort.number}${behind}`
  const order = `order by ${along(sort, key, 'c.row_id')}`
  const near = `(select c.row_id, c.key from contact_cells c where ${own} ${order} ${upTo(reach, bind)}) c`
  return ask<FoundRow[]>(
    db,
    `select r.*, ${key} as sort_key from ${reach === undefined ? 'contact_cells c' : near}
    cross join lateral (${rowOf(search, 'c.row_id', bind)}) r
    ${reach === undefined ? `where ${own}` : ''} ${order} ${part(window, bind)}`,
    values,
  )
}

/** Behind them: the rows without a value in that column. */
export async function walkEmpty(db: Db, search: Search, sort: Sort, window: Window): Promise<FoundRow[]> {
  const { bind, values } = makeBind()
  const order = sort.descending ? '<' : '>'
  const behind = window.after ? ` and r.id ${order} ${bind(window.after.id)}::uuid` : ''
  return ask<FoundRow[]>(
    db,
    `select ${COLUMNS}, null as sort_key from contact_rows r
    where r.organisation_id = ${bind(search.organisation_id)} and not r.keys ? '${sort.number}'${behind}
      ${rowSql(search.conditions, bind)}
    order by r.id ${sort.descending ? 'desc' : ''} ${part(window, bind)}`,
    values,
  )
}

/** Counts up to a limit, row by row. */
export async function countWalking(db: Db, search: Search, at_most: number | undefined): Promise<number> {
  const { bind, values } = makeBind()
  const rows = `select 1 from contact_rows r
    where r.organisation_id = ${bind(search.organisation_id)}${rowSql(search.conditions, bind)}`
  return count(db, `${rows} ${upTo(at_most, bind)}`, values)
}

/** How many of the newest rows fit: tells what is frequent. */
export async function countNear(db: Db, search: Search, reach: number): Promise<number> {
  const { bind, values } = makeBind()
  const near = `select r.keys from contact_rows r
    where r.organisation_id = ${bind(search.organisation_id)} order by r.id desc limit ${bind(reach)}`
  return count(db, `select 1 from (${near}) r where true${rowSql(search.conditions, bind)}`, values)
}

/** Counts up to a limit the lines of one key: the rows, where that key is the only condition. */
export async function countLines(db: Db, search: Search, way: Way, at_most: number | undefined): Promise<number> {
  const { bind, values } = makeBind()
  const found = `select 1 from contact_cells c where ${lines(search, way, bind)}`
  return count(db, `${found} ${upTo(at_most, bind)}`, values)
}

/** Counts by way of an index, if it leads to no more than `reach` lines; undefined when there are more. */
export async function countRows(db: Db, search: Search, anchor: Anchor, reach: number): Promise<number | undefined> {
  const { bind, values } = makeBind()
  const [row] = await ask<{ hits: number; count: number }[]>(
    db,
    `with hits as materialized (${hits(search, anchor, reach, bind)}),
    tally as materialized (select count(*)::integer as hits from hits)
    select tally.hits, (
      select count(*)::integer from (select distinct row_id from hits where tally.hits <= ${bind(reach)}) hit
      cross join lateral (${rowOf(search, 'hit.row_id', bind)}) r
    ) as count from tally`,
    values,
  )
  return row && row.hits <= reach ? row.count : undefined
}

async function count(db: Db, rows: string, values: (string | number)[]): Promise<number> {
  const [row] = await ask<{ count: number }[]>(db, `select count(*)::integer as count from (${rows}) counted`, values)
  return row?.count ?? 0
}

function upTo(at_most: number | undefined, bind: Bind): string {
  return at_most === undefined ? '' : `limit ${bind(at_most)}`
}

/** Keeps the planner on the btree, whose order it is. */
function keyOrder({ index }: Way): string {
  return index === 'key' ? 'order by left(c.key, 200), c.row_id' : ''
}

/** The rows an anchor leads to, one more than `reach` at most. */
function hits(search: Search, { ways }: Anchor, reach: number, bind: Bind): string {
  const each = ways.map((way) => {
    const found = `select c.row_id from contact_cells c where ${lines(search, way, bind)}`
    return `(${found} ${keyOrder(way)} limit ${bind(reach + 1)})`
  })
  return each.length === 1 ? each.join('') : `${each.join(' union all ')} limit ${bind(reach + 1)}`
}

/** Lines of `contact_cells c` a way leads to. */
function lines({ organisation_id }: Search, { number, index, sql }: Way, bind: Bind): string {
  const owner = `${bind(organisation_id)}::uuid`
  const own = `c.organisation_id = ${owner} and c.number = ${number} and ${sql(bind)}`
  if (index === 'key') return own
  return `uuid_hash_extended(c.organisation_id, c.number) = uuid_hash_extended(${owner}, ${number}) and ${own}`
}

/** The row itself, if all conditions hold. `offset 0` keeps the planner from turning the order of work round. */
function rowOf({ organisation_id, conditions }: Search, row_id: string, bind: Bind): string {
  return `
    select ${COLUMNS} from contact_rows r
    where r.organisation_id = ${bind(organisation_id)} and r.id = ${row_id}${rowSql(conditions, bind)} offset 0`
}

function beyond(id: string, { after }: Window, bind: Bind): string {
  return after ? ` and ${id} < ${bind(after.id)}::uuid` : ''
}

function sortKey({ number }: Sort): string {
  return `left((r.keys ->> '${number}') collate "C", 200)`
}

function beyondSorted(sort: Sort, { after }: Window, bind: Bind): string {
  if (!after) return ''
  const order = sort.descending ? '<' : '>'
  const key = sortKey(sort)
  if (after.key === null) return ` and ${key} is null and r.id ${order} ${bind(after.id)}::uuid`
  return ` and (${key} is null or (${key}, r.id) ${order} (${bind(after.key)}, ${bind(after.id)}::uuid))`
}

/** As the btree is, forwards or backwards: with a word about nulls it would be sorted once more. */
function along({ descending }: Sort, key: string, id: string): string {
  return descending ? `${key} desc, ${id} desc` : `${key}, ${id}`
}

function sortedBy({ descending }: Sort, key: string, id: string): string {
  return descending ? `${key} desc nulls last, ${id} desc` : `${key} nulls last, ${id}`
}

function part({ skip, limit }: Window, bind: Bind): string {
  return `${skip > 0 ? `offset ${bind(skip)} ` : ''}limit ${bind(limit)}`
}

/** Sends a text with its bound values. A fragment inside, so that texts of all shapes are not kept prepared. */
async function ask<T extends readonly object[]>(db: Db, text: string, values: readonly unknown[]): Promise<T> {
  const parts = text.split(/\$\d+/)
  const strings = Object.assign(parts, { raw: parts })
  const bound = [...text.matchAll(/\$(\d+)/g)].map(([, n]) => values[Number(n) - 1])
  return db<T>`${db(strings, ...bound)}`
}

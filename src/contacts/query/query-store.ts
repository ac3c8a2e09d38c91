import type { Db } from '../../db/connect.ts'
import type { ByNumber, StoredRow } from '../rows/row-store.ts'
import type { Condition } from './condition.ts'
import type { SavedQuery } from './scroll.ts'
import { makeBind, rowSql, type Anchor, type Bind, type Way } from './sql.ts'

export type Search = { organisation_id: string; conditions: readonly Condition[]; sort: Sort | undefined }
export type Sort = { number: number; descending: boolean }

/** The start of a page: behind a row, or an offset. In a sorted list `key` is the row's sort key; `null` is an empty cell. */
export type Window = { after: { id: string; key: string | null } | undefined; skip: number; limit: number }

export type FoundRow = StoredRow & { keys: ByNumber; sort_key?: string | null }

const COLUMNS = 'r.id, r.cells, r.keys, r.created_datetime, r.updated_datetime'

/**
 * Scans rows, newest first, until the page is full, at most `reach` rows. `order by` and `limit` are at the same level:
 * the planner plans an ordered subquery as if all of its rows were wanted.
 */
export async function scanRows(db: Db, search: Search, window: Window, reach?: number): Promise<FoundRow[]> {
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

/** Scans the index entries of one key, which are in the order of their rows, newest first. */
export async function scanKey(db: Db, search: Search, way: Way, window: Window): Promise<FoundRow[]> {
  const { bind, values } = makeBind()
  return ask<FoundRow[]>(
    db,
    `select ${COLUMNS} from contact_cells c cross join lateral (${rowOf(search, 'c.row_id', bind)}) r
    where ${lines(search, way, bind)}${beyond('c.row_id', window, bind)}
    order by c.row_id desc ${part(window, bind)}`,
    values,
  )
}

/** Finds rows by an index; undefined if it has more than `reach` entries. */
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

/** Scans the rows that have a value in the sort column, in its order. */
export async function scanSorted(db: Db, search: Search, sort: Sort, window: Window, reach?: number) {
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

/** Scans the rows without a value in the sort column, which follow them. */
export async function scanEmpty(db: Db, search: Search, sort: Sort, window: Window): Promise<FoundRow[]> {
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

/** Counts rows by scanning, up to a limit. */
export async function countByScan(db: Db, search: Search, at_most: number | undefined): Promise<number> {
  const { bind, values } = makeBind()
  const rows = `select 1 from contact_rows r
    where r.organisation_id = ${bind(search.organisation_id)}${rowSql(search.conditions, bind)}`
  return count(db, `${rows} ${upTo(at_most, bind)}`, values)
}

/** Counts matches among the newest rows, to find out how frequent they are. */
export async function countNear(db: Db, search: Search, reach: number): Promise<number> {
  const { bind, values } = makeBind()
  const near = `select r.keys from contact_rows r
    where r.organisation_id = ${bind(search.organisation_id)} order by r.id desc limit ${bind(reach)}`
  return count(db, `select 1 from (${near}) r where true${rowSql(search.conditions, bind)}`, values)
}

/** Counts the index entries of one key, up to a limit: the rows, if that key is the only condition. */
export async function countKeyEntries(db: Db, search: Search, way: Way, at_most: number | undefined): Promise<number> {
  const { bind, values } = makeBind()
  const found = `select 1 from contact_cells c where ${lines(search, way, bind)}`
  return count(db, `${found} ${upTo(at_most, bind)}`, values)
}

/** Counts rows by an index; undefined if it has more than `reach` entries. */
export async function countByIndex(db: Db, search: Search, anchor: Anchor, reach: number): Promise<number | undefined> {
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

/** The order of the btree index, which makes the planner use it. */
function keyOrder({ index }: Way): string {
  return index === 'key' ? 'order by left(c.key, 200), c.row_id' : ''
}

/** The rows of an anchor, at most `reach` + 1. */
function hits(search: Search, { ways }: Anchor, reach: number, bind: Bind): string {
  const each = ways.map((way) => {
    const found = `select c.row_id from contact_cells c where ${lines(search, way, bind)}`
    return `(${found} ${keyOrder(way)} limit ${bind(reach + 1)})`
  })
  return each.length === 1 ? each.join('') : `${each.join(' union all ')} limit ${bind(reach + 1)}`
}

/** The condition on `contact_cells c` of one index lookup. */
function lines({ organisation_id }: Search, { number, index, sql }: Way, bind: Bind): string {
  const owner = `${bind(organisation_id)}::uuid`
  const own = `c.organisation_id = ${owner} and c.number = ${number} and ${sql(bind)}`
  if (index === 'key') return own
  return `uuid_hash_extended(c.organisation_id, c.number) = uuid_hash_extended(${owner}, ${number}) and ${own}`
}

/** The row, if it meets all conditions. `offset 0` keeps the planner from reordering the join. */
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

/** The order of the btree index, in either direction: with `nulls last` the planner would sort again. */
function along({ descending }: Sort, key: string, id: string): string {
  return descending ? `${key} desc, ${id} desc` : `${key}, ${id}`
}

function sortedBy({ descending }: Sort, key: string, id: string): string {
  return descending ? `${key} desc nulls last, ${id} desc` : `${key} nulls last, ${id}`
}

function part({ skip, limit }: Window, bind: Bind): string {
  return `${skip > 0 ? `offset ${bind(skip)} ` : ''}limit ${bind(limit)}`
}

/** Runs a statement with bound values. As a fragment, so that statements of every shape are not kept prepared. */
async function ask<T extends readonly object[]>(db: Db, text: string, values: readonly unknown[]): Promise<T> {
  const parts = text.split(/\$\d+/)
  const strings = Object.assign(parts, { raw: parts })
  const bound = [...text.matchAll(/\$(\d+)/g)].map(([, n]) => values[Number(n) - 1])
  return db<T>`${db(strings, ...bound)}`
}

/** Stores a query for scrolling, or extends its lifetime. Writes nothing if it was used within the hour. */
export async function keepQuery(db: Db, organisation_id: string, id: string, query: SavedQuery): Promise<void> {
  await db`
    insert into contact_queries as kept (organisation_id, id, query)
    select ${organisation_id}, ${id}, ${JSON.stringify(query)}::text::jsonb
    where not exists (
      select 1 from contact_queries
      where organisation_id = ${organisation_id} and id = ${id} and used_datetime > now() - interval '1 hour'
    )
    on conflict (organisation_id, id) do update set used_datetime = excluded.used_datetime`
}

export async function findQuery(db: Db, organisation_id: string, id: string): Promise<SavedQuery | undefined> {
  const [row] = await db<{ query: SavedQuery }[]>`
    select query from contact_queries where organisation_id = ${organisation_id} and id = ${id}`
  return row?.query
}

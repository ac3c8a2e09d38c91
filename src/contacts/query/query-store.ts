import type { Db } from '../../db/connect.ts'
import type { SavedQuery } from './scroll.ts'
import { makeBind, rowSql, type Anchor, type Way } from './sql.ts'
import {
  COLUMNS,
  CELL_KEY,
  along,
  ask,
  beyond,
  beyondSorted,
  hits,
  lines,
  part,
  rowOf,
  sortKey,
  sortedBy,
  sortedLines,
  upTo,
  type FoundRow,
  type Search,
  type Sort,
  type Window,
} from './statement-store.ts'

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
  const own = sortedLines(search, sort, window.after, bind)
  const order = `order by ${along(sort, CELL_KEY, 'c.row_id')}`
  const near = `(select c.row_id, c.key from contact_cells c where ${own} ${order} ${upTo(reach, bind)}) c`
  return ask<FoundRow[]>(
    db,
    `select r.*, ${CELL_KEY} as sort_key from ${reach === undefined ? 'contact_cells c' : near}
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

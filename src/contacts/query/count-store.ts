import type { Db } from '../../db/connect.ts'
import { makeBind, rowSql, type Anchor, type Way } from './sql.ts'
import {
  ask,
  hits,
  lines,
  ofRows,
  rowOf,
  sortedLines,
  upTo,
  type Search,
  type Sort,
  type Window,
} from './statement-store.ts'

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

/** Counts the rows that have a value in the sort column, behind a row, up to a limit. */
export async function countSorted(
  db: Db,
  search: Search,
  sort: Sort,
  after: Window['after'],
  at_most?: number,
): Promise<number> {
  const { bind, values } = makeBind()
  const own = sortedLines(search, sort, after, bind)
  const rows = `select 1 from contact_cells c ${ofRows(search, bind)} where ${own}`
  return count(db, `${rows} ${upTo(at_most, bind)}`, values)
}

async function count(db: Db, rows: string, values: (string | number)[]): Promise<number> {
  const [row] = await ask<{ count: number }[]>(db, `select count(*)::integer as count from (${rows}) counted`, values)
  return row?.count ?? 0
}

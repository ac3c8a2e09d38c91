import type { Db } from '../../db/connect.ts'
import { makeBind, rowSql, type Bind, type Way } from './sql.ts'
import { CELL_KEY, along, ask, lines, ofRows, rowOf, sortedLines, type Search, type Sort } from './statement-store.ts'

/** A row of a long list, and its position in it, counted from 1. */
export type Mark = { position: number; after: { id: string; key: string | null } }

/** Every how many rows, and at most how many marks. */
type Marking = { every: number; at_most: number }
type Marked = { id: string; sort_key: string | null; position: number }

/** Every so many rows, newest first: by the index entries of one key, if one is given. */
export async function markRows(db: Db, search: Search, way: Way | undefined, marking: Marking): Promise<Mark[]> {
  const { bind, values } = makeBind()
  const rows = way
    ? `select c.row_id as id, null as sort_key, row_number() over (order by c.row_id desc) as position
      from contact_cells c cross join lateral (${rowOf(search, 'c.row_id', bind)}) r where ${lines(search, way, bind)}`
    : `select r.id, null as sort_key, row_number() over (order by r.id desc) as position from contact_rows r
      where r.organisation_id = ${bind(search.organisation_id)}${rowSql(search.conditions, bind)}`
  return marks(db, rows, marking, bind, values)
}

/** Every so many rows that have a value in the sort column, in its order. */
export async function markSorted(db: Db, search: Search, sort: Sort, marking: Marking): Promise<Mark[]> {
  const { bind, values } = makeBind()
  const order = along(sort, CELL_KEY, 'c.row_id')
  const rows = `select c.row_id as id, ${CELL_KEY} as sort_key, row_number() over (order by ${order}) as position
    from contact_cells c ${ofRows(search, bind)} where ${sortedLines(search, sort, undefined, bind)}`
  return marks(db, rows, marking, bind, values)
}

/** Every so many rows without a value in the sort column. */
export async function markEmpty(db: Db, search: Search, sort: Sort, marking: Marking): Promise<Mark[]> {
  const { bind, values } = makeBind()
  const order = `r.id ${sort.descending ? 'desc' : ''}`
  const rows = `select r.id, null as sort_key, row_number() over (order by ${order}) as position from contact_rows r
    where r.organisation_id = ${bind(search.organisation_id)} and not r.keys ? '${sort.number}'
      ${rowSql(search.conditions, bind)}`
  return marks(db, rows, marking, bind, values)
}

async function marks(
  db: Db,
  numbered: string,
  { every, at_most }: Marking,
  bind: Bind,
  values: (string | number)[],
): Promise<Mark[]> {
  const marked = await ask<Marked[]>(
    db,
    `select id, sort_key, position::integer from (${numbered}) numbered
    where position % ${bind(every)} = 0 order by position limit ${bind(at_most)}`,
    values,
  )
  return marked.map(({ id, sort_key, position }) => ({ position, after: { id, key: sort_key } }))
}

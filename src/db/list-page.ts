import { COUNT_LIMIT, paginate, type Page, type Pagination } from '../values/page.ts'
import type { Query, Sql } from './sql.ts'

/** A list, in the parts of its `select`. */
export type List = {
  select: Query
  from: Query
  /** Tables that are only displayed. Every row of `from` has one row there, so the count omits them. */
  join?: Query
  where: Query
  /** The sort key, also of keyset pagination; by default `id`, newest first. */
  key?: Query
  /** Ascending order instead; `behind_all` is greater than any key. */
  ascending?: { behind_all: string }
  count_limit?: number
}

export type Listed<Row> = { rows: Row[]; pagination: Pagination }

/**
 * One page of a list and the length of the list, queried concurrently. Reads one row more than requested, to know
 * whether there is a next page.
 */
export async function listPage<Row extends { id: string }>(sql: Sql, page: Page, list: List): Promise<Listed<Row>> {
  const { select, from, join = sql``, where, key = sql`id`, ascending, count_limit = COUNT_LIMIT } = list
  const behind = ascending ? sql`${key} > ${page.before}` : sql`${key} < ${page.before}`
  const [found, [counted]] = await Promise.all([
    sql<Row[]>`
      select ${select} from ${from} ${join}
      where (${where}) ${page.before === undefined ? sql`` : sql`and ${behind}`}
      order by ${key} ${ascending ? sql`` : sql`desc`}
      offset ${page.skip} limit ${page.limit + 1}`,
    sql<{ count: number }[]>`
      select count(*)::integer as count from (select 1 from ${from} where ${where} limit ${count_limit}) counted`,
  ])
  return paginate(page, found, counted?.count ?? 0, ascending?.behind_all)
}

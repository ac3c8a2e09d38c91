import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { readPage, type PageQuery } from '../../src/values/page.ts'
import { listPage, type List } from '../../src/db/list-page.ts'

type Row = { id: string; size?: string }

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
  await database.db.unsafe(`
    create table sizes (number integer primary key, size text);
    insert into sizes values (0, 'small'), (1, 'large');
    create table things (id uuid primary key, colour text, number integer);
    insert into things
    select ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, case when n > 7 then 'red' else 'blue' end, n % 2
    from generate_series(1, 10) as n`)
})
afterAll(() => database.drop())

const id = (n: number): string => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`

function list(query: PageQuery, other: Partial<List> = {}) {
  const { db } = database
  return listPage<Row>(db, readPage(query), { select: db`id`, from: db`things`, where: db`true`, ...other })
}

/** The numbers of all pages, each continued from the previous response. */
async function scroll(limit: number, other: Partial<List> = {}): Promise<number[][]> {
  const pages: number[][] = []
  for (let query_id = '0'; ;) {
    const { rows, pagination } = await list({ limit, query_id }, other)
    pages.push(rows.map((row) => Number(row.id.slice(-4))))
    query_id = pagination.query_id
    if (pagination.next_page === 'False') break
  }
  return pages
}

describe('listPage', () => {
  test('goes from the newest to the oldest, for any page size', async () => {
    expect(await scroll(4)).toEqual([
      [10, 9, 8, 7],
      [6, 5, 4, 3],
      [2, 1],
    ])
    expect(await scroll(5)).toEqual([
      [10, 9, 8, 7, 6],
      [5, 4, 3, 2, 1],
    ])
    expect(await scroll(10)).toHaveLength(1)
    expect((await list({ limit: 4, page: 3 })).rows.map((row) => row.id)).toEqual([id(2), id(1)])
  })

  test('goes upwards, and by another key', async () => {
    const { db } = database
    expect(await scroll(4, { ascending: { behind_all: id(9999) } })).toEqual([
      [1, 2, 3, 4],
      [5, 6, 7, 8],
      [9, 10],
    ])
    const key = db`right(id::text, 2)`
    const by_digits = await list({ limit: 2 }, { select: db`${key} as id`, key, ascending: { behind_all: '99' } })
    expect(by_digits.rows).toEqual([{ id: '01' }, { id: '02' }])
  })

  test('returns nothing after the end', async () => {
    for (const other of [{}, { ascending: { behind_all: 'ffffffff-ffff-ffff-ffff-ffffffffffff' } }]) {
      const beyond = await list({ limit: 4, page: 9 }, other)
      expect(beyond).toMatchObject({ rows: [], pagination: { next_page: 'False', count_total: 10, page: 9 } })
      const further = await list({ limit: 4, query_id: beyond.pagination.query_id }, other)
      expect(further).toMatchObject({ rows: [], pagination: { next_page: 'False', prev_page: 'True', page: 10 } })
    }
  })

  test('returns the count on every page, up to the limit', async () => {
    const { db } = database
    const where = db`colour = ${'red'} or id = ${id(1)}`
    const first = await list({ limit: 3 }, { where })
    expect(first.pagination).toMatchObject({ count_total: 4, page_total: 2, next_page: 'True', prev_page: 'False' })
    const second = await list({ limit: 3, query_id: first.pagination.query_id }, { where })
    expect(second.rows).toEqual([{ id: id(1) }]) // The `or` does not include rows of the first page again.
    expect(second.pagination).toMatchObject({ count_total: 4, page: 2, next_page: 'False' })
    expect((await list({ limit: 3 }, { count_limit: 7 })).pagination).toMatchObject({ count_total: 7, page_total: 3 })
  })

  test('returns joined columns, and counts without the join', async () => {
    const { db } = database
    const select = db`things.id, size`
    const join = db`join sizes using (number)`
    const { rows, pagination } = await list({ limit: 2 }, { select, join, key: db`things.id` })
    expect(rows).toEqual([
      { id: id(10), size: 'small' },
      { id: id(9), size: 'large' },
    ])
    expect(pagination.count_total).toBe(10)
  })
})

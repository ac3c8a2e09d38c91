import { afterAll, beforeAll, expect, test } from 'vitest'
import { TABLES_WITHOUT_PEOPLE } from '../../src/people/tables-without-people.ts'
import type { PersonTable } from '../../src/people/person-table.ts'
import { PEOPLE_TABLES } from '../../src/people/tables.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

type Column = { table: string; column: string; type: string }

/** Types that could hold a number or a text. Times, amounts, ids and booleans cannot. */
const TEXT_TYPES = ['text', 'text[]', 'json', 'jsonb', 'bytea', 'character varying', 'xml']
/** Names of numeric columns that would hold a number. */
const NUMBERS = /phone|msisdn|recipient|mobile|^to$|^from$/

let database: TestDatabase
let columns: Column[]

beforeAll(async () => {
  database = await freshDatabase()
  columns = await columnsOf()
})
afterAll(() => database.drop())

async function columnsOf(): Promise<Column[]> {
  return database.db<Column[]>`
    select relname as table, attname as column, format_type(atttypid, atttypmod) as type
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped
    order by relname, attnum`
}

function couldHoldText(all: readonly Column[]): Column[] {
  return all.filter(({ column, type }) => TEXT_TYPES.includes(type) || (NUMBERS.test(column) && type !== 'uuid'))
}

function coveredBy({
  key,
  numbers = [],
  mentions = {},
  emptied = {},
  shows = [],
  besides = [],
}: PersonTable): string[] {
  return [...Object.keys(key), ...numbers, ...Object.keys(mentions), ...Object.keys(emptied), ...shows, ...besides]
}

const covered = new Map<string, Set<string>>()
for (const table of PEOPLE_TABLES) {
  covered.set(table.table, new Set([...(covered.get(table.table) ?? []), ...coveredBy(table)]))
}

function forgotten(all: readonly Column[]): string[] {
  return couldHoldText(all)
    .filter(({ table, column }) => !(table in TABLES_WITHOUT_PEOPLE) && !covered.get(table)?.has(column))
    .map(({ table, column }) => `${table}.${column}`)
}

test('every column that could hold personal data is listed, or has a reason why not', () => {
  expect(couldHoldText(columns).length).toBeGreaterThan(150)
  expect(forgotten(columns)).toEqual([])
})

test('a new column is detected', async () => {
  await database.db.unsafe('alter table deliveries add contact_email text')
  await database.db.unsafe('alter table otps add phone bigint')
  await database.db.unsafe('create table diaries (organisation_id uuid, body jsonb)')
  const added = ['deliveries.contact_email', 'diaries.body', 'otps.phone']
  expect(forgotten(await columnsOf())).toEqual(added)
  await database.db.unsafe('alter table deliveries drop contact_email')
  await database.db.unsafe('alter table otps drop phone')
  await database.db.unsafe('drop table diaries')
})

test('the lists contain only existing columns', () => {
  const there = new Set(columns.map(({ table, column }) => `${table}.${column}`))
  const tables = new Set(columns.map(({ table }) => table))
  const named = PEOPLE_TABLES.flatMap((table) => coveredBy(table).map((column) => `${table.table}.${column}`))
  expect(named.filter((one) => !there.has(one))).toEqual([])
  expect(Object.keys(TABLES_WITHOUT_PEOPLE).filter((table) => !tables.has(table) || covered.has(table))).toEqual([])
})

test('tables that are scanned are scanned by index', async () => {
  const unordered: string[] = []
  for (const { table, key, whose } of PEOPLE_TABLES) {
    const [index] = await database.db<{ found: boolean }[]>`
      select true as found from pg_index
      where indrelid = ${table}::regclass and indpred is null
        and array(
          select attname::text from unnest(indkey) with ordinality as k (attnum, n)
          join pg_attribute on attrelid = indrelid and pg_attribute.attnum = k.attnum
          where attname <> 'organisation_id' order by n
        ) = ${Object.keys(key).filter((column) => column !== 'organisation_id')}::text[]
      limit 1`
    if (!index) unordered.push(`${table} (${whose})`)
  }
  expect(unordered).toEqual([])
})

import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { findRowsByKey } from '../../src/contacts/import/import-store.ts'
import { connectBeside, type Db } from '../../src/db/connect.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { numbersOf } from '../support/drafts.ts'
import { foundOrganisation } from '../support/organisation.ts'

const on_cluster = inject('cluster') !== undefined
const PHONE = 3

let database: TestDatabase
let db: Db
let by: string

beforeAll(async () => {
  database = await freshDatabase()
  db = connectBeside(database.db, { connections: 1 })
  by = await foundOrganisation(database.db, 0n)
})
afterAll(async () => {
  await db.end()
  await database.drop()
})

async function store(keys: readonly string[], row_id = newId()): Promise<void> {
  await db`
    insert into contact_cells (organisation_id, number, row_id, key)
    select ${by}, ${PHONE}, ${row_id}, key from unnest(${keys}::text[]) as key`
}

/** Rows of the table that were read so far. */
async function read(): Promise<number> {
  await db`select pg_stat_force_next_flush()`
  const [row] = await db<{ read: number }[]>`
    select (idx_tup_fetch + seq_tup_read)::integer as read from pg_stat_user_tables where relname = 'contact_cells'`
  return row?.read ?? -1
}

// A cluster counts reads of its shards under other names.
test.skipIf(on_cluster)(
  'the lines of an import find their contacts by index, whatever the statistics of the table',
  async () => {
    const numbers = numbersOf(5_000)
    await store(numbers.slice(0, 3_000))
    await db`analyze contact_cells`
    await store(numbers.slice(3_000, 4_000))
    const before = await read()
    const found = await findRowsByKey(db, by, PHONE, numbers.slice(3_900))
    expect(found.map(({ key }) => key).sort()).toEqual(numbers.slice(3_900, 4_000))
    expect((await read()) - before).toBe(100)
  },
)

test('of contacts with the same key the oldest is updated, and a prefix of a key does not match', async () => {
  const long = 'x'.repeat(250)
  const [first, second, third] = [newId(), newId(), newId()]
  await store([long, 'short'], second)
  await store([`${long}y`, 'short'], first)
  await store(['short'], third)
  expect(new Set(await findRowsByKey(db, by, PHONE, [long, `${long}z`, 'short', 'shor']))).toEqual(
    new Set([
      { key: long, row_id: second },
      { key: 'short', row_id: first },
    ]),
  )
})

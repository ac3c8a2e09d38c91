import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectBeside, type Db } from '../../src/db/connect.ts'
import { findReportedDeliveries } from '../../src/messaging/reports/find-delivery-store.ts'
import type { NewReport } from '../../src/messaging/reports/store.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { foundOrganisation } from '../support/organisation.ts'

let database: TestDatabase
let db: Db
let by: string

beforeAll(async () => {
  database = await freshDatabase()
  db = connectBeside(database.db, { connections: 1, plans: 'kept' })
  by = await foundOrganisation(database.db, 0n)
})
afterAll(async () => {
  await db.end()
  await database.drop()
})

async function submit(ids: readonly string[]): Promise<void> {
  await db`
    insert into submissions (carrier, carrier_message_id, organisation_id, message_id, recipient, report_due)
    select 'line', id, ${by}, ${newId()}, '2348031234567', now() + interval '1 h'
    from unnest(${ids}::text[]) as id`
}

const reportOn = (id: string): NewReport => ({
  id: newId(),
  carrier: 'line',
  carrier_message_id: id,
  status: 'delivered',
  code: '000',
  description: 'DELIVRD',
  keys: [id],
  certain: 1,
})

/** Rows of the table that were fetched so far. */
async function fetched(): Promise<number> {
  await db`select pg_stat_force_next_flush()`
  const [row] = await db<{ fetched: number }[]>`
    select (idx_tup_fetch + seq_tup_read)::integer as fetched from pg_stat_user_tables where relname = 'submissions'`
  return row?.fetched ?? -1
}

/**
 * PostgreSQL 17 and later choose the right plan by themselves: the effect shows on older ones, as on a cluster of 15.
 */
test('each report finds its message by index, also without statistics of the table', async () => {
  const ids = Array.from({ length: 1_000 }, (_, n) => `id-${n}`)
  await submit(ids)
  const before = await fetched()
  await findReportedDeliveries(db, ids.slice(0, 200).map(reportOn))
  expect((await fetched()) - before).toBe(200)
})

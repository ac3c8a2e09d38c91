import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { connectBeside } from '../../src/db/connect.ts'
import { makeFirstStatistics } from '../../src/db/statistics.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { noteStatements } from '../support/statements.ts'
import { until } from '../support/until.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(() => database.drop())

test.skipIf(inject('cluster'))(
  'a table that was filled gets statistics; the catalogue is read only after inserts',
  async () => {
    const db = connectBeside(database.db, { connections: 1 })
    const asked = noteStatements(db)
    const reads = () => asked.filter((text) => text.includes('pg_stat_user_tables')).length
    const createStatistics = makeFirstStatistics(db)
    try {
      await createStatistics()
      expect(reads()).toBe(1)
      expect(await createStatistics()).toEqual([])
      expect(reads()).toBe(1)
      await db`
      insert into jobs (queue, lane, organisation_id, subject_id)
      select 'q', gen_random_uuid(), gen_random_uuid(), gen_random_uuid() from generate_series(1, 500)`
      await until('the statistics', async () => (await createStatistics()).includes('jobs'))
    } finally {
      await db.end()
    }
  },
)

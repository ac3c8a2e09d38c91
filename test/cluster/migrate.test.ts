import { expect, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { freshDatabase } from '../support/database.ts'
import { cluster } from './nodes.ts'

test.skipIf(!cluster)(
  'a database that is distributed already is brought to a newer schema, functions and all',
  async () => {
    const database = await freshDatabase()
    const { db } = database
    try {
      await db`alter table intake alter column line set not null`
      await db`delete from migrations where number = 54`
      await db`update function_files set hash = 'of before' where name = 'accept.sql'`
      expect(await migrate(db)).toEqual(['0054_lines_of_second_messages', 'accept.sql'])
      const shards = await db<{ success: boolean; result: string }[]>`
      select success, result from run_command_on_shards(
        'intake', $cmd$ select attnotnull from pg_attribute where attrelid = '%s'::regclass and attname = 'line' $cmd$)`
      expect(new Set(shards.map(({ success, result }) => `${success} ${result}`))).toEqual(new Set(['true f']))
      expect(await migrate(db)).toEqual([])
    } finally {
      await database.drop()
    }
  },
)

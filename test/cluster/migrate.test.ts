import { expect, test } from 'vitest'
import { distribute } from '../../src/db/cluster/distribute.ts'
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

test.skipIf(!cluster)(
  'nodes that lack a setting get it with the next build, or when it is distributed again',
  async () => {
    const database = await freshDatabase()
    const { db } = database
    const [row] = await db<{ name: string }[]>`select quote_ident(current_database()) as name`
    const settings = async () => {
      const answers = await db<{ result: string }[]>`
      select result from run_command_on_all_nodes($cmd$
        select string_agg(setting, ' ' order by setting) from pg_db_role_setting
        join pg_database on pg_database.oid = setdatabase and datname = current_database(), unnest(setconfig) setting
        where setting ~ '^(gangan|plan|citus.allow)' $cmd$)`
      return new Set(answers.map(({ result }) => result))
    }
    try {
      const before = await settings()
      const build = async () => {
        await db`update function_files set hash = 'of before' where name = 'accept.sql'`
        await migrate(db)
      }
      for (const again of [build, () => distribute(db, () => {})]) {
        await db`select run_command_on_workers(${`alter database ${row?.name ?? ''} reset plan_cache_mode`})`
        expect(await settings()).not.toEqual(before)
        await again()
        expect(await settings()).toEqual(before)
      }
      expect([...before]).toEqual([
        'citus.allow_nested_distributed_execution=on gangan.distributed=on plan_cache_mode=force_custom_plan',
      ])
    } finally {
      await database.drop()
    }
  },
)

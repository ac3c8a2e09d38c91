import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { adoptBaseline, prepareFormerTables } from '../../src/db/schema/baseline.ts'
import { distribute } from '../../src/db/cluster/distribute.ts'
import { migrate } from '../../src/db/migrate.ts'
import { transaction } from '../../src/db/transaction.ts'
import { freshDatabase } from '../support/database.ts'
import { cluster } from './nodes.ts'

const UNVALIDATED = [
  ['messages', 'messages_encoding_check', "encoding in ('GSM', 'UCS-2', 'binary')"],
  ['optouts', 'optouts_source_check', "source in ('text', 'api', 'carrier')"],
]

test.skipIf(!cluster)('a distributed database at schema 65 is adopted, and its functions are replaced', async () => {
  const database = await freshDatabase()
  const { db } = database
  try {
    // As at schema 65 of the former numbering.
    await transaction(db, prepareFormerTables)
    await db`delete from function_files where name = 'phones.sql'`
    for (const [table, constraint, check] of UNVALIDATED) {
      await db.unsafe(`alter table ${table} drop constraint ${constraint}`)
      await db.unsafe(`alter table ${table} add constraint ${constraint} check (${check}) not valid`)
    }
    // Without the later migrations: their tables exist already.
    const later = await db<{ number: number; name: string }[]>`
      delete from migrations where number > 1 returning number, name`
    await db`update migrations set number = 65, name = '0065_canceled'`
    await db`update function_files set hash = 'outdated' where name = 'accept.sql'`
    const baseline = await readFile(new URL('../../migrations/0001_schema.sql', import.meta.url), 'utf8')
    const adopted = await transaction(db, async (tx) => {
      await tx`set local citus.multi_shard_modify_mode = 'sequential'`
      return adoptBaseline(tx, baseline)
    })
    expect(adopted).toEqual(['0001_schema'])
    for (const { number, name } of later) await db`insert into migrations (number, name) values (${number}, ${name})`
    expect(await migrate(db)).toEqual(['accept.sql', 'phones.sql'])
    const shards = await db<{ success: boolean; result: string }[]>`
      select success, result from run_command_on_shards(
        'optouts', $cmd$ select bool_and(convalidated) from pg_constraint where conrelid = '%s'::regclass $cmd$)`
    expect(new Set(shards.map(({ success, result }) => `${success} ${result}`))).toEqual(new Set(['true t']))
    expect(await migrate(db)).toEqual([])
  } finally {
    await database.drop()
  }
})

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
        await db`update function_files set hash = 'outdated' where name = 'accept.sql'`
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

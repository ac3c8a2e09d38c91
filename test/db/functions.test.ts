import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findNewerPatch, recordBuild } from '../../src/db/schema/builds.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { isMigrated, migrate } from '../../src/db/migrate.ts'
import { watchSchema } from '../../src/db/schema/schema-watch.ts'
import { transaction } from '../../src/db/transaction.ts'
import { readVersion } from '../../src/values/version.ts'

/** `migrate` creates functions from their files: those of files whose text has changed, and no others. */

let database: TestDatabase

beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(() => database.drop())

type Made = { signature: string; oid: number; body: string }

/** A function that was created again has another oid. */
const functionsOf = (...names: string[]) => database.db<Made[]>`
  select oid::regprocedure::text as signature, oid::integer, prosrc as body from pg_proc
  where proname = any (${names}::text[]) and pronamespace = 'public'::regnamespace order by proname, 1`

const filesOf = () => database.db<{ name: string; hash: string; made: string[] }[]>`
  select name, hash, made from function_files order by name`

test('every function of a file is recorded with it', async () => {
  const files = await filesOf()
  expect(files.map(({ name }) => name)).toContain('record.sql')
  const recorded = files.find(({ name }) => name === 'record.sql')?.made ?? []
  expect(recorded.map((signature) => signature.split('(')[0]).sort()).toEqual([
    'record_intake',
    'record_submitted',
    'store_deliveries',
    'store_few_sent',
    'store_messages',
    'store_submissions',
    'store_unsent',
  ])
  for (const { made } of files) {
    const known = await database.db`select to_regprocedure(signature) from unnest(${made}::text[]) as signature`
    expect(known.every(({ to_regprocedure }) => to_regprocedure !== null)).toBe(true)
  }
})

test('a second migration creates nothing', async () => {
  const before = [await filesOf(), await functionsOf('charge', 'record_intake')]
  expect(await migrate(database.db)).toEqual([])
  expect([await filesOf(), await functionsOf('charge', 'record_intake')]).toEqual(before)
  expect(await isMigrated(database.db)).toBe(true)
})

test('a file with a changed text is applied again, its former functions are dropped, and no other file is', async () => {
  const { db } = database
  const before = await functionsOf('charge', 'record_intake', 'store_unsent')
  const files = await filesOf()
  // As left by an earlier build: a function had another body or other parameters, or was removed since.
  await db.unsafe(`
    drop function store_unsent;
    create function store_unsent(o uuid, others text) returns integer language sql as 'select 1';
    create function record_nothing() returns integer language sql as 'select 1'`)
  await db`
    update function_files
    set hash = 'another', made = made || array['store_unsent(uuid,text)', 'record_nothing()']
    where name = 'record.sql'`
  expect(await isMigrated(db)).toBe(false)
  expect(await migrate(db)).toEqual(['record.sql'])
  const after = await functionsOf('charge', 'record_intake', 'store_unsent', 'record_nothing')
  const [charge, ...recorded] = before
  expect(after[0]).toEqual(charge)
  expect(after.slice(1).map(({ signature, body }) => [signature, body])).toEqual(
    recorded.map(({ signature, body }) => [signature, body]),
  )
  for (const { oid } of recorded) expect(after.map((made) => made.oid)).not.toContain(oid)
  expect(await filesOf()).toEqual(files)
  expect(await isMigrated(db)).toBe(true)
})

test('the functions of a deleted file are dropped', async () => {
  const { db } = database
  const files = await filesOf()
  await db.unsafe(`
    create function gone(n integer) returns integer language sql as 'select n';
    create function gone(n text) returns text language sql as 'select n'`)
  await db`
    insert into function_files (name, hash, made) values ('gone.sql', 'any', array['gone(integer)', 'gone(text)'])`
  expect(await isMigrated(db)).toBe(false)
  expect(await migrate(db)).toEqual([])
  expect(await functionsOf('gone')).toEqual([])
  expect(await filesOf()).toEqual(files)
  expect(await isMigrated(db)).toBe(true)
})

test('several processes that start together create the functions once', async () => {
  await database.db`update function_files set hash = 'another' where name in ('charge.sql', 'record.sql')`
  const made = await Promise.all(Array.from({ length: 4 }, () => migrate(database.db)))
  expect(made.flat().sort()).toEqual(['charge.sql', 'record.sql'])
  expect(await isMigrated(database.db)).toBe(true)
})

test('if one cannot be created nothing changes: the former functions stay', async () => {
  const { db } = database
  // Not recorded in function_files: they conflict.
  await db`update function_files set hash = 'another', made = '{}' where name = 'record.sql'`
  await db`update function_files set hash = 'another' where name = 'charge.sql'`
  const before = [await filesOf(), await functionsOf('charge', 'record_intake', 'store_unsent')]
  await expect(migrate(db)).rejects.toMatchObject({ code: '42723' })
  expect([await filesOf(), await functionsOf('charge', 'record_intake', 'store_unsent')]).toEqual(before)
})

describe('a build', () => {
  const [major = '', minor = '', patch = ''] = readVersion().split('.')
  const newer_patch = `${major}.${minor}.${Number(patch) + 1}`
  const newer_minor = `${major}.${Number(minor) + 1}.0`

  test('of an older patch release works with the functions and the schema of a newer one, and leaves them', async () => {
    const { db } = database
    await db`update function_files set hash = 'of the newer release' where name = 'record.sql'`
    await db`insert into migrations (number, name) values (9999, '9999_of_the_newer_release')`
    await migrateTo(db, newer_patch)
    const before = [await filesOf(), await functionsOf('record_intake')]
    expect(await migrate(db)).toEqual([])
    expect([await filesOf(), await functionsOf('record_intake')]).toEqual(before)
    expect(await isMigrated(db)).toBe(true)
    expect(await noticedBy(db)).toEqual([])
  })

  test('of an older minor release is refused', async () => {
    const { db } = database
    await db`insert into migrations (number, name) values (9999, '9999_of_the_newer_release')`
    await migrateTo(db, newer_minor)
    await expect(migrate(db)).rejects.toThrow('Start a newer build.')
    expect(await isMigrated(db)).toBe(false)
    expect(await noticedBy(db)).toEqual([expect.stringContaining('schema 9999')])
  })

  test('that is newer replaces functions of an older patch release, and both are recorded', async () => {
    const { db } = database
    await db`update function_files set hash = 'of the older release' where name = 'record.sql'`
    expect(await migrate(db, newer_patch)).toEqual(['record.sql'])
    expect(await findNewerPatch(db)).toBe(newer_patch)
    expect(await findNewerPatch(db, newer_patch)).toBeUndefined()
  })

  /** What a running process of this build notices of the schema. */
  async function noticedBy(db: TestDatabase['db']): Promise<string[]> {
    const noticed: string[] = []
    const watch = watchSchema(db, ({ message }) => noticed.push(message))
    watch.run()
    await watch.stop()
    return noticed
  }

  const migrateTo = (db: TestDatabase['db'], version: string) => transaction(db, (tx) => recordBuild(tx, version))
})

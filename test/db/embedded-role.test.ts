import { chmodSync, existsSync, mkdtempSync, statSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { connect, type Db } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { makePartitions } from '../../src/db/partitions.ts'
import { describeProcess } from '../../src/db/embedded/process.ts'
import { startEmbedded, type EmbeddedPostgres, type UrlOptions } from '../../src/db/embedded/start.ts'

const data_dir = mkdtempSync(join(tmpdir(), 'gangan-role-'))
chmodSync(data_dir, 0o755)
let running: EmbeddedPostgres | undefined

afterEach(async () => {
  await running?.stop()
  running = undefined
})
afterAll(() => rm(data_dir, { recursive: true }))

async function start(): Promise<EmbeddedPostgres> {
  running = await startEmbedded({ data_dir })
  return running
}

async function asked<T>(address: UrlOptions, ask: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(address, { connections: 1 })
  try {
    return await ask(db)
  } finally {
    await db.end({ timeout: 5 })
  }
}

/** Objects in our schemas that still belong to the superuser, without those of extensions. */
const OF_THE_SUPERUSER = `
  with o as (
    select 'pg_class'::regclass as catalogue, oid, relowner as owner, relname::text as name, relnamespace as schema
      from pg_class
    union all select 'pg_proc'::regclass, oid, proowner, proname, pronamespace from pg_proc
    union all select 'pg_type'::regclass, oid, typowner, typname, typnamespace from pg_type
    union all select 'pg_statistic_ext'::regclass, oid, stxowner, stxname, stxnamespace from pg_statistic_ext
    union all select 'pg_namespace'::regclass, oid, nspowner, nspname, oid from pg_namespace
  )
  select name from o join pg_namespace n on n.oid = schema
  where nspname !~ '^(pg_|information_schema)' and owner = 'gangan'::regrole
    and not exists (select from pg_depend d where d.classid = catalogue and d.objid = o.oid and d.deptype = 'e')
  order by name`

/** As left by a release that used only the superuser. */
async function makeFormer({ administrator }: EmbeddedPostgres): Promise<void> {
  await asked(await administrator(), async (db) => {
    await db.unsafe('drop owned by gangan_service')
    await db.unsafe('alter database gangan owner to gangan')
    await db.unsafe('drop role gangan_service')
    await migrate(db)
    await makePartitions(db)
    await db.unsafe(`
      create type shade as enum ('light', 'dark');
      create sequence loose;
      create schema beside;
      create table beside.things (id bigint generated always as identity, old serial, shade shade);
      create materialized view beside.seen as select * from beside.things;
      create statistics beside.both on id, old from beside.things;
      insert into beside.things (shade) values ('dark')`)
  })
}

async function leaveFormerFiles(folder: string): Promise<void> {
  await rename(join(folder, 'postgres.administrator-password'), join(folder, 'postgres.password'))
  await rm(join(folder, 'postgres.service-password'))
}

/** Statements that only an owner may execute. */
const change = (db: Db) =>
  db.unsafe(`
    alter table organisations add column tried integer; alter table organisations drop column tried;
    alter type shade add value if not exists 'grey';
    create or replace function ledger_is_append_only() returns trigger language plpgsql as $$ begin return null; end $$;
    refresh materialized view beside.seen;
    insert into beside.things (shade) values ('light')`)

describe('the role of the service', () => {
  test('has no rights outside its own database', async () => {
    const { url_options } = await start()
    expect(url_options.user).not.toBe('gangan')
    const [role] = await asked(url_options, (db) => db.unsafe('select * from pg_roles where rolname = current_user'))
    expect(role).toMatchObject({
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
    })
    for (const statement of [
      `copy (select 1) to program 'true'`,
      `copy (select 1) to '/tmp/gangan-never'`,
      `select pg_read_file('/etc/passwd')`,
      `alter system set fsync = off`,
      `create role friend`,
      `create database another`,
      `set session_replication_role = replica`,
      `set role gangan`,
      `alter role current_user superuser`,
    ]) {
      await expect(asked(url_options, (db) => db.unsafe(statement))).rejects.toThrow(/permission denied|must be/i)
    }
    expect(statSync(join(data_dir, 'postgres.service-password')).mode & 0o777).toBe(0o600)
  })

  test('creates the whole schema, including extensions, in a new folder', async () => {
    const { url_options } = await start()
    await asked(url_options, async (db) => {
      expect((await migrate(db)).length).toBeGreaterThan(10)
      await makePartitions(db)
      expect(await db.unsafe(OF_THE_SUPERUSER)).toEqual([])
    })
  })

  test('becomes the owner of what a former release created, also after an interruption', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gangan-former-'))
    chmodSync(folder, 0o755)
    const former = await startEmbedded({ data_dir: folder })
    await makeFormer(former)
    await former.stop()
    await leaveFormerFiles(folder)

    const carried = await startEmbedded({ data_dir: folder })
    await asked(carried.url_options, async (db) => {
      expect(await db.unsafe(OF_THE_SUPERUSER)).toEqual([])
      expect(await migrate(db)).toEqual([])
      await change(db)
      expect(await db.unsafe('select shade from beside.things order by id')).toMatchObject([
        { shade: 'dark' },
        { shade: 'light' },
      ])
    })
    // Killed in the middle: the role exists, owns some objects, its password was never stored, and PostgreSQL keeps
    // running.
    await asked(await carried.administrator(), (db) =>
      db.unsafe('alter table beside.things owner to gangan; alter table intake owner to gangan'),
    )
    expect(existsSync(join(folder, 'postgres.password'))).toBe(false)
    await carried.stop()
    await rm(join(folder, 'postgres.service-password'))
    const left = await startEmbedded({ data_dir: folder, owner: false })
    await leaveFormerFiles(folder)
    const again = await startEmbedded({ data_dir: folder })
    expect(describeProcess(left.postgres_pid)).toBeUndefined()
    await asked(again.url_options, async (db) => {
      expect(await db.unsafe(OF_THE_SUPERUSER)).toEqual([])
      await change(db)
    })
    // A former release uses the folder again: it gives the superuser a password, as for a lost one.
    await asked(await again.administrator(), (db) => db.unsafe('create table made_by_a_former_release ()'))
    await again.stop()
    await writeFile(join(folder, 'postgres.password'), 'whatever it was')
    const last = await startEmbedded({ data_dir: folder })
    expect(await asked(last.url_options, (db) => db.unsafe(OF_THE_SUPERUSER))).toEqual([])
    await last.stop()
    await rm(folder, { recursive: true })
  })
})

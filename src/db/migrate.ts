import { readFile, readdir } from 'node:fs/promises'
import { adoptBaseline } from './schema/baseline.ts'
import { packageFile } from '../values/package-files.ts'
import { readVersion } from '../values/version.ts'
import { findNewerPatch, recordBuild } from './schema/builds.ts'
import type { Db, Tx } from './connect.ts'
import { distributeNew } from './cluster/distribute.ts'
import { setOnNodes } from './cluster/settings.ts'
import { requireNoRestore } from './backup/unfinished.ts'
import { createFunctions, hasFunctions } from './schema/functions.ts'
import { LOCKS } from './locks.ts'
import { splitStatements } from './schema/split-statements.ts'
import { transaction } from './transaction.ts'

const FOLDER = packageFile('migrations/')

export type Migration = { number: number; name: string; sql: string }

/**
 * Brings the database to the newest schema, with the functions of this build, and returns the names of what it applied.
 * Everything happens in one transaction under an advisory lock: several processes may start together, and a process that
 * dies leaves the schema as it was. A database of a newer patch release is left as it is.
 */
export async function migrate(db: Db, version = readVersion()): Promise<string[]> {
  await requireNoRestore(db) // before waiting: a restore holds the lock for as long as it runs
  return transaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCKS.schema})`
    await requireNoRestore(tx)
    if ((await findNewerPatch(tx, version)) !== undefined) return []
    // Citus creates functions on the connections that changed the tables, so there may be only one per node.
    if (db.distributed) await tx`set local citus.multi_shard_modify_mode = 'sequential'`
    const applied = await applyMigrations(tx)
    const created = await createFunctions(tx)
    await recordBuild(tx, version)
    if (db.distributed && (applied.length > 0 || created.length > 0)) {
      await distributeNew(tx)
      await setOnNodes(tx)
    }
    return [...applied, ...created]
  })
}

/** Keeps others from migrating or restoring until the transaction ends; false if another process is doing so. */
export async function lockSchema(tx: Tx): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${LOCKS.schema}) as locked`
  return row?.locked === true
}

/** Applies the migrations that are missing, up to `until`, and returns their names. */
export async function applyMigrations(tx: Tx, until = Infinity): Promise<string[]> {
  const migrations = await readMigrations()
  await tx`
    create table if not exists migrations (
      number integer primary key, name text not null, applied_datetime timestamptz not null default now()
    )`
  const applied = await adoptBaseline(tx, migrations[0]?.sql ?? '')
  const newest = await newestApplied(tx)
  const known = migrations.at(-1)?.number ?? 0
  if (newest > known) throw new NewerSchema(newest, known)
  for (const migration of migrations.filter(({ number }) => number > newest && number <= until)) {
    for (const statement of splitStatements(migration.sql)) await tx.unsafe(statement)
    await tx`insert into migrations (number, name) values (${migration.number}, ${migration.name})`
    applied.push(migration.name)
  }
  return applied
}

/** The number of the newest schema this build knows. */
export async function knownSchema(): Promise<number> {
  return (await readMigrations()).at(-1)?.number ?? 0
}

/** Whether this build can work with the schema and its functions: they are its own, or those of a newer patch release. */
export async function isMigrated(db: Db): Promise<boolean> {
  if ((await findNewerPatch(db)) !== undefined) return true

  const newest = (await readMigrations()).at(-1)
  const found = await db`
    select from migrations where number = ${newest?.number ?? 0} and name = ${newest?.name ?? ''}
      and not exists (select from migrations where number > ${newest?.number ?? 0})`
  return found.length > 0 && (await hasFunctions(db))
}

/** Whether no migration was ever applied. */
export async function isSchemaMissing(db: Db): Promise<boolean> {
  const [row] = await db<{ missing: boolean }[]>`select to_regclass('migrations') is null as missing`
  return row?.missing === true
}

export class NewerSchema extends Error {
  constructor(found: number, known: number) {
    super(`The database has schema ${found}; this build of Gangan knows schema ${known}. Start a newer build.`)
  }
}

export async function newestApplied(sql: Db | Tx): Promise<number> {
  const [row] = await sql<{ number: number | null }[]>`select max(number) as number from migrations`
  return row?.number ?? 0
}

async function readMigrations(): Promise<Migration[]> {
  const files = (await readdir(FOLDER)).filter((file) => /^\d{4}_.+\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => ({
      number: Number(file.slice(0, 4)),
      name: file.slice(0, -4),
      sql: await readFile(new URL(file, FOLDER), 'utf8'),
    })),
  )
}

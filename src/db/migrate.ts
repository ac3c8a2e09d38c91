import { readFile, readdir } from 'node:fs/promises'
import type { Db, Tx } from './connect.ts'
import { distributeNew } from './cluster/distribute.ts'
import { setOnNodes } from './cluster/settings.ts'
import { requireNoRestore } from './backup/unfinished.ts'
import { hasFunctions, makeFunctions } from './functions.ts'
import { LOCKS } from './locks.ts'
import { splitStatements } from './split-statements.ts'
import { transaction } from './transaction.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)

export type Migration = { number: number; name: string; sql: string }

/**
 * Brings the database to the newest schema, with the functions of this build, and returns the names of what was applied.
 * Several processes may start at once.
 */
export async function migrate(db: Db): Promise<string[]> {
  await requireNoRestore(db) // before the wait: one that is under way holds the lock
  return transaction(db, async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCKS.schema})`
    await requireNoRestore(tx)
    // Functions are made on the connections that have changed the tables, which must be one to a node.
    if (db.distributed) await tx`set local citus.multi_shard_modify_mode = 'sequential'`
    const applied = await applyMigrations(tx)
    const made = await makeFunctions(tx)
    if (db.distributed && (applied.length > 0 || made.length > 0)) {
      await distributeNew(tx)
      await setOnNodes(tx)
    }
    return [...applied, ...made]
  })
}

/** False when somebody else migrates or restores; until the end of the transaction nobody does, if it is true. */
export async function lockSchema(tx: Tx): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${LOCKS.schema}) as locked`
  return row?.locked === true
}

/** Makes tables as numbered, up to the newest or to one of before, and returns the names of what was applied. */
export async function applyMigrations(tx: Tx, until = Infinity): Promise<string[]> {
  const migrations = await readMigrations()
  await tx`
    create table if not exists migrations (
      number integer primary key, name text not null, applied_datetime timestamptz not null default now()
    )`
  const newest = await newestApplied(tx)
  const known = migrations.at(-1)?.number ?? 0
  if (newest > known) throw new NewerSchema(newest, known)
  const applied: string[] = []
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

/** True when the schema is the one this build was made for. */
export async function isMigrated(db: Db): Promise<boolean> {
  const migrations = await readMigrations()
  return (await newestApplied(db)) === migrations.at(-1)?.number && (await hasFunctions(db))
}

export class NewerSchema extends Error {
  constructor(found: number, known: number) {
    super(`The database has schema ${found}, this build of Gangan knows ${known}: start a newer build.`)
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

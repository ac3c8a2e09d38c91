import { readFileSync } from 'node:fs'
import type { Db } from '../../src/db/connect.ts'
import { applyMigrations } from '../../src/db/migrate.ts'
import { transaction } from '../../src/db/transaction.ts'

/** The schema before the table of backups, for what has to be an older one. */
export const SCHEMA_BEFORE_BACKUPS = 42

/** Fills an empty database with what the first release held, and brings it to a later schema, release by release. */
export async function bringUp(db: Db, until: number): Promise<void> {
  await transaction(db, (tx) => applyMigrations(tx, 1))
  await db.unsafe(readFileSync(new URL('first-installation.sql', import.meta.url), 'utf8'))
  for (let release = 2; release <= until; release += 1) await transaction(db, (tx) => applyMigrations(tx, release))
}

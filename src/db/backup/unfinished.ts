import type { Db, Tx } from '../connect.ts'

/**
 * A table that is there while a restore is under way, and is left by one that was killed. All that was restored went with
 * its transaction; without this mark the next start would found a new installation where an old one was wanted.
 */
export const MARK = 'unfinished_restore'

/** What keeps a database from being used, in a sentence that the operator can act on. */
export class UnfinishedRestore extends Error {}

/** Told by who would make or use the schema. */
export async function requireNoRestore(sql: Db | Tx): Promise<void> {
  const [mark] = await sql<{ found: boolean }[]>`select to_regclass(${MARK}) is not null as found`
  if (!mark?.found) return
  const [row] = await sql<{ file: string }[]>`select file from unfinished_restore`
  throw new UnfinishedRestore(
    `A restore of ${row?.file ?? 'a backup'} is under way, or was broken off: nothing of it is here. Wait for it, or say gangan restore again; for a new installation take an empty database or data folder.`,
  )
}

/** False when the mark of an earlier one is there. */
export async function markRestore(db: Db, file: string): Promise<boolean> {
  await db.unsafe(`create table if not exists ${MARK} (file text not null)`)
  const added = await db`
    insert into unfinished_restore (file) select ${file} where not exists (select from unfinished_restore)`
  return added.count > 0
}

export async function unmarkRestore(sql: Db | Tx): Promise<void> {
  await sql.unsafe(`drop table if exists ${MARK}`)
}

import type { Db, Tx } from '../connect.ts'

/**
 * A table that exists while a restore runs, and after one that was killed, whose rows were rolled back. Without this mark
 * the next start would create a new installation instead of the restored one.
 */
export const MARK = 'unfinished_restore'

/** A sentence for the operator. */
export class UnfinishedRestore extends Error {}

/** Throws while a restore is in progress or was interrupted. */
export async function requireNoRestore(sql: Db | Tx): Promise<void> {
  const [mark] = await sql<{ found: boolean }[]>`select to_regclass(${MARK}) is not null as found`
  if (!mark?.found) return
  const [row] = await sql<{ file: string }[]>`select file from unfinished_restore`
  throw new UnfinishedRestore(
    `A restore of ${row?.file ?? 'a backup'} is in progress or was interrupted, and nothing of it is stored. Wait for it, or run gangan restore again; for a new installation use an empty database or data folder.`,
  )
}

/** False if the mark of an earlier restore exists. */
export async function markRestore(db: Db, file: string): Promise<boolean> {
  await db.unsafe(`create table if not exists ${MARK} (file text not null)`)
  const added = await db`
    insert into unfinished_restore (file) select ${file} where not exists (select from unfinished_restore)`
  return added.count > 0
}

export async function unmarkRestore(sql: Db | Tx): Promise<void> {
  await sql.unsafe(`drop table if exists ${MARK}`)
}

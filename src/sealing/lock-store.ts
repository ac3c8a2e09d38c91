import { LOCKS } from '../db/locks.ts'
import type { Sql } from '../db/sql.ts'

/** A session lock: released when the process dies. */
export async function lockResealing(connection: Sql): Promise<boolean> {
  const [row] = await connection<{ locked: boolean }[]>`select pg_try_advisory_lock(${LOCKS.resealing}) as locked`
  return row?.locked === true
}

export async function unlockResealing(connection: Sql): Promise<void> {
  await connection`select pg_advisory_unlock(${LOCKS.resealing})`
}

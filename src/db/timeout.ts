import type { Db } from './connect.ts'
import type { Sql } from './sql.ts'
import { transaction } from './transaction.ts'

/** SQLSTATE of a statement that was canceled by its timeout. */
export const QUERY_CANCELED = '57014'

/** Runs a statement with a timeout. */
export async function withTimeout<T>(db: Db, timeout_ms: number, work: (sql: Sql) => PromiseLike<T>): Promise<T> {
  return transaction(db, async (tx) => {
    await tx`select set_config('statement_timeout', ${String(Math.ceil(timeout_ms))}, true)`
    return work(tx)
  })
}

import type { ClientBase } from 'pg'
import { sqlOn, type Db, type Tx } from './connect.ts'
import type { Query, Rows, Sql } from './sql.ts'

/** Runs `work` in a transaction of its own. */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return onConnection(db, async (client) => {
    await client.query('begin')
    try {
      const result = await work(sqlOn(client, db.distributed))
      await client.query('commit')
      return result
    } catch (fault) {
      await client.query('rollback').catch(() => {}) // a broken connection has rolled back already
      throw fault
    }
  })
}

/**
 * Runs one statement that is committed only if its result arrives. A server that was suspended executes what it had
 * received long after we gave up; without our commit it rolls back.
 */
export async function committedIfAnswered<T extends readonly object[]>(
  db: Db,
  statement: (tx: Tx) => Query<T>,
): Promise<Rows<T>> {
  return onConnection(db, async (client) => {
    const tx = sqlOn(client, db.distributed)
    const [, outcome] = await Promise.allSettled([tx`begin`, statement(tx)]) // in one trip
    await client.query(outcome.status === 'fulfilled' ? 'commit' : 'rollback')
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}

/** Several statements on one connection, outside a transaction: for locks that belong to a session. */
export async function onOneConnection<T>(db: Db, work: (sql: Sql) => Promise<T>): Promise<T> {
  return onConnection(db, (client) => work(sqlOn(client, db.distributed)))
}

/** Lends a connection of the pool, and discards it if it broke. */
async function onConnection<T>(db: Db, work: (client: ClientBase) => Promise<T>): Promise<T> {
  const client = await db.pool.connect()
  let broken: Error | undefined
  const note = (fault: Error): void => {
    broken = fault
  }
  client.on('error', note)
  try {
    return await work(client)
  } finally {
    client.off('error', note)
    client.release(broken)
  }
}

/** SQLSTATE of a statement that was canceled by its timeout. */
export const QUERY_CANCELED = '57014'

/** Runs a statement with a timeout. */
export async function withTimeout<T>(db: Db, timeout_ms: number, work: (sql: Sql) => PromiseLike<T>): Promise<T> {
  return transaction(db, async (tx) => {
    await tx`select set_config('statement_timeout', ${String(Math.ceil(timeout_ms))}, true)`
    return work(tx)
  })
}

import type { ClientBase } from 'pg'
import { sqlOn, type Db, type Tx } from './connect.ts'

/** Runs `work` in a transaction of its own. */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return onConnection(db, async (client) => {
    await client.query('begin')
    try {
      const result = await work(sqlOn(client))
      await client.query('commit')
      return result
    } catch (fault) {
      await client.query('rollback').catch(() => {}) // a broken connection has rolled back already
      throw fault
    }
  })
}

/** A statement that is written but not sent: it leaves when somebody waits for it. */
export type Statement = PromiseLike<readonly object[]>

/**
 * A transaction whose statements do not wait for each other's results: begin, all of them and commit leave in one
 * round trip. With a hot balance row the lock is then held for the work alone, not for our way there and back.
 */
export async function inOneTrip(db: Db, statements: (tx: Tx) => readonly Statement[]): Promise<(readonly object[])[]> {
  return onConnection(db, async (client) => {
    const tx = sqlOn(client)
    // All of them are only written here; waiting for them sends them, in this order.
    const outcomes = await Promise.allSettled([tx`begin`, ...statements(tx), tx`commit`])
    const fault = outcomes.find((outcome) => outcome.status === 'rejected')
    if (fault) throw fault.reason
    return outcomes.slice(1, -1).map((outcome) => (outcome as PromiseFulfilledResult<readonly object[]>).value)
  })
}

/** Lends a connection of the pool; one that broke is not given back. */
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

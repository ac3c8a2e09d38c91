import type { Db, Tx } from './connect.ts'

/** Runs `work` in a transaction of its own. */
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return (await db.begin(async (sql) => work(sql as unknown as Tx))) as T
}

/** A statement that is written but not sent: it leaves when somebody waits for it. */
export type Statement = PromiseLike<readonly object[]>

/**
 * A transaction whose statements do not wait for each other's results: begin, all of them and commit leave in one
 * round trip. With a hot balance row the lock is then held for the work alone, not for our way there and back.
 */
export async function inOneTrip(db: Db, statements: (tx: Tx) => readonly Statement[]): Promise<(readonly object[])[]> {
  const connection = await db.reserve()
  try {
    const tx = connection as unknown as Tx
    const outcomes = await Promise.allSettled([tx`begin`, ...statements(tx), tx`commit`])
    const fault = outcomes.find((outcome) => outcome.status === 'rejected')
    if (fault) throw fault.reason
    return outcomes.slice(1, -1).map((outcome) => (outcome as PromiseFulfilledResult<readonly object[]>).value)
  } finally {
    connection.release()
  }
}

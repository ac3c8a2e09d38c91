import { Client } from 'pg'
import { from, to, type CopyToStreamQuery } from 'pg-copy-streams'
import { once } from 'node:events'
import { sqlOn, type Db, type Tx } from './connect.ts'

/** Copies text in the format of COPY into a table and resolves with the number of rows. */
export type Copy = (statement: string, texts: AsyncIterable<string | Uint8Array>) => Promise<number>
/** Streams rows in the format of COPY, with backpressure. `rowCount` is known at the end. */
export type CopyOut = (statement: string) => CopyToStreamQuery

/**
 * A transaction that can also COPY. It has a connection of its own: the pool's are pipelined, and a stream of data
 * cannot share one with other statements.
 */
export async function transactionWithCopy<T>(
  db: Db,
  work: (tx: Tx, copy: Copy, copyOut: CopyOut) => Promise<T>,
  { begin = ['begin'], signal }: { begin?: readonly string[]; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  signal?.throwIfAborted()
  // The pool hides its password from copies of its options.
  const client = new Client({ ...db.pool.options, password: db.pool.options.password, pipeline: false })
  client.on('error', () => {}) // the statement that it interrupts rejects
  await client.connect()
  db.silence.watch(client)
  const breakOff = (): void => void client.connection.stream.destroy()
  signal?.addEventListener('abort', breakOff)
  try {
    for (const statement of begin) await client.query(statement)
    const result = await work(
      sqlOn(client, db.distributed),
      (statement, texts) => pour(client.query(from(statement)), texts),
      (statement) => client.query(to(statement)),
    )
    await client.query('commit')
    return result
  } catch (fault) {
    signal?.throwIfAborted()
    throw fault
  } finally {
    signal?.removeEventListener('abort', breakOff)
    await client.end().catch(() => {}) // closing the connection rolls back an open transaction
  }
}

async function pour(copy: ReturnType<typeof from>, texts: AsyncIterable<string | Uint8Array>): Promise<number> {
  const finished = once(copy, 'finish')
  finished.catch(() => {}) // a fault in the middle is thrown by the loop, and by the wait below
  for await (const text of texts) if (!copy.write(text)) await Promise.race([once(copy, 'drain'), finished])
  copy.end()
  await finished
  return copy.rowCount
}

import { Client } from 'pg'
import { from } from 'pg-copy-streams'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { sqlOn, type Db, type Tx } from './connect.ts'

/** Copies text in PostgreSQL's own form into a table and resolves when the server has taken it. */
export type Copy = (statement: string, texts: AsyncIterable<string>) => Promise<void>

/**
 * A transaction that can also COPY. It has a connection of its own: the pool's are pipelined, and a stream of data
 * cannot share one with other statements.
 */
export async function transactionWithCopy<T>(db: Db, work: (tx: Tx, copy: Copy) => Promise<T>): Promise<T> {
  // The pool hides its password from copies of its options.
  const client = new Client({ ...db.pool.options, password: db.pool.options.password, pipeline: false })
  client.on('error', () => {}) // told by the statement that meets it
  await client.connect()
  db.silence.watch(client)
  try {
    await client.query('begin')
    const result = await work(sqlOn(client, db.distributed), (statement, texts) =>
      pour(client.query(from(statement)), texts),
    )
    await client.query('commit')
    return result
  } finally {
    await client.end().catch(() => {}) // what was not committed is taken back with the connection
  }
}

async function pour(copy: Writable, texts: AsyncIterable<string>): Promise<void> {
  const finished = once(copy, 'finish')
  finished.catch(() => {}) // a fault in the middle is thrown by the loop, and by the wait below
  for await (const text of texts) if (!copy.write(text)) await Promise.race([once(copy, 'drain'), finished])
  copy.end()
  await finished
}

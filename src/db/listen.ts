import { Client } from 'pg'
import type { Db } from './connect.ts'

const RETRY_MS = 1_000

/**
 * Listens on a connection of its own and comes back when that breaks. What is announced meanwhile is missed: who
 * listens must be able to do without.
 */
export async function listen(
  db: Db,
  channel: string,
  heard: (payload: string) => void,
): Promise<{ close(): Promise<void> }> {
  let closed = false
  let client: Client | undefined
  let retry: NodeJS.Timeout | undefined

  async function open(): Promise<void> {
    const opening = new Client(db.pool.options)
    opening.on('notification', ({ payload }) => heard(payload ?? ''))
    opening.on('error', () => {}) // told by 'end'
    opening.on('end', () => {
      if (client === opening) again()
    })
    await opening.connect()
    await opening.query(`listen ${channel}`)
    client = opening
    if (closed) await opening.end()
  }

  function again(): void {
    if (closed) return
    retry = setTimeout(() => void open().catch(again), RETRY_MS)
    retry.unref()
  }

  await open()
  return {
    async close() {
      closed = true
      clearTimeout(retry)
      await client?.end().catch(() => {}) // a database that is away has forgotten us already
    },
  }
}

export async function notify(db: Db, channel: string, payload: string): Promise<void> {
  await db`select pg_notify(${channel}, ${payload})`
}

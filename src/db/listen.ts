import { Client } from 'pg'
import type { Db } from './connect.ts'

const RETRY_MS = 1_000
/** Interval of the keepalive query: a connection that only listens does not notice that the server is gone. */
const KEEPALIVE_MS = 10_000

/**
 * Listens on a dedicated connection and reconnects when it breaks. Notifications sent meanwhile are lost, so callers must
 * also poll.
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
    opening.on('error', () => {}) // 'end' follows
    opening.on('end', () => {
      if (client === opening) again()
    })
    await opening.connect()
    db.silence.watch(opening)
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
  const keepalive = setInterval(() => void client?.query('select 1').catch(() => {}), KEEPALIVE_MS)
  keepalive.unref()
  return {
    async close() {
      closed = true
      clearInterval(keepalive)
      clearTimeout(retry)
      await client?.end().catch(() => {}) // the connection is lost already
    },
  }
}

export async function notify(db: Db, channel: string, payloads: readonly string[]): Promise<void> {
  await db`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`
}

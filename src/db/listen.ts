import { Client } from 'pg'
import type { Db } from './connect.ts'

const RETRY_MS = 1_000
/** Who only listens does not notice that nobody speaks any more: so often it asks. */
const ASK_EVERY_MS = 10_000

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
  const asker = setInterval(() => void client?.query('select 1').catch(() => {}), ASK_EVERY_MS)
  asker.unref()
  return {
    async close() {
      closed = true
      clearInterval(asker)
      clearTimeout(retry)
      await client?.end().catch(() => {}) // a database that is away has forgotten us already
    },
  }
}

export async function notify(db: Db, channel: string, payloads: readonly string[]): Promise<void> {
  await db`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) as payload`
}

import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { startStallingProxy, type StallingProxy } from '../support/stalling-proxy.ts'
import { until } from '../support/until.ts'
import { isDatabaseUnreachable } from '../../src/db/unreachable.ts'
import { connect } from '../../src/db/connect.ts'
import { listen, notify } from '../../src/db/listen.ts'
import { watchForSilence, type SilenceLimits } from '../../src/db/silence.ts'

const QUICK: SilenceLimits = { check_interval_ms: 20, checks: 3, probe_checks: 250 }

let database: TestDatabase
let proxy: StallingProxy
const undo: (() => unknown)[] = []

beforeEach(async () => {
  database = await freshDatabase()
  proxy = await startStallingProxy(database.address)
})
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
  await proxy.close()
  await database.drop()
})

/** A connection through the proxy, supervised. */
async function watchedClient(limits: SilenceLimits): Promise<Client> {
  const watch = watchForSilence({ connectionString: proxy.url }, limits)
  undo.push(() => watch.close())
  const client = new Client({ connectionString: proxy.url })
  client.on('error', () => {})
  await client.connect()
  watch.watch(client)
  return client
}

/** Whether the server is executing a statement with this text. */
async function isRunning(text: string): Promise<boolean> {
  const rows = await database.db`select 1 from pg_stat_activity where state = 'active' and query = ${text}`
  return rows.length > 0
}

test('a statement fails when the server no longer responds, not even to a new connection', async () => {
  const client = await watchedClient({ ...QUICK, probe_checks: 10 })
  proxy.stall()
  const fault = await client.query('select 1').catch((error: unknown) => error)
  expect(isDatabaseUnreachable(fault)).toBe(true)
})

test('a dead connection is closed, although new ones work', async () => {
  const client = await watchedClient(QUICK)
  proxy.lose()
  const fault = await client.query('select 1').catch((error: unknown) => error)
  expect(isDatabaseUnreachable(fault)).toBe(true)
  expect((await (await watchedClient(QUICK)).query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a slow statement is waited for, and so is an idle connection', async () => {
  const [busy, idle] = [await watchedClient(QUICK), await watchedClient(QUICK)]
  const slow = busy.query('select pg_sleep(3) is not null as slept')
  await until('it to run', () => isRunning('select pg_sleep(3) is not null as slept'))
  expect((await slow).rows).toEqual([{ slept: true }])
  expect((await idle.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a server that rejects us is alive', async () => {
  const url = new URL(proxy.url)
  url.pathname = '/there_is_no_such_database'
  const watch = watchForSilence({ connectionString: url.href }, QUICK)
  undo.push(() => watch.close())
  const client = new Client({ connectionString: proxy.url })
  client.on('error', () => {})
  await client.connect()
  watch.watch(client)
  expect((await client.query('select pg_sleep(1) is not null as slept')).rows).toEqual([{ slept: true }])
})

test('connections that are open when the pool is closed are terminated', async () => {
  const db = connect({ url: proxy.url })
  const pending = db`select pg_sleep(60)`.catch((error: unknown) => error)
  await until('it to run', () => isRunning('select pg_sleep(60)'))
  await db.end({ timeout: 0 })
  expect(isDatabaseUnreachable(await pending)).toBe(true)
})

test('a listener detects that the server no longer responds, and reconnects', async () => {
  const db = connect({ url: proxy.url })
  undo.push(() => db.end({ timeout: 1 }))
  const heard: string[] = []
  const subscription = await listen(db, 'silence_test', (payload) => heard.push(payload))
  undo.push(() => subscription.close())
  proxy.lose()
  await until(
    'a notification',
    async () => {
      await notify(database.db, 'silence_test', ['hello'])
      return heard.length > 0
    },
    60_000,
  )
  expect(new Set(heard)).toEqual(new Set(['hello']))
}, 90_000)

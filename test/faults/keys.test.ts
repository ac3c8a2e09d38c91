import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { caller } from '../support/service.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { until } from '../support/until.ts'
import { note } from './scale.ts'

const REVOKED_WITHIN_MS = 1_000

let database: TestDatabase
let gangan: Gangan
let env: Record<string, string>

beforeAll(async () => {
  database = await freshDatabase()
  env = { DATABASE_URL: database.url, GANGAN_LOG: 'debug' }
  gangan = await startGangan(env)
})
afterAll(async () => {
  await gangan.end('SIGTERM')
  await database.drop()
})

/** The whole database as text, like a dump. */
async function dump(): Promise<string> {
  const tables = await database.db<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const parts: string[] = []
  for (const { name } of tables) {
    const rows = await database.db.unsafe(`select row_to_json(one)::text as text from ${name} one`)
    parts.push(...rows.map((row) => (row as { text: string }).text))
  }
  expect(parts.length).toBeGreaterThan(5)
  return parts.join('\n')
}

async function makeKey(...options: string[]): Promise<{ key: string; id: string }> {
  const { stdout, stderr } = await runGangan(['keys', 'create', ...options], env)
  return { key: stdout.trim(), id: /Key (\S+):/.exec(stderr)?.[1] ?? '' }
}

/** All encodings in which a key may be stored. */
const forms = (key: string): string[] => [
  key,
  key.slice(8, 40),
  Buffer.from(key).toString('hex'),
  Buffer.from(key).toString('base64').slice(0, 40),
]

test('no key can be read in the database or in the log, whatever it was used for', async () => {
  const banner = gangan.output()
  const first = gangan.key ?? ''
  const keys = [first, (await makeKey()).key, (await makeKey('--test')).key, (await makeKey('--scopes', 'sms')).key]
  for (const key of keys) {
    const call = caller(gangan.url, key)
    await call(
      'POST',
      '/sms/send',
      { recipients: '08031234567', content: 'Hello' },
      { 'idempotency-key': `k-${key.slice(-4)}` },
    )
    await call('GET', '/balance')
    await call('GET', `/sms/${key}`)
    await call('GET', `/balance?key=${key}`)
    await call('POST', '/sms/send', { recipients: key, content: 1 })
    await call('POST', '/sms/send', '{"broken', { 'x-request-id': 'abc' })
    await call('GET', '/nowhere', undefined, { authorization: `Bearer ${key}x` })
  }
  await until('the log', () => gangan.output().length > banner.length)
  const log = gangan.output().slice(banner.length)
  const text = await dump()
  expect(log).toContain('"route":"/sms/send"')
  const found = keys.flatMap((key, n) =>
    forms(key)
      .filter((form) => log.includes(form) || text.includes(form))
      .map(() => n),
  )
  expect(found).toEqual([])
  note({
    promise: 'keys: none in a dump or log',
    figure: `${keys.length} keys in 4 spellings: in none of ${text.length} characters of the database, nor of ${log.length} of the log`,
  })
})

test('a revoked key is rejected within a second, also while it is used', async () => {
  const { key, id } = await makeKey()
  const call = caller(gangan.url, key)
  let busy = true
  const traffic = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (busy) await call('GET', '/balance')
    }),
  )
  expect((await call('GET', '/balance')).status).toBe(200)
  expect((await runGangan(['keys', 'revoke', id], env)).code).toBe(0)
  const [row] = await database.db<
    { revoked: string }[]
  >`select revoked_datetime as revoked from api_keys where id = ${id}`
  await until('the rejection', async () => (await call('GET', '/balance')).status === 401)
  const took_ms = Date.now() - Date.parse(row?.revoked ?? '')
  busy = false
  await traffic
  expect(took_ms).toBeLessThan(REVOKED_WITHIN_MS + 1_000) // With a tolerance of a second for a busy machine.
  note({
    promise: 'keys: revoked immediately',
    figure: `refused ${took_ms} ms after the revocation, under traffic`,
    goal: `< ${REVOKED_WITHIN_MS} ms`,
    met: took_ms < REVOKED_WITHIN_MS,
  })
})

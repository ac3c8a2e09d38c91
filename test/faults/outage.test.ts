import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { startGangan } from '../support/process.ts'
import { caller } from '../support/service.ts'
import { startStallingProxy } from '../support/stalling-proxy.ts'
import { until } from '../support/until.ts'
import { note, scale } from './scale.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('while the database is unavailable, the log has one line per change and no stack traces', async () => {
  const proxy = await startStallingProxy(database.address)
  const gangan = await startGangan({ DATABASE_URL: proxy.url, GANGAN_API_KEY: 'a key of my own', GANGAN_LOG: 'warn' })
  const call = caller(gangan.url, 'a key of my own')
  const send = async () => (await call('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })).status
  expect(await send()).toBe(200)

  await proxy.refuse()
  proxy.cut()
  const refused = scale(200, 5_000)
  let answers = 0
  while (answers < refused) {
    const statuses = await Promise.all(Array.from({ length: 8 }, send))
    answers += statuses.filter((status) => status === 503).length
  }
  await until('the line', () => gangan.output().includes('the database is unavailable'))
  await proxy.accept()
  await until('the end of the outage', () => gangan.output().includes('the database is available again'))
  expect(await until('a message', async () => (await send()) === 200)).toBe(true)
  expect(await gangan.end('SIGTERM')).toBe(0)
  await proxy.close()

  const lines = gangan
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { msg: string; reason?: string; err?: { stack: string } })
  const about = lines.filter(({ msg }) => msg.startsWith('the database is'))
  expect(about.map(({ msg }) => msg).filter((msg) => !msg.includes('still'))).toEqual([
    'the database is unavailable',
    'the database is available again',
  ])
  expect(about[0]?.reason).toMatch(/^(no server accepts connections there|the server closed the connection|Connection)/)
  // One line for each outcome that is kept for later, and none for each request.
  const others = lines.filter((line) => !about.includes(line))
  expect(others.filter(({ msg }) => msg === 'a request failed')).toEqual([])
  expect(others.length).toBeLessThan(10)
  note({
    promise: 'a quiet log while the database is unavailable',
    figure: `${answers} requests refused, ${lines.length} lines logged`,
  })
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { startGangan } from '../support/process.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'

const MESSAGES = 40

test('killed between submission and report, the simulator reports on every message after the next start', async () => {
  const database = await freshDatabase()
  const folder = await temporaryFolder()
  const GANGAN_CONFIG = join(folder.path, 'gangan.json')
  const carriers = [{ kind: 'simulator', name: 'simulator', report_delay_ms: 60_000 }]
  await writeFile(GANGAN_CONFIG, JSON.stringify({ carriers }))
  const env = { DATABASE_URL: database.url, GANGAN_CONFIG }
  const inState = async (status: string): Promise<number> =>
    (await database.db`select 1 from deliveries where status = ${status}`).length

  const killed = await startGangan(env)
  const call = caller(killed.url, killed.key ?? '')
  for (let n = 0; n < MESSAGES; n += 1) {
    await call('POST', '/sms/send', { recipients: String(2_348_031_000_000 + n), content: 'Hello' })
  }
  await until('all to be submitted', async () => (await inState('sent')) === MESSAGES)
  await killed.end('SIGKILL')
  expect(await inState('delivered')).toBe(0)
  const batches = await database.db`update jobs set run_at = now() where queue = 'simulator:simulator'`
  expect(batches.count).toBeGreaterThan(0)

  const next = await startGangan(env)
  await until('all to be reported', async () => (await inState('delivered')) === MESSAGES)
  await until('no job to be left', async () => (await database.db`select 1 from jobs`).length === 0)
  await next.end('SIGTERM')
  await folder.remove()
  await database.drop()
}, 60_000)

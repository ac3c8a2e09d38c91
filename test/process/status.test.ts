import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Status } from '../../src/status/schema.ts'
import { temporaryFolder, type Folder } from '../support/folder.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { until } from '../support/until.ts'

let folder: Folder
let GANGAN_DATA: string
let gangan: Gangan | undefined

beforeAll(async () => {
  folder = await temporaryFolder()
  GANGAN_DATA = join(folder.path, 'data')
})
afterAll(async () => {
  await gangan?.end('SIGTERM')
  await folder.remove()
})

const status = (...args: string[]) => runGangan(['status', ...args], { GANGAN_DATA })
const read = async (): Promise<Status> => JSON.parse((await status('--json')).stdout) as Status
const of = (found: Status, check: string) => found.findings.filter((one) => one.check === check)

test('in a folder without a database it names the folder and creates nothing', async () => {
  const { code, stderr } = await status()
  expect([code, stderr]).toEqual([3, expect.stringContaining(`There is no Gangan database in ${GANGAN_DATA}.`)])
  expect(existsSync(GANGAN_DATA)).toBe(false)
  const plugin = await status('--nagios')
  expect([plugin.code, plugin.stdout]).toEqual([
    3,
    expect.stringMatching(/^GANGAN UNKNOWN - There is no Gangan database/),
  ])
})

test('beside a running service it reports processes, database and disk, and exits with 0', async () => {
  gangan = await startGangan({ GANGAN_DATA }, ['--processes', '2'])
  const found = await read()
  expect(of(found, 'processes')).toHaveLength(2)
  const bad = found.findings.filter(({ level }) => level !== 'ok')
  expect(bad.filter(({ check }) => check !== 'disk')).toEqual([])
  for (const check of ['version', 'disk', 'processes', 'database', 'schema', 'clock', 'carriers', 'queues']) {
    expect(of(found, check)).not.toEqual([])
  }
  if (bad.length > 0) return // the disk of this machine is nearly full
  const { code, stdout } = await status()
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ok +version +Gangan /)
  const plugin = await status('--nagios')
  expect([plugin.code, plugin.stdout]).toEqual([
    0,
    expect.stringMatching(/^GANGAN OK - everything is ok \| ok=\d+ warning=0 critical=0\n$/),
  ])
})

test('of a service that was killed it says so, while its PostgreSQL still runs', async () => {
  await gangan?.end('SIGKILL')
  gangan = undefined
  const found = await until('the processes to be gone', async () => {
    const seen = await read()
    return of(seen, 'processes').some(({ level }) => level === 'critical') && seen
  })
  expect(of(found, 'processes')).toMatchObject([{ summary: expect.stringContaining('The service is not running') }])
  expect(of(found, 'database')).toMatchObject([{ level: 'ok' }])
  const plugin = await status('--nagios')
  expect([plugin.code, plugin.stdout]).toEqual([
    2,
    expect.stringMatching(/^GANGAN CRITICAL - The service is not running/),
  ])
})

test('of a service that was stopped it says so, and starts nothing', async () => {
  gangan = await startGangan({ GANGAN_DATA })
  expect(await gangan.end('SIGTERM')).toBe(0)
  gangan = undefined
  const { code, stdout } = await status()
  expect(code).toBe(11)
  expect(stdout).toContain('The service is not running: the PostgreSQL of')
  expect(stdout).toContain('docs/runbook.md#gangandown')
  expect(existsSync(join(GANGAN_DATA, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('of a database server that does not answer it says so', async () => {
  const { code, stdout } = await runGangan(['status', '--json'], { DATABASE_URL: 'postgres://a:b@127.0.0.1:1/gangan' })
  const found = JSON.parse(stdout) as Status
  expect(code).toBe(11)
  expect(of(found, 'database')).toMatchObject([
    { level: 'critical', summary: expect.stringContaining('ECONNREFUSED'), runbook: 'the-database-cannot-be-used' },
  ])
})

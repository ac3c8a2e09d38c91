import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDatabase } from '../../src/cli/database.ts'
import { decideConfig } from '../../src/config/config.ts'
import { takeOwnership } from '../../src/db/embedded/owner.ts'
import { temporaryFolder, type Folder } from '../support/folder.ts'
import { beginGangan, runGangan, startGangan } from '../support/process.ts'

let folder: Folder

beforeAll(async () => {
  folder = await temporaryFolder()
})
afterAll(() => folder.remove())

test.each([
  ['keys', 'list'],
  ['balance', 'audit'],
  ['users', 'invite', 'ada@example.com'],
  ['organisations', 'list'],
  ['callbacks', 'secret'],
  ['contacts', 'erase', '+2348031234567'],
])('gangan %s %s in the wrong folder names the folder and creates nothing', async (...args) => {
  const data_dir = join(folder.path, 'elsewhere', 'data')
  const { code, stdout, stderr } = await runGangan(args, { GANGAN_DATA: data_dir })
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toContain(`There is no Gangan database in ${data_dir}.`)
  expect(existsSync(join(folder.path, 'elsewhere'))).toBe(false)
})

test('gangan backup in the wrong folder leaves no file', async () => {
  const file = join(folder.path, 'empty.backup.gz')
  const { code, stderr } = await runGangan(['backup', file], { GANGAN_DATA: join(folder.path, 'elsewhere') })
  expect(code).toBe(3)
  expect(stderr).toContain('There is no Gangan database in')
  expect(await readdir(folder.path)).toEqual([])
})

test('serve starts while a command uses the database, keeps it running, and the command completes', async () => {
  const GANGAN_DATA = join(folder.path, 'data')
  expect(await runGangan(['migrate'], { GANGAN_DATA })).toMatchObject({ code: 0 })
  const config = decideConfig({ GANGAN_DATA }, {})
  const gangan = await withDatabase(config, async (db) => {
    const started = await startGangan({ GANGAN_DATA })
    expect(await db`select 1 as one`).toEqual([{ one: 1 }])
    return started
  })
  try {
    // The command has ended, and PostgreSQL belongs to the service.
    expect((await fetch(`${gangan.url}/ready`)).status).toBe(200)
    expect(gangan.output()).not.toContain('"level":50')
  } finally {
    expect(await gangan.end('SIGTERM')).toBe(0)
  }
})

test('serve waits for a command that is just opening the folder', async () => {
  const GANGAN_DATA = join(folder.path, 'data')
  const command = await takeOwnership(GANGAN_DATA, { brief: true })
  const starting = beginGangan({ GANGAN_DATA })
  try {
    const claim = expect.stringContaining(`owner-claim-${starting.pid}`)
    await expect.poll(() => readdir(GANGAN_DATA), { timeout: 30_000 }).toContainEqual(claim)
  } finally {
    await command.release()
  }
  await starting.ready
  expect(await starting.end('SIGTERM')).toBe(0)
})

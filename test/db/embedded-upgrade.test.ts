import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { contentOf } from '../support/empty-database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { fillFormer } from '../support/former-schema.ts'
import { connect, type Db } from '../../src/db/connect.ts'
import { accountFor } from '../../src/db/embedded/account.ts'
import {
  findBinaryPackage,
  findKept,
  keepBinaries,
  prepareBinaries,
  removeOthers,
} from '../../src/db/embedded/binaries.ts'
import { startEmbedded, type EmbeddedPostgres } from '../../src/db/embedded/start.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let data_dir: string
let running: EmbeddedPostgres | undefined
let before: Record<string, string>

beforeAll(async () => {
  folder = await temporaryFolder()
  data_dir = folder.path
  await inside(async (db) => {
    await fillFormer(db)
    before = await contentOf({ db })
  })
})
afterEach(() => stop())
afterAll(() => folder.remove())

async function stop(): Promise<void> {
  await running?.stop()
  running = undefined
}

async function inside(work: (db: Db) => Promise<void>, notes: string[] = []): Promise<void> {
  running = await startEmbedded({ data_dir, noteUpgrade: (sentence) => notes.push(sentence) })
  const db = connect(running.url_options, { connections: 2 })
  try {
    await work(db)
  } finally {
    await db.end({ timeout: 1 })
    await stop()
  }
}

const versionIn = (name: string) => readFileSync(join(data_dir, name, 'PG_VERSION'), 'utf8').trim()

/** There is only one major version to test with: a cluster marked as older, with the binaries of the current one. */
async function pretendOlder(major: string, kept: boolean): Promise<void> {
  const account = accountFor(await realpath(join(data_dir, 'postgres')))
  const { postgres } = await prepareBinaries(findBinaryPackage(), account, data_dir)
  const now = versionIn('postgres')
  writeFileSync(join(data_dir, 'postgres', 'PG_VERSION'), `${major}\n`)
  if (!kept) return
  const bin_dir = join(data_dir, `postgres-${major}.1.0-${process.arch}`, 'bin')
  mkdirSync(bin_dir, { recursive: true })
  writeFileSync(join(bin_dir, 'postgres'), `#!/bin/sh\necho ${now} > "$2/PG_VERSION"\nexec ${postgres} "$@"\n`)
  chmodSync(join(bin_dir, 'postgres'), 0o755)
}

test('without the old binaries the upgrade is rejected with a remedy, and nothing changes', async () => {
  const now = versionIn('postgres')
  await pretendOlder('11', false)
  await expect(startEmbedded({ data_dir })).rejects.toThrow(
    /was made by PostgreSQL 11, this release brings PostgreSQL \d+, and no binaries of 11 are kept: .* gangan backup FILE/,
  )
  writeFileSync(join(data_dir, 'postgres', 'PG_VERSION'), `${now}\n`)
})

test('without disk space for a second cluster the upgrade is rejected, and nothing changes', async () => {
  const now = versionIn('postgres')
  await pretendOlder('11', true)
  const names = () => readdirSync(data_dir).filter((name) => !name.startsWith('owner.'))
  const before_it = names()
  const { bavail, bsize } = statfsSync(data_dir)
  const large = join(data_dir, 'postgres', 'base', 'large')
  writeFileSync(large, '')
  truncateSync(large, bavail * bsize) // A sparse file as large as the free space.
  const notes: string[] = []
  const refused = await startEmbedded({ data_dir, noteUpgrade: (sentence) => notes.push(sentence) }).catch(String)
  rmSync(large)
  expect(refused).toMatch(/takes \d+\.\d GB beside the old one, and the disk of .+ has \d+\.\d GB free\.$/)
  expect([notes, names()]).toEqual([[], before_it])
  expect(versionIn('postgres')).toBe('11')
  writeFileSync(join(data_dir, 'postgres', 'PG_VERSION'), `${now}\n`)
})

test('with the old binaries every row is upgraded, and the old cluster stays', async () => {
  const now = versionIn('postgres')
  await pretendOlder('11', true)
  const notes: string[] = []
  await inside(async (db) => {
    const after = await contentOf({ db })
    expect(after.ledger_lines).toBe(before.ledger_lines)
    expect(after.messages).toBe(before.messages)
    expect(after.callbacks).toBe(before.callbacks)
    const [role] = await db<{ user: string }[]>`select current_user as user`
    expect(role?.user).toBe('gangan_service')
  }, notes)
  expect(notes).toEqual([
    `The database was made by PostgreSQL 11 and is being upgraded to PostgreSQL ${now}.`,
    expect.stringContaining(`The database is PostgreSQL ${now} now; the former one stays in `),
  ])
  expect(readdirSync(data_dir).filter((name) => /^postgres\.(\d|up|un)/.test(name))).toHaveLength(1)
})

test('an upgrade interrupted between two renames continues at the next start', async () => {
  const names = () => readdirSync(data_dir).filter((name) => /^postgres\.\d/.test(name))
  const isThere = async () => {
    await inside(async (db) => expect((await contentOf({ db })).ledger_lines).toBe(before.ledger_lines))
    expect(existsSync(join(data_dir, 'postgres.upgraded'))).toBe(false)
  }
  renameSync(join(data_dir, 'postgres'), join(data_dir, 'postgres.upgraded'))
  await isThere()
  const [old = ''] = names()
  renameSync(join(data_dir, 'postgres'), join(data_dir, 'postgres.upgraded'))
  renameSync(join(data_dir, old), join(data_dir, 'postgres'))
  await isThere()
  expect(names()).toHaveLength(1)
})

test('binaries are kept, one of each major version, and found again', async () => {
  const kept_dir = join(data_dir, 'kept')
  mkdirSync(kept_dir)
  const { major } = await prepareBinaries(findBinaryPackage(), undefined, kept_dir)
  mkdirSync(join(kept_dir, `postgres-${major}.0.0-${process.arch}`))
  mkdirSync(join(kept_dir, `postgres-${major}.0.0-${process.arch}.partial-${'0'.repeat(36)}`))
  mkdirSync(join(kept_dir, `postgres-11.0.0-${process.arch}`))
  await keepBinaries(findBinaryPackage(), kept_dir)
  await keepBinaries(findBinaryPackage(), kept_dir)
  await removeOthers(findBinaryPackage(), kept_dir)
  expect(readdirSync(kept_dir).map((name) => name.split('.')[0])).toEqual(['postgres-11', `postgres-${major}`].sort())
  expect((await findKept([kept_dir], major, undefined))?.postgres).toContain(kept_dir)
  expect(await findKept([kept_dir], '11', undefined)).toBeUndefined()
})

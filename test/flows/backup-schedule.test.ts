import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { checkBackup } from '../../src/db/backup/restore.ts'
import { backUpIfDue } from '../../src/db/backup/schedule.ts'
import { pepperKeys } from '../../src/otp/pepper.ts'
import { temporaryFolder } from '../support/folder.ts'
import { PEPPER } from '../support/secret-seal.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const on_cluster = inject('cluster') !== undefined
const NAME = /^gangan-\d{8}T\d{6}Z\.backup\.gz$/

let service: TestService
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let place: string
let number = 0

beforeAll(async () => {
  folder = await temporaryFolder()
  service = await openService({ workers: false })
})
beforeEach(async () => {
  place = join(folder.path, String((number += 1)))
  await service.db`delete from backups`
})
afterAll(async () => {
  await service.close()
  await folder.remove()
})

const deps = () => ({
  db: service.db,
  log: { info: () => {}, warn: () => {}, error: () => {} },
  ...pepperKeys(PEPPER),
})
const settings = () => ({ folder: place, every_hours: 1, keep: 2 })
const files = () => readdirSync(place).sort()

/** Makes all backups the given time older. */
async function goBy(hours: number): Promise<void> {
  await service.db`update backups set begun_datetime = begun_datetime - ${hours} * interval '1 hour'`
}

async function metric(name: string): Promise<number | undefined> {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

test.skipIf(on_cluster)('one of several processes makes a backup when it is due', async () => {
  expect(await metric('gangan_backup_last_seconds')).toBeUndefined()
  const made = await Promise.all([1, 2, 3].map(() => backUpIfDue(deps(), settings())))
  expect(made.filter((one) => one === true)).toHaveLength(1)
  expect(files()).toEqual([expect.stringMatching(NAME)])
  expect((await checkBackup(join(place, files()[0] ?? ''))).summary.tables).toBeGreaterThan(50)
  expect(await backUpIfDue(deps(), settings())).toBeUndefined()
  await goBy(0.9)
  expect(await backUpIfDue(deps(), settings())).toBeUndefined()
  const [row] = await service.db<{ begun_s: number }[]>`
    select extract(epoch from begun_datetime)::float8 as begun_s from backups`
  expect(await metric('gangan_backup_last_seconds')).toBeCloseTo(row?.begun_s ?? 0, 3)
  expect(await metric('gangan_backup_failures')).toBe(0)
  expect(await metric('gangan_backup_bytes')).toBeGreaterThan(1_000)
})

test.skipIf(on_cluster)('the oldest backups are deleted, and no other files of the folder', async () => {
  expect(await backUpIfDue(deps(), settings())).toBe(true)
  for (const name of ['gangan-20200101T000000Z.backup.gz', 'gangan-20200102T000000Z.backup.gz', 'mine.gz']) {
    writeFileSync(join(place, name), 'old')
  }
  writeFileSync(join(place, 'gangan-20200103T000000Z.backup.gz.partial-0123abcd'), 'of a process that was killed')
  const first = files().find((name) => NAME.test(name) && !name.startsWith('gangan-2020'))
  await goBy(2)
  await until('another second', async () => {
    const [row] = await service.db<{ file: string }[]>`
      select to_char(now() at time zone 'UTC', '"gangan-"YYYYMMDD"T"HH24MISS"Z.backup.gz"') as file`
    return row?.file !== first
  })
  expect(await backUpIfDue(deps(), settings())).toBe(true)
  expect(files()).toEqual([first, expect.stringMatching(NAME), 'mine.gz'])
})

test.skipIf(on_cluster)('a complete backup counts, also if an old one cannot be deleted', async () => {
  const stubborn = 'gangan-20200101T000000Z.backup.gz'
  mkdirSync(join(place, stubborn), { recursive: true }) // Not a file.
  for (const day of ['02', '03']) writeFileSync(join(place, `gangan-202001${day}T000000Z.backup.gz`), 'old')
  const logged: string[] = []
  const log = { ...deps().log, error: (_details: object, sentence: string) => void logged.push(sentence) }
  expect(await backUpIfDue({ ...deps(), log }, settings())).toBe(true)
  expect(logged).toEqual(['old backups could not be removed'])
  expect(files()).toEqual([stubborn, 'gangan-20200103T000000Z.backup.gz', expect.stringMatching(NAME)])
  expect(await metric('gangan_backup_failures')).toBe(0)
  expect(await metric('gangan_backup_last_seconds')).toBeGreaterThan(0)
})

test.skipIf(on_cluster)('a failed backup is logged, leaves no incomplete file, and is retried later', async () => {
  writeFileSync(place, 'a file where the folder should be')
  const logged: string[] = []
  const log = { ...deps().log, error: (_details: object, sentence: string) => void logged.push(sentence) }
  expect(await backUpIfDue({ ...deps(), log }, settings())).toBe(false)
  expect(logged).toEqual(['a backup failed'])
  expect(await metric('gangan_backup_failures')).toBe(1)
  expect(await metric('gangan_backup_last_seconds')).toBe(0)
  expect(await backUpIfDue(deps(), settings())).toBeUndefined()
  await goBy(0.26)
  place = `${place}-mended`
  expect(await backUpIfDue(deps(), settings())).toBe(true)
  expect(await metric('gangan_backup_failures')).toBe(0)
})

test.skipIf(on_cluster)('a backup that is stopped leaves no file', async () => {
  const stop = new AbortController()
  const { db } = service
  const holder = await db.pool.connect()
  await holder.query('begin; lock table webhooks in access exclusive mode')
  const making = backUpIfDue(deps(), settings(), stop.signal)
  await until('it to wait', async () => {
    return (await db`select 1 from pg_locks where not granted and relation = 'webhooks'::regclass`).length > 0
  })
  stop.abort(new Error('the service was stopped'))
  expect(await making).toBe(false)
  await holder.query('rollback')
  holder.release()
  expect(files()).toEqual([])
  expect(await db`select fault from backups`).toEqual([{ fault: 'the service was stopped' }])
})

test.skipIf(on_cluster)('a service with the setting makes backups automatically', async () => {
  const beside = await openService({ beside: service, settings: { backups: { folder: place } } })
  await until('the first backup', () => existsSync(place) && files().some((name) => NAME.test(name)))
  await beside.close()
  expect(files()).toEqual([expect.stringMatching(NAME)])
})

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { auditPurchases } from '../../src/airtime/audit-store.ts'
import { frame, ORGANISATION_FORMAT } from '../../src/db/backup/format.ts'
import { writeBackup } from '../../src/db/backup/write.ts'
import { dropPartitions, makePartitions } from '../../src/db/partitions.ts'
import { transaction } from '../../src/db/transaction.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openCallbackSecrets } from '../../src/organisations/callback-secrets.ts'
import { pepperKeys } from '../../src/otp/pepper.ts'
import type { TestDatabase } from '../support/database.ts'
import { numbersOf } from '../support/drafts.ts'
import { contentOf, emptyDatabase } from '../support/empty-database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { MAIN, runGangan } from '../support/process.ts'
import { PEPPER, secret_seal } from '../support/secret-seal.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

/** A cluster is backed up with its own tools; another test checks that the command says so. */
const on_cluster = inject('cluster') !== undefined

/** Written by migrate, or at the time of the restore. */
const MADE_THERE = ['migrations', 'function_files', 'builds', 'backups', 'live_watchers']

let service: TestService
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let number = 0
const databases: TestDatabase[] = []

beforeAll(async () => {
  folder = await temporaryFolder()
  service = await openService({ credit: 100_000 })
})
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop()
})
afterAll(async () => {
  await service.close()
  await folder.remove()
})

const newFile = () => join(folder.path, `${(number += 1)}.backup.gz`)
const env = (url: string) => ({ DATABASE_URL: url, GANGAN_PEPPER: PEPPER })

async function newPlace(): Promise<TestDatabase> {
  const database = await emptyDatabase()
  databases.push(database)
  return database
}

async function backUp(): Promise<string> {
  const file = newFile()
  expect(await runGangan(['backup', file], env(service.database.url))).toMatchObject({ code: 0 })
  return file
}

/**
 * Runs the command with a file system of one page mounted at "$1", removed afterwards; requires a kernel that allows
 * it.
 */
function onSmallDisk(command: string, more: Record<string, string> = {}) {
  const script = `mount -t tmpfs -o size=4k none "$1" || exit 1; ${command}; code=$?; echo; ls -A "$1"; exit $code`
  // Root stays root, because the database's own folder belongs to another user.
  const rights = process.getuid?.() === 0 ? [] : ['--map-root-user']
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    [...rights, '--mount', 'sh', '-c', script, 'sh', '/mnt', process.execPath, MAIN],
    { encoding: 'utf8', env: { PATH: process.env.PATH, ...more } },
  )
  return { ran: status === 0, stderr, left: stdout?.trim() }
}

async function tablesOf({ db }: TestDatabase): Promise<string[]> {
  const tables = await db<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
  return tables.map(({ name }) => name)
}

async function send(content: string, recipients = '08031234567'): Promise<string> {
  const { status, body } = await service.call('POST', '/sms/send', { recipients, content })
  expect(status).toBe(200)
  return String(body.id)
}

describe.skipIf(on_cluster)('gangan backup and gangan restore', () => {
  test('restore everything to another database, to the last row, with its constraints and partitions', async () => {
    const strange = 'tab\tnew line\nback\\slash \\N \\. ẹ😀'
    const id = await send(strange, [...numbersOf(5), '2348000000003'].join(','))
    await service.call('POST', '/airtime/buy', { network: 'MTN', amount: 100, recipient: '08031234567' })
    await service.call('POST', '/otp/request_token', { recipient: '08031234567' })
    await service.call('POST', '/lists/contact/rows', { columns: { Name: 'Ada "A"' } })
    await makePartitions(service.db)
    await until(
      'all callbacks to be delivered',
      async () => (await service.db`select 1 from jobs limit 1`).length === 0,
    )
    const before = await contentOf(service)
    await service.db.unsafe('create table notes_of_the_operator as select 1 as one')
    const file = await backUp()
    await service.db.unsafe('drop table notes_of_the_operator')
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const place = await newPlace()
    const restored = await runGangan(['restore', file], env(place.url))
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Every balance is the sum') })
    expect(restored.stdout).toContain('The table notes_of_the_operator is not part of Gangan and was skipped.')
    const bounds = ({ db }: Pick<TestDatabase, 'db'>) => db`
      select relname, pg_get_expr(relpartbound, oid) as bound, reloptions from pg_class where relispartition and relkind = 'r'
      order by 1`
    expect(await bounds(place)).toEqual(await bounds(service))
    const theirs = await contentOf(place)
    const [ours, later] = [before, await contentOf(service)]
    // Periodic jobs and statistics continue to run; the time of migrations differs.
    const still = Object.keys(ours).filter((name) => ours[name] === later[name] && !MADE_THERE.includes(name))
    expect(still.map((name) => `${name} ${theirs[name]}`)).toEqual(still.map((name) => `${name} ${ours[name]}`))
    // The next start notes its build.
    expect(Object.keys(theirs)).toEqual(Object.keys(ours).filter((name) => name !== 'builds'))
    expect(still).toEqual(
      expect.arrayContaining(['ledger_lines', 'balances', 'messages', 'deliveries', 'otps', 'purchases']),
    )
    expect(ours.contact_rows).toMatch(/^1 /)

    await expect(place.db`update ledger_lines set amount = 0`).rejects.toThrow('never changed')
    await expect(place.db`update balances set balance = balance + 1`).rejects.toThrow('without its ledger line')
    const beside = await openService({ beside: { database: place }, workers: false })
    const caller = await beside.organisation({ of: service })
    expect((await caller.call('GET', `/sms/${id}`)).body.content).toBe(strange)
    const sent = await caller.call('POST', '/sms/send', { recipients: '08031234567', content: 'after' })
    expect(sent.status).toBe(200)
    await beside.close()
    expect(await auditMoney(place.db)).toEqual([])
  })

  test('made during sends contain everything that was answered before they began, with exact balances', async () => {
    const answered: string[] = []
    let going = true
    const senders = Array.from({ length: 8 }, async (_, n) => {
      for (let i = 0; going; i += 1)
        answered.push(await send(`${n} ${i}`, n === 0 ? numbersOf(20).join(',') : undefined))
    })
    await until('some to be sent', () => answered.length > 50)
    const before = [...answered]
    const file = await backUp()
    const behind = answered.length
    going = false
    await Promise.all(senders)
    expect(behind).toBeGreaterThan(before.length) // The sends continued.

    const place = await newPlace()
    expect(await runGangan(['restore', file], env(place.url))).toMatchObject({ code: 0, stderr: expect.any(String) })
    const there = await place.db<{ id: string }[]>`
      select id from messages union all
      select message.id from intake cross join lateral messages_in(messages) message`
    const known = new Set(there.map(({ id }) => id))
    expect(before.filter((id) => !known.has(id))).toEqual([])
    expect([...(await auditMoney(place.db)), ...(await auditPurchases(place.db))]).toEqual([])
  })

  test.skipIf(!onSmallDisk('true').ran)('report a full disk, and leave no file', () => {
    const { ran, stderr, left } = onSmallDisk('"$2" "$3" backup "$1/of-today.backup.gz"', env(service.database.url))
    expect(ran).toBe(false)
    expect(stderr).toContain('The disk is full; there is no space for the backup.')
    expect(left).toBe('')
  })

  test('prevent partitions from being dropped meanwhile, without blocking others', async () => {
    const { db } = service
    let backing_up: Promise<unknown> | undefined
    await transaction(db, async (tx) => {
      await tx`lock table webhooks in access exclusive mode` // It stops before this table.
      backing_up = writeBackup(db, { file: newFile(), pepper_mark: pepperKeys(PEPPER).pepper_mark })
      backing_up.catch(() => {})
      await until('the backup to wait', async () => {
        const waiting = await db`select 1 from pg_locks where not granted and relation = 'webhooks'::regclass`
        return waiting.length > 0
      })
      expect(await dropPartitions(db, -40_000)).toEqual([])
    })
    await backing_up
  })

  test('require the pepper, unless --new-pepper is given', async () => {
    const file = newFile()
    const pepper = `${file}.pepper`
    const made = await runGangan(['backup', file, '--pepper', pepper], env(service.database.url))
    expect(made.stdout).toContain(`${pepper} holds it. Keep both, in different places.`)
    expect(readFileSync(pepper, 'utf8').trim()).toBe(PEPPER)
    const place = await newPlace()
    const url = { DATABASE_URL: place.url }
    const wrong = `${file}.wrong`
    writeFileSync(wrong, 'a pepper of somebody else')
    expect((await runGangan(['restore', file], url)).stderr).toContain('does not contain the pepper')
    expect((await runGangan(['restore', file, '--pepper', wrong], url)).stderr).toContain('is not the one')
    const other = { ...url, GANGAN_PEPPER: 'another pepper of 16' }
    expect((await runGangan(['restore', file], other)).stderr).toContain('The pepper of GANGAN_PEPPER is not the one')
    expect(await tablesOf(place)).toEqual([])
    expect(await runGangan(['restore', file, '--pepper', pepper], url)).toMatchObject({ code: 0 })
    expect(await place.db`select value from secrets where name = 'pepper'`).toEqual([{ value: PEPPER }])
    expect(await openCallbackSecrets({ db: place.db, secret_seal }, service.id)).toHaveLength(1)

    // The embedded database has it in a file beside it, which must be present.
    const data_dir = join(folder.path, 'data')
    mkdirSync(data_dir)
    writeFileSync(join(data_dir, 'pepper'), 'a pepper of somebody else')
    const embedded = { GANGAN_DATA: data_dir }
    expect((await runGangan(['restore', file], embedded)).stderr).toContain(`${data_dir}/pepper is not the one`)
    expect(readdirSync(data_dir)).toEqual(['pepper'])
    rmSync(join(data_dir, 'pepper'))
    expect(await runGangan(['restore', file, '--pepper', pepper], embedded)).toMatchObject({ code: 0 })
    expect(readFileSync(join(data_dir, 'pepper'), 'utf8')).toBe(PEPPER)
    expect(await runGangan(['balance', 'audit'], embedded)).toMatchObject({ code: 0 })

    const anew = await newPlace()
    const without = await runGangan(['restore', file, '--new-pepper'], { DATABASE_URL: anew.url })
    expect(without.stdout).toContain('have to be issued again')
    expect(await anew.db`select 1 from secrets`).toEqual([])
  })

  test('leave a database with tables unchanged', async () => {
    const file = await backUp()
    const before = await contentOf(service)
    const { code, stderr } = await runGangan(['restore', file], env(service.database.url))
    expect([code, stderr]).toEqual([4, expect.stringContaining('this database has tables')])
    expect((await contentOf(service)).ledger_lines).toEqual(before.ledger_lines)
  })

  test('do not restore inconsistent data without --accept-faults', async () => {
    await service.db`update deliveries set charge = charge + 1`
    const file = await backUp()
    await service.db`update deliveries set charge = charge - 1`
    const place = await newPlace()
    const refused = await runGangan(['restore', file], env(place.url))
    expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('Nothing was restored') })
    expect(await tablesOf(place)).toEqual([])
    const kept = await runGangan(['restore', file, '--accept-faults'], env(place.url))
    expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining('found faults') })
  })
})

describe.skipIf(on_cluster)('a file that is not a complete backup of this release', () => {
  let whole: Buffer
  let place: TestDatabase

  beforeAll(async () => {
    await send('x'.repeat(100))
    whole = readFileSync(await backUp())
  })

  async function refusalOf(bytes: Buffer): Promise<string> {
    place = await newPlace()
    const file = newFile()
    writeFileSync(file, bytes)
    const { code, stderr } = await runGangan(['restore', file], env(place.url))
    expect(code).toBe(4)
    expect(await tablesOf(place)).toEqual([])
    return (
      stderr
        .split('\n')
        .find((line) => line.startsWith('gangan: '))
        ?.replace(file, 'FILE') ?? stderr
    )
  }

  test('is rejected however it is truncated or changed', async () => {
    const damaged = 'gangan: FILE is damaged or truncated: use another backup.'
    const none = 'gangan: FILE is not a backup of Gangan.'
    for (const part of [0.3, 0.6, 0.99]) {
      expect(await refusalOf(whole.subarray(0, Math.floor(whole.length * part)))).toBe(damaged)
    }
    expect(await refusalOf(whole.subarray(0, whole.length - 1))).toBe(damaged)
    const changed = Buffer.from(whole)
    changed[Math.floor(whole.length / 2)] = (changed[Math.floor(whole.length / 2)] ?? 0) ^ 0x10
    expect(await refusalOf(changed)).toBe(damaged)
    expect(await refusalOf(Buffer.from(''))).toBe(none)
    expect(await refusalOf(Buffer.from('a text'))).toBe(none)
    expect(await refusalOf(gzipSync('a text'))).toBe(none)
    expect(await refusalOf(gzipSync(Buffer.concat([gunzipSync(whole), frame('data', Buffer.from('x'))])))).toBe(damaged)
    // A row changed together with its gzip checksum, but not our checksums.
    const text = gunzipSync(whole)
    text[text.indexOf('x'.repeat(100))] = 0x79
    expect(await refusalOf(gzipSync(text))).toBe(damaged)
  })

  test('is rejected if it is of a newer release', async () => {
    const contents = gunzipSync(whole)
    const length = contents.readUInt32BE(1)
    const header: object = JSON.parse(contents.toString('utf8', 5, 5 + length))
    const withHeader = (changes: object) =>
      gzipSync(Buffer.concat([frame('header', { ...header, ...changes }), contents.subarray(5 + length)]))
    expect(await refusalOf(withHeader({ gangan_backup: ORGANISATION_FORMAT + 1 }))).toContain(
      'was made by a newer release of Gangan',
    )
    expect(await refusalOf(withHeader({ schema: 9_999 }))).toMatch(
      /newer release of Gangan \(schema 9999, this one knows/,
    )
    expect(await refusalOf(withHeader({ partitions: [{ name: 'x"; drop table y' }] }))).toContain('is damaged')
  })

  test('is rejected if it does not exist, and a backup does not overwrite files', async () => {
    const missing = join(folder.path, 'missing')
    expect((await runGangan(['restore', missing], env(service.database.url))).stderr).toContain('(ENOENT)')
    const file = await backUp()
    truncateSync(file, 3)
    const again = await runGangan(['backup', file], env(service.database.url))
    expect(again).toMatchObject({ code: 4, stderr: expect.stringContaining('a backup does not replace files') })
    expect(statSync(file).size).toBe(3)
    const nowhere = await runGangan(['backup', join(missing, 'x')], env(service.database.url))
    expect(nowhere.stderr).toContain('cannot be written (ENOENT)')
    expect(readdirSync(folder.path).filter((name) => name.includes('partial'))).toEqual([])
  })
})

test.runIf(on_cluster)('a cluster is rejected with a reference to its own tools', async () => {
  const { code, stderr } = await runGangan(['backup', newFile()], env(service.database.url))
  expect([code, stderr]).toEqual([4, expect.stringContaining('back up every node')])
})

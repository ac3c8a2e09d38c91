import { execFileSync } from 'node:child_process'
import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { isDatabaseUnreachable } from '../../src/db/unreachable.ts'
import { connect } from '../../src/db/connect.ts'
import { startEmbedded } from '../../src/db/embedded/start.ts'
import { migrate } from '../../src/db/migrate.ts'
import { transaction } from '../../src/db/transaction.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { claim, enqueue } from '../../src/queue/store.ts'
import { newId } from '../../src/values/id.ts'
import { urlOf } from '../support/address.ts'
import { freshDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { caller, openService } from '../support/service.ts'
import { startGangan } from '../support/process.ts'
import { startReceiver } from '../support/receiver.ts'
import { startStallingProxy } from '../support/stalling-proxy.ts'
import { until } from '../support/until.ts'
import { note } from './scale.ts'
import { everyDelivery, everyMessage } from '../support/every.ts'

const MESSAGE = { recipients: '08031234567', content: 'Hello' }

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

type Tally = Map<number, number>

/** Sends messages concurrently, each with its own key, and retries those without a 200 with the same key. */
async function burst(url: string, key: string, name: string, count: number): Promise<{ first: Tally; ids: string[] }> {
  const first: Tally = new Map()
  const ids: string[] = []
  const send = (n: number) =>
    caller(url, key)<{ id: string }>('POST', '/sms/send', MESSAGE, { 'idempotency-key': `${name}-${n}` })
  await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const answer = await send(n)
      first.set(answer.status, (first.get(answer.status) ?? 0) + 1)
      const last =
        answer.status === 200
          ? answer
          : await until(`${name}-${n}`, async () => {
              const again = await send(n)
              return again.status === 200 ? again : undefined
            })
      ids.push(last.body.id)
    }),
  )
  return { first, ids }
}

const only = (tally: Tally, ...allowed: number[]): boolean =>
  [...tally.keys()].every((status) => allowed.includes(status))

test('a database that stops and resumes: no wrong response, and the service answers meanwhile', async () => {
  const database = await freshDatabase()
  undo.push(() => database.drop())
  const proxy = await startStallingProxy(database.address)
  undo.push(() => proxy.close())
  const gangan = await startGangan({ DATABASE_URL: proxy.url })
  undo.push(() => gangan.end('SIGTERM'))
  const key = gangan.key ?? ''
  await burst(gangan.url, key, 'before', 20)

  proxy.stall()
  const during = burst(gangan.url, key, 'during', 100)
  await until('the service to detect it', async () => (await fetch(`${gangan.url}/ready`)).status === 503, 30_000)
  expect((await fetch(`${gangan.url}/health`)).status).toBe(200)
  proxy.flow()
  const { first, ids } = await during
  expect(only(first, 200, 503)).toBe(true)
  expect(new Set(ids).size).toBe(100)

  const cut = burst(gangan.url, key, 'cut', 100)
  proxy.cut()
  const after = await cut
  expect(only(after.first, 200, 503)).toBe(true)
  const [row] = await database.db<{ stored: number }[]>`
    select count(*)::integer as stored from ${everyMessage(database.db)} message`
  expect(row?.stored).toBe(220)
  expect(await auditMoney(database.db)).toEqual([])
  note({
    promise: 'dependencies: database paused, then its connections cut',
    figure: `220 sends: ${[...first].map(([status, of]) => `${of} × ${status}`).join(', ')} in the pause, ${[...after.first].map(([status, of]) => `${of} × ${status}`).join(', ')} in the cut; retried, each is stored and charged once; /health answered throughout`,
  })
}, 120_000)

/** Suspends every process of the server, its postmaster resumes last; connections stay open. */
function freeze(postmaster: number): () => void {
  process.kill(postmaster, 'SIGSTOP') // from now on it starts no process that would be missed
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const children = lines.map((line) => line.trim().split(/\s+/).map(Number)).filter(([, of]) => of === postmaster)
  const pids = [postmaster, ...children.map(([pid = 0]) => pid)]
  for (const pid of pids.slice(1)) process.kill(pid, 'SIGSTOP')
  return () => {
    for (const pid of pids.splice(0).reverse()) process.kill(pid, 'SIGCONT')
  }
}

test('a database that falls silent with open connections: requests get 503, and service resumes with it', async () => {
  const folder = await temporaryFolder()
  undo.push(() => folder.remove())
  const receiver = await startReceiver()
  undo.push(() => receiver.close())
  const server = await startEmbedded({ data_dir: folder.path })
  undo.push(() => server.stop())
  const gangan = await startGangan({ DATABASE_URL: urlOf(server.url_options) })
  undo.push(() => gangan.end('SIGTERM'))
  const key = gangan.key ?? ''
  const call = caller(gangan.url, key)
  const send = (n: number) => {
    const body = { ...MESSAGE, external_ref: `ref-${n}`, callback: receiver.url }
    return call<{ id: string }>('POST', '/sms/send', body, { 'idempotency-key': `key-${n}` })
  }
  const all = Array.from({ length: 60 }, (_, n) => n)
  const before = await Promise.all(all.slice(0, 20).map(send))
  expect(before.map(({ status }) => status)).toEqual(before.map(() => 200))

  const thaw = freeze(server.postgres_pid)
  undo.push(thaw)
  // It is not resumed before each request has its response.
  const during = await Promise.all([...all.slice(20).map(send), ...all.map(() => call('GET', '/sms?limit=1'))])
  expect(new Set(during.map(({ status }) => status))).toEqual(new Set([503]))
  expect((await fetch(`${gangan.url}/health`)).status).toBe(200)
  expect((await fetch(`${gangan.url}/ready`)).status).toBe(503)
  thaw()
  // Aborted requests may have been executed or not: with its key each is stored once.
  for (const n of all.slice(20)) await until(`message ${n}`, async () => (await send(n)).status === 200, 60_000)
  const db = connect(server.url_options, { connections: 2 })
  undo.push(() => db.end({ timeout: 1 }))
  const open = () => db`select 1 from ${everyDelivery(db)} delivery where status <> 'delivered'`
  await until('every delivery to end', async () => (await open()).length === 0, 60_000)
  const [row] = await db<{ stored: number }[]>`
    select count(*)::integer as stored from ${everyMessage(db)} message`
  expect(row?.stored).toBe(all.length)
  expect(await auditMoney(db)).toEqual([])
  const heard = () => new Set(receiver.received.map(({ json }) => json.data.external_ref))
  await until('every callback', () => heard().size === all.length, 60_000)
  note({
    promise: 'dependencies: database silent on open connections',
    figure: `every process of PostgreSQL stopped: ${during.length} of ${during.length} requests answered 503 while it stood still; then each of 60 messages was stored and charged once, delivered and notified`,
  })
}, 180_000)

test('a claim that a silent database executes after its caller gave up leases nothing', async () => {
  const folder = await temporaryFolder()
  undo.push(() => folder.remove())
  const server = await startEmbedded({ data_dir: folder.path })
  undo.push(() => server.stop())
  const db = connect(server.url_options, { connections: 1 })
  undo.push(() => db.end({ timeout: 1 }))
  await migrate(db)
  const lane = newId()
  const jobs = Array.from({ length: 5 }, () => ({ lane, organisation_id: lane, subject_id: newId() }))
  await transaction(db, (tx) => enqueue(tx, 'q', jobs))
  const wanted = { queue: 'q', limit: 10, lease_s: 10, except: [], after: lane }

  const thaw = freeze(server.postgres_pid)
  undo.push(thaw)
  const fault = await claim(db, wanted).catch((error: unknown) => error)
  expect(isDatabaseUnreachable(fault)).toBe(true)
  thaw()
  // It executes what it had received, and only then detects that the client is gone.
  const others = () => db`
    select 1 from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`
  await until('the server to detect it', async () => (await others().catch(() => [{}])).length === 0, 60_000)
  expect(await claim(db, wanted)).toMatchObject(jobs.map(() => ({ interrupted: false, attempts: 1 })))
}, 120_000)

test('an exhausted connection pool: 503 for requests that cannot wait, and recovery afterwards', async () => {
  const service = await openService()
  undo.push(() => service.close())
  const by = await service.organisation({ credit: 10_000 })
  const outside = connect(service.database.address, { connections: 1 })
  undo.push(() => outside.end({ timeout: 1 }))
  let free = (): void => {}
  const freed = new Promise<void>((resolve) => {
    free = resolve
  })
  const locked = transaction(outside, async (tx) => {
    await tx`lock table messages, api_keys, organisations in access exclusive mode`
    await freed
  })
  const sends = burst(service.url, by.key, 'crowd', 60)
  const strangers = Promise.all(Array.from({ length: 60 }, () => by.call('GET', '/sms')))
  await until('the first rejection', async () => (await by.call('GET', '/sms?limit=1')).status === 503, 30_000)
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
  free()
  await locked
  const { first, ids } = await sends
  expect(only(first, 200, 503)).toBe(true)
  expect(new Set(ids).size).toBe(60)
  expect((await strangers).every(({ status }) => status === 200 || status === 503)).toBe(true)
  expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(10_000 - 60 * 4)
  expect(await auditMoney(service.db)).toEqual([])
  note({
    promise: 'dependencies: connection pool exhausted',
    figure: `60 sends and 60 reads against locked tables: ${[...first].map(([status, of]) => `${of} × ${status}`).join(', ')}, no 500; afterwards 60 stored, balance exact`,
  })
}, 120_000)

const DISK_MB = 220

/** A small file system, if this process may mount one. */
function smallDisk(path: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return false
  }
  undo.push(() => execFileSync('umount', ['-l', path]))
  return true
}

/** Writes until the disk is full. */
function fill(path: string): void {
  try {
    for (;;) appendFileSync(path, Buffer.alloc(256 * 1024))
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOSPC') throw fault
  }
}

test('a full disk: 503 and no partial writes; service resumes once there is space', async ({ skip }) => {
  const folder = await temporaryFolder()
  undo.push(() => folder.remove())
  if (!smallDisk(folder.path)) skip('a small disk can only be made as root (mount -t tmpfs)')
  const settings = { max_wal_size: '64MB', min_wal_size: '32MB', wal_keep_size: '0', shared_buffers: '32MB' }
  const server = await startEmbedded({ data_dir: folder.path, settings })
  undo.push(() => server.stop())
  const gangan = await startGangan({ DATABASE_URL: urlOf(server.url_options) })
  undo.push(() => gangan.end('SIGTERM'))
  const key = gangan.key ?? ''
  const call = caller(gangan.url, key)
  const before = await burst(gangan.url, key, 'before', 10)

  const filler = join(folder.path, 'filler')
  fill(filler)
  // A long text for many recipients needs new pages immediately, and uses up the rest of the disk.
  const recipients = Array.from({ length: 2_000 }, (_, n) => `234803${String(n).padStart(7, '0')}`)
  const statuses = new Map<number, number>()
  const accepted: string[] = []
  await until(
    'the disk to be full',
    async () => {
      const big = { recipients, content: 'x'.repeat(1_000), external_ref: 'big' }
      const answer = await call<{ id: string }>('POST', '/sms/send', big).catch(() => undefined)
      if (answer) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer?.status === 200) accepted.push(answer.body.id)
      return statuses.has(500) || (statuses.get(503) ?? 0) >= 3
    },
    60_000,
  )
  expect(only(statuses, 200, 503)).toBe(true)

  rmSync(filler)
  const after = await until(
    'the service to work again',
    async () => {
      const answer = await call<{ id: string }>('POST', '/sms/send', MESSAGE).catch(() => undefined)
      return answer?.status === 200 && answer.body.id
    },
    60_000,
  )
  const db = connect(server.url_options, { connections: 2 })
  undo.push(() => db.end({ timeout: 1 }))
  const stored = await db<{ id: string }[]>`select id from ${everyMessage(db)} message`
  expect(stored.map(({ id }) => id).sort()).toEqual([...before.ids, ...accepted, after].sort())
  expect(await auditMoney(db)).toEqual([])
  note({
    promise: 'dependencies: disk full',
    figure: `on a disk of ${DISK_MB} MB: ${[...statuses].map(([status, of]) => `${of} × ${status}`).join(', ')} while it was full, no 500; every 200 is stored, nothing else is, and it resumed automatically once there was space`,
  })
}, 180_000)

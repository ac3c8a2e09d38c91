import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listBases } from '../../src/db/archive/base.ts'
import { chooseBase, NotCovered } from '../../src/db/archive/coverage.ts'
import { SEGMENTS } from '../../src/db/archive/place.ts'
import { temporaryFolder } from '../support/folder.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { PEPPER } from '../support/secret-seal.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'
import { count, note, scale } from './scale.ts'

/** Restores, each to a moment under load. */
const ROUNDS = scale(1, 10)
const CLIENTS = 8
/** Answers before and after each moment. */
const ANSWERS = scale(200, 1_000)
/** Every message of this long before and after a moment is looked up; of the others, the balance gives the number. */
const LOOKED_UP_MS = 500
const CREDIT = 1_000_000
const PRICE = 4

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let gangan: Gangan
let archive_dir: string
const env: Record<string, string> = {}

type Sent = { id: string | undefined; begun_ms: number; answered_ms: number }
const sent: Sent[] = []
/** Whether clients send: around each moment, but not while it is restored, so that the log to replay stays bounded. */
let sending = false

beforeAll(async () => {
  folder = await temporaryFolder()
  const config = join(folder.path, 'gangan.yaml')
  const backups = join(folder.path, 'backups')
  writeFileSync(config, `backups: { folder: ${backups}, every_hours: 720, keep: 2, wal: { every_s: 5 } }\n`)
  Object.assign(env, { GANGAN_CONFIG: config, GANGAN_CREDIT: String(CREDIT), GANGAN_PEPPER: PEPPER })
  gangan = await startGangan({ ...env, GANGAN_DATA: join(folder.path, 'data'), GANGAN_LOG: 'info' })
  const wal = join(backups, 'wal')
  archive_dir = await until('a base backup', async () => {
    const [name = ''] = readdirSync(wal)
    return (await listBases(join(wal, name))).length > 0 && join(wal, name)
  })
})
afterAll(async () => {
  sending = false
  await gangan.end('SIGTERM')
  await folder.remove()
})

async function restoreTo(time: string, name: string) {
  const data = join(folder.path, name)
  return { data, ...(await runGangan(['restore', '--to', time], { ...env, GANGAN_DATA: data })) }
}

/** What a service on the restored folder answers about the messages around the moment, and the number it charged. */
async function readRestored(data: string, to_ms: number) {
  const restored = await startGangan({ GANGAN_DATA: data, GANGAN_PEPPER: PEPPER })
  try {
    const call = caller(restored.url, gangan.key ?? '')
    const near = sent.filter(
      ({ begun_ms, answered_ms }) => answered_ms > to_ms - LOOKED_UP_MS && begun_ms < to_ms + LOOKED_UP_MS,
    )
    const statuses = new Map<Sent, number>()
    const waiting = near.filter(({ id }) => id !== undefined)
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (let one = waiting.pop(); one; one = waiting.pop()) {
          statuses.set(one, (await call('GET', `/sms/${one.id}`)).status)
        }
      }),
    )
    const { body } = await call<{ balance: number }>('GET', '/balance')
    return { statuses, charged: (CREDIT - body.balance) / PRICE }
  } finally {
    await restored.end('SIGTERM')
  }
}

test(
  'a recovery restores exactly what was answered before the chosen moment, under load',
  async () => {
    const call = caller(gangan.url, gangan.key ?? '')
    const send = async () => {
      while (sending) {
        const one: Sent = { id: undefined, begun_ms: Date.now(), answered_ms: Number.POSITIVE_INFINITY }
        sent.push(one)
        const { status, body } = await call('POST', '/sms/send', { recipients: '08031234567', content: 'Hello' })
        expect(status).toBe(200)
        Object.assign(one, { id: String(body.id), answered_ms: Date.now() })
      }
    }
    const longest_ms: number[] = []
    let looked_up = 0
    for (let round = 1; round <= ROUNDS; round += 1) {
      const before = sent.length
      sending = true
      const clients = Array.from({ length: CLIENTS }, send)
      await until('messages before the moment', () => sent.length > before + ANSWERS, 60_000)
      const to_ms = Date.now()
      await until('messages after the moment', () => sent.length > before + 2 * ANSWERS, 60_000)
      await until('the log to be archived', () => isCovered(to_ms + 2_000), 60_000)
      sending = false
      await Promise.all(clients)
      const began = performance.now()
      const { data, code, stdout, stderr } = await restoreTo(new Date(to_ms).toISOString(), `restored-${round}`)
      expect(stderr.split('\n').at(-2)).toContain('replaying the log') // otherwise the error
      expect([code, stdout]).toEqual([0, expect.stringContaining('Every balance is the sum')])
      longest_ms.push(performance.now() - began)

      const { statuses, charged } = await readRestored(data, to_ms)
      const found = [...statuses].map(([one, status]) => ({ ...one, status }))
      expect(found.filter(({ answered_ms, status }) => answered_ms < to_ms && status !== 200)).toEqual([])
      expect(found.filter(({ begun_ms, status }) => begun_ms > to_ms && status !== 404)).toEqual([])
      expect(charged).toBeGreaterThanOrEqual(sent.filter(({ answered_ms }) => answered_ms < to_ms).length)
      expect(charged).toBeLessThanOrEqual(sent.filter(({ begun_ms }) => begun_ms <= to_ms).length)
      looked_up += found.length
    }
    note({
      promise: 'point-in-time recovery restores exactly what was answered before the chosen moment',
      figure: `${ROUNDS} restores under load, ${count(sent.length)} messages, ${count(looked_up)} around the moments looked up; ${(Math.max(...longest_ms) / 1_000).toFixed(1)} s at most`,
      goal: '10 of 10',
      met: true,
    })
  },
  scale(240_000, 1_200_000),
)

async function isCovered(to_ms: number): Promise<boolean> {
  try {
    await chooseBase(archive_dir, to_ms)
    return true
  } catch (fault) {
    if (fault instanceof NotCovered) return false
    throw fault
  }
}

test('a moment outside the archive, or a data folder in use, is refused and nothing is created', async () => {
  const early = await restoreTo('2020-01-01T00:00:00Z', 'early')
  expect(early).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/No archive contains this moment. .* reaches from/),
  })
  const future = await restoreTo('2999-01-01T00:00:00Z', 'early')
  expect(future).toMatchObject({ code: 4, stderr: expect.stringContaining('in the future') })
  const odd = await restoreTo('yesterday', 'early')
  expect(odd).toMatchObject({ code: 2, stderr: expect.stringContaining('--to takes a time with its offset') })
  expect(readdirSync(folder.path)).not.toContain('early')
  const used = await restoreTo('latest', 'data')
  expect(used).toMatchObject({ code: 4, stderr: expect.stringContaining('has a database already') })
  const server = await runGangan(['restore', '--to', 'latest'], { ...env, DATABASE_URL: 'postgres://localhost/x' })
  expect(server.code).toBe(2) // The configuration archives the embedded database.
})

test('an archive that fails is logged once, measured, and logged when it works again', async () => {
  const measured = async (): Promise<number> => {
    const text = await (await fetch(`${gangan.url}/metrics`)).text()
    return Number(/^gangan_wal_archived_seconds (\S+)$/m.exec(text)?.[1])
  }
  expect(Date.now() / 1_000 - (await measured())).toBeLessThan(60)
  const timesLogged = (sentence: string): number => gangan.output().split(sentence).length - 1
  renameSync(join(archive_dir, SEGMENTS), join(archive_dir, 'away'))
  await until('the fault', () => timesLogged('the archive of the database falls behind') > 0, 60_000)
  renameSync(join(archive_dir, 'away'), join(archive_dir, SEGMENTS))
  await until('its end', () => timesLogged('the archive of the database is up to date again') > 0, 120_000)
  expect(timesLogged('the archive of the database falls behind')).toBe(1)
})

test('after a stop the archive holds everything, and the restored folder archives to a place of its own', async () => {
  expect(await gangan.end('SIGTERM')).toBe(0)
  const { data, code } = await restoreTo('latest', 'latest')
  expect(code).toBe(0)
  const restored = await startGangan({ ...env, GANGAN_DATA: data })
  const call = caller(restored.url, gangan.key ?? '')
  const { body } = await call<{ balance: number }>('GET', '/balance')
  expect((CREDIT - body.balance) / PRICE).toBe(sent.filter(({ id }) => id !== undefined).length)
  expect(await restored.end('SIGTERM')).toBe(0)
  expect(readdirSync(dirname(archive_dir))).toHaveLength(2)
  const [own] = readFileSync(join(data, 'postgres', 'gangan.archive'), 'utf8').split('\n')
  expect(own).not.toBe(archive_dir)
})

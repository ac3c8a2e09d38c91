import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auditPurchases } from '../../src/airtime/audit-store.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { caller, type Organisation } from '../support/service.ts'
import { startGangan, type Gangan } from '../support/process.ts'
import { until } from '../support/until.ts'
import type { VendorServer } from '../support/vendor-server.ts'
import { startVtpassServer, VTPASS_KEYS } from '../support/vtpass-server.ts'

const CREDIT = 100_000
const FINAL_MS = 60_000

let database: TestDatabase
let vendor: VendorServer
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let key: string | undefined
const running = new Set<Gangan>()

beforeEach(async () => {
  database = await freshDatabase()
  vendor = await startVtpassServer()
  folder = await temporaryFolder()
  key = undefined
  const vtpass = { kind: 'vtpass', name: 'vtpass', base_url: vendor.url, ...VTPASS_KEYS }
  const airtime = { vendors: [{ ...vtpass, timeout_ms: 5_000 }], requery_delays_s: [1] }
  await writeFile(join(folder.path, 'gangan.json'), JSON.stringify({ airtime }))
})
afterEach(async () => {
  for (const gangan of running) await gangan.end('SIGKILL')
  running.clear()
  await vendor.close()
  await database.drop()
  await folder.remove()
})

type Serving = Organisation['call'] & { end: (signal: NodeJS.Signals) => Promise<number | null> }

/** Starts the real process; the first one creates the first organisation and prints its key. */
async function serve(): Promise<Serving> {
  const gangan = await startGangan({
    DATABASE_URL: database.url,
    GANGAN_CONFIG: join(folder.path, 'gangan.json'),
    GANGAN_CREDIT: String(CREDIT),
  })
  running.add(gangan)
  key ??= gangan.key
  const end = (signal: NodeJS.Signals) => {
    running.delete(gangan)
    return gangan.end(signal)
  }
  return Object.assign(caller(gangan.url, key ?? ''), { end })
}

const paid = () => vendor.requests.filter(({ path }) => path === '/api/pay')

async function buy(call: Serving, n = 0): Promise<string> {
  const recipient = `0803${String(n).padStart(7, '0')}`
  const answer = await call<{ id: string }>('POST', '/airtime/buy', { network: 'MTN', amount: 100, recipient })
  expect(answer.status).toBe(200)
  return answer.body.id
}

const statusOf = async (call: Serving, id: string): Promise<string> =>
  (await call<{ status: string }>('GET', `/airtime/${id}`)).body.status

/** Expires the leases of the dead process, which it does not extend any more. */
async function endLeases(): Promise<void> {
  await database.db`update jobs set run_at = now(), leased_until = now() where leased`
}

async function expectOneEach(serving: Serving, ids: string[]): Promise<void> {
  for (const id of ids) {
    await until(`success of ${id}`, async () => (await statusOf(serving, id)) === 'success', FINAL_MS)
  }
  expect(vendor.sold.size).toBe(ids.length)
  const { body } = await serving<{ balance: number }>('GET', '/balance')
  expect(body.balance).toBe(CREDIT - 100 * ids.length)
  expect([...(await auditMoney(database.db)), ...(await auditPurchases(database.db))]).toEqual([])
}

test('killed after the vendor has sold and before that is recorded: one purchase, one charge', async () => {
  vendor.mood = 'hang'
  const first = await serve()
  const id = await buy(first)
  await until('the sale', () => vendor.sold.size === 1)
  await first.end('SIGKILL')
  vendor.mood = 'success'
  await endLeases()
  const second = await serve()
  await expectOneEach(second, [id])
  expect(paid()).toHaveLength(1) // Queried, not called again.
  expect(vendor.requests.some(({ path }) => path === '/api/requery')).toBe(true)
  expect(await second.end('SIGTERM')).toBe(0)
}, 120_000)

test('killed after the call was recorded, but before the vendor received it: called again, with the same reference', async () => {
  vendor.mood = 'hang_unsold'
  const first = await serve()
  const id = await buy(first)
  await until('the call', () => paid().length === 1)
  await first.end('SIGKILL')
  vendor.mood = 'success'
  await endLeases()
  const second = await serve()
  await expectOneEach(second, [id])
  expect(paid()).toHaveLength(2)
  expect(new Set(paid().map(({ body }) => body)).size).toBe(1)
  await second.end('SIGTERM')
}, 120_000)

test('killed repeatedly with many purchases in flight: each is bought once', async () => {
  vendor.delay_ms = 60
  let serving = await serve()
  const ids: string[] = []
  for (const fatal of [10, 40, 70]) {
    for (let n = 0; n < 30; n += 1) ids.push(await buy(serving, ids.length))
    await until(`${fatal} sales`, () => vendor.sold.size >= fatal)
    await serving.end('SIGKILL')
    await endLeases()
    serving = await serve()
  }
  await expectOneEach(serving, ids)
  const [row] = await database.db<{ interrupted: number }[]>`
    select count(*)::integer as interrupted from purchase_tries where requeries > 0`
  expect(row?.interrupted).toBeGreaterThan(0) // Otherwise no kill had an effect.
  await serving.end('SIGTERM')
}, 180_000)

test('stopped while the vendor does not respond: ends in time, and queries it after the next start', async () => {
  vendor.mood = 'hang'
  const first = await serve()
  const id = await buy(first)
  await until('the sale', () => vendor.sold.size === 1)
  expect(await first.end('SIGTERM')).toBe(0)
  const [row] = await database.db<{ status: string }[]>`select status from purchases where id = ${id}`
  expect(row?.status).toBe('sent')
  const second = await serve()
  await expectOneEach(second, [id])
  expect(paid()).toHaveLength(1)
  await second.end('SIGTERM')
}, 120_000)

import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { transaction } from '../../src/db/transaction.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { caller } from '../support/service.ts'
import { startGangan, type Gangan } from '../support/process.ts'
import { until } from '../support/until.ts'
import { count, note, scale } from './scale.ts'

const MESSAGES = scale(1_800, 6_000)
const KILLS = scale(2, 8)
const WAVE = 60
const CREDIT = 1_000_000
const PRICE = 4
const REST_MS = scale(90_000, 180_000)

let database: TestDatabase
let worker: Gangan | undefined

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(async () => {
  await worker?.end('SIGTERM')
  await database.drop()
})

test(
  'single sends are all sent, once, when who accepted them is killed, and who opens their bundles again and again',
  async () => {
    const { db } = database
    const door = await startGangan({ DATABASE_URL: database.url }, ['--http'])
    const ids = await sendAll(door)
    await door.end('SIGKILL')
    const bundled = await countBundled()
    expect(bundled).toBeGreaterThan(MESSAGES / 2) // the rest came alone, or nearly
    let killed = 0
    while (killed < KILLS) {
      const before = await countBundled()
      worker = await startGangan({ DATABASE_URL: database.url }, ['--worker'])
      await until('a bundle to be opened', async () => (await countBundled()) < before || before === 0)
      await worker.end('SIGKILL')
      killed += 1
    }
    worker = await startGangan({ DATABASE_URL: database.url }, ['--worker'])
    await until(
      'every message',
      async () => {
        const [row] = await db<{ delivered: number }[]>`
          select count(*)::integer as delivered from deliveries where status = 'delivered'`
        return row?.delivered === MESSAGES
      },
      REST_MS,
    )
    const messages = await db<{ id: string; external_ref: string }[]>`select id, external_ref from messages`
    expect(new Map(messages.map(({ id, external_ref }) => [external_ref, id]))).toEqual(ids)
    expect(messages).toHaveLength(MESSAGES)
    expect(await countBundled()).toBe(0)
    const [row] = await db<{ balance: number }[]>`
      select balance::float8 / 10000 as balance from balances
      join organisations on id = organisation_id where mode = 'live'`
    expect(row?.balance).toBe(CREDIT - PRICE * MESSAGES)
    expect(await auditMoney(db)).toEqual([])
    note({
      promise: 'nothing accepted is lost: killed between accepting single sends and opening their bundles',
      figure: `${killed + 1} kills, ${count(MESSAGES)} messages, ${count(bundled)} of them in bundles when their process was killed: each stored and sent once, balance exact`,
      goal: `${KILLS + 1} kills`,
      met: killed === KILLS,
    })
  },
  scale(240_000, 400_000),
)

/**
 * The ids of the messages by their references. They come in waves, and each wave finds the balance locked for a moment:
 * what waits for it then goes together.
 */
async function sendAll(door: Gangan): Promise<Map<string, string>> {
  const call = caller(door.url, door.key ?? '')
  const ids = new Map<string, string>()
  async function send(n: number): Promise<void> {
    const body = { recipients: `234803${String(n).padStart(7, '0')}`, content: 'Hello', external_ref: `ref-${n}` }
    const sent = await call<{ id: string }>('POST', '/sms/send', body)
    expect(sent.status).toBe(200)
    ids.set(`ref-${n}`, sent.body.id)
  }
  for (let from = 0; from < MESSAGES; from += WAVE) {
    let wave: Promise<unknown> = Promise.resolve()
    await transaction(database.db, async (tx) => {
      await tx`select 1 from balances for update`
      wave = Promise.all(Array.from({ length: WAVE }, (_, n) => send(from + n)))
      await until('the first to wait for the balance', async () => {
        const waiting = await database.db`select 1 from pg_locks where not granted`
        return waiting.length > 0
      })
      await call('GET', '/balance') // and the others have come by the time this was answered, all or most
    })
    await wave
  }
  return ids
}

async function countBundled(): Promise<number> {
  const [row] = await database.db<{ count: number }[]>`select coalesce(sum(size), 0)::integer as count from bundles`
  return row?.count ?? 0
}

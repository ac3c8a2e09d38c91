import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { caller } from '../support/service.ts'
import { startGangan, type Gangan } from '../support/process.ts'
import { until } from '../support/until.ts'
import { count, note, scale } from './scale.ts'

const CAMPAIGNS = scale(12, 60)
const RECIPIENTS = 1_000
const KILLS = scale(3, 15)
const CLIENTS = 3
const CREDIT = 1_000_000
const PRICE = 4
const REST_MS = scale(90_000, 180_000)

let database: TestDatabase
let gangan: Gangan

beforeAll(async () => {
  database = await freshDatabase()
  gangan = await startGangan({ DATABASE_URL: database.url })
})
afterAll(async () => {
  await gangan.end('SIGTERM')
  await database.drop()
})

test(
  'long lists are sent whole, once, however often the process is killed between accepting and unpacking them',
  async () => {
    const { db } = database
    const key = gangan.key ?? ''
    const list = Array.from({ length: RECIPIENTS }, (_, n) => `234803${String(n).padStart(7, '0')}`)
    const ids: string[] = []
    let next = 0
    let killed = 0
    let retries = 0
    let packed = 0
    let restarting: Promise<void> | undefined

    async function killAndRestart(): Promise<void> {
      await gangan.end('SIGKILL')
      const [row] = await db<{ packs: number }[]>`select count(*)::integer as packs from packs`
      packed += row?.packs ?? 0
      killed += 1
      gangan = await startGangan({ DATABASE_URL: database.url })
    }

    /** Whose connection breaks asks again under the same key. */
    async function send(n: number): Promise<string> {
      const body = { recipients: list.join(','), content: `Campaign ${n}` }
      for (;;) {
        await restarting
        try {
          const headers = { 'idempotency-key': `campaign ${n}` }
          const { status, body: sent } = await caller(gangan.url, key)<{ id: string }>(
            'POST',
            '/sms/send',
            body,
            headers,
          )
          if (status === 200) return sent.id
          expect([409, 503]).toContain(status)
        } catch (fault) {
          if (!(fault instanceof TypeError)) throw fault // else the process died with our request in hand
        }
        retries += 1
      }
    }

    async function client(): Promise<void> {
      for (let n = next++; n < CAMPAIGNS; n = next++) {
        ids.push(await send(n))
        // Right after an answer, when its pack has just been stored or is being made into rows.
        if (ids.length % Math.floor(CAMPAIGNS / KILLS) === 0 && killed < KILLS) {
          await restarting
          restarting = killAndRestart()
          await restarting
        }
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    expect(new Set(ids).size).toBe(CAMPAIGNS)

    const total = CAMPAIGNS * RECIPIENTS
    await until(
      'every recipient',
      async () => {
        const [row] = await db<{ delivered: number }[]>`
          select count(*)::integer as delivered from deliveries where status = 'delivered'`
        return row?.delivered === total
      },
      REST_MS,
    )
    for (const id of ids) {
      const { body } = await caller(gangan.url, key)<{ recipients: string[] }>('GET', `/sms/${id}`)
      expect(body.recipients).toEqual(list)
    }
    expect(await db`select 1 from packs`).toHaveLength(0)
    const [row] = await db<{ balance: number }[]>`
      select balance::float8 / 10000 as balance from balances
      join organisations on id = organisation_id where mode = 'live'`
    expect(row?.balance).toBe(CREDIT - PRICE * total)
    expect(await auditMoney(db)).toEqual([])
    expect(packed).toBeGreaterThan(0) // else no kill came between
    note({
      promise: 'nothing accepted is lost: killed between accepting a long list and unpacking it',
      figure: `${killed} kills, ${count(CAMPAIGNS)} lists of ${count(RECIPIENTS)} (${retries} requests retried, ${packed} packs left behind by the dead): every recipient got it, balance exact`,
      goal: `${KILLS} kills`,
      met: killed === KILLS,
    })
  },
  scale(240_000, 400_000),
)

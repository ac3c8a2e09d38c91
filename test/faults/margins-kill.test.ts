import { afterEach, beforeEach, expect, test } from 'vitest'
import { dueCost } from '../../src/carriers/costs.ts'
import { recomputeDay } from '../../src/margins/recompute.ts'
import { readMargins } from '../../src/margins/read.ts'
import { assignCosts } from '../../src/prices/assign-costs.ts'
import { createList } from '../../src/prices/manage.ts'
import { setRule } from '../../src/prices/set.ts'
import { makeSpellOperator } from '../../src/numbers/operator-name.ts'
import { readPrefixTable } from '../../src/numbers/prefix-table.ts'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { startGangan, type Gangan } from '../support/process.ts'
import { caller } from '../support/service.ts'
import { until } from '../support/until.ts'
import { count, note, scale } from './scale.ts'

const MESSAGES = scale(150, 2_000)
const KILLS = scale(2, 12)
const CLIENTS = 10
/** Delivered, with every other outcome of the simulator between them. */
const NUMBERS = ['2348031234567', '2348051234567', '254722123456', '2348000000001', '2348000000003', '2348031234568']

let database: TestDatabase
let gangan: Gangan | undefined

beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(async () => {
  await gangan?.end('SIGTERM')
  await database.drop()
})

/** What the carrier `simulator` charges: only for what is delivered. */
async function makeCosts(): Promise<void> {
  const { db } = database
  const table = readPrefixTable()
  const setting = { db, numbers: { table, spellOperator: makeSpellOperator(table) }, currency: 'NGN' }
  await createList({ db }, COMMAND_LINE, { name: 'costs', kind: 'cost' })
  await setRule(setting, COMMAND_LINE, 'costs', { channel: 'sms', country: 'NG', price: 1.25 })
  await setRule(setting, COMMAND_LINE, 'costs', { channel: 'sms', prefix: '234805', price: 2 })
  await assignCosts({ db }, COMMAND_LINE, 'simulator', { cost_list: 'costs', billed_on: 'delivered' })
}

type Row = { status: string; charge: bigint; refunded: boolean; cost: bigint | null; cost_if_delivered: boolean | null }

test(
  'killed while it submits and counts: margins that are computed from the deliveries are their sums',
  async () => {
    const { db } = database
    const env = { DATABASE_URL: database.url }
    gangan = await startGangan(env)
    const { key = '' } = gangan
    await gangan.end('SIGTERM')
    await makeCosts()
    gangan = await startGangan(env)
    let sent = 0
    let allowed = 0
    let failed = 0

    async function client(): Promise<void> {
      while (sent < MESSAGES) {
        await until('the next kill to be over', () => sent < allowed || sent >= MESSAGES || undefined, 60_000)
        const n = sent++
        if (n >= MESSAGES) return
        const body = { recipients: NUMBERS, content: 'Hello', external_ref: String(n) }
        await caller(gangan?.url ?? '', key)('POST', '/sms/send', body).catch(() => {
          failed += 1
        })
      }
    }

    const clients = Promise.all(Array.from({ length: CLIENTS }, client))
    for (let kill = 1; kill <= KILLS + 1; kill += 1) {
      allowed = Math.ceil((MESSAGES * kill) / (KILLS + 1))
      await until('half of the share to be sent', () => sent >= allowed - MESSAGES / (2 * (KILLS + 1)) || undefined)
      if (kill > KILLS) break
      await gangan.end('SIGKILL')
      gangan = await startGangan(env)
    }
    await clients
    await until(
      'everything to be submitted and reported',
      async () => {
        const [left] = await db<{ open: number }[]>`
          select (select count(*) from intake)::integer + (select count(*) from jobs where queue like 'route:%')::integer
            + (select count(*) from deliveries where status in ('queued', 'sent'))::integer as open`
        return left?.open === 0 || undefined
      },
      scale(90_000, 180_000),
    )
    await gangan.end('SIGTERM')

    const rows = await db<Row[]>`select status, charge, refunded, cost, cost_if_delivered from deliveries`
    const [first] = await db<{ id: string }[]>`select id from organisations where mode = 'live'`
    const days = await db<{ day: string }[]>`
      select distinct to_char(created_datetime at time zone 'utc', 'YYYY-MM-DD') as day from deliveries`
    for (const { day } of days) await recomputeDay(db, first?.id ?? '', day)
    const { totals } = await readMargins({ db, currency: 'NGN' }, {})
    const sum = (valueOf: (row: Row) => bigint): number =>
      Number(rows.reduce((all, row) => all + valueOf(row), 0n)) / 1e4
    expect(totals.revenue).toBe(sum(({ refunded, charge }) => (refunded ? 0n : charge)))
    expect(totals.cost).toBe(sum((row) => dueCost(row) ?? 0n))
    expect(totals.cost).toBeGreaterThan(0)
    expect(rows.length).toBeGreaterThan(0)
    note({
      promise: 'margins equal the sums over deliveries: gangan killed',
      figure: `${KILLS} kills, ${count(rows.length)} deliveries (${count(failed)} requests cut off): revenue ${totals.revenue}, cost ${totals.cost}, both exact`,
      goal: `${KILLS} kills`,
      met: true,
    })
  },
  scale(180_000, 400_000),
)

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { makeAcceptPurchases, type PurchaseWorker } from '../../src/airtime/accept.ts'
import { auditPurchases } from '../../src/airtime/audit-store.ts'
import type { Draft } from '../../src/airtime/draft.ts'
import type { WriteAnswer } from '../../src/billing/answer-slots.ts'
import { makeChargeSale, type ChargeSale, type Sale } from '../../src/billing/charge.ts'
import { connect, connectBeside, type Db } from '../../src/db/connect.ts'
import { transaction } from '../../src/db/transaction.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { foundOrganisation } from '../support/organisation.ts'

/** Purchases of several organisations, charged and stored in one statement. On a cluster each organisation is charged alone. */

const PRICE = 100_0000n
const CREDIT = 1_000n * PRICE

let database: TestDatabase
let organisations: string[]
let charge: ChargeSale<Draft>
/** Capacity that is reserved and not used, by organisation. */
let reserved: Map<string, number>
let started: { organisation_id: string; id: string }[]

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())
beforeEach(async () => {
  organisations = await Promise.all(Array.from({ length: 8 }, () => foundOrganisation(database.db, CREDIT)))
  reserved = new Map()
  started = []
  charge = chargeOn(database.db)
})
afterEach(async () => {
  const faults = [...(await auditMoney(database.db)), ...(await auditPurchases(database.db))]
  if (faults.length > 0) throw new Error(faults.join('\n'))
  const kept = [...reserved].filter(([, count]) => count !== 0)
  if (kept.length > 0) throw new Error(`capacity was not released: ${kept.join(' ')}`)
})

/** As in a process that carries purchases out. */
function chargeOn(db: Db, shared_db = db): ChargeSale<Draft> {
  const add = (organisation_id: string, count: number) => {
    reserved.set(organisation_id, (reserved.get(organisation_id) ?? 0) + count)
    return true
  }
  const worker: PurchaseWorker = {
    reserve: ({ organisation_id }) => add(organisation_id, 1),
    startReserved({ organisation_id }, held) {
      add(organisation_id, -1)
      if (held) started.push({ organisation_id: held.purchase.organisation_id, id: held.purchase.id })
    },
  }
  const wakeups = { wake() {}, onWake: () => () => {}, close: async () => {} }
  const deps = { db, shared_db, wakeups, vendors: new Map(), duplicate_minutes: 5, worker: () => worker }
  const accept = makeAcceptPurchases(deps)
  return makeChargeSale(accept.storeSales, accept.storeMany)
}

let numbers = 0

function saleOf(wish: Partial<Draft> = {}, key?: string): Sale<Draft> {
  const id = newId()
  const amount = wish.amount ?? PRICE
  const recipient = `23480${String((numbers += 1)).padStart(8, '0')}`
  const rest = { currency: 'NGN', warnings: [], vendors: ['vendor'], external_ref: undefined, callback: undefined }
  const item: Draft = { id, network: 'MTN', recipient, amount, idempotency_key: key, ...rest, ...wish }
  const idempotency = key === undefined ? undefined : { key, request_hash: Buffer.from('a body') }
  const answer: WriteAnswer = (facts) => `{"id":"${id}","left":${facts.balance_after}}`
  return { subject_id: id, amount, idempotency, answer, item, weight: 1 }
}

const [first, second, third] = [0, 1, 2].map((n) => (): string => organisations[n] ?? '') as [
  () => string,
  () => string,
  () => string,
]

/** The transactions that charged purchases, with the number of organisations each has charged. */
async function writes(): Promise<number[]> {
  const rows = await database.db<{ organisations: number }[]>`
    select count(distinct organisation_id)::integer as organisations from ledger_lines
    where organisation_id = any (${organisations}::uuid[]) and kind = 'airtime'
    group by xmin::text order by 1 desc`
  return rows.map((row) => row.organisations)
}

/** `bought`: the purchases, each with a ledger line and a job of its own. */
async function stateOf(organisation_id: string) {
  const [row] = await database.db<{ balance: bigint; bought: number }[]>`
    select balance,
      (select count(*)::integer from purchases
       join ledger_lines line using (organisation_id, sequence)
       join jobs on jobs.organisation_id = ${organisation_id} and jobs.subject_id = purchases.id
       where purchases.organisation_id = ${organisation_id} and line.subject_id = purchases.id and line.amount = -purchases.amount
      ) as bought
    from balances where organisation_id = ${organisation_id}`
  return row
}

describe.skipIf(inject('cluster'))('purchases of several organisations', () => {
  test('are charged and stored in one transaction, each by a line of its own, and started', async () => {
    const sales = organisations.flatMap((id, n) =>
      [saleOf(), saleOf({ amount: PRICE + BigInt(n) })].map((sale) => ({ id, sale })),
    )
    const receipts = await Promise.all(sales.map(({ id, sale }) => charge(id, sale)))
    expect(await writes()).toEqual([8])
    for (const [n, id] of organisations.entries()) {
      expect(await stateOf(id)).toEqual({ balance: CREDIT - 2n * PRICE - BigInt(n), bought: 2 })
      const left = (amount: bigint) => Number(CREDIT - amount) / 10_000
      expect(receipts.slice(2 * n, 2 * n + 2).map(({ answer }) => answer)).toEqual([
        `{"id":"${sales[2 * n]?.sale.item.id}","left":${left(PRICE)}}`,
        `{"id":"${sales[2 * n + 1]?.sale.item.id}","left":${left(2n * PRICE + BigInt(n))}}`,
      ])
    }
    const wanted = sales.map(({ id, sale }) => ({ organisation_id: id, id: sale.item.id }))
    expect(started.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      wanted.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
  })

  test('that are equal: only the first of each organisation is started', async () => {
    const recipient = '2348031234567'
    const sales = [first(), second(), first(), second(), third()].map((id) => ({ id, sale: saleOf({ recipient }) }))
    await Promise.all(sales.map(({ id, sale }) => charge(id, sale)))
    expect(await writes()).toEqual([3])
    const expected = [0, 1, 4].map((n) => sales[n]?.sale.item.id ?? '')
    expect(started.map(({ id }) => id).toSorted()).toEqual(expected.toSorted())
    // Equal to one of a former write, too.
    await Promise.all([charge(first(), saleOf({ recipient })), charge(second(), saleOf())])
    expect(started).toHaveLength(4)
  })

  test('have their idempotency keys: a repeated request gets the first response and buys nothing', async () => {
    const [, receipt] = await Promise.all([
      charge(first(), saleOf()),
      charge(second(), saleOf({}, 'key')),
      charge(third(), saleOf()),
    ])
    expect(await writes()).toEqual([3])
    const [again, , other] = await Promise.all([
      charge(second(), saleOf({}, 'key')),
      charge(second(), saleOf()),
      charge(first(), saleOf({}, 'key')),
    ])
    expect(again).toEqual({ answer: receipt?.answer, replayed: true })
    expect(other.replayed).toBe(false)
    expect(await stateOf(second())).toEqual({ balance: CREDIT - 2n * PRICE, bought: 2 })
    const conflicting = saleOf({}, 'key')
    const outcomes = await Promise.allSettled([
      charge(second(), { ...conflicting, idempotency: { key: 'key', request_hash: Buffer.from('another body') } }),
      charge(first(), saleOf()),
    ])
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 'idempotency_conflict' } },
      { status: 'fulfilled' },
    ])
  })

  test('of which one cannot pay: only it is refused', async () => {
    const poor = await foundOrganisation(database.db, PRICE)
    const outcomes = await Promise.allSettled([
      charge(poor, saleOf()),
      ...organisations.map((id) => charge(id, saleOf())),
      charge(poor, saleOf()),
    ])
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'insufficient_balance' } },
    ])
    expect(await writes()).toEqual([8])
    expect(await stateOf(poor)).toEqual({ balance: 0n, bought: 1 })
  })

  test.each([
    ['whose text cannot be stored', { external_ref: 'a\0b' }],
    ['that violates a constraint', { vendors: [] }],
  ])('of which one %s: only that purchase fails', async (_, wish) => {
    const outcomes = await Promise.allSettled([
      charge(first(), saleOf(wish)),
      charge(first(), saleOf()),
      charge(second(), saleOf()),
      charge(third(), saleOf()),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
    for (const id of [first(), second(), third()]) {
      expect(await stateOf(id)).toEqual({ balance: CREDIT - PRICE, bought: 1 })
    }
  })

  test('of which one has a locked balance: it costs the others one lock timeout, and is charged when the lock is released', async () => {
    let locked: Promise<unknown> = Promise.resolve()
    await transaction(database.db, async (tx) => {
      await tx`select 1 from balances where organisation_id = ${first()} for update`
      locked = charge(first(), saleOf())
      for (let round = 0; round < 3; round += 1) {
        await Promise.all(organisations.slice(1).map((id) => charge(id, saleOf())))
      }
      expect(await stateOf(first())).toEqual({ balance: CREDIT, bought: 0 })
    })
    await locked
    expect(await stateOf(first())).toEqual({ balance: CREDIT - PRICE, bought: 1 })
    // The first write waited for all organisations and left one out, which was then charged alone: no later one waited.
    expect(await writes()).toEqual([7, 7, 7, 1])
  })

  test('are charged by two processes at the same time, in opposite orders', async () => {
    const other = connect(database.address, { connections: 4 })
    const processes = [charge, chargeOn(connectBeside(other, { connections: 4, plans: 'kept' }))]
    await Promise.all(
      processes.flatMap((own, n) =>
        Array.from({ length: 20 }, async () => {
          for (const id of n === 0 ? organisations : organisations.toReversed()) await own(id, saleOf())
        }),
      ),
    )
    for (const id of organisations) expect(await stateOf(id)).toEqual({ balance: CREDIT - 40n * PRICE, bought: 40 })
    await other.end()
  })
})

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findImbalances, readBalance, readLines } from '../../src/billing/store.ts'
import { saleWrite, makeChargeSale, type Sale, type StoreItems, type ChargeSale } from '../../src/billing/charge.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { foundOrganisation } from '../support/organisation.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/

let database: TestDatabase
let chargeSale: ChargeSale

beforeAll(async () => {
  database = await freshDatabase()
  chargeSale = makeChargeSale({ db: database.db })
})
afterAll(() => database.drop())

const organisation = (credit = 100_0000n) => foundOrganisation(database.db, credit)

function sale(more: Partial<Sale> = {}): Sale {
  return {
    kind: 'message',
    subject_id: newId(),
    amount: 4_0000n,
    answer: ({ created_datetime, balance_before, balance_after }) =>
      `{"created_datetime":"${created_datetime}","before":${balance_before},"after":${balance_after}}`,
    writes: [],
    weight: 1,
    ...more,
  }
}

const once = (key: string, body = 'the body') => ({ key, request_hash: createHash('sha256').update(body).digest() })
const read = (answer: string) => JSON.parse(answer) as { created_datetime: string; before: number; after: number }
const refusal = (code: string, message: string) => expect.objectContaining({ code, message })

/** SaleWrite that are stored by saying so; what was stored together is one entry. */
function shop(says: string[], name: string): StoreItems<string> {
  return (tx, organisation_id, items) => {
    says.push(`${name}: ${items.join(' ')}`)
    return [tx`select 1 from balances where organisation_id = ${organisation_id}`]
  }
}

describe('a sale', () => {
  test('is charged, answered with the balance around it, and has its line', async () => {
    const by = await organisation()
    const sold = sale()
    const { answer, replayed } = await chargeSale(by, sold)
    expect(replayed).toBe(false)
    expect(read(answer)).toEqual({ created_datetime: expect.stringMatching(TIMESTAMP), before: 100, after: 96 })
    const [line] = await readLines(database.db, by, 2n, 1)
    expect(line).toMatchObject({ kind: 'message', amount: -4_0000n, balance_after: 96_0000n, note: null })
    expect(line?.subject_id).toBe(sold.subject_id)
  })

  test('of a burst is told the balance around itself, not around the burst', async () => {
    const by = await organisation()
    const amounts = [4_0000n, 0n, 1_5000n, 10_0000n]
    const receipts = await Promise.all(amounts.map((amount) => chargeSale(by, sale({ amount }))))
    expect(receipts.map(({ answer }) => [read(answer).before, read(answer).after])).toEqual([
      [100, 96],
      [96, 96],
      [96, 94.5],
      [94.5, 84.5],
    ])
    expect(receipts.every(({ replayed }) => !replayed)).toBe(true)
    expect((await readBalance(database.db, by)).balance).toBe(84_5000n)
    expect(await findImbalances(database.db)).toEqual([])
  })

  test('that does not fit fails alone, and the others are told the balance around themselves', async () => {
    const by = await organisation(10_0000n)
    const [first, large, last] = await Promise.allSettled([
      chargeSale(by, sale()),
      chargeSale(by, sale({ amount: 6_0001n })),
      chargeSale(by, sale({ amount: 6_0000n })),
    ])
    const message = 'The balance does not cover the charge.'
    expect(large).toMatchObject({
      status: 'rejected',
      reason: {
        code: 'insufficient_balance',
        message,
        faults: [{ field: 'balance', message, type: 'insufficient_balance' }],
      },
    })
    const told = [first, last].map((one) => (one?.status === 'fulfilled' ? one.value : undefined))
    expect(told.map((receipt) => receipt?.replayed)).toEqual([false, false])
    expect(told.map((receipt) => read(receipt?.answer ?? '{}'))).toEqual([
      { created_datetime: expect.stringMatching(TIMESTAMP), before: 10, after: 6 },
      { created_datetime: expect.stringMatching(TIMESTAMP), before: 6, after: 0 },
    ])
  })

  test('is charged to its organisation, whoever buys at the same time', async () => {
    const [one, other] = [await organisation(), await organisation(50_0000n)]
    const [here, there] = await Promise.all([chargeSale(one, sale()), chargeSale(other, sale())])
    expect([read(here.answer).after, read(there.answer).after]).toEqual([96, 46])
  })

  test('fails as the database says it does, without a second try, and charging goes on', async () => {
    const by = await organisation()
    const says: string[] = []
    const sound = saleWrite(shop(says, 'shop'), 'x')
    const broken: StoreItems<string> = (tx) => [tx`select 1 / 0 as n`]
    await expect(chargeSale(by, sale({ writes: [sound, saleWrite(broken, 'x')] }))).rejects.toMatchObject({
      code: '22012',
    })
    expect(says).toHaveLength(1)
    const twice = sale({ writes: [sound] })
    await chargeSale(by, twice)
    // The same subject once more breaks a unique key, but not that of an Idempotency-Key.
    await expect(chargeSale(by, twice)).rejects.toMatchObject({ code: '23505', table: 'ledger_lines' })
    expect(says).toHaveLength(3)
    const endless = sale({ writes: [sound], idempotency: once('x'.repeat(256)) })
    await expect(chargeSale(by, endless)).rejects.toMatchObject({ code: '23514', table: 'idempotency_keys' })
    expect(says).toHaveLength(4)
    expect(read((await chargeSale(by, sale())).answer)).toMatchObject({ before: 96, after: 92 })
  })
})

describe('saleWrite', () => {
  test('of one kind are stored together, the kinds in the order of the sales', async () => {
    const by = await organisation()
    const says: string[] = []
    const [ink, paper] = [shop(says, 'ink'), shop(says, 'paper')]
    await Promise.all([
      chargeSale(by, sale({ writes: [saleWrite(paper, 'a'), saleWrite(ink, 'b')] })),
      chargeSale(by, sale({ writes: [saleWrite(ink, 'c'), saleWrite(paper, 'd')] })),
    ])
    expect(says).toEqual(['paper: a d', 'ink: b c'])
  })

  test('that can be are stored by the charging statement, and only if all of them can', async () => {
    const by = await organisation()
    const says: string[] = []
    await database.db`create table shelf (item text)`
    const later = shop(says, 'later')
    const at_once = (item: string) =>
      saleWrite<string>(later, item, (sql, organisation_id, items) => {
        says.push(`at once: ${items.join(' ')}`)
        return sql`shelved as (
          insert into shelf (item) select ${organisation_id} || unnest(${[...items]}::text[]) from spent
        )`
      })
    await chargeSale(by, sale({ writes: [at_once('a'), at_once('b')] }))
    expect(says).toEqual(['at once: a b'])
    expect(await database.db`select item from shelf order by item`).toMatchObject([
      { item: `${by}a` },
      { item: `${by}b` },
    ])
    says.length = 0
    await chargeSale(by, sale({ writes: [at_once('c'), saleWrite(shop(says, 'never at once'), 'd')] }))
    expect(says).toEqual(['later: c', 'never at once: d'])
    says.length = 0
    await expect(chargeSale(by, sale({ amount: 1_000_0000n, writes: [at_once('e')] }))).rejects.toThrow('not cover')
    expect(says).toEqual(['at once: e', 'later: e'])
    expect(await database.db`select item from shelf`).toHaveLength(2)
  })

  test('of much weight are not stored with others', async () => {
    const by = await organisation()
    const says: string[] = []
    const store = shop(says, 'shop')
    await Promise.all(
      [9_999, 1, 10_000, 1].map((weight, n) =>
        chargeSale(by, sale({ writes: [saleWrite(store, String(n)), saleWrite(store, 'and')], weight })),
      ),
    )
    expect(says).toEqual(['shop: 0 and 1 and', 'shop: 2 and', 'shop: 3 and'])
  })
})

describe('an Idempotency-Key', () => {
  test('gives the first answer again, and charges nothing', async () => {
    const by = await organisation()
    const first = await chargeSale(by, sale({ idempotency: once('key') }))
    const again = await chargeSale(by, sale({ idempotency: once('key') }))
    expect(first.replayed).toBe(false)
    expect(again).toEqual({ answer: first.answer, replayed: true })
    expect((await readBalance(database.db, by)).balance).toBe(96_0000n)
  })

  test('of another request is a conflict, beside which others are charged', async () => {
    const by = await organisation()
    await chargeSale(by, sale({ idempotency: once('key') }))
    const [conflict, other] = await Promise.allSettled([
      chargeSale(by, sale({ idempotency: once('key', 'another body') })),
      chargeSale(by, sale()),
    ])
    expect(conflict).toEqual({
      status: 'rejected',
      reason: refusal('idempotency_conflict', 'This Idempotency-Key was used before with another request.'),
    })
    expect(other).toMatchObject({ status: 'fulfilled', value: { replayed: false } })
    expect((await readBalance(database.db, by)).balance).toBe(92_0000n)
  })

  test('is refused while the first request is running, and free when it has ended', async () => {
    const by = await organisation(4_0000n)
    const running = chargeSale(by, sale({ idempotency: once('key'), amount: 5_0000n }))
    await expect(chargeSale(by, sale({ idempotency: once('key') }))).rejects.toEqual(
      refusal('idempotency_conflict', 'The first request with this Idempotency-Key is still running.'),
    )
    await expect(running).rejects.toThrow('The balance does not cover the charge.')
    expect(await chargeSale(by, sale({ idempotency: once('key') }))).toMatchObject({ replayed: false })
  })

  test('is nobody else’s, also while it is in use', async () => {
    const [one, other] = [await organisation(), await organisation()]
    const receipts = await Promise.all([
      chargeSale(one, sale({ idempotency: once('key') })),
      chargeSale(one, sale({ idempotency: once('another key') })),
      chargeSale(other, sale({ idempotency: once('key') })),
    ])
    expect(receipts.map(({ replayed }) => replayed)).toEqual([false, false, false])
  })
})

import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  chargeOnly,
  findImbalances,
  readBalance,
  saleArguments,
  theOne,
  type Charged,
} from '../../src/billing/store.ts'
import { listLines } from '../../src/billing/ledger-store.ts'
import { makeChargeSale, type ChargeSale, type Sale, type StoreSales } from '../../src/billing/charge.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { until } from '../support/until.ts'
import { somebodyWaits } from '../support/waiting.ts'
import { transaction } from '../../src/db/transaction.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/

let database: TestDatabase
let chargeSale: ChargeSale<undefined>

beforeAll(async () => {
  database = await freshDatabase()
  chargeSale = makeChargeSale(alone)
})
afterAll(() => database.drop())

const organisation = (credit = 100_0000n) => foundOrganisation(database.db, credit)

/** Each with a ledger entry of its own. */
const alone: StoreSales<unknown> = (by, sales) => chargeOnly(database.db, 'lookup', by, sales)

/** All in one ledger entry. */
const together: StoreSales<unknown> = async (by, sales) => {
  const { db } = database
  const [charged] = await db<Charged[]>`
    select balance_left, line, moment, outcomes, balances_left, known_answers
    from charge(${by}, 'message', true, ${saleArguments(db, sales)})`
  return theOne(charged)
}

function sale(more: Partial<Sale<undefined>> = {}): Sale<undefined> {
  return {
    subject_id: newId(),
    amount: 4_0000n,
    answer: ({ created_datetime, balance_before, balance_after }) =>
      `{"created_datetime":"${created_datetime}","before":${balance_before},"after":${balance_after}}`,
    item: undefined,
    weight: 1,
    ...more,
  }
}

const once = (key: string, body = 'the body') => ({ key, request_hash: createHash('sha256').update(body).digest() })
const read = (answer: string) => JSON.parse(answer) as { created_datetime: string; before: number; after: number }
const refusal = (code: string, message: string) => expect.objectContaining({ code, message })
const linesUpTo = (by: string, last: bigint, limit: number) =>
  listLines(database.db, by, { after: 0n, last }, { skip: 0, limit })
const linesOf = async (by: string) => (await linesUpTo(by, 1_000_000n, 1_000)).toReversed().slice(1)

/** The outcome of each in a word, with the balance after those that were charged. */
async function outcomes(receipts: readonly Promise<{ answer: string; replayed: boolean }>[]) {
  return (await Promise.allSettled(receipts)).map((one) => {
    if (one.status === 'rejected') return one.reason.code
    return one.value.replayed ? 'replayed' : read(one.value.answer).after
  })
}

/** Sales that reach the database as one batch: they arrive while the first write waits for the balance. */
async function asOneBurst<T>(by: string, work: () => T): Promise<T> {
  let result: T | undefined
  await transaction(database.db, async (tx) => {
    await tx`select 1 from balances where organisation_id = ${by} for update`
    result = work()
    await until('a statement to wait for the balance', () => somebodyWaits(database.db))
  })
  return result as T
}

/** A cluster names the table only in its error message, by the shard on a node. */
const fault = (code: string, table: string) => ({ code, message: expect.stringContaining(table) })

describe('a sale', () => {
  test('is charged, answered with the balance before and after it, and has its ledger entry', async () => {
    const by = await organisation()
    const sold = sale()
    const { answer, replayed } = await chargeSale(by, sold)
    expect(replayed).toBe(false)
    expect(read(answer)).toEqual({ created_datetime: expect.stringMatching(TIMESTAMP), before: 100, after: 96 })
    const [line] = await linesUpTo(by, 2n, 1)
    expect(line).toMatchObject({ kind: 'lookup', amount: -4_0000n, balance_after: 96_0000n, note: null })
    expect(line).toMatchObject({ subject_id: sold.subject_id, created_datetime: read(answer).created_datetime })
  })

  test('of a batch is answered with the balance around it, not around the batch', async () => {
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

  test('that is not covered fails alone, and the others get the balances around themselves', async () => {
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
    const receipts = [first, last].map((one) => (one?.status === 'fulfilled' ? one.value : undefined))
    expect(receipts.map((receipt) => receipt?.replayed)).toEqual([false, false])
    expect(receipts.map((receipt) => read(receipt?.answer ?? '{}'))).toEqual([
      { created_datetime: expect.stringMatching(TIMESTAMP), before: 10, after: 6 },
      { created_datetime: expect.stringMatching(TIMESTAMP), before: 6, after: 0 },
    ])
    expect((await linesOf(by)).map(({ amount, balance_after }) => [amount, balance_after])).toEqual([
      [-4_0000n, 6_0000n],
      [-6_0000n, 0n],
    ])
  })

  test('is charged to its organisation, also with concurrent buyers', async () => {
    const [one, other] = [await organisation(), await organisation(50_0000n)]
    const [here, there] = await Promise.all([chargeSale(one, sale()), chargeSale(other, sale())])
    expect([read(here.answer).after, read(there.answer).after]).toEqual([96, 46])
  })

  test('of an organisation without a balance is not made', async () => {
    await expect(chargeSale(newId(), sale())).rejects.toMatchObject({ code: 'P0002' })
  })

  test('returns the error of the database, without a retry, and charging continues', async () => {
    const by = await organisation()
    let tries = 0
    const counted = makeChargeSale<undefined>((id, sales) => {
      tries += 1
      return alone(id, sales)
    })
    const twice = sale()
    await counted(by, twice)
    // The same subject again violates a unique key, but not that of an Idempotency-Key.
    await expect(counted(by, twice)).rejects.toMatchObject(fault('23505', 'ledger_lines'))
    expect(tries).toBe(2)
    const endless = sale({ idempotency: once('x'.repeat(256)) })
    await expect(counted(by, endless)).rejects.toMatchObject(fault('23514', 'idempotency_keys'))
    expect(tries).toBe(3)
    expect(read((await counted(by, sale())).answer)).toMatchObject({ before: 96, after: 92 })
  })

  test('that fails a batch fails alone: the others are charged, each once', async () => {
    const by = await organisation()
    const twice = sale()
    await chargeSale(by, twice)
    expect(await outcomes([chargeSale(by, sale()), chargeSale(by, twice), chargeSale(by, sale())])).toEqual([
      92,
      '23505',
      88,
    ])
    expect(await linesOf(by)).toHaveLength(3)
    expect(await findImbalances(database.db)).toEqual([])
  })
})

describe('a batch', () => {
  test('of sales with their own ledger entries stores them in the order of the sales', async () => {
    const by = await organisation()
    const sales = [4_0000n, 0n, 1_5000n].map((amount) => sale({ amount }))
    await Promise.all(sales.map((one) => chargeSale(by, one)))
    expect(await linesOf(by)).toMatchObject(
      [96_0000n, 96_0000n, 94_5000n].map((balance_after, n) => ({
        sequence: BigInt(n + 2),
        subject_id: sales[n]?.subject_id,
        amount: -(sales[n]?.amount ?? 0n),
        balance_after,
      })),
    )
  })

  test('charged together has one ledger entry, from the lowest to the highest of its ids', async () => {
    const by = await organisation()
    const chargeAll = makeChargeSale(together)
    const ids = [newId(), newId(), newId()]
    const sales = [ids[1], ids[2], ids[0]].map((subject_id = '') => sale({ subject_id }))
    expect(await outcomes(sales.map((one) => chargeAll(by, one)))).toEqual([96, 92, 88])
    const lines = await database.db`
      select sequence, kind, amount, balance_after, subject_id, last_subject_id, subjects from ledger_lines
      where organisation_id = ${by} and kind = 'message'`
    expect(lines).toEqual([
      {
        sequence: 2n,
        kind: 'message',
        amount: -12_0000n,
        balance_after: 88_0000n,
        subject_id: ids[0],
        last_subject_id: ids[2],
        subjects: 3,
      },
    ])
    await chargeAll(by, sale())
    expect(
      await database.db`
      select sequence, last_subject_id, subjects from ledger_lines where organisation_id = ${by} and sequence > 2`,
    ).toEqual([{ sequence: 3n, last_subject_id: null, subjects: 1 }])
    expect(await findImbalances(database.db)).toEqual([])
  })

  test('charged together in part has one ledger entry for that part', async () => {
    const by = await organisation(12_0000n)
    const chargeAll = makeChargeSale(together)
    await chargeAll(by, sale({ idempotency: once('known') }))
    const sales = [
      sale(),
      sale({ amount: 9_0000n }),
      sale({ idempotency: once('known') }),
      sale({ idempotency: once('known', 'another body') }),
      sale({ idempotency: once('new'), amount: 3_0000n }),
      sale({ amount: 1_0001n }),
      sale({ amount: 1_0000n }),
    ]
    // A batch of one process does not contain the same key twice.
    const [conflict] = sales.splice(3, 1)
    const charges = [...sales.map((one) => chargeAll(by, one)), makeChargeSale(together)(by, conflict ?? sale())]
    expect(await outcomes(charges)).toEqual([
      4,
      'insufficient_balance',
      'replayed',
      1,
      'insufficient_balance',
      0,
      'idempotency_conflict',
    ])
    expect(
      await database.db`
      select amount, balance_after, subject_id, last_subject_id, subjects from ledger_lines
      where organisation_id = ${by} and sequence = 3`,
    ).toEqual([
      {
        amount: -8_0000n,
        balance_after: 0n,
        subject_id: sales[0]?.subject_id,
        last_subject_id: sales[5]?.subject_id,
        subjects: 3,
      },
    ])
    expect(await readBalance(database.db, by)).toEqual({ balance: 0n, sequence: 3n, credit_limit: 0n })
    expect(await findImbalances(database.db)).toEqual([])
  })

  test.each([
    ['together', () => together],
    ['one by one', () => alone],
  ])('of which nothing is charged stores no ledger entry: %s', async (_, store) => {
    const by = await organisation(10_0000n)
    const chargeAll = makeChargeSale(store())
    await chargeAll(by, sale({ idempotency: once('key') }))
    expect(
      await outcomes([
        chargeAll(by, sale({ idempotency: once('key') })),
        chargeAll(by, sale({ amount: 6_0001n })),
        chargeAll(by, sale({ idempotency: once('expensive'), amount: 7_0000n })),
      ]),
    ).toEqual(['replayed', 'insufficient_balance', 'insufficient_balance'])
    expect(await readBalance(database.db, by)).toEqual({ balance: 6_0000n, sequence: 2n, credit_limit: 0n })
    // A sale rejected for insufficient balance does not use up its key.
    expect(await chargeAll(by, sale({ idempotency: once('expensive'), amount: 6_0000n }))).toMatchObject({
      replayed: false,
    })
  })

  test('of many or large sales is split', async () => {
    const by = await organisation(10_000_0000n)
    const bursts: number[][] = []
    const noted = makeChargeSale<number>((id, sales) => {
      bursts.push(sales.map(({ item }) => item))
      return alone(id, sales)
    })
    await Promise.all([9_999, 1, 10_000, 1].map((weight, n) => noted(by, { ...sale({ weight }), item: n })))
    expect(bursts).toEqual([[0, 1], [2], [3]])
    bursts.length = 0
    await Promise.all(Array.from({ length: 513 }, (_, n) => noted(by, { ...sale(), item: n })))
    expect(bursts.map(({ length }) => length)).toEqual([512, 1])
    expect(await findImbalances(database.db)).toEqual([])
  })

  test('is stored completely with its data, or not charged', async () => {
    const by = await organisation()
    const broken = makeChargeSale<undefined>(async (id, sales) => {
      let charged: Charged | undefined
      await transaction(database.db, async (tx) => {
        ;[charged] = await tx<Charged[]>`
          select balance_left, line, moment, outcomes, balances_left, known_answers
          from charge(${id}, 'lookup', false, ${saleArguments(tx, sales)})`
        await tx`select 1 / 0`
      })
      return theOne(charged)
    })
    expect(await outcomes([broken(by, sale()), broken(by, sale())])).toEqual(['22012', '22012'])
    expect(await readBalance(database.db, by)).toEqual({ balance: 100_0000n, sequence: 1n, credit_limit: 0n })
  })
})

describe('two processes', () => {
  test('charge the same organisation concurrently: the balance is not spent twice', async () => {
    const by = await organisation(4_0000n * 150n)
    const processes = [makeChargeSale(together), makeChargeSale(together), makeChargeSale(alone)]
    const results = await outcomes(
      Array.from({ length: 300 }, (_, n) => {
        const one = processes[n % 3]
        return one ? one(by, sale()) : Promise.reject(new Error('no process'))
      }),
    )
    expect(results.filter((one) => one === 'insufficient_balance')).toHaveLength(150)
    const left = results.filter((one): one is number => typeof one === 'number')
    expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 150 }, (_, n) => 4 * (149 - n)))
    expect((await readBalance(database.db, by)).balance).toBe(0n)
    expect(await findImbalances(database.db)).toEqual([])
  })

  test('with the same key concurrently: one charges, the other returns its response', async () => {
    const by = await organisation()
    const [one, other] = [makeChargeSale(together), makeChargeSale(together)]
    const receipts = await Promise.all(
      await asOneBurst(by, () => [one, other].map((either) => either(by, sale({ idempotency: once('key') })))),
    )
    expect(receipts.map(({ replayed }) => replayed).sort()).toEqual([false, true])
    expect(receipts[0]?.answer).toBe(receipts[1]?.answer)
    expect((await readBalance(database.db, by)).balance).toBe(96_0000n)
  })
})

describe('an Idempotency-Key', () => {
  test.each([
    ['together', () => together],
    ['one by one', () => alone],
  ])('returns the first response again, and charges nothing: %s', async (_, store) => {
    const by = await organisation()
    const chargeAll = makeChargeSale(store())
    const first = await chargeAll(by, sale({ idempotency: once('key') }))
    const again = await chargeAll(by, sale({ idempotency: once('key') }))
    expect(first.replayed).toBe(false)
    expect(again).toEqual({ answer: first.answer, replayed: true })
    expect((await readBalance(database.db, by)).balance).toBe(96_0000n)
  })

  test.each([
    ['that fits', 1_000_0000n],
    ['that does not fit', 20_0000n],
  ])(
    'in the middle of a batch %s returns the response with the balance around it, byte for byte',
    async (_, credit) => {
      const by = await organisation(credit)
      const sales = Array.from({ length: 9 }, (__, n) =>
        sale({
          amount: BigInt(n) * 1_2500n,
          ...(n % 2 === 0 ? {} : { idempotency: once(`key ${n}`) }),
        }),
      )
      const chargeAll = makeChargeSale(together)
      const first = await Promise.allSettled(sales.map((one) => chargeAll(by, one)))
      const again = await Promise.allSettled(
        sales.filter(({ idempotency }) => idempotency).map((one) => chargeAll(by, { ...one, subject_id: newId() })),
      )
      const answers = (settled: typeof first) =>
        settled.map((one) => (one.status === 'fulfilled' ? one.value.answer : one.reason.code))
      expect(answers(again)).toEqual(answers(first).filter((__, n) => n % 2 === 1))
      expect(await findImbalances(database.db)).toEqual([])
    },
  )

  test('of another request is a conflict, while others of the batch are charged', async () => {
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

  test('is rejected while the first request is running, and free when it has ended', async () => {
    const by = await organisation(4_0000n)
    const running = chargeSale(by, sale({ idempotency: once('key'), amount: 5_0000n }))
    await expect(chargeSale(by, sale({ idempotency: once('key') }))).rejects.toEqual(
      refusal('idempotency_conflict', 'The first request with this Idempotency-Key is still running.'),
    )
    await expect(running).rejects.toThrow('The balance does not cover the charge.')
    expect(await chargeSale(by, sale({ idempotency: once('key') }))).toMatchObject({ replayed: false })
  })

  test('belongs to one organisation, also while it is in use', async () => {
    const [one, other] = [await organisation(), await organisation()]
    const receipts = await Promise.all([
      chargeSale(one, sale({ idempotency: once('key') })),
      chargeSale(one, sale({ idempotency: once('another key') })),
      chargeSale(other, sale({ idempotency: once('key') })),
    ])
    expect(receipts.map(({ replayed }) => replayed)).toEqual([false, false, false])
  })
})

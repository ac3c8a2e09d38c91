import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openAccount, topUp, topUpOnce } from '../../src/billing/balance.ts'
import { readAccount } from '../../src/billing/ledger.ts'
import { readBalance, refundLines } from '../../src/billing/store.ts'
import { transaction } from '../../src/db/transaction.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { foundOrganisation } from '../support/organisation.ts'

let database: TestDatabase
let deps: { db: TestDatabase['db'] }

beforeAll(async () => {
  database = await freshDatabase()
  deps = { db: database.db }
})
afterAll(() => database.drop())

/** An organisation whose account is opened with the credit. */
const organisation = (credit: bigint) => foundOrganisation(database.db, credit)
const nothing = async () => {}
const balanceOf = async (by: string) => (await readBalance(database.db, by)).balance
const read = async (organisation_id: string, query: Parameters<typeof readAccount>[2] = {}) =>
  readAccount(deps, { organisation_id, currency: 'NGN' }, query)

describe('an account', () => {
  test('starts with its credit as the first entry, or without an entry', async () => {
    const { account } = await read(await organisation(12_5000n))
    expect(account).toEqual({
      balance: 12.5,
      currency: 'NGN',
      entries: [
        {
          id: '1',
          kind: 'opening',
          amount: 12.5,
          balance_after: 12.5,
          subject_id: expect.any(String),
          created_datetime: expect.any(String),
        },
      ],
    })
    expect((await read(await organisation(0n))).account).toEqual({ balance: 0, currency: 'NGN', entries: [] })
  })

  test('is opened once', async () => {
    const by = await organisation(1n)
    await expect(transaction(database.db, (tx) => openAccount(tx, by, 1n))).rejects.toMatchObject({ code: '23505' })
  })

  test('names the delivery that an entry refunds', async () => {
    const by = await organisation(1_0000n)
    const subject_id = newId()
    await transaction(database.db, (tx) =>
      refundLines(tx, by, [{ subject_id, subject_key: '2348031234567', amount: 4_0000n }]),
    )
    expect((await read(by)).account.entries[0]).toEqual({
      id: '2',
      kind: 'refund',
      amount: 4,
      balance_after: 5,
      subject_id,
      recipient: '2348031234567',
      created_datetime: expect.any(String),
    })
  })
})

describe('a top-up', () => {
  test('credits, and a negative amount debits', async () => {
    const by = await organisation(10_0000n)
    expect(await topUp(deps, by, 5_0000n)).toBe(15_0000n)
    expect(await topUp(deps, by, -7_0000n)).toBe(8_0000n)
    const { account } = await read(by)
    expect(account.entries.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
      'adjustment -7',
      'top_up 5',
      'opening 10',
    ])
  })

  test('with a reference is made once, with its reason, and its callback in the transaction runs once', async () => {
    const by = await organisation(0n)
    const deed = { amount: 5_0000n, note: 'Invoice 1', subject_id: newId() }
    const entries: object[] = []
    const also = async (_: unknown, entry: object) => void entries.push(entry)
    const first = await topUpOnce(deps, by, deed, also)
    expect(first).toEqual({
      id: '1',
      kind: 'top_up',
      amount: 5,
      balance_after: 5,
      subject_id: deed.subject_id,
      note: 'Invoice 1',
      created_datetime: expect.any(String),
    })
    expect(await topUpOnce(deps, by, deed, also)).toEqual(first)
    expect(entries).toEqual([first])
    expect(await balanceOf(by)).toBe(5_0000n)
  })

  test('is made once, also by concurrent requests', async () => {
    const by = await organisation(0n)
    const deed = { amount: 5_0000n, note: 'Invoice 1', subject_id: newId() }
    await Promise.all(Array.from({ length: 8 }, () => topUpOnce(deps, by, deed, nothing)))
    expect(await balanceOf(by)).toBe(5_0000n)
  })

  test.each([
    ['amount', { amount: 6_0000n }],
    ['reason', { note: 'Invoice 2' }],
  ])('with the reference of another %s is a conflict', async (_, other) => {
    const by = await organisation(0n)
    const deed = { amount: 5_0000n, note: 'Invoice 1', subject_id: newId() }
    await topUpOnce(deps, by, deed, nothing)
    await expect(topUpOnce(deps, by, { ...deed, ...other }, nothing)).rejects.toMatchObject({
      code: 'idempotency_conflict',
      message: 'This Idempotency-Key was used before with another request.',
    })
    expect(await balanceOf(by)).toBe(5_0000n)
  })

  test('may reduce the balance to zero, not below', async () => {
    const by = await organisation(5_0000n)
    const deed = { amount: -5_0001n, note: 'Correction', subject_id: newId() }
    await expect(topUpOnce(deps, by, deed, nothing)).rejects.toMatchObject({ code: 'insufficient_balance' })
    const { kind, amount, balance_after } = await topUpOnce(deps, by, { ...deed, amount: -5_0000n }, nothing)
    expect({ kind, amount, balance_after }).toEqual({ kind: 'adjustment', amount: -5, balance_after: 0 })
  })

  test('is rolled back together with its callback in the transaction', async () => {
    const by = await organisation(5_0000n)
    const deed = { amount: 5_0000n, note: 'Invoice 1', subject_id: newId() }
    const dies = topUpOnce(deps, by, deed, async () => {
      throw new Error('the transaction fails')
    })
    await expect(dies).rejects.toThrow('the transaction fails')
    expect(await balanceOf(by)).toBe(5_0000n)
  })
})

describe('the ledger', () => {
  test('is read newest first, by page or by cursor', async () => {
    const by = await organisation(1_0000n)
    for (let n = 0; n < 4; n += 1) await topUp(deps, by, 1_0000n)
    const ids = ({ account }: Awaited<ReturnType<typeof read>>) => account.entries.map(({ id }) => id)
    const first = await read(by, { limit: 2 })
    expect(ids(first)).toEqual(['5', '4'])
    expect(first.pagination).toMatchObject({ next_page: 'True', prev_page: 'False', count_total: 5, page_total: 3 })
    expect(ids(await read(by, { limit: 2, page: 2 }))).toEqual(['3', '2'])
    const last = await read(by, { limit: 2, page: 3 })
    expect(ids(last)).toEqual(['1'])
    expect(last.pagination).toMatchObject({ next_page: 'False', prev_page: 'True' })
    expect(ids(await read(by, { limit: 2, page: 4 }))).toEqual([])

    await topUp(deps, by, 1_0000n) // A cursor does not return the new entry, and none twice.
    const second = await read(by, { limit: 2, query_id: first.pagination.query_id })
    expect(ids(second)).toEqual(['3', '2'])
    const third = await read(by, { limit: 2, query_id: second.pagination.query_id })
    expect(ids(third)).toEqual(['1'])
    const behind = await read(by, { limit: 2, query_id: third.pagination.query_id })
    expect(ids(behind)).toEqual([])
    expect(ids(await read(by, { query_id: behind.pagination.query_id }))).toEqual([])
  })

  test.each(['', 'x1', '1x', '-1', '1234567890123456789', newId()])('rejects the cursor %j', async (key) => {
    const by = await organisation(1_0000n)
    const query_id = Buffer.from(`2 ${key}`).toString('base64url')
    await expect(read(by, { query_id })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('accepts cursors of up to eighteen digits', async () => {
    const by = await organisation(1_0000n)
    const query_id = Buffer.from(`2 ${'9'.repeat(18)}`).toString('base64url')
    expect((await read(by, { query_id })).account.entries).toHaveLength(1)
  })
})

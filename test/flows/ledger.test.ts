import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { topUp } from '../../src/billing/balance.ts'
import { findImbalances, refundLines } from '../../src/billing/store.ts'
import { transaction } from '../../src/db/transaction.ts'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService
/** On a cluster triggers cannot guard the ledger: the functions do, and the audit proves it. */
const on_cluster = inject('cluster') !== undefined

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

describe('the database', () => {
  test.skipIf(on_cluster)('lets nobody change or remove a ledger line', async () => {
    const { db } = service
    const never = 'ledger lines are never changed or removed'
    await expect(db`update ledger_lines set amount = 1`).rejects.toThrow(never)
    await expect(db`delete from ledger_lines`).rejects.toThrow(never)
    await expect(db.unsafe('truncate ledger_lines')).rejects.toThrow(never)
  })

  test.skipIf(on_cluster)('lets nobody change a balance without its line', async () => {
    const by = await service.organisation({ credit: 10 })
    const change = service.db`update balances set balance = balance + 1 where organisation_id = ${by.id}`
    await expect(change).rejects.toThrow('a balance was changed without its ledger line')
  })

  test.skipIf(on_cluster)('lets nobody write a line without its balance, or one that does not continue', async () => {
    const by = await service.organisation({ credit: 10 })
    const line = (sequence: number, amount: number, after: number) => service.db`
      insert into ledger_lines (organisation_id, sequence, kind, amount, balance_after, subject_id)
      values (${by.id}, ${sequence}, 'top_up', ${amount}, ${after}, ${newId()})`
    await expect(line(2, 1, 100_001)).rejects.toThrow('written without its balance')
    await expect(line(2, 1, 5)).rejects.toThrow('does not continue')
    await expect(line(3, 1, 100_001)).rejects.toThrow('does not continue')
  })

  test('never lets a balance sink below zero', async () => {
    const by = await service.organisation({ credit: 10 })
    await expect(topUp({ db: service.db }, by.id, -100_001n)).rejects.toMatchObject({ code: '23514' })
    expect(await topUp({ db: service.db }, by.id, -100_000n)).toBe(0n)
  })

  test('refunds a thing once, however many try', async () => {
    const by = await service.organisation({ credit: 10 })
    const refund = { subject_id: newId(), subject_key: '2348031234567', amount: 40_000n }
    const tries = await Promise.allSettled(
      Array.from({ length: 100 }, () => transaction(service.db, (tx) => refundLines(tx, by.id, [refund]))),
    )
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { body } = await by.call<{ balance: number }>('GET', '/balance')
    expect(body.balance).toBe(14)
    expect(await findImbalances(service.db)).toEqual([])
  })
})

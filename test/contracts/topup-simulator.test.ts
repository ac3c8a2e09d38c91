import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTopupSimulator } from '../../src/carriers/simulator/topup-simulator.ts'
import type { TopupCarrier, TopupOrder } from '../../src/carriers/topup-carrier.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let carrier: TopupCarrier

beforeAll(async () => {
  database = await freshDatabase()
  carrier = makeTopupSimulator({ db: database.db }, { name: 'simulator' })
})
afterAll(() => database.drop())

function order(recipient = '2348031234567'): TopupOrder {
  const purchase_id = newId()
  const reference = carrier.referenceOf({ purchase_id, created_datetime: '2026-11-14T23:42:46.539766+00:00' })
  const what = { recipient, network: 'MTN' as const, amount: 1_000_000n, currency: 'NGN' }
  return { organisation_id: newId(), purchase_id, reference, ...what, vendor_purchase_id: null }
}

async function sold({ reference }: TopupOrder): Promise<number> {
  return (await database.db`select 1 from sandbox_topups where reference = ${reference}`).length
}

/** A minute has passed at the vendor. */
async function later({ reference }: TopupOrder): Promise<void> {
  await database.db`
    update sandbox_topups set created_datetime = now() - interval '1 minute' where reference = ${reference}`
}

describe('the simulated vendor implements the contract of the real ones', () => {
  test('sells once under one reference, and always knows it', async () => {
    const one = order()
    expect((await carrier.purchase(one)).kind).toBe('success')
    expect((await carrier.purchase(one)).kind).toBe('unclear')
    expect(await sold(one)).toBe(1)
    expect((await carrier.requery(one)).kind).toBe('success')
  })

  test.each([
    ['2348000000011', 'failed'],
    ['2348000000012', 'duplicate'],
    ['2348000000015', 'error'],
  ])('rejects %s: %s, and nothing is sold', async (recipient, kind) => {
    const one = order(recipient)
    expect((await carrier.purchase(one)).kind).toBe(kind)
    expect(await sold(one)).toBe(0)
    expect((await carrier.requery(one)).kind).toBe('not_found')
  })

  test.each([
    ['2348000000013', 'unclear', 'success'],
    ['2348000000014', 'unclear', 'failed'],
    ['2348000000016', 'accepted', 'success'],
    ['2348000000017', 'unclear', 'unclear'],
  ])('is queried about %s: first %s, then %s', async (recipient, at_once, in_the_end) => {
    const one = order(recipient)
    expect((await carrier.purchase(one)).kind).toBe(at_once)
    expect(['accepted', 'unclear']).toContain((await carrier.requery(one)).kind)
    await later(one)
    expect((await carrier.requery(one)).kind).toBe(in_the_end)
  })

  test('does not know an unknown purchase, and has sufficient balance', async () => {
    expect((await carrier.requery(order())).kind).toBe('not_found')
    expect(await carrier.balance()).toBeGreaterThan(0n)
  })
})

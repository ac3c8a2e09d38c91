import { expect } from 'vitest'
import { auditPurchases } from '../../src/airtime/audit-store.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import type { TestService, Organisation } from './service.ts'
import { until } from './until.ts'

export type Purchase = {
  id: string
  status: string
  recipient: string
  network: string
  external_ref?: string
  description?: string
  updated_datetime?: string
  meta: {
    charge: { amount: number; available_balance: number; balance_before: number; refunded: boolean }
    warnings?: string[]
  }
}

export async function buy(by: Organisation, wish: object, headers?: Record<string, string>): Promise<Purchase> {
  const body = { network: 'MTN', amount: 100, recipient: '08031234567', ...wish }
  const answer = await by.call<Purchase>('POST', '/airtime/buy', body, headers)
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ status: 'pending', meta: { charge: { refunded: false } } })
  return answer.body
}

export async function readPurchase(by: Organisation, { id }: { id: string }): Promise<Purchase> {
  return (await by.call<Purchase>('GET', `/airtime/${id}`)).body
}

/** Waits until the purchase has one of the statuses, and returns it. */
export function ends(by: Organisation, purchase: { id: string }, ...states: string[]): Promise<Purchase> {
  return until(`${states.join(' or ')} of ${purchase.id}`, async () => {
    const read = await readPurchase(by, purchase)
    return states.includes(read.status) ? read : undefined
  })
}

export const balanceOf = async (by: Organisation): Promise<number> =>
  (await by.call<{ balance: number }>('GET', '/balance')).body.balance

/** Every balance is the sum of its ledger entries, and every entry has its subject. */
export async function expectSoundMoney(service: TestService): Promise<void> {
  expect([...(await auditMoney(service.db)), ...(await auditPurchases(service.db))]).toEqual([])
}

/** Makes the purchase's next step due. */
export async function hurry(service: TestService, { id }: { id: string }): Promise<void> {
  await service.db`update jobs set run_at = now() where subject_id = ${id} and not leased`
}

export type TryRow = {
  position: number
  vendor: string
  reference: string
  status: string
  calls: number
  requeries: number
  cost: bigint | null
  vendor_balance: bigint | null
  vendor_purchase_id: string | null
}

export async function triesOf(service: TestService, { id }: { id: string }): Promise<TryRow[]> {
  return service.db<TryRow[]>`
    select position, vendor, reference, status, calls, requeries, cost, vendor_balance, vendor_purchase_id
    from purchase_tries where purchase_id = ${id} order by position`
}

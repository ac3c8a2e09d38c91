import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeAcceptPurchases, type ReservedPurchase, type PurchaseWorker } from '../../src/airtime/accept.ts'
import { buyAirtime } from '../../src/airtime/buy.ts'
import { makeChargeSale } from '../../src/billing/charge.ts'
import type { TopupCarrier } from '../../src/carriers/topup-carrier.ts'
import { makeVtpass } from '../../src/carriers/vtpass/vtpass.ts'
import { newId } from '../../src/values/id.ts'
import { NO_FEES } from '../../src/prices/fees.ts'
import { balanceOf, ends, expectSoundMoney, triesOf } from '../support/airtime.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
import type { VendorServer } from '../support/vendor-server.ts'
import { startVtpassServer, VTPASS_KEYS } from '../support/vtpass-server.ts'

/** Purchases whose job is leased by the process that accepts them: what happens if it crashes. */

const VTPASS = { kind: 'vtpass' as const, name: 'vtpass', timeout_ms: 1_000, low_balance: 0, ...VTPASS_KEYS }

let vendor: VendorServer
let vtpass: TopupCarrier
let service: TestService
let by: Organisation
let reserved: number
let started: (ReservedPurchase | undefined)[]

beforeAll(async () => {
  vendor = await startVtpassServer()
  vtpass = makeVtpass({ ...VTPASS, base_url: vendor.url })
  const airtime = { vendors: [{ ...VTPASS, base_url: vendor.url }], requery_delays_s: [1] }
  service = await openService({ settings: { airtime }, config: { sandbox: true } })
})
beforeEach(async () => {
  by = await service.organisation({ credit: 1_000 })
  vendor.requests.length = 0
  vendor.sold.clear()
  reserved = 0
  started = []
})
afterAll(async () => {
  await expectSoundMoney(service)
  await service.close()
  await vtpass.stop()
  await vendor.close()
})

/** A process that accepts purchases and has capacity for them; the test decides what it does with them. */
function accepting(onStart: PurchaseWorker['startReserved'] = () => {}, carrier = vtpass) {
  const worker: PurchaseWorker = {
    reserve: () => {
      reserved += 1
      return true
    },
    startReserved: (place, held) => {
      started.push(held)
      onStart(place, held)
    },
  }
  const wakeups = { wake: () => {}, onWake: () => () => {}, close: async () => {} }
  const vendors = new Map([['vtpass', carrier]])
  const { db } = service
  const accept = makeAcceptPurchases({
    db,
    shared_db: db,
    wakeups,
    vendors,
    duplicate_minutes: 5,
    worker: () => worker,
  })
  const deps = {
    db: service.db,
    airtime: { min_amount: 50, max_amount: 50_000, refuse_network_mismatch: false },
    address_mode: { private_allowed: true, networks: [] },
    vendorsOf: () => ['vtpass'],
    operatorOf: () => '',
    isBlocked: () => false,
    feesOf: () => NO_FEES,
    chargePurchase: makeChargeSale(accept.storeSales, accept.storeMany),
  }
  return async (wish: object = {}, organisation_id = by.id): Promise<string> => {
    const buyer = {
      organisation_id,
      mode: 'live' as const,
      default_country: 'NG',
      currency: 'NGN',
      price_list_id: null,
    }
    const body = { network: 'MTN', amount: 100, recipient: '08031234567', ...wish }
    const { answer } = await buyAirtime(deps, buyer, body, { shape_faults: [] })
    return (JSON.parse(answer) as { id: string }).id
  }
}

const paths = () => vendor.requests.map(({ path }) => path).filter((path) => path !== '/api/balance')

/** Expires the lease of the crashed process, and the time a call may take. */
async function expireLeases(): Promise<void> {
  await service.db`
    update purchase_tries set called_datetime = (called_datetime at time zone 'utc' - interval '1 minute') at time zone 'utc' where organisation_id = ${by.id}`
  await service.db`update jobs set leased_until = now() where organisation_id = ${by.id} and leased`
}

test('a crash between the commit and the call: the vendor is queried before it is called, and sells once', async () => {
  const id = await accepting()()
  expect(await triesOf(service, { id })).toMatchObject([{ position: 0, vendor: 'vtpass', status: 'calling', calls: 1 }])
  expect(paths()).toEqual([])
  await expireLeases()
  await ends(by, { id }, 'success')
  expect(paths()).toEqual(['/api/requery', '/api/pay'])
  expect(vendor.sold.size).toBe(1)
  expect(await triesOf(service, { id })).toMatchObject([{ status: 'success', calls: 2 }])
  expect(await balanceOf(by)).toBe(900)
})

test('a crash between the call and storing its answer: the vendor is queried, not called again', async () => {
  let call: Promise<unknown> | undefined
  const buy = accepting((_, held) => {
    if (held) call = vtpass.purchase({ ...orderOf(held), vendor_purchase_id: null })
  })
  const id = await buy()
  await call
  await expireLeases()
  await ends(by, { id }, 'success')
  expect(paths()).toEqual(['/api/pay', '/api/requery'])
  expect(vendor.sold.size).toBe(1)
  expect(await balanceOf(by)).toBe(900)
})

function orderOf({ purchase }: ReservedPurchase) {
  const { organisation_id, id, recipient, network, amount, currency, tried } = purchase
  return { organisation_id, purchase_id: id, reference: tried?.reference ?? '', recipient, network, amount, currency }
}

test('a process that lost its lease: the next worker continues, and both calls are one purchase', async () => {
  const id = await accepting()()
  await expireLeases()
  await ends(by, { id }, 'success')
  const held = started[0]!
  expect(await vtpass.purchase({ ...orderOf(held), vendor_purchase_id: null })).toMatchObject({ kind: 'unclear' })
  expect(vendor.sold.size).toBe(1)
  expect(await balanceOf(by)).toBe(900)
})

test('of equal purchases in one batch only the first is leased; the others end as duplicates', async () => {
  const buy = accepting()
  const ids = await Promise.all([buy(), buy(), buy(), buy({ recipient: '08031234568' })])
  expect(reserved).toBe(4)
  expect(started.flatMap((held) => held?.purchase.id ?? [])).toEqual([ids[0], ids[3]])
  for (const id of ids.slice(1, 3)) await ends(by, { id }, 'duplicate')
  await expireLeases()
  for (const id of [ids[0], ids[3]]) await ends(by, { id: id ?? '' }, 'success')
  expect(vendor.sold.size).toBe(2)
  expect(await balanceOf(by)).toBe(800)
})

test('purchases that are not charged are not leased, and their capacity is released', async () => {
  const buy = accepting()
  const wishes = Array.from({ length: 12 }, (_, n) => buy({ recipient: `080312345${10 + n}` }))
  const outcomes = await Promise.allSettled(wishes)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  expect(started.flatMap((held) => held ?? [])).toHaveLength(10)
  expect(started).toHaveLength(reserved)
  await expireLeases()
  for (const held of started) if (held) await ends(by, held.purchase, 'success')
})

test('a batch that cannot be stored releases its capacity', async () => {
  const buy = accepting()
  const unknown_id = newId()
  const outcomes = await Promise.allSettled([buy({}, unknown_id), buy({}, unknown_id)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(started).toHaveLength(reserved)
  expect(started.flatMap((held) => held ?? [])).toEqual([])
})

test('a vendor that can be queried by its own id only: the attempt is stored right before the call', async () => {
  const id = await accepting(undefined, { ...vtpass, asked_by_own_id: true })()
  expect(started[0]?.purchase.tried).toBeNull()
  expect(await triesOf(service, { id })).toEqual([])
  await expireLeases()
  await ends(by, { id }, 'success')
  expect(paths()).toEqual(['/api/pay'])
})

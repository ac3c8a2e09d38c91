import { expect, test } from 'vitest'
import { refusalOutcome } from '../../src/carriers/reloadly/outcomes.ts'
import { makeReloadly } from '../../src/carriers/reloadly/reloadly.ts'
import { newId } from '../../src/values/id.ts'
import { RELOADLY_KEYS, startReloadlyServer } from '../support/reloadly-server.ts'
import { topupCarrierContract } from './topup-carrier.ts'

const operator_ids = { MTN: 341, Airtel: 342, '9mobile': 340, Glo: 344 }

const make = (base_url: string, timeout_ms: number) =>
  makeReloadly({
    kind: 'reloadly',
    name: 'reloadly',
    base_url,
    auth_url: base_url,
    operator_ids,
    timeout_ms: 4 * timeout_ms,
    low_balance: 0,
    ...RELOADLY_KEYS,
  })

topupCarrierContract('Reloadly', {
  start: startReloadlyServer,
  make,
  tells_success_at_once: true,
  asked_by_reference: true,
  callbackFor: (customIdentifier, transactionId) =>
    JSON.stringify({ type: 'airtime_transaction.status', data: { customIdentifier, transactionId, status: 'FAILED' } }),
})

test('a token is fetched once, and again when it is rejected', async () => {
  const server = await startReloadlyServer()
  const carrier = make(server.url, 500)
  const order = () => ({
    organisation_id: newId(),
    purchase_id: newId(),
    reference: newId(),
    recipient: '2348031234567',
    network: 'MTN' as const,
    amount: 1_000_000n,
    currency: 'NGN',
    vendor_purchase_id: null,
  })
  const tokens = () => server.requests.filter(({ path }) => path === '/oauth/token').length
  const bought = await Promise.all([order(), order(), order()].map((one) => carrier.purchase(one)))
  expect(bought.map(({ kind }) => kind)).toEqual(['success', 'success', 'success'])
  expect(tokens()).toBe(1)
  server.revokeTokens()
  expect((await carrier.purchase(order())).kind).toBe('success')
  expect(tokens()).toBe(2)
  expect(server.sold.size).toBe(4)
  await carrier.stop()
  await server.close()
})

test.each([
  [400, { errorCode: 'INVALID_RECIPIENT_PHONE' }, 'failed'],
  [400, { errorCode: 'INSUFFICIENT_BALANCE' }, 'error'],
  [400, { errorCode: 'PHONE_RECENTLY_RECHARGED' }, 'duplicate'],
  [400, { errorCode: 'CUSTOM_IDENTIFIER_ALREADY_USED' }, 'unclear'],
  [400, { errorCode: 'PROVIDER_INTERNAL_ERROR' }, 'unclear'],
  [400, { errorCode: 'ONE_NOBODY_KNOWS' }, 'unclear'],
  [400, {}, 'unclear'],
  [500, { errorCode: 'INVALID_RECIPIENT_PHONE' }, 'unclear'],
  [502, undefined, 'unclear'],
])('a rejection %i %j → %s', (status, json, kind) => {
  expect(refusalOutcome(status, json).kind).toBe(kind)
})

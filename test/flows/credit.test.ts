import { afterAll, beforeAll, expect, test } from 'vitest'
import { topUp } from '../../src/billing/balance.ts'
import { limitCredit } from '../../src/billing/credit.ts'
import { transaction } from '../../src/db/transaction.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { moneyFromNumber } from '../../src/values/money.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { caller, openService, type Organisation, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
let second: TestService
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  service = await openService()
  second = await openService({ beside: service })
})
afterAll(async () => {
  await second.close()
  await service.close()
  await receiver.close()
})

const units = (amount: number): bigint => moneyFromNumber(amount) ?? 0n
const allow = (by: Organisation, limit: number) => transaction(service.db, (tx) => limitCredit(tx, by.id, units(limit)))
const balanceOf = async (by: Organisation) =>
  (await by.call<{ balance: number; credit_limit?: number }>('GET', '/balance')).body

/** A page costs 4. */
const send = (by: Organisation, count = 1) =>
  by.call<{ errors?: object[] }>('POST', '/sms/send', {
    recipients: Array.from({ length: count }, (_, n) => `2348031${String(n).padStart(6, '0')}`),
    content: 'Hello',
  })

test('an organisation may owe up to its credit limit, and not more', async () => {
  const by = await service.organisation({ credit: 10 })
  expect(await balanceOf(by)).not.toHaveProperty('credit_limit')
  expect((await send(by, 3)).status).toBe(402)
  await allow(by, 6)
  const estimate = { recipients: ['2348031000001'], content: 'Hello' }
  expect((await by.call('POST', '/sms/estimate', estimate)).body).toMatchObject({ is_covered: true })
  expect((await send(by, 3)).status).toBe(200)
  expect(await balanceOf(by)).toMatchObject({ balance: -2, credit_limit: 6 })
  expect((await send(by)).status).toBe(200)
  expect(await send(by)).toMatchObject({ status: 402, body: { errors: [{ type: 'insufficient_balance' }] } })
  expect((await by.call('POST', '/sms/estimate', estimate)).body).toMatchObject({
    is_covered: false,
    meta: { estimate: { available_balance: -10 } },
  })
  expect(await balanceOf(by)).toMatchObject({ balance: -6 })
  expect(await auditMoney(service.db)).toEqual([])
})

test('racing charges of both processes never exceed the limit, with and without Idempotency-Keys', async () => {
  const by = await service.organisation({ credit: 0 })
  await allow(by, 20 * 4 + 3)
  const sent = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      caller((n % 2 ? service : second).url, by.key)(
        'POST',
        '/sms/send',
        { recipients: `2348031${String(n).padStart(6, '0')}`, content: 'Hello' },
        n % 3 === 0 ? { 'idempotency-key': `credit-${n}` } : {},
      ),
    ),
  )
  expect(sent.filter(({ status }) => status === 200)).toHaveLength(20)
  expect(sent.filter(({ status }) => status === 402)).toHaveLength(40)
  expect(await balanceOf(by)).toMatchObject({ balance: -80 })
  expect(await auditMoney(service.db)).toEqual([])
})

test('the database keeps the bound, and a limit below the debt is refused', async () => {
  const by = await service.organisation({ credit: 0 })
  expect(await allow(by, 8)).toBe(0n)
  expect((await send(by, 2)).status).toBe(200)
  await expect(allow(by, 7.9999)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('owes 8'),
  })
  await expect(topUp(service, by.id, units(-1))).rejects.toMatchObject({ code: '23514' })
  await expect(service.db`update balances set credit_limit = 0 where organisation_id = ${by.id}`).rejects.toMatchObject(
    { code: '23514' },
  )
  expect(await allow(by, 8)).toBe(units(8))
  await topUp(service, by.id, units(8))
  expect(await allow(by, 0)).toBe(units(8))
  expect(await balanceOf(by)).toEqual(expect.not.objectContaining({ credit_limit: expect.anything() }))
})

test('a refused charge is posted once as balance.exhausted, and again after it was covered', async () => {
  const by = await service.organisation({ credit: 8 })
  const events = () =>
    receiver.received.filter(({ json }) => json.type === 'balance.exhausted').map(({ json }) => json.data)
  const webhook = { url: receiver.url, events: ['balance.*'] }
  expect((await by.call('POST', '/webhooks', webhook)).status).toBe(200)
  expect((await send(by, 2)).status).toBe(200)
  for (let n = 0; n < 5; n++) expect((await send(by)).status).toBe(402)
  await until('the event', () => events().length > 0, 20_000)
  await allow(by, 4)
  const isNoted = async () => {
    const [row] = await service.db<{ noted: boolean }[]>`
      select uncovered is not null as noted from balances where organisation_id = ${by.id}`
    return row?.noted
  }
  await until('the mark to be cleared', async () => (await isNoted()) === false, 20_000)
  expect((await send(by)).status).toBe(200)
  await until(
    'another refused charge to be noted',
    async () => {
      await send(by)
      return (await isNoted()) === true
    },
    20_000,
  )
  await until('the second event', () => events().length > 1, 20_000)
  expect(events()).toEqual([
    { balance: 0, credit_limit: 0, charge: 4, currency: 'NGN' },
    { balance: -4, credit_limit: 4, charge: 4, currency: 'NGN' },
  ])
})

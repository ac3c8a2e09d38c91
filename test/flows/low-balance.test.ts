import { afterAll, beforeAll, expect, test } from 'vitest'
import { topUp } from '../../src/billing/balance.ts'
import { moneyFromNumber } from '../../src/values/money.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { openService, type Organisation, type TestService } from '../support/service.ts'
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

const events = () => receiver.received.filter(({ json }) => json.type === 'balance.low').map(({ json }) => json.data)

async function spend(by: Organisation, people: number): Promise<void> {
  const recipients = Array.from({ length: people }, (_, n) => `2348031${String(n).padStart(6, '0')}`)
  expect((await by.call('POST', '/sms/send', { recipients, content: 'Hello' })).status).toBe(200)
}

async function isMarked(by: Organisation): Promise<boolean> {
  const [row] = await service.db<{ low_notified: boolean }[]>`
    select low_notified from balances where organisation_id = ${by.id}`
  return row?.low_notified ?? false
}

test('a balance below the threshold is reported once, by one of the processes, and again after a top-up', async () => {
  const by = await service.organisation({ credit: 1_000 })
  expect((await by.call('POST', '/webhooks', { url: receiver.url, events: ['balance.low'] })).status).toBe(200)
  expect((await by.call('PATCH', '/settings', { low_balance: 900.5 })).body).toMatchObject({ low_balance: 900.5 })
  await spend(by, 24) // 96: still above it.
  expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 904, low_balance: 900.5 })
  await spend(by, 1)
  await until('the event', () => events().length > 0)
  expect(events()).toEqual([{ balance: 900, low_balance: 900.5, currency: 'NGN' }])
  await spend(by, 1)
  await topUp(service, by.id, moneyFromNumber(100) ?? 0n)
  await until('the mark to be cleared', async () => !(await isMarked(by)))
  await spend(by, 30)
  await until('the second event', () => events().length > 1)
  expect(events()).toEqual([
    { balance: 900, low_balance: 900.5, currency: 'NGN' },
    { balance: 876, low_balance: 900.5, currency: 'NGN' },
  ])
  const gone = await by.call('PATCH', '/settings', { low_balance: null })
  expect(gone.body).not.toHaveProperty('low_balance')
  await until('the mark to be cleared with the threshold', async () => !(await isMarked(by)))
})

test('a threshold that is not an amount is rejected', async () => {
  for (const low_balance of [0, -1, 1.00001, '5', 1e12]) {
    const { status, body } = await service.call<{ errors: { field: string }[] }>('PATCH', '/settings', { low_balance })
    expect([status, body.errors.map(({ field }) => field)]).toEqual([400, ['low_balance']])
  }
})

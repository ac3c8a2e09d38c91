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

const told = () => receiver.received.filter(({ json }) => json.type === 'balance.low').map(({ json }) => json.data)

async function spend(by: Organisation, people: number): Promise<void> {
  const recipients = Array.from({ length: people }, (_, n) => `2348031${String(n).padStart(6, '0')}`)
  expect((await by.call('POST', '/sms/send', { recipients, content: 'Hello' })).status).toBe(200)
}

async function isMarked(by: Organisation): Promise<boolean> {
  const [row] = await service.db<{ low_told: boolean }[]>`
    select low_told from balances where organisation_id = ${by.id}`
  return row?.low_told ?? false
}

test('a balance that falls below the line is told once, by one of the processes, and again after a top-up', async () => {
  const by = await service.organisation({ credit: 1_000 })
  expect((await by.call('POST', '/webhooks', { url: receiver.url, events: ['balance.low'] })).status).toBe(200)
  expect((await by.call('PATCH', '/settings', { low_balance: 900.5 })).body).toMatchObject({ low_balance: 900.5 })
  await spend(by, 24) // 96: above it still
  expect((await by.call('GET', '/balance')).body).toMatchObject({ balance: 904, low_balance: 900.5 })
  await spend(by, 1)
  await until('the event', () => told().length > 0)
  expect(told()).toEqual([{ balance: 900, low_balance: 900.5, currency: 'NGN' }])
  await spend(by, 1)
  await topUp(service, by.id, moneyFromNumber(100) ?? 0n)
  await until('the mark to be taken back', async () => !(await isMarked(by)))
  await spend(by, 30)
  await until('the second event', () => told().length > 1)
  expect(told()).toEqual([
    { balance: 900, low_balance: 900.5, currency: 'NGN' },
    { balance: 876, low_balance: 900.5, currency: 'NGN' },
  ])
  const gone = await by.call('PATCH', '/settings', { low_balance: null })
  expect(gone.body).not.toHaveProperty('low_balance')
  await until('the mark to go with the line', async () => !(await isMarked(by)))
})

test('a line that is no amount is refused', async () => {
  for (const low_balance of [0, -1, 1.00001, '5', 1e12]) {
    const { status, body } = await service.call<{ errors: { field: string }[] }>('PATCH', '/settings', { low_balance })
    expect([status, body.errors.map(({ field }) => field)]).toEqual([400, ['low_balance']])
  }
})

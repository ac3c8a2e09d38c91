import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignOf, estimated, reached, type Campaign } from '../support/campaign.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

/** The simulator rejects it temporarily, twice. */
const REFUSED_FOR_NOW = '2348000000009'

test('canceling a campaign cancels its pending retries and refunds them once', async () => {
  const by = await service.organisation()
  // At this pace there is one slice per recipient, and a minute between slices.
  const list = [{ to: REFUSED_FOR_NOW }, { to: '08031112222' }]
  const id = await campaignOf(by, { content: 'Hello', pace_per_hour: 60 }, list)
  const { estimate } = await estimated(by, id)
  await by.call('POST', `/campaigns/${id}/start`, { people: estimate?.people, charge: estimate?.charge })
  // Prevents the retry during the test.
  await until('the first attempt to be over', async () => {
    const put_off = await service.db`
      update jobs set run_at = now() + interval '1 hour'
      where organisation_id = ${by.id} and queue like 'route:%' and not leased and attempts > 0
      returning 1`
    return put_off.length === 1
  })
  expect((await by.call<Campaign>('POST', `/campaigns/${id}/cancel`)).body.status).toBe('canceled')
  const done = await until('it to be canceled', async () => {
    const campaign = await reached(by, id, 'canceled')
    return campaign.progress.taken_back > 0 && campaign
  })
  expect(done.progress).toEqual({ accepted: 1, charge: 4, dropped: 0, taken_back: 1, given_back: 4 })
  expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(1_000)
  const deliveries = await service.db`select status, refunded from deliveries where organisation_id = ${by.id}`
  expect(deliveries).toEqual([{ status: 'canceled', refunded: true }])
  expect(await service.db`select 1 from jobs where organisation_id = ${by.id} and queue like 'route:%'`).toEqual([])
})

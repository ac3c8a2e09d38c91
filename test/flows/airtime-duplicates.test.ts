import { afterAll, beforeAll, expect, test } from 'vitest'
import { balanceOf, buy, ends, expectSoundMoney } from '../support/airtime.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await openService()
})
afterAll(async () => {
  await expectSoundMoney(service)
  await service.close()
})

const FINAL = ['success', 'failed', 'duplicate', 'error']

async function endsOf(
  wishes: object[],
  headers: Record<string, string>[] = [],
): Promise<{ states: string[]; balance: number }> {
  const by = await service.organisation({ credit: 1_000 })
  const bought = []
  for (const [n, wish] of wishes.entries()) bought.push(await buy(by, wish, headers[n]))
  const states = []
  for (const one of bought) states.push((await ends(by, one, ...FINAL)).status)
  return { states, balance: await balanceOf(by) }
}

test('a repeated purchase ends as a duplicate after the answer, and is refunded', async () => {
  expect(await endsOf([{}, {}, {}])).toEqual({ states: ['success', 'duplicate', 'duplicate'], balance: 900 })
})

test.each([
  ['another recipient', { recipient: '08031234568' }],
  ['another amount', { amount: 100.01 }],
  ['another network', { network: 'Glo' }],
])('%s is a different purchase', async (_, wish) => {
  expect((await endsOf([{}, wish])).states).toEqual(['success', 'success'])
})

test('the same number in another format is a duplicate', async () => {
  expect((await endsOf([{}, { recipient: '+234 803 123 4567', network: 'mtn' }])).states).toEqual([
    'success',
    'duplicate',
  ])
})

test('two purchases with different references or keys are both bought; if only one has one, the second is a duplicate', async () => {
  expect((await endsOf([{ external_ref: 'a' }, { external_ref: 'b' }])).states).toEqual(['success', 'success'])
  expect((await endsOf([{ external_ref: 'a' }, { external_ref: 'a' }])).states).toEqual(['success', 'duplicate'])
  expect((await endsOf([{}, { external_ref: 'b' }])).states).toEqual(['success', 'duplicate'])
  const keys = (...names: string[]) => names.map((name) => ({ 'idempotency-key': name }))
  expect((await endsOf([{}, {}], keys('a', 'b'))).states).toEqual(['success', 'success'])
  expect((await endsOf([{}, {}], keys('a'))).states).toEqual(['success', 'duplicate'])
  const mixed = await endsOf([{ external_ref: 'a' }, { external_ref: 'a' }], keys('a', 'b'))
  expect(mixed.states).toEqual(['success', 'success'])
})

test('another organisation may buy the same', async () => {
  const [one, other] = [await service.organisation(), await service.organisation()]
  const bought = [await buy(one, {}), await buy(other, {})]
  expect((await ends(one, bought[0]!, ...FINAL)).status).toBe('success')
  expect((await ends(other, bought[1]!, ...FINAL)).status).toBe('success')
})

test('after five minutes it is a new purchase', async () => {
  const by = await service.organisation()
  const first = await buy(by, {})
  await ends(by, first, 'success')
  await service.db`update purchases set created_datetime = (created_datetime at time zone 'utc' - interval '5 minutes') at time zone 'utc' where id = ${first.id}`
  expect((await ends(by, await buy(by, {}), ...FINAL)).status).toBe('success')
})

test('a failed first purchase makes no duplicate', async () => {
  const by = await service.organisation()
  const wish = { recipient: '2348000000011' }
  await ends(by, await buy(by, wish), 'failed')
  expect((await ends(by, await buy(by, wish), ...FINAL)).status).toBe('failed')
})

test('of many concurrent equal purchases exactly one is bought', async () => {
  const by = await service.organisation({ credit: 10_000 })
  const bought = await Promise.all(Array.from({ length: 30 }, () => buy(by, {})))
  const states = await Promise.all(bought.map(async (one) => (await ends(by, one, ...FINAL)).status))
  expect(states.filter((state) => state === 'success')).toHaveLength(1)
  expect(states.filter((state) => state === 'duplicate')).toHaveLength(29)
  expect(await balanceOf(by)).toBe(9_900)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findReview, settleReview } from '../../src/airtime/review.ts'
import { balanceOf, buy, ends, expectSoundMoney, readPurchase, triesOf } from '../support/airtime.ts'
import { openService, type TestService } from '../support/service.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

let service: TestService
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  service = await openService({ settings: { airtime: { requery_delays_s: [0.2], review_after_h: 0.001 } } })
})
afterAll(async () => {
  await expectSoundMoney(service)
  await service.close()
  await receiver.close()
})

const callbacksOf = (id: string) => receiver.received.filter(({ json }) => json.data.id === id)

describe('a purchase in the sandbox', () => {
  test.each([
    ['08031234567', 'success', false],
    ['2348000000011', 'failed', true],
    ['2348000000012', 'duplicate', true],
    ['2348000000013', 'success', false],
    ['2348000000014', 'failed', true],
    ['2348000000015', 'error', true],
  ])('for %s ends %s', async (recipient, status, refunded) => {
    const by = await service.organisation({ credit: 1_000 })
    const external_ref = `to ${recipient}`
    const bought = await buy(by, { recipient, external_ref, callback: `${receiver.url}/airtime` })
    const [callback] = await until(`the callback of ${status}`, () =>
      callbacksOf(bought.id).length > 0 ? callbacksOf(bought.id) : undefined,
    )
    expect(callback?.json).toEqual({
      id: expect.any(String),
      type: `airtime.${status}`,
      created_datetime: expect.any(String),
      data: {
        id: bought.id,
        recipient: bought.recipient,
        network: 'MTN',
        amount: 100,
        status,
        external_ref,
        refunded,
      },
    })
    expect(callback?.headers['webhook-signature']).toMatch(/^v1,/)

    const read = await readPurchase(by, bought)
    expect(read).toMatchObject({ status, updated_datetime: callback?.json.created_datetime })
    expect(read.meta.charge).toEqual({ amount: 100, available_balance: 900, balance_before: 1_000, refunded })
    expect(await balanceOf(by)).toBe(refunded ? 1_000 : 900)
    const { body } = await by.call<{
      entries: { kind: string; amount: number; subject_id: string; recipient?: string }[]
    }>('GET', '/balance')
    expect(body.entries.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
      ...(refunded ? ['refund 100'] : []),
      'airtime -100',
      'opening 1000',
    ])
    expect(callbacksOf(bought.id)).toHaveLength(1)
  })

  test('for 2348000000016 is sent for a while, then succeeds', async () => {
    const bought = await buy(service, { recipient: '2348000000016', callback: receiver.url })
    const sent = await ends(service, bought, 'sent')
    expect(sent.meta.charge.refunded).toBe(false)
    expect(callbacksOf(bought.id)).toEqual([])
    // Moves the vendor's order into the past, so that its ten seconds are over.
    await service.db`update sandbox_topups set created_datetime = now() - interval '10 s' where reference = ${bought.id}`
    await service.db`update jobs set run_at = now() where subject_id = ${bought.id}`
    await ends(service, bought, 'success')
  })

  test('is sold once by the vendor, in every case', async () => {
    const bought = await buy(service, { recipient: '2348000000013' })
    await ends(service, bought, 'success')
    const [tried, ...others] = await triesOf(service, bought)
    expect(others).toEqual([])
    expect(tried).toMatchObject({
      vendor: 'simulator',
      reference: bought.id,
      status: 'success',
      calls: 1,
      cost: 1_000_000n,
    })
    expect(tried?.requeries).toBeGreaterThan(0)
    const sold = await service.db`select 1 from sandbox_topups where reference = ${bought.id}`
    expect(sold).toHaveLength(1)
  })

  test('of a test key always ends at the simulator', async () => {
    const twin = await service.organisation({ mode: 'test', of: service })
    const bought = await buy(twin, {})
    await ends(twin, bought, 'success')
    expect((await triesOf(service, bought)).map(({ vendor }) => vendor)).toEqual(['test:simulator'])
  })
})

describe('a purchase whose outcome the vendor never confirms', () => {
  const unclear = async (callback?: string) => {
    const by = await service.organisation({ credit: 1_000 })
    const bought = await buy(by, { recipient: '2348000000017', ...(callback ? { callback } : {}) })
    const waiting = await until('review', async () => {
      const rows = await findReview({ db: service.db })
      return rows.find(({ id }) => id === bought.id)
    })
    return { by, bought, waiting }
  }

  test('is in review: not refunded, and not queried any more', async () => {
    const { by, bought, waiting } = await unclear()
    expect(waiting).toMatchObject({
      vendor: 'simulator',
      reference: bought.id,
      recipient: '2348000000017',
      amount: 1_000_000n,
    })
    expect((await readPurchase(by, bought)).status).toBe('sent')
    expect(await balanceOf(by)).toBe(900)
    expect(await service.db`select 1 from jobs where subject_id = ${bought.id}`).toHaveLength(0)
    expect(service.log_lines.some(({ sentence }) => sentence === 'a purchase waits for the operator')).toBe(true)
  })

  test.each(['failed', 'success'] as const)('is settled as %s, once', async (status) => {
    const { by, bought } = await unclear(`${receiver.url}/review`)
    expect(await settleReview({ db: service.db }, bought.id, status)).toMatchObject({ status })
    expect(
      await settleReview({ db: service.db }, bought.id, status === 'failed' ? 'success' : 'failed'),
    ).toBeUndefined()
    expect(await readPurchase(by, bought)).toMatchObject({ status, description: 'Settled by the operator.' })
    expect(await balanceOf(by)).toBe(status === 'failed' ? 1_000 : 900)
    const [callback] = await until('the callback', () =>
      callbacksOf(bought.id).length > 0 ? callbacksOf(bought.id) : undefined,
    )
    expect(callback?.json).toMatchObject({ type: `airtime.${status}`, data: { refunded: status === 'failed' } })
  })

  test('is settled by the first of several concurrent decisions', async () => {
    const { by, bought } = await unclear()
    const decide = (n: number) => settleReview({ db: service.db }, bought.id, n % 2 === 0 ? 'failed' : 'success')
    const decisions = await Promise.all(Array.from({ length: 10 }, (_, n) => decide(n)))
    const [winner, ...others] = decisions.filter((settled) => settled !== undefined)
    expect(others).toEqual([])
    expect((await readPurchase(by, bought)).status).toBe(winner?.status)
    expect(await balanceOf(by)).toBe(winner?.status === 'failed' ? 1_000 : 900)
  })

  test('cannot be settled before it is in review, nor after it has ended', async () => {
    const bought = await buy(service, { recipient: '08051234567', network: 'Glo' })
    await ends(service, bought, 'success')
    expect(await settleReview({ db: service.db }, bought.id, 'failed')).toBeUndefined()
    expect(await settleReview({ db: service.db }, 'nonsense', 'failed')).toBeUndefined()
    expect((await readPurchase(service, bought)).status).toBe('success')
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  balanceOf,
  buy,
  ends,
  expectSoundMoney,
  hurry,
  readPurchase,
  triesOf,
  type TryRow,
} from '../support/airtime.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { RELOADLY_KEYS, startReloadlyServer } from '../support/reloadly-server.ts'
import { until } from '../support/until.ts'
import type { VendorServer } from '../support/vendor-server.ts'
import { startVtpassServer, VTPASS_KEYS } from '../support/vtpass-server.ts'

const TIMEOUT_MS = 1_500

let vtpass: VendorServer
let reloadly: VendorServer
let service: TestService
let by: Organisation

beforeAll(async () => {
  vtpass = await startVtpassServer()
  reloadly = await startReloadlyServer()
  const airtime = {
    vendors: [
      {
        kind: 'vtpass',
        name: 'vtpass',
        base_url: vtpass.url,
        timeout_ms: TIMEOUT_MS,
        low_balance: 30_000,
        ...VTPASS_KEYS,
      },
      {
        kind: 'reloadly',
        name: 'reloadly',
        base_url: reloadly.url,
        auth_url: reloadly.url,
        timeout_ms: 4 * TIMEOUT_MS,
        low_balance: 24_000,
        ...RELOADLY_KEYS,
      },
      { kind: 'vtpass', name: 'nobody', base_url: 'http://127.0.0.1:9', timeout_ms: TIMEOUT_MS, ...VTPASS_KEYS },
    ],
    routes: [
      { network: 'MTN', vendors: ['vtpass', 'reloadly'] },
      { network: 'Airtel', vendors: ['vtpass'] },
      { network: 'Glo', vendors: ['nobody', 'reloadly'] },
      { network: '9mobile', vendors: ['nobody'] },
    ],
    // The schedule is fixed: tests advance a purchase by moving its job.
  }
  service = await openService({ settings: { airtime } })
})
beforeEach(async () => {
  by = await service.organisation({ credit: 1_000 })
  for (const vendor of [vtpass, reloadly]) {
    Object.assign(vendor, { mood: 'success', question_mood: undefined })
    vendor.sold.clear()
    vendor.requests.length = 0
  }
})
afterAll(async () => {
  await expectSoundMoney(service)
  await service.close()
  await vtpass.close()
  await reloadly.close()
})

const sold = () => [vtpass.sold.size, reloadly.sold.size]

const tried = (purchase: { id: string }, status: string) =>
  until(`an attempt that is ${status}`, async () => {
    const newest = (await triesOf(service, purchase)).at(-1)
    return newest?.status === status ? newest : undefined
  })

/** Makes the purchase's next step due, and waits until it is done. */
async function nextStep(purchase: { id: string }): Promise<TryRow[]> {
  const before = (await triesOf(service, purchase)).map(({ calls, requeries }) => calls + requeries)
  await hurry(service, purchase)
  return until('the next step', async () => {
    const now = await triesOf(service, purchase)
    return now.map(({ calls, requeries }) => calls + requeries).join() === before.join() ? undefined : now
  })
}

describe('the first vendor', () => {
  test('sells, and its cost is stored', async () => {
    const bought = await buy(by, {})
    await ends(by, bought, 'success')
    expect(sold()).toEqual([1, 0])
    const [one] = await triesOf(service, bought)
    expect(one).toMatchObject({ vendor: 'vtpass', status: 'success', calls: 1, cost: 970_000n })
    expect(one?.reference).toMatch(new RegExp(`^\\d{12}${bought.id.replaceAll('-', '')}$`))
    expect(one?.vendor_purchase_id).toBe(vtpass.sold.get(one?.reference ?? '')?.id)
  })

  test.each([
    ['failed', 'failed'],
    ['out_of_money', 'error'],
    ['bad_credentials', 'error'],
  ] as const)('refuses (%s), and the next one sells', async (mood, status) => {
    vtpass.mood = mood
    const bought = await buy(by, {})
    await ends(by, bought, 'success')
    expect(sold()).toEqual([0, 1])
    const tries = await triesOf(service, bought)
    expect(tries.map((one) => `${one.vendor} ${one.status}`)).toEqual([`vtpass ${status}`, 'reloadly success'])
    expect(tries[1]).toMatchObject({ cost: 980_000n, vendor_balance: 249_025_000n })
    expect(await balanceOf(by)).toBe(900)
  })

  test('considers it a duplicate: no other vendor is called', async () => {
    vtpass.mood = 'duplicate'
    const bought = await buy(by, {})
    await ends(by, bought, 'duplicate')
    expect(sold()).toEqual([0, 0])
    expect(await balanceOf(by)).toBe(1_000)
  })

  test('is unreachable: the next one sells', async () => {
    const bought = await buy(by, { network: 'Glo', recipient: '08051234567' })
    await ends(by, bought, 'success')
    expect(sold()).toEqual([0, 1])
  })

  test.each([
    ['failed', 'failed', 'failed'],
    ['out_of_money', 'failed', 'failed'],
    ['failed', 'out_of_money', 'error'],
    ['out_of_money', 'out_of_money', 'error'],
  ] as const)('refuses (%s) and so does the last one (%s): %s, refunded', async (first, second, status) => {
    vtpass.mood = first
    reloadly.mood = second
    const bought = await buy(by, {})
    const end = await ends(by, bought, status)
    expect(end.meta.charge.refunded).toBe(true)
    expect(sold()).toEqual([0, 0])
    expect(await balanceOf(by)).toBe(1_000)
  })
})

describe('an unclear response', () => {
  test.each(['hang', 'drop', 'garbage', 'html_500', 'cut_off'] as const)(
    '(%s) leaves it sent; the vendor is queried, and no other vendor is called',
    async (mood) => {
      vtpass.mood = mood
      const bought = await buy(by, {})
      const sent = await ends(by, bought, 'sent')
      expect(sent.meta.charge.refunded).toBe(false)
      await nextStep(bought)
      await ends(by, bought, 'success')
      expect(sold()).toEqual([1, 0])
      expect(reloadly.requests.some(({ path }) => path === '/topups')).toBe(false)
      expect(await balanceOf(by)).toBe(900)
    },
  )

  test('that turns out to be a failure: the next vendor is called', async () => {
    vtpass.mood = 'accepted'
    const bought = await buy(by, {})
    await ends(by, bought, 'sent')
    const [, one] = [...vtpass.sold][0] ?? []
    Object.assign(one ?? {}, { status: 'failed' })
    await nextStep(bought)
    await ends(by, bought, 'success')
    expect(reloadly.sold.size).toBe(1)
  })

  test('that turns out to be a failure at the last vendor is `failed`, refunded once', async () => {
    vtpass.mood = 'accepted'
    const bought = await buy(by, { network: 'Airtel', recipient: '08021234567' })
    await ends(by, bought, 'sent')
    Object.assign([...vtpass.sold.values()][0] ?? {}, { status: 'failed' })
    await nextStep(bought)
    await ends(by, bought, 'failed')
    expect(await balanceOf(by)).toBe(1_000)
  })

  test('to a query changes nothing, any number of times', async () => {
    vtpass.mood = 'hang'
    const bought = await buy(by, {})
    await ends(by, bought, 'sent')
    for (const mood of ['garbage', 'html_500', 'bad_credentials', 'hang'] as const) {
      vtpass.question_mood = mood
      await nextStep(bought)
      expect(await readPurchase(by, bought)).toMatchObject({ status: 'sent', meta: { charge: { refunded: false } } })
    }
    vtpass.question_mood = undefined
    await nextStep(bought)
    await ends(by, bought, 'success')
    expect(sold()).toEqual([1, 0])
    expect(vtpass.requests.filter(({ path }) => path === '/api/pay')).toHaveLength(1)
  })

  test('increases the delay before the next query', async () => {
    vtpass.mood = 'accepted'
    const bought = await buy(by, {})
    const delays: number[] = []
    await ends(by, bought, 'sent')
    for (let asked = 0; asked < 8; asked += 1) {
      const [job] = await until('the job to be rescheduled', async () => {
        const rows = await service.db<{ delay_s: number }[]>`
          select round(extract(epoch from run_at - coalesce(tried.updated_datetime, now())))::integer as delay_s
          from jobs join purchase_tries tried on purchase_id = subject_id and tried.organisation_id = jobs.organisation_id
          where subject_id = ${bought.id} and not leased and requeries = ${asked}`
        return rows.length > 0 ? rows : undefined
      })
      delays.push(job?.delay_s ?? 0)
      await nextStep(bought)
    }
    expect(delays).toEqual([10, 30, 60, 300, 900, 3_600, 3_600, 3_600])
  })
})

describe('a call that did not reach the vendor', () => {
  test('is repeated with the same reference, and sells once', async () => {
    vtpass.mood = 'hang_unsold'
    const bought = await buy(by, {})
    await ends(by, bought, 'sent')
    vtpass.mood = 'success'
    const [before] = await triesOf(service, bought)
    // Long enough ago that the first call cannot be under way any more.
    await service.db`update purchase_tries set called_datetime = now() - interval '5 s' where purchase_id = ${bought.id}`
    await hurry(service, bought)
    await ends(by, bought, 'success')
    const [after] = await triesOf(service, bought)
    expect(after).toMatchObject({ reference: before?.reference, calls: 2 })
    expect(sold()).toEqual([1, 0])
    const paid = vtpass.requests.filter(({ path }) => path === '/api/pay').map(({ body }) => body)
    expect(new Set(paid).size).toBe(1)
  })

  test('is not repeated while the first may still be in flight', async () => {
    vtpass.mood = 'hang_unsold'
    const bought = await buy(by, {})
    await ends(by, bought, 'sent')
    vtpass.mood = 'success'
    await service.db`update purchase_tries set called_datetime = now() where purchase_id = ${bought.id}`
    await nextStep(bought)
    const [one] = await triesOf(service, bought)
    expect(one).toMatchObject({ calls: 1, requeries: 1 })
    expect(sold()).toEqual([0, 0])
  })

  test('three times is a failure: the next vendor is called', async () => {
    vtpass.mood = 'hang_unsold'
    const bought = await buy(by, {})
    await ends(by, bought, 'sent')
    await service.db`
      update purchase_tries set calls = 3, called_datetime = now() - interval '1 hour' where purchase_id = ${bought.id}`
    await hurry(service, bought)
    await ends(by, bought, 'success')
    expect(sold()).toEqual([0, 1])
  })

  test('to an unreachable vendor is retried, and ends as an error', async () => {
    const bought = await buy(by, { network: '9mobile', recipient: '08091234567' })
    await tried(bought, 'unreached')
    expect((await readPurchase(by, bought)).status).toBe('pending')
    await nextStep(bought)
    await tried(bought, 'unreached')
    await hurry(service, bought)
    await ends(by, bought, 'error')
    expect((await triesOf(service, bought))[0]).toMatchObject({ calls: 3, status: 'error' })
    expect(await balanceOf(by)).toBe(1_000)
  })
})

describe('a callback of the vendor', () => {
  const callBack = (vendor: string, body: string, type = 'application/json') =>
    fetch(`${service.url}/airtime/callbacks/${vendor}`, { method: 'POST', body, headers: { 'content-type': type } })

  const vtpassCallback = (requestId: string | undefined) =>
    JSON.stringify({ type: 'transaction-update', data: { code: '000', requestId } })

  test('expedites the next query', async () => {
    vtpass.mood = 'accepted'
    const bought = await buy(by, {})
    const { reference } = await tried(bought, 'accepted')
    await ends(by, bought, 'sent')
    Object.assign(vtpass.sold.get(reference) ?? {}, { status: 'success' })
    const answer = await callBack('vtpass', vtpassCallback(reference))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ response: 'success' })
    await ends(by, bought, 'success')
  })

  test('is not trusted', async () => {
    vtpass.mood = 'accepted'
    const bought = await buy(by, {})
    const { reference } = await tried(bought, 'accepted')
    await ends(by, bought, 'sent')
    await callBack(
      'vtpass',
      JSON.stringify({ data: { code: '016', requestId: reference, content: { status: 'failed' } } }),
    )
    await until('the query', async () => (await triesOf(service, bought))[0]?.requeries === 1)
    expect((await readPurchase(by, bought)).status).toBe('sent')
  })

  test('also settles a purchase in review', async () => {
    vtpass.mood = 'accepted'
    const bought = await buy(by, {})
    const { reference } = await tried(bought, 'accepted')
    await ends(by, bought, 'sent')
    await service.db`update purchase_tries set created_datetime = now() - interval '25 h' where purchase_id = ${bought.id}`
    await hurry(service, bought)
    await until('review', async () => {
      const rows = await service.db`select 1 from purchases where id = ${bought.id} and review_datetime is not null`
      return rows.length === 1
    })
    Object.assign(vtpass.sold.get(reference) ?? {}, { status: 'success' })
    await callBack('vtpass', vtpassCallback(reference))
    expect((await ends(by, bought, 'success')).meta.charge.refunded).toBe(false)
  })

  test('about an unknown purchase or vendor is answered the same', async () => {
    for (const [vendor, body, type] of [
      ['vtpass', vtpassCallback('unknown')],
      ['vtpass', 'nonsense', 'text/plain'],
      ['vtpass', ''],
      ['nobody-knows', '{}'],
      ['reloadly', 'a=b', 'application/x-www-form-urlencoded'],
    ]) {
      const answer = await callBack(vendor ?? '', body ?? '', type)
      expect(answer.status).toBe(200)
      expect(await answer.json()).toEqual({ response: 'success' })
    }
    expect((await callBack('vtpass', 'x'.repeat(70_000))).status).toBe(413)
  })
})

describe('our balance at a vendor', () => {
  test('is a metric, and a warning when it is low', async () => {
    const metrics = () => service.call('GET', '/metrics').then(({ text }) => text)
    await until('the balances', async () =>
      (await metrics()).includes('gangan_airtime_vendor_balance{vendor="vtpass"} 25000.5'),
    )
    expect(await metrics()).toContain('gangan_airtime_vendor_balance_low{vendor="vtpass"} 1')
    expect(await metrics()).toContain('gangan_airtime_vendor_balance_low{vendor="reloadly"} 0')
    const low = service.log_lines.filter(({ sentence }) => sentence === 'the balance at a vendor is low')
    expect(low.map(({ details }) => details)).toContainEqual({
      vendor: 'vtpass',
      balance: 25_000.5,
      low_balance: 30_000,
    })
    // A purchase returns the balance too.
    reloadly.balance = '20000'
    vtpass.mood = 'failed'
    await ends(by, await buy(by, {}), 'success')
    await until('the new balance', async () =>
      (await metrics()).includes('gangan_airtime_vendor_balance_low{vendor="reloadly"} 1'),
    )
  })
})

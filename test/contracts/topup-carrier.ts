import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TopupCarrier, TopupOrder } from '../../src/carriers/topup-carrier.ts'
import { newId } from '../../src/values/id.ts'
import type { Mood, VendorServer } from '../support/vendor-server.ts'

export type Vendor = {
  start(): Promise<VendorServer>
  make(base_url: string, timeout_ms: number): TopupCarrier
  /** The fields in the response to a successful purchase; other vendors return them when queried. */
  tells_success_at_once: boolean
  /** Whether it can be queried by our reference, or only by its own id. */
  asked_by_reference: boolean
  /** A callback of this vendor about a sold purchase. */
  callbackFor(reference: string, vendor_purchase_id: string): string
}

const TIMEOUT_MS = 1_500
const CREATED = '2026-11-14T23:42:46.539766+00:00'

/** The contract of every airtime vendor, for any protocol. */
export function topupCarrierContract(name: string, vendor: Vendor): void {
  let server: VendorServer
  let carrier: TopupCarrier

  beforeAll(async () => {
    server = await vendor.start()
    carrier = vendor.make(server.url, TIMEOUT_MS)
  })
  beforeEach(() => {
    Object.assign(server, { mood: 'success', question_mood: undefined })
  })
  afterAll(async () => {
    await carrier.stop()
    await server.close()
  })

  function order(of: TopupCarrier = carrier): TopupOrder {
    const purchase_id = newId()
    const reference = of.referenceOf({ purchase_id, created_datetime: CREATED })
    const what = { recipient: '2348031234567', network: 'MTN' as const, amount: 1_005_000n, currency: 'NGN' }
    return { organisation_id: newId(), purchase_id, reference, ...what, vendor_purchase_id: null }
  }

  const buy = (mood: Mood, one = order()) => {
    server.mood = mood
    return carrier.purchase(one)
  }

  describe(`${name} sells`, () => {
    test('one purchase, for the right amount, to the right phone', async () => {
      const one = order()
      const outcome = await buy('success', one)
      expect(outcome.kind).toBe(vendor.tells_success_at_once ? 'success' : 'accepted')
      const sold = server.sold.get(one.reference)
      expect(Number(sold?.amount)).toBe(100.5)
      expect(sold?.recipient).toContain('8031234567')
      expect(outcome.vendor_purchase_id).toBe(sold?.id)
      expect(outcome.cost).toBeGreaterThan(900_000n)
      expect(outcome.cost).toBeLessThan(1_005_000n)
    })

    test('nothing twice under one reference', async () => {
      const one = order()
      await buy('success', one)
      const sold = server.sold.size
      const again = await buy('success', one)
      expect(server.sold.size).toBe(sold)
      // Never a certain failure: the first one is bought.
      expect(['success', 'accepted', 'unclear', 'duplicate']).toContain(again.kind)
    })

    test('under a reference that belongs to the purchase', () => {
      const purchase_id = newId()
      const referenceOf = () => carrier.referenceOf({ purchase_id, created_datetime: CREATED })
      expect(referenceOf()).toBe(referenceOf())
      expect(order().reference).not.toBe(order().reference)
    })
  })

  describe(`${name} refuses, and nothing is sold`, () => {
    test.each([
      ['failed', 'failed'],
      ['out_of_money', 'error'],
      ['bad_credentials', 'error'],
      ['duplicate', 'duplicate'],
    ] as const)('%s → %s', async (mood, kind) => {
      const fresh = vendor.make(server.url, TIMEOUT_MS) // Without a cached token.
      const one = order()
      server.mood = mood
      expect((await fresh.purchase(one)).kind).toBe(kind)
      expect(server.sold.has(one.reference)).toBe(false)
      await fresh.stop()
    })

    test('connection refused → unreached', async () => {
      const lonely = vendor.make('http://127.0.0.1:9', TIMEOUT_MS)
      expect((await lonely.purchase(order(lonely))).kind).toBe('unreached')
      expect((await lonely.requery(order(lonely))).kind).toBe('unclear')
      expect(await lonely.balance()).toBeUndefined()
      await lonely.stop()
    })
  })

  describe(`${name} answers badly, and has sold: unclear`, () => {
    test.each(['hang', 'drop', 'garbage', 'html_500', 'cut_off'] as const)('%s', async (mood) => {
      const one = order()
      expect((await buy(mood, one)).kind).toBe('unclear')
      expect(server.sold.has(one.reference)).toBe(true)
      const found = await carrier.requery(one)
      expect(found.kind).toBe(vendor.asked_by_reference ? 'success' : 'unclear')
    })

    test('aborted because we stop', async () => {
      const stopped = vendor.make(server.url, 60_000)
      server.mood = 'hang'
      const outcome = stopped.purchase(order(stopped))
      const seen = server.requests.length
      await expect.poll(() => server.requests.length).toBeGreaterThan(seen)
      await expect.poll(() => server.requests.at(-1)?.method).toBe('POST')
      await stopped.stop()
      expect(['unclear', 'unreached']).toContain((await outcome).kind)
    })

    test('any JSON', async () => {
      const made_up = await startMadeUp()
      const fooled = vendor.make(made_up.url, TIMEOUT_MS)
      await fc.assert(
        fc.asyncProperty(fc.json(), fc.constantFrom(200, 201, 302, 500, 503), async (text, status) => {
          made_up.next = { status, text }
          const outcome = await fooled.purchase(order(fooled))
          expect(['unclear', 'unreached']).toContain(outcome.kind)
          expect((await fooled.requery({ ...order(fooled), vendor_purchase_id: 'x' })).kind).toBe('unclear')
        }),
        { numRuns: 50 },
      )
      await fooled.stop()
      await made_up.close()
    })
  })

  describe(`${name} is asked`, () => {
    test('about what it has accepted, until it is done', async () => {
      const one = order()
      const { vendor_purchase_id = null } = await buy('accepted', one)
      const asked = { ...one, vendor_purchase_id }
      expect((await carrier.requery(asked)).kind).toBe('accepted')
      const sold = server.sold.get(one.reference)
      Object.assign(sold ?? {}, { status: 'success' })
      expect((await carrier.requery(asked)).kind).toBe('success')
      Object.assign(sold ?? {}, { status: 'failed' })
      expect((await carrier.requery(asked)).kind).toBe('failed')
    })

    test('about an unknown purchase', async () => {
      const found = await carrier.requery(order())
      expect(found.kind).toBe(vendor.asked_by_reference ? 'not_found' : 'unclear')
    })

    test.each(['garbage', 'html_500', 'hang', 'bad_credentials'] as const)('and does not respond: %s', async (mood) => {
      const one = order()
      const { vendor_purchase_id = null } = await buy('accepted', one)
      server.question_mood = mood
      const fresh = vendor.make(server.url, TIMEOUT_MS)
      expect((await fresh.requery({ ...one, vendor_purchase_id })).kind).toBe('unclear')
      await fresh.stop()
    })

    test('for our balance', async () => {
      expect(await carrier.balance()).toBe(250_005_000n)
    })

    test('by its callback, which only names the purchase', () => {
      const hint = carrier.parseCallback?.(vendor.callbackFor('ref-1', 'id-1'))
      expect(hint).toEqual(vendor.asked_by_reference ? { reference: 'ref-1' } : { vendor_purchase_id: 'id-1' })
      for (const nonsense of ['', '{', 'null', '[]', '{"data":7}', 'a=b&c', '<xml/>']) {
        expect(carrier.parseCallback?.(nonsense)).toBeUndefined()
      }
    })
  })
}

/** A server with configurable responses; as an authorization server it always grants. */
async function startMadeUp() {
  const { startVendorServer } = await import('../support/vendor-server.ts')
  const next = { status: 200, text: '' }
  const server = await startVendorServer((request) =>
    request.path === '/oauth/token' ? { status: 200, json: { access_token: 't', expires_in: 9_999 } } : made_up.next,
  )
  const made_up = Object.assign(server, { next })
  return made_up
}

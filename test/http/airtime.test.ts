import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'

type Fault = { field: string; type: string }
type Bought = {
  id: string
  status: string
  network: string
  recipient: string
  meta: {
    charge: { amount: number; available_balance: number; balance_before: number; refunded: boolean }
    warnings?: string[]
  }
  errors: Fault[]
}

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false, credit: 1_000_000 })
})
afterAll(() => service.close())

const WISH = { network: 'MTN', amount: 100, recipient: '08031234567' }

const buy = (body: unknown, headers?: Record<string, string>, by: Organisation = service) =>
  by.call<Bought>('POST', '/airtime/buy', body, headers)

const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`).sort()

describe('POST /airtime/buy', () => {
  test('answers in the shape of the seed, charged, with the balance before and after', async () => {
    const by = await service.organisation({ credit: 1_000 })
    const { status, body, headers, text } = await buy(
      { ...WISH, amount: 100.5, external_ref: 'topup "1"', callback: 'http://127.0.0.1:1/x', unknown_field: 1 },
      {},
      by,
    )
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('x-request-id')).toMatch(/./)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      recipient: '2348031234567',
      external_ref: 'topup "1"',
      callback: 'http://127.0.0.1:1/x',
      status: 'pending',
      created_datetime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/),
      network: 'MTN',
      meta: {
        method: 'POST',
        resource: '/airtime/buy',
        charge: { amount: 100.5, available_balance: 899.5, balance_before: 1_000, refunded: false },
      },
    })
    expect(text).toBe(JSON.stringify(body))
    const { body: account } = await by.call<{ balance: number; entries: object[] }>('GET', '/balance')
    expect(account.balance).toBe(899.5)
    expect(account.entries[0]).toMatchObject({ kind: 'airtime', amount: -100.5, subject_id: body.id })
  })

  test.each([
    ['mtn', 'MTN'],
    [' AIRTEL ', 'Airtel'],
    ['glo', 'Glo'],
    ['9Mobile', '9mobile'],
    ['ntel', 'NTEL'],
  ])('accepts the network in any case: %s', async (given, network) => {
    const { status, body } = await buy({ ...WISH, network: given })
    expect(status).toBe(200)
    expect(body.network).toBe(network)
  })

  test.each([50, 50_000, 99.99, 1e3])('accepts %d', async (amount) => {
    const { status, body } = await buy({ ...WISH, amount })
    expect(status).toBe(200)
    expect(body.meta.charge.amount).toBe(amount)
  })

  test('warns about a prefix of another network, but accepts the purchase', async () => {
    const { status, body } = await buy({ ...WISH, network: 'Glo' })
    expect(status).toBe(200)
    expect(body.meta.warnings).toEqual(['By its prefix the number belongs to MTN, not to Glo.'])
    const read = await service.call<Bought>('GET', `/airtime/${body.id}`)
    expect(read.body.meta.warnings).toEqual(body.meta.warnings)
    expect((await buy(WISH)).body.meta).not.toHaveProperty('warnings')
    expect((await buy({ ...WISH, recipient: '+442071838750' })).body.meta).not.toHaveProperty('warnings')
  })

  test('reports all faults together, and changes nothing', async () => {
    const by = await service.organisation({ credit: 1_000 })
    const { status, body } = await buy(
      { network: 'Vodafone', amount: 1, recipient: 'nobody', callback: 'not a url', external_ref: 7 },
      {},
      by,
    )
    expect(status).toBe(400)
    expect(body).toMatchObject({ status: 400, message: expect.any(String) })
    expect(faults(body.errors)).toEqual([
      'amount greater_than_equal',
      'callback url_parsing',
      'external_ref string_type',
      'network enum',
      'recipient phone_invalid',
    ])
    expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(1_000)
    expect((await by.call<{ purchases: unknown[] }>('GET', '/airtime')).body.purchases).toEqual([])
  })

  test.each([
    ['no body', undefined, ['amount missing', 'network missing', 'recipient missing']],
    ['a list', [], ['body dict_type']],
    ['null', 'null', ['body dict_type']],
    ['broken JSON', '{"a":', ['body json_invalid']],
    ['an amount as text', { ...WISH, amount: '100' }, ['amount number_type']],
    ['an amount of null', { ...WISH, amount: null }, ['amount number_type']],
    ['too little', { ...WISH, amount: 49.99 }, ['amount greater_than_equal']],
    ['less than nothing', { ...WISH, amount: -100 }, ['amount greater_than_equal']],
    ['too much', { ...WISH, amount: 50_000.01 }, ['amount less_than_equal']],
    ['far too much', '{"network":"MTN","amount":1e300,"recipient":"08031234567"}', ['amount less_than_equal']],
    ['three decimals', { ...WISH, amount: 100.001 }, ['amount invalid']],
    ['very many decimals', { ...WISH, amount: 100.00000001 }, ['amount invalid']],
    ['a number as recipient', { ...WISH, recipient: 8_031_234_567 }, ['recipient string_type']],
    ['two recipients', { ...WISH, recipient: '08031234567,08051234567' }, ['recipient phone_invalid']],
    ['an empty recipient', { ...WISH, recipient: '' }, ['recipient phone_invalid']],
    ['an empty network', { ...WISH, network: '' }, ['network enum']],
    ['a network that is a number', { ...WISH, network: 9 }, ['network string_type']],
    ['a reference with half of a character', { ...WISH, external_ref: '\ud800' }, ['external_ref invalid']],
    ['a reference with NUL', { ...WISH, external_ref: 'a\u0000' }, ['external_ref invalid']],
    ['too long a reference', { ...WISH, external_ref: 'a'.repeat(256) }, ['external_ref string_too_long']],
  ])('refuses %s', async (_, body, expected) => {
    const answer = await buy(body)
    expect(answer.status).toBe(400)
    expect(faults(answer.body.errors)).toEqual(expected)
  })

  test('an Idempotency-Key that is too long is rejected with 400', async () => {
    const answer = await buy(WISH, { 'idempotency-key': 'k'.repeat(256) })
    expect(answer.status).toBe(400)
    expect(faults(answer.body.errors)).toEqual(['Idempotency-Key string_too_long'])
  })

  test('responds with 401 without a key, and 403 if the key lacks the scope', async () => {
    expect((await buy(WISH, { authorization: '' })).status).toBe(401)
    const by = await service.organisation({ scopes: ['sms'] })
    expect((await buy(WISH, {}, by)).status).toBe(403)
    const allowed = await service.organisation({ scopes: ['airtime'] })
    expect((await buy(WISH, {}, allowed)).status).toBe(200)
  })

  test('responds with 402 if the balance does not cover it, and stores nothing', async () => {
    const by = await service.organisation({ credit: 99.99 })
    const answer = await buy(WISH, {}, by)
    expect(answer.status).toBe(402)
    expect(answer.body).toMatchObject({ status: 402, errors: [{ field: 'balance', type: 'insufficient_balance' }] })
    expect((await by.call<{ purchases: unknown[] }>('GET', '/airtime')).body.purchases).toEqual([])
  })

  test('responds with 409 to another request under the same Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' }
    const first = await buy(WISH, headers)
    const again = await buy(WISH, headers)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await buy({ ...WISH, amount: 200 }, headers)).status).toBe(409)
  })

  test('responds with 405, 413 and 415', async () => {
    expect((await service.call('GET', '/airtime/buy')).status).toBe(405)
    const other = await service.call('PUT', '/airtime/buy', {})
    expect(other.status).toBe(405)
    expect(other.headers.get('allow')).toContain('POST')
    expect((await buy({ ...WISH, external_ref: 'x'.repeat(1024 * 1024) })).status).toBe(413)
    expect((await buy('a=1', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(415)
  })
})

describe('with other settings', () => {
  let strict: TestService
  beforeAll(async () => {
    const vendor = { kind: 'vtpass', name: 'vtpass', api_key: 'a', public_key: 'b', secret_key: 'c' }
    const airtime = { vendors: [vendor], min_amount: 10, max_amount: 20, refuse_network_mismatch: true }
    strict = await openService({ workers: false, settings: { airtime } })
  })
  afterAll(() => strict.close())

  test('the limits apply', async () => {
    expect((await buy({ ...WISH, amount: 10 }, {}, strict)).status).toBe(200)
    expect(faults((await buy({ ...WISH, amount: 20.01 }, {}, strict)).body.errors)).toEqual(['amount less_than_equal'])
  })

  test('a number of another network is rejected', async () => {
    const { status, body } = await buy({ ...WISH, amount: 10, network: 'Airtel' }, {}, strict)
    expect(status).toBe(400)
    expect(faults(body.errors)).toEqual(['network invalid'])
  })

  test('a network without a vendor is rejected, except for a test key', async () => {
    const wish = { network: 'NTEL', amount: 10, recipient: '08041234567' }
    expect(faults((await buy(wish, {}, strict)).body.errors)).toEqual(['network invalid'])
    const twin = await strict.organisation({ mode: 'test', of: strict })
    expect((await buy(wish, {}, twin)).status).toBe(200)
  })

  test('one real vendor means live mode: callbacks to private addresses are rejected', async () => {
    expect(strict.config.sandbox).toBe(false)
    const { body } = await buy({ ...WISH, amount: 10, callback: 'http://127.0.0.1/x' }, {}, strict)
    expect(faults(body.errors)).toEqual(['callback url_parsing'])
  })
})

describe('reading', () => {
  test('returns a purchase by its id', async () => {
    const { body } = await buy({ ...WISH, external_ref: 'read me' })
    const read = await service.call('GET', `/airtime/${body.id}`)
    expect(read.status).toBe(200)
    const meta = { ...body.meta, method: 'GET', resource: `/airtime/${body.id}` }
    expect(read.body).toEqual({ ...body, meta })
  })

  test('responds with 404 for a purchase of another organisation, an unknown id, and no id', async () => {
    const { body } = await buy(WISH)
    const other = await service.organisation()
    expect((await other.call('GET', `/airtime/${body.id}`)).status).toBe(404)
    expect((await service.call('GET', `/airtime/${body.id.replace(/^../, 'ff')}`)).status).toBe(404)
    expect((await service.call('GET', '/airtime/nonsense')).status).toBe(404)
    expect((await service.call('GET', `/airtime/${body.id}`, undefined, { authorization: '' })).status).toBe(401)
  })

  test('lists purchases by external_ref, newest first, page by page', async () => {
    const by = await service.organisation({ credit: 10_000 })
    for (const external_ref of ['a', 'b', 'a', 'a']) {
      expect((await buy({ ...WISH, external_ref }, {}, by)).status).toBe(200)
    }
    type List = { purchases: Bought[]; meta: { pagination: Record<string, unknown> & { query_id: string } } }
    const all = await by.call<List>('GET', '/airtime')
    expect(all.body.purchases).toHaveLength(4)
    const { body } = await by.call<List>('GET', '/airtime?external_ref=a&limit=2')
    expect(body.meta).toMatchObject({
      method: 'GET',
      resource: '/airtime',
      pagination: { next_page: 'True', count_total: 3 },
    })
    const rest = await by.call<List>('GET', `/airtime?external_ref=a&limit=2&query_id=${body.meta.pagination.query_id}`)
    const ids = [...body.purchases, ...rest.body.purchases].map(({ id }) => id)
    expect(ids).toEqual([...ids].sort().reverse())
    expect(ids).toHaveLength(3)
    expect(body.purchases[0]?.meta.charge).toEqual({
      amount: 100,
      available_balance: 9_600,
      balance_before: 9_700,
      refunded: false,
    })
    expect((await by.call<List>('GET', '/airtime?external_ref=none')).body.purchases).toEqual([])
  })

  test('responds with 400 to an invalid page, and 403 without the scope', async () => {
    expect((await service.call('GET', '/airtime?limit=0')).status).toBe(400)
    expect((await service.call('GET', '/airtime?external_ref=%00')).status).toBe(400)
    const by = await service.organisation({ scopes: ['sms'] })
    expect((await by.call('GET', '/airtime')).status).toBe(403)
  })
})

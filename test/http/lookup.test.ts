import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteExpired } from '../../src/db/retention.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { FAILURES, says, startProvider, type Provider } from '../support/provider.ts'

type Fault = { field: string; type: string }
type Found = {
  msisdn: string
  operator: string
  country: string
  ported: boolean
  dnd: boolean
  meta: { source: string; age_s?: number; charge?: Record<string, number> }
  phones: Record<string, unknown>[]
  invalid?: string[]
  errors: Fault[]
}

const MTN = '2348031234567'
const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`)

/** `fetch` refuses to send a body with GET, which the interface requires. */
function getWithBody(service: TestService, path: string, body: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; body: Found }>((resolve, reject) => {
    const all = {
      authorization: service.key,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const asked = request(service.url + path, { method: 'GET', headers: { ...all, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) as Found })
      })
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(2_348_030_000_000 + n))

const lookUp = (by: Organisation, phone: string) =>
  by.call<Found>('GET', `/lookup/phone?phone=${encodeURIComponent(phone)}`)

describe('without registries and provider', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openService({ workers: false })
  })
  afterAll(() => service.close())

  test('a number is looked up by GET with a JSON body, as a query, and by POST', async () => {
    const expected = { msisdn: MTN, operator: 'MTN', country: 'Nigeria', ported: false, dnd: false }
    const meta = { resource: '/lookup/phone', source: 'prefix', age_s: expect.any(Number) }
    const seed = await getWithBody(service, '/lookup/phone', JSON.stringify({ phone: '0803 123 4567' }))
    expect(seed).toEqual({ status: 200, body: { ...expected, meta: { method: 'GET', ...meta } } })
    const query = await lookUp(service, '+234 803-123-4567')
    expect(query.status).toBe(200)
    expect(query.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(query.body).toEqual({ ...expected, meta: { method: 'GET', ...meta } })
    const posted = await service.call('POST', '/lookup/phone', { phone: MTN })
    expect(posted.status).toBe(200)
    expect(posted.body).toEqual({ ...expected, meta: { method: 'POST', ...meta } })
    const both = await getWithBody(service, '/lookup/phone?phone=254722123456', JSON.stringify({ phone: MTN }))
    expect(both.body.msisdn).toBe(MTN)
  })

  test.each([
    ['254722123456', 'Safaricom', 'Kenya', 'prefix'],
    ['+1 242 357 1234', 'BaTelCo', 'Bahamas', 'prefix'],
    ['+44 7781 123456', 'Sure', 'Guernsey', 'prefix'],
    ['08001234567', '', 'Nigeria', 'none'],
    ['8816123456789', 'iridium satellite', '', 'prefix'],
    ['9999999999', '', '', 'none'],
  ])('%s is of %s in %s', async (phone, operator, country, source) => {
    const { status, body } = await lookUp(service, phone)
    expect(status).toBe(200)
    expect(body).toMatchObject({ operator, country, ported: false, dnd: false, meta: { source } })
  })

  test('nothing is charged or stored', async () => {
    await lookUp(service, MTN)
    const { body } = await service.call<{ entries: unknown[] }>('GET', '/balance')
    expect(body.entries).toHaveLength(1)
  })

  test.each([
    ['no number', '', ['phone missing']],
    ['an empty body', '{}', ['phone missing']],
    ['a number as number', '{"phone":2348031234567}', ['phone string_type']],
    ['nonsense', '{"phone":"nonsense"}', ['phone phone_invalid']],
    ['too short a number', '{"phone":"123"}', ['phone phone_invalid']],
    ['an empty number', '{"phone":""}', ['phone phone_invalid']],
    ['a list', '[]', ['body dict_type']],
    ['broken JSON', '{"phone":', ['body json_invalid']],
  ])('responds with 400 to %s', async (_, body, expected) => {
    const got = await getWithBody(service, '/lookup/phone', body)
    expect(got.status).toBe(400)
    expect(faults(got.body.errors)).toEqual(expected)
    const posted = await service.call<Found>('POST', '/lookup/phone', body)
    expect(posted.status).toBe(400)
    expect(faults(posted.body.errors)).toEqual(expected)
  })

  test('a GET without body and content type works, here and elsewhere', async () => {
    expect((await service.call<Found>('GET', '/lookup/phone')).body.errors).toMatchObject([{ field: 'phone' }])
    expect((await service.call('GET', '/balance')).status).toBe(200)
    expect((await getWithBody(service, '/balance', '')).status).toBe(200)
  })

  test('responds with 401, 403, 405, 413 and 415', async () => {
    expect((await service.call('GET', `/lookup/phone?phone=${MTN}`, undefined, { authorization: 'no' })).status).toBe(
      401,
    )
    const without = await service.organisation({ scopes: ['sms'] })
    expect((await lookUp(without, MTN)).status).toBe(403)
    expect((await without.call('POST', '/lookup/phones', { phones: [MTN] })).status).toBe(403)
    const scoped = await service.organisation({ scopes: ['lookup'] })
    expect((await lookUp(scoped, MTN)).status).toBe(200)
    const put = await service.call('PUT', '/lookup/phone', {})
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST'])
    expect((await service.call('HEAD', '/lookup/phone')).status).toBe(405)
    expect((await getWithBody(service, '/lookup/phone', `{"phone":"${'1'.repeat(1_100_000)}"}`)).status).toBe(413)
    expect((await getWithBody(service, '/lookup/phone', 'phone=1', { 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('many numbers in one request, without duplicates and in order, at most 1,000', async () => {
    const { status, body } = await service.call<Found>('POST', '/lookup/phones', {
      phones: ['08051234567', MTN, '+2348051234567'],
    })
    expect(status).toBe(200)
    const common = { country: 'Nigeria', ported: false, dnd: false, source: 'prefix', age_s: expect.any(Number) }
    expect(body).toEqual({
      phones: [
        { msisdn: '2348051234567', operator: 'Glo', ...common },
        { msisdn: MTN, operator: 'MTN', ...common },
      ],
      meta: { method: 'POST', resource: '/lookup/phones' },
    })
    const text = await service.call<Found>('POST', '/lookup/phones', { phones: `${MTN}, 08051234567` })
    expect(text.body.phones).toHaveLength(2)
    const most = await service.call<Found>('POST', '/lookup/phones', { phones: numbers(1_000) })
    expect(most.body.phones.map(({ msisdn }) => msisdn)).toEqual(numbers(1_000))
    const more = await service.call<Found>('POST', '/lookup/phones', { phones: numbers(1_001) })
    expect([more.status, faults(more.body.errors)]).toEqual([400, ['phones less_than_equal']])
  })

  test.each([
    ['nothing', {}, ['phones missing']],
    ['no number', { phones: [] }, ['phones greater_than_equal']],
    ['a number among texts', { phones: [MTN, 5] }, ['phones[1] string_type']],
    ['bad ones among good ones', { phones: [MTN, 'x', '12'] }, ['phones[1] phone_invalid', 'phones[2] phone_invalid']],
  ])('many numbers: responds with 400 to %s', async (_, body, expected) => {
    const answer = await service.call<Found>('POST', '/lookup/phones', body)
    expect(answer.status).toBe(400)
    expect(faults(answer.body.errors)).toEqual(expected)
  })
})

describe('with registries', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openService({ workers: false })
    await service.db`insert into ported_numbers values (2348031234567, 'Airtel'), (2348041234567, 'NTEL')`
    await service.db`insert into number_registries values ('ported', 2, now() - interval '1 hour')`
    await service.db`insert into dnd_numbers values (2348051234567)`
    await service.db`
      insert into carrier_facts (msisdn, operator, operator_noted, dnd_noted) values
        (2348031111111, 'Glo', now() - interval '2 days', null), (2348032222222, null, null, now() - interval '2 days'),
        (2348033333333, 'Glo', now() - interval '91 days', now() - interval '91 days')`
  })
  afterAll(() => service.close())

  test.each([
    ['a ported number has its present operator', MTN, 'Airtel', true, false, 'registry'],
    ['a number ported back is not ported', '2348041234567', 'NTEL', false, false, 'registry'],
    ['a number in the do-not-disturb registry', '2348051234567', 'Glo', false, true, 'prefix'],
    ['the network reported by a carrier takes precedence', '2348031111111', 'Glo', true, false, 'carrier'],
    ['do-not-disturb as reported by a carrier', '2348032222222', 'MTN', false, true, 'prefix'],
    ['facts reported by a carrier expire', '2348033333333', 'MTN', false, false, 'prefix'],
  ])('%s', async (_, phone, operator, ported, dnd, source) => {
    const { body } = await lookUp(service, phone)
    expect(body).toMatchObject({ msisdn: phone, operator, ported, dnd, country: 'Nigeria', meta: { source } })
  })

  test('expired facts are deleted', async () => {
    const column = 'greatest(operator_noted, dnd_noted)'
    const { carrier_facts_days } = service.config.settings.lookup
    expect(
      await deleteExpired(service.db, { table: 'carrier_facts', column, older_than: `${carrier_facts_days} days` }),
    ).toBe(1)
    expect(await service.db`select msisdn from carrier_facts`).toHaveLength(2)
  })

  test('the age of a fact is returned', async () => {
    const { body } = await lookUp(service, MTN)
    expect(body.meta.age_s).toBeGreaterThanOrEqual(3_600)
    expect(body.meta.age_s).toBeLessThan(3_700)
  })
})

describe('with a price', () => {
  let service: TestService
  beforeAll(async () => {
    service = await openService({ workers: false, settings: { lookup: { price: 1.5 } } })
  })
  afterAll(() => service.close())

  test('each lookup is charged and returns the balance', async () => {
    const by = await service.organisation({ credit: 10 })
    const { body } = await lookUp(by, MTN)
    expect(body.meta.charge).toEqual({ amount: 1.5, available_balance: 8.5, balance_before: 10 })
    const many = await by.call<Found>('POST', '/lookup/phones', { phones: [MTN, '08051234567', MTN] })
    expect(many.body.meta.charge).toEqual({ amount: 3, available_balance: 5.5, balance_before: 8.5 })
    const account = await by.call<{ balance: number; entries: { kind: string; amount: number }[] }>('GET', '/balance')
    expect(account.body.balance).toBe(5.5)
    expect(account.body.entries.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
      'lookup -3',
      'lookup -1.5',
      'opening 10',
    ])
  })

  test('invalid numbers may be skipped, and are then listed and not charged', async () => {
    const by = await service.organisation({ credit: 10 })
    const phones = ` x , ${MTN}, 12, 08051234567`
    const { status, body } = await by.call<Found>('POST', '/lookup/phones', { phones, skip_invalid: true })
    expect(status).toBe(200)
    expect(body.phones.map(({ msisdn }) => msisdn)).toEqual([MTN, '2348051234567'])
    expect(body.invalid).toEqual(['x', '12'])
    expect(body.meta.charge).toEqual({ amount: 3, available_balance: 7, balance_before: 10 })
    const none = await by.call<Found>('POST', '/lookup/phones', { phones: 'x', skip_invalid: true })
    expect([none.status, faults(none.body.errors)]).toEqual([400, ['phones[0] phone_invalid']])
  })

  test('responds with 402 if the balance does not cover it, and does not charge invalid numbers', async () => {
    const by = await service.organisation({ credit: 2 })
    expect((await lookUp(by, 'nonsense')).status).toBe(400)
    const many = await by.call<Found>('POST', '/lookup/phones', { phones: [MTN, '08051234567'] })
    expect([many.status, faults(many.body.errors)]).toEqual([402, ['balance insufficient_balance']])
    expect((await lookUp(by, MTN)).body.meta.charge).toMatchObject({ available_balance: 0.5 })
    expect((await lookUp(by, MTN)).status).toBe(402)
  })

  test('an Idempotency-Key is charged once, with byte-identical responses', async () => {
    const by = await service.organisation({ credit: 10 })
    const post = (phone: string) => by.call('POST', '/lookup/phone', { phone }, { 'idempotency-key': 'once' })
    const first = await post(MTN)
    const again = await post(MTN)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await post('08051234567')).status).toBe(409)
    expect((await by.call<{ balance: number }>('GET', '/balance')).body.balance).toBe(8.5)
  })
})

describe('with a provider', () => {
  let service: TestService
  let provider: Provider
  beforeAll(async () => {
    provider = await startProvider()
    const fields = { operator: 'network', ported: 'ported', dnd: 'dnd' }
    const url = `${provider.url}/{msisdn}`
    service = await openService({
      workers: false,
      settings: { lookup: { provider: { kind: 'http', name: 'hlr', url, timeout_ms: 2_000, fields } } },
    })
    await service.db`insert into ported_numbers values (2348139999999, 'Airtel')`
  })
  afterAll(async () => {
    await service.close()
    await provider.close()
  })

  test('its answer takes precedence, is cached, and is requested again when it is old', async () => {
    provider.answer = says({ network: 'GLOBACOM LTD', dnd: 'yes' })
    const first = await lookUp(service, '2348139999999')
    const expected = { operator: 'Glo', ported: true, dnd: true }
    expect(first.body).toMatchObject({ ...expected, meta: { source: 'provider', age_s: 0 } })
    provider.answer = says('', 500)
    const second = await lookUp(service, '2348139999999')
    expect(second.body).toMatchObject({ ...expected, meta: { source: 'cache' } })
    expect(provider.asked.map(({ url }) => url)).toEqual(['/2348139999999'])
    await service.db`update provider_answers set asked_datetime = now() - interval '25 hours'`
    const third = await lookUp(service, '2348139999999')
    expect(third.body).toMatchObject({ operator: 'Airtel', dnd: false, meta: { source: 'registry' } })
    expect(provider.asked).toHaveLength(2)
  })

  test('takes precedence when it says that a number was not ported', async () => {
    provider.answer = says({ network: 'MTN Business', ported: false })
    expect((await lookUp(service, '2348061112222')).body).toMatchObject({ operator: 'MTN', ported: false })
    provider.answer = says({ ported: true })
    expect((await lookUp(service, '2348061113333')).body).toMatchObject({ operator: 'MTN', ported: true })
  })

  test('a test key does not call the provider', async () => {
    const before = provider.asked.length
    const by = await service.organisation({ mode: 'test' })
    expect((await lookUp(by, '2348061114444')).body.meta.source).toBe('prefix')
    expect(provider.asked).toHaveLength(before)
  })

  test('many numbers share one timeout, and those without an answer get the next source', async () => {
    provider.answer = (question, response) => {
      if (/[02468]$/.test(question.url)) says({ network: 'Glo' })(question, response)
    }
    const phones = Array.from({ length: 8 }, (_, n) => String(2_348_065_550_000 + n))
    const { status, body } = await service.call<Found>('POST', '/lookup/phones', { phones })
    expect(status).toBe(200)
    expect(body.phones.map(({ source }) => source)).toEqual(
      phones.map((phone) => (/[02468]$/.test(phone) ? 'provider' : 'prefix')),
    )
  })
})

describe('a provider that fails', () => {
  test.each(Object.entries(FAILURES))('because it %s never makes the lookup fail', async (_, answer) => {
    const provider = await startProvider()
    provider.answer = answer
    const settings = { kind: 'http', url: provider.url, timeout_ms: 1_000, fields: { operator: 'network' } }
    const service = await openService({ workers: false, settings: { lookup: { provider: settings } } })
    await service.db`insert into ported_numbers values (2348031234567, 'Airtel')`
    const { status, body } = await lookUp(service, MTN)
    expect(status).toBe(200)
    expect(body).toMatchObject({ operator: 'Airtel', ported: true, meta: { source: 'registry' } })
    expect(provider.asked).toHaveLength(1)
    await service.close()
    await provider.close()
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caller, openService, type TestService, type Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'

type Fault = { field: string; type: string; message: string }
type Body = Record<string, unknown> & { errors: Fault[]; meta: object }

let service: TestService
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const change = (by: Organisation, body: unknown) => by.call<Body>('PATCH', '/settings', body)
const faults = ({ errors }: Body) => errors.map(({ field, type }) => `${field} ${type}`).sort()

const DEFAULTS = {
  name: 'Tests',
  default_country: 'NG',
  default_sender_id: 'Gangan',
  currency: 'NGN',
  smart_encoding: false,
  time_zone: 'Africa/Lagos',
  whatsapp_fallback: false,
  confirm_above: 100,
}

describe('GET /settings', () => {
  test('returns the effective settings, without unset ones', async () => {
    const by = await service.organisation()
    const { status, body } = await by.call<Body>('GET', '/settings')
    expect(status).toBe(200)
    expect(body).toEqual({ ...DEFAULTS, meta: { method: 'GET', resource: '/settings' } })
  })

  test('needs a key', async () => {
    expect((await caller(service.url, 'nobody')('GET', '/settings')).status).toBe(401)
  })

  test('responds with 405 to other methods', async () => {
    expect((await service.call('PUT', '/settings', {})).status).toBe(405)
  })
})

describe('PATCH /settings', () => {
  const ALL = {
    name: 'Ours',
    default_country: 'GH',
    default_sender_id: 'Shop',
    smart_encoding: true,
    inbound_url: 'http://127.0.0.1:9/texts',
    quiet_from: '20:30',
    quiet_until: '07:00',
    whatsapp_fallback: true,
    confirm_above: 0,
  }

  test('changes only the given fields, and null removes a value', async () => {
    const by = await service.organisation()
    const other = await service.organisation()
    expect((await change(by, ALL)).body).toMatchObject({ ...ALL, currency: 'NGN' })
    expect((await change(by, { smart_encoding: false })).body).toMatchObject({ ...ALL, smart_encoding: false })
    const cleared = { default_sender_id: null, inbound_url: null, quiet_from: null, quiet_until: null }
    const { body } = await change(by, { ...cleared, confirm_above: null })
    expect(body.confirm_above).toBe(100)
    for (const field of Object.keys(cleared)) expect(body).not.toHaveProperty(field)
    expect((await by.call<Body>('GET', '/settings')).body).toMatchObject({ name: 'Ours', default_country: 'GH' })
    expect((await other.call<Body>('GET', '/settings')).body).toMatchObject(DEFAULTS)
  })

  test('rejects a change of the currency, which the operator sets', async () => {
    const by = await service.organisation()
    expect((await change(by, { currency: 'USD' })).body).toMatchObject({ currency: 'NGN' })
  })

  test('takes effect immediately in this process, and within a second in others', async () => {
    const second = await openService({ beside: service, workers: false })
    const by = await service.organisation()
    const message = { recipients: '07911123456', content: 'x' }
    type Sent = { recipients: string[]; sender_id: string }
    const there = () => caller(second.url, by.key)<Sent>('POST', '/sms/send', message)
    expect((await there()).body.recipients).toEqual(['2347911123456'])
    await change(by, { default_country: 'GB', default_sender_id: 'London' })
    const expected = { recipients: ['447911123456'], sender_id: 'London' }
    expect((await by.call<Sent>('POST', '/sms/send', message)).body).toMatchObject(expected)
    await until('the other process', async () => (await there()).body.sender_id === 'London', 1_500)
    await second.close()
  })

  test.each([
    [{ name: '' }, 'name string_too_short'],
    [{ name: 'x'.repeat(201) }, 'name string_too_long'],
    [{ name: 'a\u0000b' }, 'name invalid'],
    [{ default_sender_id: '' }, 'default_sender_id invalid'],
    [{ inbound_url: '' }, 'inbound_url url_parsing'],
    [{ default_country: 'XX' }, 'default_country invalid'],
    [{ default_country: 'nigeria' }, 'default_country invalid'],
    [{ default_sender_id: 'Twelve chars' }, 'default_sender_id invalid'],
    [{ default_sender_id: 'Wörld' }, 'default_sender_id invalid'],
    [{ default_sender_id: ' ' }, 'default_sender_id invalid'],
    [{ smart_encoding: 'yes' }, 'smart_encoding boolean_type'],
    [{ inbound_url: 'nowhere' }, 'inbound_url url_parsing'],
    [{ inbound_url: 'ftp://example.com' }, 'inbound_url url_parsing'],
    [{ quiet_from: '20:00' }, 'quiet_until missing'],
    [{ quiet_until: '08:00' }, 'quiet_from missing'],
    [{ quiet_from: '24:00', quiet_until: '08:00' }, 'quiet_from invalid'],
    [{ quiet_from: '8pm', quiet_until: 8 }, 'quiet_from invalid, quiet_until string_type'],
    [{ quiet_from: '08:00', quiet_until: '08:00' }, 'quiet_until invalid'],
    [{ whatsapp_fallback: 1 }, 'whatsapp_fallback boolean_type'],
    [{ confirm_above: -1 }, 'confirm_above greater_than_equal'],
    [{ confirm_above: 10_001 }, 'confirm_above less_than_equal'],
    [{ confirm_above: 1.5 }, 'confirm_above number_type'],
    [{ confirm_above: 'many' }, 'confirm_above number_type'],
    ['[]', 'body dict_type'],
    ['{', 'body json_invalid'],
  ])('rejects %j', async (body, expected) => {
    const by = await service.organisation()
    const answer = await change(by, body)
    expect(answer.status).toBe(400)
    expect(faults(answer.body)).toEqual(expected.split(', '))
    expect((await by.call<Body>('GET', '/settings')).body).toMatchObject(DEFAULTS)
  })

  test('returns all errors in one response', async () => {
    const { body } = await change(service, { name: '', inbound_url: 'x', quiet_from: '10:00', default_country: 'XX' })
    const expected = [
      'default_country invalid',
      'inbound_url url_parsing',
      'name string_too_short',
      'quiet_until missing',
    ]
    expect(faults(body)).toEqual(expected)
  })

  test('in live mode accepts public addresses and approved senders only', async () => {
    const live = await openService({ config: { sandbox: false } })
    const by = await live.organisation()
    const answer = await change(by, { inbound_url: 'http://127.0.0.1/x', default_sender_id: 'MyBank' })
    expect(answer.status).toBe(400)
    expect(faults(answer.body)).toEqual(['default_sender_id invalid', 'inbound_url url_parsing'])
    const fine = await change(by, { inbound_url: 'https://texts.example/', default_sender_id: 'GANGAN' })
    expect(fine.status).toBe(200)
    const twin = await live.organisation({ of: by, mode: 'test' })
    expect((await change(twin, { default_sender_id: 'MyBank' })).status).toBe(200)
    await live.close()
  })

  test('keeps both of two concurrent changes', async () => {
    const by = await service.organisation()
    await Promise.all([
      change(by, { name: 'Both' }),
      change(by, { smart_encoding: true }),
      change(by, { quiet_from: '20:00', quiet_until: '08:00' }),
      change(by, { whatsapp_fallback: true }),
    ])
    expect((await by.call<Body>('GET', '/settings')).body).toMatchObject({
      name: 'Both',
      smart_encoding: true,
      quiet_from: '20:00',
      whatsapp_fallback: true,
    })
  })
})

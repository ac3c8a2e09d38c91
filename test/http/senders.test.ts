import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decideSender } from '../../src/senders/decide.ts'
import { newId } from '../../src/values/id.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { runGangan } from '../support/process.ts'
import { until } from '../support/until.ts'

type Fault = { field: string; type: string; message: string }
type Sender = { id: string; sender_id: string; state: string; class: string; note?: string; reason?: string }
type Answer = Sender & { errors: Fault[]; meta: object }
type List = { senders: Sender[]; meta: { pagination: { count_total: number; query_id: string } } }

let service: TestService
beforeAll(async () => {
  service = await openService({ config: { sandbox: false } })
})
afterAll(() => service.close())

const faults = (errors: Fault[]) => errors.map(({ field, type }) => `${field} ${type}`).sort()
const create = (by: Organisation, body: unknown) => by.call<Answer>('POST', '/senders', body)
const send = (by: Organisation, sender_id?: string, more = {}) =>
  by.call<{ errors: Fault[] }>('POST', '/sms/send', { recipients: '08031234567', content: 'x', sender_id, ...more })
const decide = (by: Organisation, id: string, state: 'approved' | 'rejected', reason: string | null = null) =>
  decideSender({ db: service.db }, by.id, id, { state, reason })

describe('/senders', () => {
  test('is created, listed, read, changed and deleted', async () => {
    const by = await service.organisation()
    const made = await create(by, { sender_id: ' Shop ', class: 'promotional', note: 'Our shop' })
    expect(made.status).toBe(200)
    const expected = { sender_id: 'Shop', state: 'pending', class: 'promotional', note: 'Our shop' }
    expect(made.body).toMatchObject({ ...expected, meta: { method: 'POST', resource: '/senders' } })
    const { id } = made.body
    expect((await by.call<Answer>('GET', `/senders/${id}`)).body).toMatchObject(expected)
    const list = await by.call<List>('GET', '/senders')
    expect(list.body.senders.map(({ sender_id, state }) => `${sender_id} ${state}`)).toEqual([
      'Shop pending',
      'Gangan approved',
    ])
    const changed = await by.call<Answer>('PATCH', `/senders/${id}`, { sender_id: 'Store', note: null })
    expect(changed.body).toMatchObject({ sender_id: 'Store', class: 'promotional' })
    expect(changed.body).not.toHaveProperty('note')
    expect((await by.call('DELETE', `/senders/${id}`)).status).toBe(204)
    expect((await by.call('GET', `/senders/${id}`)).status).toBe(404)
    expect((await by.call('DELETE', `/senders/${id}`)).status).toBe(404)
  })

  test('is paged', async () => {
    const by = await service.organisation()
    for (const sender_id of ['A', 'B', 'C']) await create(by, { sender_id })
    const first = await by.call<List>('GET', '/senders?limit=2')
    expect(first.body.senders.map(({ sender_id }) => sender_id)).toEqual(['C', 'B'])
    const { query_id } = first.body.meta.pagination
    const second = await by.call<List>('GET', `/senders?limit=2&query_id=${query_id}`)
    expect(second.body.senders.map(({ sender_id }) => sender_id)).toEqual(['A', 'Gangan'])
    expect((await by.call('GET', '/senders?limit=0')).status).toBe(400)
  })

  test.each([
    [{}, 'sender_id missing'],
    [{ sender_id: '' }, 'sender_id string_too_short'],
    [{ sender_id: 'Twelve chars' }, 'sender_id string_too_long'],
    [{ sender_id: 'Ünïcode' }, 'sender_id invalid'],
    [{ sender_id: '1234567890123456' }, 'sender_id phone_invalid'],
    [{ sender_id: 7, class: 'loud', note: false }, 'class enum, note string_type, sender_id string_type'],
    [{ sender_id: 'X', note: 'x'.repeat(501) }, 'note string_too_long'],
    [{ sender_id: 'X', note: '\u0000' }, 'note invalid'],
    [{ sender_id: 'gangan' }, 'sender_id invalid'],
  ])('rejects %j', async (body, expected) => {
    const by = await service.organisation()
    const answer = await create(by, body)
    expect(answer.status).toBe(400)
    expect(faults(answer.body.errors)).toEqual(expected.split(', '))
  })

  test('rejects a change to an existing name, and of an unknown sender', async () => {
    const by = await service.organisation()
    const { body } = await create(by, { sender_id: 'Shop' })
    const taken = await by.call<Answer>('PATCH', `/senders/${body.id}`, { sender_id: 'GANGAN' })
    expect([taken.status, ...faults(taken.body.errors)]).toEqual([400, 'sender_id invalid'])
    expect((await by.call('PATCH', `/senders/${newId()}`, {})).status).toBe(404)
    expect((await by.call('PATCH', '/senders/x', {})).status).toBe(404)
  })

  test('of another organisation is unknown', async () => {
    const [by, another] = [await service.organisation(), await service.organisation()]
    const { body } = await create(by, { sender_id: 'Shop' })
    for (const [method, given] of [['GET'], ['PATCH', {}], ['DELETE']] as const) {
      expect((await another.call(method, `/senders/${body.id}`, given)).status).toBe(404)
    }
    await expect(decide(another, body.id, 'approved')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('needs the scope sms', async () => {
    const by = await service.organisation({ scopes: ['otp'] })
    expect((await by.call('GET', '/senders')).status).toBe(403)
  })

  test('cannot be deleted while it is the default', async () => {
    const by = await service.organisation()
    const { body } = await by.call<List>('GET', '/senders')
    expect((await by.call('DELETE', `/senders/${body.senders[0]?.id}`)).status).toBe(409)
    await by.call('PATCH', '/settings', { default_sender_id: null })
    expect((await by.call('DELETE', `/senders/${body.senders[0]?.id}`)).status).toBe(204)
  })

  test('is limited to a hundred', async () => {
    const by = await service.organisation()
    for (let n = 0; n < 99; n += 1) expect((await create(by, { sender_id: `S${n}` })).status).toBe(200)
    const answer = await create(by, { sender_id: 'Last' })
    expect([answer.status, ...faults(answer.body.errors)]).toEqual([400, 'senders less_than_equal'])
  })
})

describe('in live mode', () => {
  test('the default sender works from the start, in any case', async () => {
    const by = await service.organisation()
    expect((await send(by)).status).toBe(200)
    expect((await send(by, 'GANGAN')).status).toBe(200)
    expect((await by.call('POST', '/otp/request_token', { recipient: '08031234567' })).status).toBe(200)
  })

  test('a sender works once the operator has approved it, and no longer after a rejection', async () => {
    const by = await service.organisation()
    const refused = await send(by, 'Shop')
    expect(refused.status).toBe(400)
    expect(refused.body.errors).toEqual([
      {
        field: 'sender_id',
        message: 'The sender ID Shop is not approved: register it at /senders, and the operator decides.',
        type: 'invalid',
      },
    ])
    const { body } = await create(by, { sender_id: 'Shop' })
    expect((await send(by, 'Shop')).status).toBe(400)
    await decide(by, body.id, 'approved')
    await until('the approval', async () => (await send(by, 'shop')).status === 200, 1_500)
    await decide(by, body.id, 'rejected', 'It is not yours.')
    await until('the rejection', async () => (await send(by, 'Shop')).status === 400, 1_500)
    expect((await by.call('GET', `/senders/${body.id}`)).body).toMatchObject({
      state: 'rejected',
      reason: 'It is not yours.',
    })
  })

  test('a changed sender requires a new approval, a changed note does not', async () => {
    const by = await service.organisation()
    const { body } = await create(by, { sender_id: 'Shop' })
    await decide(by, body.id, 'approved')
    const noted = await by.call<Answer>('PATCH', `/senders/${body.id}`, { note: 'Still ours' })
    expect(noted.body.state).toBe('approved')
    const renamed = await by.call<Answer>('PATCH', `/senders/${body.id}`, { sender_id: 'Bank' })
    expect(renamed.body.state).toBe('pending')
    expect((await send(by, 'Shop')).status).toBe(400)
    expect((await send(by, 'Bank')).status).toBe(400)
  })

  test('another error of the sender is reported alone, and WhatsApp needs no approval', async () => {
    const by = await service.organisation()
    const { body } = await send(by, 'Twelve chars')
    expect(faults(body.errors)).toEqual(['sender_id string_too_long'])
    expect((await send(by, 'Shop', { channel: 'whatsapp' })).status).toBe(200)
  })

  test('one-time passwords require an approved sender too', async () => {
    const by = await service.organisation()
    const { body } = await by.call<List>('GET', '/senders')
    await decide(by, body.senders[0]?.id ?? '', 'rejected')
    const answer = await until('the refusal', async () => {
      const given = await by.call<{ errors: Fault[] }>('POST', '/otp/request_token', { recipient: '08031234567' })
      return given.status === 400 && given
    })
    expect(faults(answer.body.errors)).toEqual(['sender_id invalid'])
  })

  test('a test key uses any sender', async () => {
    const twin = await service.organisation({ mode: 'test' })
    expect((await send(twin, 'Anything')).status).toBe(200)
  })

  test('a number has one owner', async () => {
    const [one, other] = [await service.organisation(), await service.organisation()]
    const b = await create(other, { sender_id: '33445' })
    const c = await create(one, { sender_id: '33445' })
    await decide(other, b.body.id, 'approved')
    await expect(decide(one, c.body.id, 'approved')).rejects.toMatchObject({ code: 'conflict' })
    for (const [n, sender_id] of ['0801 234 5678', '+2348012345679'].entries()) {
      expect((await create(one, { sender_id })).body.sender_id).toBe(`234801234567${8 + n}`)
    }
    const third = await service.organisation({ sender: '33445' })
    const { body } = await third.call<List>('GET', '/senders')
    expect(body.senders).toMatchObject([{ sender_id: '33445', state: 'pending' }])
  })
})

describe('gangan senders', () => {
  const gangan = (...args: string[]) => runGangan(['senders', ...args], { DATABASE_URL: service.database.url })

  test('lists, approves and rejects', async () => {
    const by = await service.organisation()
    await create(by, { sender_id: 'Shop', note: 'Ours' })
    const list = await gangan('list')
    expect(list.stdout).toMatch(new RegExp(`${by.id}  Shop +pending +transactional  Tests +Ours`))
    const approved = await gangan('approve', 'shop', '--organisation', by.id)
    expect(approved).toMatchObject({ code: 0, stdout: 'Shop is approved.\n' })
    const rejected = await gangan('reject', 'Shop', '--organisation', by.id, '--reason', 'Not yours')
    expect(rejected).toMatchObject({ code: 0, stdout: 'Shop is rejected.\n' })
    expect((await by.call<List>('GET', '/senders')).body.senders[0]).toMatchObject({ reason: 'Not yours' })
    expect(await gangan('approve', 'Nobody', '--organisation', by.id)).toMatchObject({ code: 3 })
    expect(await gangan('praise')).toMatchObject({ code: 2 })
  })
})

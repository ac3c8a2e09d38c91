import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { inviteUser } from '../../src/users/invite.ts'
import { findTwin } from '../../src/organisations/store.ts'
import { caller, openService, type TestService, type Organisation } from '../support/service.ts'
import { PASSWORD, person, post, type Person } from '../support/person.ts'
import { until } from '../support/until.ts'

let service: TestService
let other: Organisation
let operator: Person
let ada: Person
let twin: string

beforeAll(async () => {
  service = await openService({ workers: false })
  other = await service.organisation({ credit: 50 })
  operator = await person(service, null)
  ada = await person(service, service.id)
  twin = (await findTwin(service.db, service.id))?.id ?? ''
})
afterAll(() => service.close())

const faults = (body: unknown) => (body as { errors?: { field: string; type: string }[] }).errors
const as = (organisation_id: string | undefined) => ({ 'x-organisation-id': organisation_id })
const MESSAGE = { recipients: '08031234567', content: 'Hello' }

describe("the customers' API with a session", () => {
  test("works for the user's organisation and its test twin", async () => {
    const sent = await ada.call<{ id: string }>('POST', '/sms/send', MESSAGE)
    expect(sent.status).toBe(200)
    expect((await ada.call('GET', `/sms/${sent.body.id}`, undefined, as(undefined))).status).toBe(200)
    expect((await service.call('GET', `/sms/${sent.body.id}`)).status).toBe(200)
    const in_test = await ada.call<{ id: string }>('POST', '/sms/send', MESSAGE, as(twin))
    expect(in_test.status).toBe(200)
    expect((await ada.call('GET', `/sms/${in_test.body.id}`)).status).toBe(404)
    expect((await ada.call('GET', `/balance?organisation_id=${twin}`, undefined, as(undefined))).body).toMatchObject({
      balance: 996,
    })
  })

  test('never reaches another organisation', async () => {
    const { body } = await other.call<{ id: string }>('POST', '/sms/send', MESSAGE)
    const paths = [`/sms/${body.id}`, '/balance', '/sms', '/lists/contact', '/callbacks', '/console/api/keys']
    const other_twin = (await findTwin(service.db, other.id))?.id
    for (const chosen of [other.id, other_twin, '00000000-0000-0000-0000-000000000000', 'nonsense', '']) {
      for (const path of paths) {
        expect([path, (await ada.call('GET', path, undefined, as(chosen))).status]).toEqual([path, 404])
      }
      expect((await ada.call('POST', '/sms/send', MESSAGE, as(chosen))).status).toBe(404)
    }
    expect((await ada.call('GET', `/sms/${body.id}`)).status).toBe(404)
    expect((await ada.call('GET', `/balance?organisation_id=${other.id}`, undefined, as(undefined))).status).toBe(404)
    const forged = await ada.call('POST', `/sms/send?organisation_id=${other.id}`, MESSAGE, as(undefined))
    expect(forged.status).toBe(200) // A write takes the organisation from the header alone: it went to her own.
    const [spent] = await service.db<{ balance: bigint }[]>`
      select balance from balances where organisation_id = ${other.id}`
    expect(spent?.balance).toBe(460_000n)
  })

  test('an operator reaches every organisation, and must name it', async () => {
    expect((await operator.call('GET', '/balance', undefined, as(other.id))).body).toMatchObject({ balance: 46 })
    expect((await operator.call('GET', '/balance', undefined, as(service.id))).status).toBe(200)
    const nowhere = await operator.call('GET', '/balance')
    expect([nowhere.status, faults(nowhere.body)]).toMatchObject([
      400,
      [{ field: 'x-organisation-id', type: 'missing' }],
    ])
  })

  test('a key in the Authorization header takes precedence over the cookie', async () => {
    const { body } = await ada.call('GET', '/balance', undefined, { authorization: other.key, ...as(undefined) })
    expect(body).toMatchObject({ balance: 46 })
    expect((await ada.call('GET', '/balance', undefined, { authorization: 'no key' })).status).toBe(401)
    expect((await other.call('GET', '/console/api/session')).status).toBe(401)
  })
})

describe('roles', () => {
  test('operations for operators are rejected for users', async () => {
    const calls: [string, string, object?][] = [
      ['POST', '/console/api/organisations', { name: 'Mine' }],
      ['POST', `/console/api/organisations/${service.id}/top-ups`, { amount: 1_000, reason: 'because' }],
      ['POST', `/console/api/organisations/${service.id}/suspension`, { suspended: false, reason: 'because' }],
      ['GET', '/console/api/airtime/review'],
      ['POST', `/console/api/airtime/review/${service.id}`, { status: 'failed' }],
      ['GET', '/console/api/otp-guard'],
      ['GET', '/console/api/carriers'],
      ['GET', '/console/api/status'],
      ['POST', '/console/api/carriers/simulator/pause', { mode: 'paused', reason: 'because' }],
      ['DELETE', '/console/api/routes/sms/pause'],
      ['GET', '/console/api/blocklist'],
      ['POST', '/console/api/blocklist', { entries: ['2348031234567'], reason: 'because' }],
      ['DELETE', '/console/api/blocklist/2348031234567'],
      ['GET', '/console/api/price-lists'],
      ['POST', '/console/api/price-lists', { name: 'mine' }],
      ['GET', '/console/api/price-lists/file'],
      ['GET', '/console/api/price-lists/file/rules'],
      ['GET', '/console/api/price-lists/file/rules.csv'],
      ['GET', '/console/api/price-lists/file/changes'],
      ['GET', '/console/api/price-lists/file/history?target=x'],
      ['POST', '/console/api/price-lists/file/rules', { version: 0, channel: 'sms', price: 0 }],
      ['POST', '/console/api/price-lists/file/imports', { csv: 'price\n0' }],
      ['POST', '/console/api/price-lists/file/default'],
      ['POST', '/console/api/price-lists/file/undo', { version: 0 }],
      ['PATCH', '/console/api/price-lists/file', { below_cost: 'allow' }],
      ['DELETE', '/console/api/price-lists/file'],
      ['GET', '/console/api/cost-assignments'],
      ['POST', '/console/api/cost-assignments/simulator', { cost_list: null }],
      ['GET', '/console/api/probes'],
      ['POST', '/console/api/probes', {}],
      ['PATCH', '/console/api/probes/codes', { enabled: true }],
      ['DELETE', '/console/api/probes/codes'],
      ['POST', '/console/api/probes/codes/run'],
      ['GET', '/console/api/probe-results'],
      ['GET', '/console/api/probe-results.csv'],
      ['GET', '/console/api/margins'],
      ['GET', '/console/api/margins.csv'],
      ['GET', '/console/api/evidence'],
      ['GET', '/console/api/evidence/honesty'],
      ['POST', `/console/api/organisations/${service.id}/price-list`, { price_list: null }],
      ['POST', `/console/api/organisations/${service.id}/limits`, { requests_per_s: null, messages_per_s: null }],
      ['GET', '/console/api/users?operators=true'],
      ['POST', '/console/api/users', { email: 'rise@example.com', operator: true }],
      ['GET', '/console/api/audit?installation=true'],
      ['PATCH', `/console/api/users/${operator.id}?operators=true`, { disabled: true }],
      ['POST', `/console/api/users/${operator.id}/invite?operators=true`],
    ]
    for (const [method, path, body] of calls) {
      expect([path, (await ada.call(method, path, body)).status]).toEqual([path, 403])
    }
  })

  test('without a session only the operations to sign in are available', async () => {
    const paths = [
      'session',
      'me/sessions',
      'users',
      'organisations',
      'keys',
      'overview',
      'messages',
      'audit',
      'events',
    ]
    for (const path of paths) expect((await fetch(`${service.url}/console/api/${path}`)).status).toBe(401)
  })
})

describe('users', () => {
  test('invite colleagues by a link that works once', async () => {
    const invited = await ada.call<{ invite_url: string; user: { id: string } }>('POST', '/console/api/users', {
      email: 'bola@example.com',
      name: 'Bola',
    })
    expect(invited.body).toMatchObject({ user: { state: 'invited', organisation_id: service.id, role: 'viewer' } })
    const token = new URL(invited.body.invite_url).hash.split('token=')[1]
    expect(invited.body.invite_url).toBe(`${service.url}/console/#/welcome?token=${token}`)
    const check = await post(service, '/console/api/welcome/check', { token })
    expect(check.body).toMatchObject({ email: 'bola@example.com', name: 'Bola', organisation_name: 'Tests' })
    const again = await ada.call<{ invite_url: string }>('POST', `/console/api/users/${invited.body.user.id}/invite`)
    expect((await post(service, '/console/api/welcome', { token, password: PASSWORD })).status).toBe(404)
    const fresh = new URL(again.body.invite_url).hash.split('token=')[1]
    const other_address = { token: fresh, password: PASSWORD, email: 'mallory@example.com' }
    const bola = await post(service, '/console/api/welcome', other_address)
    expect(bola.body).toMatchObject({ user: { email: 'bola@example.com', state: 'active' } })
    const reset = await ada.call('POST', `/console/api/users/${invited.body.user.id}/invite`)
    expect(reset.status).toBe(403)
  })

  test('are listed and managed inside their organisation only', async () => {
    const stranger = await person(service, other.id)
    const list = await ada.call<{ users: { id: string }[] }>('GET', '/console/api/users')
    const ids = list.body.users.map(({ id }) => id)
    expect(ids).toContain(ada.id)
    expect(ids).not.toContain(stranger.id)
    expect(ids).not.toContain(operator.id)
    for (const id of [stranger.id, operator.id, 'nonsense']) {
      expect((await ada.call('PATCH', `/console/api/users/${id}`, { disabled: true })).status).toBe(404)
      expect((await ada.call('POST', `/console/api/users/${id}/invite`)).status).toBe(404)
    }
    const twin_list = await ada.call<{ users: { id: string }[] }>('GET', '/console/api/users', undefined, as(twin))
    expect(twin_list.body.users.map(({ id }) => id)).toEqual(ids)
  })

  test('get all validation errors of an invitation', async () => {
    const bad = await ada.call('POST', '/console/api/users', { email: 'nonsense' })
    expect([bad.status, faults(bad.body)]).toMatchObject([400, [{ field: 'email', type: 'email_invalid' }]])
    const used = await ada.call('POST', '/console/api/users', { email: ada.email.toUpperCase() })
    expect([used.status, faults(used.body)]).toMatchObject([400, [{ field: 'email', type: 'used' }]])
  })

  test('are invited in the same way whether or not another organisation, or an operator, has the address', async () => {
    const [stranger, boss] = [await person(service, other.id), await person(service, null)]
    const shape = (body: object): unknown =>
      JSON.parse(JSON.stringify(body, (name, value: unknown) => (isVarying(name) ? typeof value : value)))
    const isVarying = (name: string) => ['id', 'email', 'invite_url'].includes(name) || name.endsWith('_datetime')
    const invite = (email: string) =>
      ada.call<{ user: { id: string; email: string }; invite_url: string }>('POST', '/console/api/users', { email })
    const fresh = await invite('unknown-to-all@example.com')
    for (const { id, email, password } of [stranger, boss]) {
      const invited = await invite(email.toUpperCase())
      expect([invited.status, shape(invited.body)]).toEqual([200, shape(fresh.body)])
      const again = await invite(email)
      expect([again.status, faults(again.body)]).toMatchObject([400, [{ field: 'email', type: 'used' }]])
      const resent = await ada.call<{ invite_url: string }>('POST', `/console/api/users/${invited.body.user.id}/invite`)
      expect(resent.status).toBe(200)
      const token = new URL(resent.body.invite_url).hash.split('token=')[1] ?? ''
      const link = await post(service, '/console/api/welcome/check', { token })
      expect(link.body).toMatchObject({ email: email.toUpperCase(), purpose: 'invite' })
      const joined = await post<{ user: object }>(service, '/console/api/welcome', {
        token,
        password: 'of this place only',
      })
      expect([joined.status, joined.body.user]).toMatchObject([200, { organisation_id: service.id }])

      // Each password signs in to its own account, and the other account is unchanged.
      const login = (chosen: string) =>
        post<{ user: { id: string } }>(service, '/console/api/login', { email, password: chosen })
      expect((await login(password)).body.user.id).toBe(id)
      expect((await login('of this place only')).body.user.id).toBe(invited.body.user.id)
      expect((await login('of no place at all')).status).toBe(401)
      await ada.call('PATCH', `/console/api/users/${invited.body.user.id}`, { disabled: true })
      expect((await login('of this place only')).status).toBe(401)
      expect((await login(password)).body.user.id).toBe(id)
      // A login derives one key in every case, because the accounts of an address share their salt.
      const salts = await service.db`
        select distinct split_part(password_hash, '$', 5) from users where email_key = ${email.toLowerCase()}`
      expect(salts).toHaveLength(1)
    }
    const { body } = await ada.call<{ entries: { subject: string }[] }>('GET', '/console/api/audit')
    expect(body.entries.map(({ subject }) => subject)).not.toContain(stranger.id)
    await service.db`update users set disabled_datetime = now() where id = ${boss.id}`
  })

  test('have unique addresses within an organisation, also when two invite the same address concurrently', async () => {
    const email = 'both-at-once@example.com'
    const answers = await Promise.all([1, 2, 3].map(() => ada.call('POST', '/console/api/users', { email })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    const operators = { email, operator: true }
    const made = await Promise.all([1, 2].map(() => operator.call('POST', '/console/api/users', operators)))
    expect(made.map(({ status }) => status).toSorted()).toEqual([200, 400])
  })

  test('are disabled with immediate effect and enabled again; users cannot disable themselves, nor the last operator', async () => {
    const bisi = await person(service, service.id)
    const off = await ada.call('PATCH', `/console/api/users/${bisi.id}`, { disabled: true })
    expect(off.body).toMatchObject({ user: { state: 'disabled' } })
    expect((await bisi.call('GET', '/balance')).status).toBe(401)
    expect((await post(service, '/console/api/login', bisi)).status).toBe(401)
    await ada.call('PATCH', `/console/api/users/${bisi.id}`, { disabled: false })
    expect((await post(service, '/console/api/login', bisi)).status).toBe(200)
    expect((await ada.call('PATCH', `/console/api/users/${ada.id}`, { disabled: true })).status).toBe(400)
    const second = await person(service, null)
    const shut = (who: Person, id: string) =>
      who.call('PATCH', `/console/api/users/${id}?operators=true`, { disabled: true })
    const raced = await Promise.all([shut(operator, second.id), shut(second, operator.id)])
    expect(raced.filter(({ status }) => status === 200)).toHaveLength(1)
    await service.db`update users set disabled_datetime = null where organisation_id is null`
    operator = await person(service, null)
    await service.db`update users set disabled_datetime = now() where organisation_id is null and id <> ${operator.id}`
    await inviteUser(service, COMMAND_LINE, { email: 'spare@example.com', organisation_id: null })
    expect((await shut(operator, operator.id)).status).toBe(400)
  })

  test('are reset by an operator: the old password and sessions are invalid', async () => {
    const femi = await person(service, service.id)
    const path = `/console/api/users/${femi.id}/invite`
    const { status, body } = await operator.call<{ invite_url: string }>('POST', path, undefined, as(service.id))
    expect(status).toBe(200)
    expect((await femi.call('GET', '/console/api/session')).status).toBe(401)
    expect((await post(service, '/console/api/login', femi)).status).toBe(401)
    // The link gives access to Femi's account, so a colleague gets none.
    expect((await ada.call('POST', path)).status).toBe(403)
    const token = new URL(body.invite_url).hash.split('token=')[1]
    expect((await post(service, '/console/api/welcome/check', { token })).body).toMatchObject({ purpose: 'reset' })
    expect((await post(service, '/console/api/welcome', { token, password: 'brand new words' })).status).toBe(200)
  })
})

describe('organisations', () => {
  test('an operator lists all, a user only their own', async () => {
    const all = await operator.call<{ organisations: { id: string }[] }>('GET', '/console/api/organisations')
    expect(all.body.organisations.map(({ id }) => id)).toEqual([other.id, service.id])
    const own = await ada.call<{ organisations: object[] }>('GET', '/console/api/organisations')
    expect(own.body.organisations).toMatchObject([{ id: service.id, test_id: twin, currency: 'NGN', name: 'Tests' }])
    const none = await operator.call('GET', '/console/api/organisations?search=100%25')
    expect(none.body).toMatchObject({ organisations: [], meta: { pagination: { count_total: 0 } } })
  })

  test('have settings of their own in test mode, which leave the live ones as they are', async () => {
    const change = { time_zone: 'Europe/Paris', confirm_above: 7, default_sender_id: 'Trial', low_balance: 3 }
    expect((await ada.call('PATCH', '/settings', change, as(twin))).status).toBe(200)
    const listed = await ada.call<{ organisations: object[] }>('GET', '/console/api/organisations')
    expect(listed.body.organisations).toMatchObject([
      { time_zone: 'Africa/Lagos', confirm_above: 100, test_settings: { ...change, default_country: 'NG' } },
    ])
    expect((await ada.call('GET', '/settings', undefined, as(twin))).body).toMatchObject(change)
  })

  test('are created by an operator, with both balances', async () => {
    const wish = { name: 'Shop & Sons', default_sender_id: 'Shop', credit: 12.5 }
    const { status, body } = await operator.call<{ organisation: { id: string } }>(
      'POST',
      '/console/api/organisations',
      wish,
    )
    expect(status).toBe(200)
    expect(body.organisation).toMatchObject({ name: 'Shop & Sons', balance: 12.5, test_balance: 12.5 })
    const found = await operator.call('GET', '/console/api/organisations?search=shop')
    expect(found.body).toMatchObject({ organisations: [{ id: body.organisation.id }] })
    const bad = await operator.call('POST', '/console/api/organisations', { credit: 0.00001, default_country: 'x' })
    expect(
      faults(bad.body)
        ?.map(({ field }) => field)
        .sort(),
    ).toEqual(['credit', 'default_country', 'name'])
    const nowhere = await operator.call('POST', '/console/api/organisations', { name: 'Shop', default_country: 'ZZ' })
    expect(faults(nowhere.body)).toMatchObject([{ field: 'default_country', type: 'invalid' }])
    for (const path of ['/console/api/organisations', `/console/api/organisations/${other.id}/top-ups`]) {
      expect((await operator.call('POST', path, null)).status).toBe(400)
    }
  })

  test('are created once per Idempotency-Key', async () => {
    const wish = { name: 'Twice & Sons', credit: 5 }
    const key = { 'idempotency-key': 'form-2' }
    const path = '/console/api/organisations'
    type Made = { organisation: { id: string } }
    const raced = await Promise.all([1, 2, 3].map(() => operator.call<Made>('POST', path, wish, key)))
    expect(raced.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(raced.map(({ body }) => body.organisation.id)).size).toBe(1)
    const found = await operator.call('GET', `${path}?search=twice`)
    expect(found.body).toMatchObject({ meta: { pagination: { count_total: 1 } } })
    expect((await operator.call('POST', path, { ...wish, credit: 6 }, key)).status).toBe(409)
    const again = await person(service, null)
    expect((await again.call<Made>('POST', path, wish, key)).body.organisation.id).not.toBe(
      raced[0]?.body.organisation.id,
    )
  })

  test('are topped up once per Idempotency-Key, with the reason in the ledger and in the audit log', async () => {
    const path = `/console/api/organisations/${other.id}/top-ups`
    const before = (await other.call<{ balance: number }>('GET', '/balance')).body.balance
    const deed = { amount: 100.25, reason: 'Invoice 7' }
    const key = { 'idempotency-key': 'form-1' }
    const raced = await Promise.all([1, 2, 3].map(() => operator.call('POST', path, deed, key)))
    for (const { status, body } of raced) {
      expect([status, body]).toMatchObject([
        200,
        { balance: before + 100.25, currency: 'NGN', entry: { kind: 'top_up' } },
      ])
    }
    const { body } = await other.call<{ balance: number; entries: object[] }>('GET', '/balance')
    expect(body.balance).toBe(before + 100.25)
    expect(body.entries[0]).toMatchObject({ kind: 'top_up', amount: 100.25, note: 'Invoice 7' })
    expect((await operator.call('POST', path, { ...deed, amount: 5 }, key)).status).toBe(409)
    expect((await operator.call('POST', path, { amount: -1_000_000, reason: 'oops' })).status).toBe(402)
    expect((await operator.call('POST', path, { amount: -0.25, reason: 'rounding' })).body).toMatchObject({
      balance: before + 100,
      entry: { kind: 'adjustment', amount: -0.25 },
    })
    const bad = await operator.call('POST', path, { amount: 0 })
    expect(faults(bad.body)).toMatchObject([{ field: 'reason', type: 'missing' }])
    expect((await operator.call('POST', path, { amount: 0, reason: 'x' })).status).toBe(400)
    expect((await operator.call('POST', '/console/api/organisations/x/top-ups', deed)).status).toBe(404)
    const audit = await operator.call<{ entries: object[] }>('GET', '/console/api/audit', undefined, as(other.id))
    expect(audit.body.entries.filter((one) => (one as { action: string }).action === 'balance.top_up')).toMatchObject([
      { actor: operator.email, after: { amount: -0.25, reason: 'rounding' } },
      { actor: operator.email, before: { balance: before }, after: { balance: before + 100.25, reason: 'Invoice 7' } },
    ])
  })
})

describe('keys', () => {
  type Issued = { key: { id: string; hint: string; state: string }; secret: string; old?: object }

  test('are created, shown once, used, rotated with an overlap, and revoked', async () => {
    const wish = { mode: 'live', name: 'shop', scopes: ['sms'], expires_datetime: '2199-01-01T00:00:00Z' }
    const { status, body } = await ada.call<Issued>('POST', '/console/api/keys', wish)
    expect(status).toBe(200)
    expect(body.key).toMatchObject({ mode: 'live', name: 'shop', scopes: ['sms'], state: 'active' })
    const call = caller(service.url, body.secret)
    expect((await call('POST', '/sms/send', MESSAGE)).status).toBe(200)
    expect((await call('GET', '/lists/contact')).status).toBe(403)

    const limit = (daily_spending_limit: unknown) =>
      ada.call('PATCH', `/console/api/keys/${body.key.id}`, { daily_spending_limit })
    expect((await limit(500)).body).toMatchObject({ daily_spending_limit: 500, spent_today: 0 })
    expect((await limit(0.00001)).body).toMatchObject({ errors: [{ field: 'daily_spending_limit', type: 'invalid' }] })
    expect((await limit('much')).status).toBe(400)

    const rotated = await ada.call<Issued>('POST', `/console/api/keys/${body.key.id}/rotate`, { overlap_hours: 1 })
    expect(rotated.body).toMatchObject({ key: { name: 'shop', scopes: ['sms'] }, old: { state: 'active' } })
    const fresh = caller(service.url, rotated.body.secret)
    expect((await call('POST', '/sms/send', MESSAGE)).status).toBe(200)
    expect((await fresh('POST', '/sms/send', MESSAGE)).status).toBe(200)
    await ada.call('POST', `/console/api/keys/${rotated.body.key.id}/rotate`, { overlap_hours: 0 })
    await until('the rotated key to end', async () => (await fresh('POST', '/sms/send', MESSAGE)).status === 401)
    expect((await ada.call('POST', `/console/api/keys/${rotated.body.key.id}/rotate`)).status).toBe(404)

    expect((await ada.call('DELETE', `/console/api/keys/${body.key.id}`)).status).toBe(204)
    expect((await ada.call('DELETE', `/console/api/keys/${body.key.id}`)).status).toBe(404)
    await until('the revoked key to end', async () => (await call('POST', '/sms/send', MESSAGE)).status === 401)
    const list = await ada.call('GET', '/console/api/keys')
    expect(list.text).not.toContain(body.secret)
    const audit = await ada.call('GET', '/console/api/audit')
    expect(audit.text).not.toContain(body.secret)
    for (const action of ['key.create', 'key.limit', 'key.rotate', 'key.revoke']) expect(audit.text).toContain(action)
  })

  test('of the test twin are created from either side', async () => {
    const { body } = await ada.call<Issued>('POST', '/console/api/keys', { mode: 'test' }, as(twin))
    expect(body.secret).toMatch(/^gg_test_/)
    expect((await caller(service.url, body.secret)('GET', '/balance')).status).toBe(200)
  })

  test('belong to their organisation', async () => {
    const stranger = await person(service, other.id)
    const list = await ada.call<{ keys: { id: string }[] }>('GET', '/console/api/keys')
    const id = list.body.keys[0]?.id
    expect((await stranger.call('DELETE', `/console/api/keys/${id}`)).status).toBe(404)
    expect((await stranger.call('POST', `/console/api/keys/${id}/rotate`)).status).toBe(404)
    expect((await stranger.call('DELETE', '/console/api/keys/nonsense')).status).toBe(404)
  })

  test('are rejected with all validation errors', async () => {
    const bad = { mode: 'dead', scopes: ['everything'], expires_datetime: 'soon' }
    const { status, body } = await ada.call('POST', '/console/api/keys', bad)
    expect(status).toBe(400)
    expect(faults(body)).toMatchObject([
      { field: 'mode', type: 'enum' },
      { field: 'scopes[0]', type: 'enum' },
      { field: 'expires_datetime', type: 'date_invalid' },
    ])
    const no_day = await ada.call('POST', '/console/api/keys', { mode: 'live', expires_datetime: '2199-02-30' })
    expect(faults(no_day.body)).toMatchObject([{ field: 'expires_datetime', type: 'date_invalid' }])
    const past = await ada.call('POST', '/console/api/keys', { mode: 'live', expires_datetime: '2001-01-01' })
    expect(faults(past.body)).toMatchObject([{ field: 'expires_datetime', type: 'expired' }])
  })
})

describe('the audit log', () => {
  type Entries = { entries: { action: string; subject?: string; before?: object; after?: object; actor: string }[] }

  test('records changes made in the API, with the previous values and without private data', async () => {
    const table = await ada.call<{ columns: { id: string; name: string }[] }>('GET', '/lists/contact')
    const [column] = table.body.columns
    await ada.call('PATCH', `/lists/contact/columns/${column?.id}`, { name: 'Full name' })
    await ada.call('PATCH', '/otp/settings', { origin: 'example.com', template: '{{token}} is secret' })
    await ada.call('PATCH', '/otp/settings', { origin: 'example.org' })
    const sent = await ada.call<{ id: string }>('POST', '/sms/send', { ...MESSAGE, content: 'between us' })
    await ada.call('POST', '/lists/contact/rows/query', {})
    await ada.call('POST', '/sms/send', { recipients: 'nobody' })
    await ada.call('PATCH', '/console/api/me', { name: 'Ada \ud800' })
    await ada.call('DELETE', '/console/api/me/sessions')
    const { body, text } = await ada.call<Entries>('GET', '/console/api/audit?limit=6')
    expect(body.entries).toMatchObject([
      { action: 'user.sessions_end', subject: ada.id, after: { sessions: 'all others' } },
      { action: 'user.rename', subject: ada.id, after: { name: 'Ada \ufffd' } },
      { action: 'POST /sms/send', subject: sent.body.id, after: { recipients: '08031234567', content: '…' } },
      { action: 'PATCH /otp/settings', before: { origin: 'example.com' }, after: { origin: 'example.org' } },
      { action: 'PATCH /otp/settings', after: { origin: 'example.com', template: '…' }, actor: ada.email },
      {
        action: 'PATCH /lists/contact/columns/:column_id',
        subject: column?.id,
        before: { name: column?.name },
        after: { name: 'Full name' },
      },
    ])
    for (const secret of ['between us', 'is secret']) expect(text).not.toContain(secret)
  })

  test('is searched by action, words and time, and exported', async () => {
    await ada.call('PATCH', '/console/api/me', { name: 'Ada Unusual' })
    const found = async (query: string) => {
      const { status, body } = await ada.call<Entries>('GET', `/console/api/audit?${query}`)
      expect(status).toBe(200)
      return body.entries
    }
    const renames = await found('action=user.rename&q=RENAME')
    expect(renames[0]).toMatchObject({ action: 'user.rename', after: { name: 'Ada Unusual' } })
    expect(new Set(renames.map(({ action }) => action))).toEqual(new Set(['user.rename']))
    expect((await found(`q=${ada.email.slice(0, 8).toUpperCase()}&limit=1`))[0]).toMatchObject({ actor: ada.email })
    expect(await found('q=100%25_')).toEqual([])
    expect(await found('until=2020-01-01')).toEqual([])
    expect((await found('from=2020-01-01&limit=1')).length).toBe(1)
    const wrong = await ada.call<{ errors: { field: string; type: string }[] }>('GET', '/console/api/audit?q=ab&from=x')
    expect(wrong.status).toBe(400)
    const { text } = await ada.call('GET', '/console/api/audit.csv?action=user.rename')
    const lines = text.trim().split('\r\n')
    expect(lines[0]).toBe('time,actor,address,action,subject,before,after')
    expect(lines[1]).toContain('Ada Unusual')
    expect(lines).toHaveLength(1 + renames.length)
  })

  test('records the previous text of a template, deletions, and the user who accepted an invitation', async () => {
    const made = await ada.call<{ id: string }>('POST', '/templates', { name: 'Hello', content: 'Good morning' })
    await ada.call('PATCH', `/templates/${made.body.id}`, { content: 'Good evening' })
    await ada.call('POST', '/optouts', { recipients: ['08031110077'] })
    expect((await ada.call('DELETE', '/optouts/2348031110077')).status).toBe(204)
    const hook = await ada.call<{ name: string }>('POST', '/hooks', { kind: 'logto' })
    await ada.call('DELETE', `/hooks/${hook.body.name}`)
    const row = await ada.call<{ row: { id: string } }>('POST', '/lists/contact/rows', { columns: { Email: 'a@b.co' } })
    await ada.call('DELETE', `/lists/contact/rows/${row.body.row.id}`)
    const newcomer = await person(service, service.id)
    const { body, text } = await ada.call<Entries>('GET', '/console/api/audit?limit=9')
    expect(body.entries).toMatchObject([
      { action: 'user.join', actor: newcomer.email },
      { action: 'user.invite' },
      { action: 'DELETE /lists/contact/rows/:row_id', before: { id: row.body.row.id, columns: '…' } },
      { action: 'POST /lists/contact/rows' },
      { action: 'DELETE /hooks/:name', before: { kind: 'logto' } },
      { action: 'POST /hooks' },
      { action: 'DELETE /optouts/:id', before: { recipient: '2348031110077', source: 'api' } },
      { action: 'POST /optouts' },
      { action: 'PATCH /templates/:id', before: { content: 'Good morning' }, after: { content: 'Good evening' } },
    ])
    expect(text).not.toContain('a@b.co')
  })

  test('belongs to an organisation, and does not record calls made with keys', async () => {
    await service.call('PATCH', '/otp/settings', { origin: 'by-key.example' })
    expect((await ada.call('GET', '/console/api/audit')).text).not.toContain('by-key.example')
    const stranger = await person(service, other.id)
    const { body } = await stranger.call<Entries>('GET', '/console/api/audit')
    expect(body.entries.some(({ actor }) => actor === ada.email)).toBe(false)
    expect((await stranger.call('GET', '/console/api/audit', undefined, as(service.id))).status).toBe(404)
  })

  test('shows entries about the installation to operators only', async () => {
    const { body } = await operator.call<Entries>('GET', '/console/api/audit?installation=true')
    expect(body.entries.map(({ action }) => action)).toContain('user.invite')
  })
})

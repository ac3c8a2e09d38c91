import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { inviteAgain } from '../../src/users/invite.ts'
import type { AssertionOptions, Passkey, RegistrationOptions } from '../../src/users/login/schema.ts'
import { totpCode } from '../../src/users/login/totp.ts'
import { authenticator, type Authenticator } from '../support/authenticator.ts'
import { decodeBase32 } from '../support/base32.ts'
import { PASSWORD, person, personOf, post, type Person } from '../support/person.ts'
import { openService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())
afterEach(async () => {
  await service.db`delete from login_tries`
})

type Challenge<Options = AssertionOptions> = { options: Options }
type Made = { passkey: Passkey; recovery_codes: string[] }
type Purpose = 'sign_in' | 'second_factor'

const faults = (body: unknown) => (body as { errors?: { field: string; type: string }[] }).errors

const ask = async (purpose: Purpose, at = service) =>
  (await post<Challenge>(at, '/console/api/passkeys/challenge', { purpose })).body.options

/** Logs in by a passkey alone. */
const enter = async (key: Authenticator, wish: Parameters<Authenticator['sign']>[2] = {}) =>
  post(service, '/console/api/sign-in/passkey', { passkey: key.sign(await ask('sign_in'), service.url, wish) })

async function propose(ada: Person, password = PASSWORD) {
  return ada.call<Challenge<RegistrationOptions>>('POST', '/console/api/me/passkeys/challenge', { password })
}

async function register(ada: Person, key: Authenticator = authenticator(), name = 'Laptop'): Promise<Made> {
  const { body } = await propose(ada)
  const credential = key.make(body.options, service.url)
  const made = await ada.call<Made>('POST', '/console/api/me/passkeys', { name, credential })
  expect(made.status).toBe(200)
  return made.body
}

async function withPasskey() {
  const ada = await person(service, service.id)
  const key = authenticator()
  return { ada, key, ...(await register(ada, key)) }
}

const list = async (ada: Person) =>
  (await ada.call<{ passkeys: Passkey[] }>('GET', '/console/api/me/passkeys')).body.passkeys

const actions = async (ada: Person) => {
  const rows = await service.db<
    { action: string }[]
  >`select action from audit_entries where subject = ${ada.id} order by id`
  return rows.map(({ action }) => action)
}

describe('a passkey', () => {
  test('is registered with the password, named, listed and removed, and the audit log has each step', async () => {
    const ada = await person(service, service.id)
    expect((await propose(ada, 'wrong')).status).toBe(400)
    const { passkey, recovery_codes } = await register(ada)
    expect(recovery_codes).toHaveLength(10)
    expect(passkey).toMatchObject({ name: 'Laptop', host: '127.0.0.1', usable: true, backed_up: false })
    const second = await register(ada, authenticator(), 'Phone')
    expect(second.recovery_codes).toEqual([]) // Those of the first remain.
    const renamed = await ada.call('PATCH', `/console/api/me/passkeys/${passkey.id}`, { name: 'Work laptop' })
    expect(renamed.status).toBe(204)
    expect((await list(ada)).map(({ name }) => name)).toEqual(['Work laptop', 'Phone'])
    const session = await ada.call('GET', '/console/api/session')
    expect(session.body).toMatchObject({ user: { passkeys: 2, totp: false, recovery_codes_left: 10 } })

    const remove = (id: string, password = PASSWORD) =>
      ada.call('DELETE', `/console/api/me/passkeys/${id}`, { password })
    expect((await remove(passkey.id, 'wrong')).status).toBe(400)
    expect((await remove(passkey.id)).status).toBe(204)
    expect((await remove(passkey.id)).status).toBe(404)
    expect((await remove('no-id')).status).toBe(404)
    expect(await actions(ada)).toEqual([
      'user.invite',
      'user.join',
      'user.passkey_add',
      'user.passkey_add',
      'user.passkey_rename',
      'user.passkey_remove',
    ])
  })

  test('of another user is neither listed, renamed nor removed', async () => {
    const { ada, passkey } = await withPasskey()
    const eve = await person(service, service.id)
    const path = `/console/api/me/passkeys/${passkey.id}`
    expect(await list(eve)).toEqual([])
    expect((await eve.call('PATCH', path, { name: 'Mine' })).status).toBe(404)
    expect((await eve.call('DELETE', path, { password: PASSWORD })).status).toBe(404)
    expect((await list(ada)).map(({ name }) => name)).toEqual(['Laptop'])
  })

  test('is not registered with a replayed or foreign challenge, from a wrong origin, or twice', async () => {
    const [ada, eve] = [await person(service, service.id), await person(service, service.id)]
    const key = authenticator()
    const add = (who: Person, credential: object) =>
      who.call('POST', '/console/api/me/passkeys', { name: 'Laptop', credential })
    const own = (await propose(ada)).body.options
    const foreign = await add(eve, key.make(own, service.url))
    expect([foreign.status, faults(foreign.body)]).toMatchObject([400, [{ field: 'credential', type: 'invalid' }]])
    expect((await add(ada, key.make(own, service.url))).status).toBe(400) // Used up by the failed attempt.
    const elsewhere = key.make((await propose(ada)).body.options, 'https://evil.example')
    expect((await add(ada, elsewhere)).status).toBe(400)
    const other_host = key.make((await propose(ada)).body.options, service.url, { rp_id: 'evil.example' })
    expect((await add(ada, other_host)).status).toBe(400)
    await register(ada, key)
    expect((await add(eve, key.make((await propose(eve)).body.options, service.url))).status).toBe(400)
    expect([(await list(ada)).length, (await list(eve)).length]).toEqual([1, 0])
  })

  test('is one of twenty at most', async () => {
    const { ada } = await withPasskey()
    await service.db`
      insert into passkeys (user_id, id, credential_id, public_key, rp_id, name)
      select ${ada.id}, gen_random_uuid(), n::text::bytea, 'x', 'h', 'n' from generate_series(2, 20) n`
    expect(faults((await propose(ada)).body)).toMatchObject([{ field: 'credential' }])
  })
})

describe('a login by passkey', () => {
  test('opens a session without a password', async () => {
    const { ada, key } = await withPasskey()
    const answer = await enter(key)
    const again = personOf(service, answer as Parameters<typeof personOf>[1], null)
    expect(again.id).toBe(ada.id)
    expect((await again.call('GET', '/console/api/session')).status).toBe(200)
    expect((await list(ada))[0]?.used_datetime).toBeDefined()
    const [entry] = await service.db<{ after: object }[]>`
      select after from audit_entries where subject = ${ada.id} and action = 'user.login'`
    expect(entry?.after).toEqual({ by: 'passkey', name: 'Laptop' })
    expect((await service.db`select 1 from login_tries where tries > 0`).count).toBe(0)
  })

  test('is refused alike for a replay, a wrong purpose, origin or host, and an unverified user', async () => {
    const { key } = await withPasskey()
    const submit = (passkey: object) => post(service, '/console/api/sign-in/passkey', { passkey })
    const signed = key.sign(await ask('sign_in'), service.url)
    expect((await submit(signed)).status).toBe(200)
    const expired = await ask('sign_in')
    await service.db`update passkey_challenges set expires_datetime = now()`
    const refused = [
      await submit(signed),
      await submit(key.sign(await ask('second_factor'), service.url)),
      await submit(key.sign(expired, service.url)),
      await submit(key.sign({ ...(await ask('sign_in')), challenge: 'x'.repeat(43) }, service.url)),
      await submit(key.sign(await ask('sign_in'), 'https://evil.example')),
      await submit(key.sign(await ask('sign_in'), service.url, { rp_id: 'evil.example' })),
      await submit(key.sign(await ask('sign_in'), service.url, { verified: false })),
      await submit(key.sign(await ask('sign_in'), service.url, { user_handle: 'bm9ib2R5' })),
      await submit({
        ...key.sign(await ask('sign_in'), service.url),
        ...authenticator().sign(await ask('sign_in'), service.url),
      }),
    ]
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 401))
    expect(new Set(refused.map(({ text }) => text)).size).toBe(1)
    expect(refused.every(({ headers }) => headers.get('set-cookie') === null)).toBe(true)
  })

  test('works once for a challenge, also in concurrent requests', async () => {
    const { key } = await withPasskey()
    const passkey = key.sign(await ask('sign_in'), service.url)
    const raced = await Promise.all([1, 2, 3].map(() => post(service, '/console/api/sign-in/passkey', { passkey })))
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  test('is refused to a cloned key, which the audit log reports; a key without a counter is not a clone', async () => {
    const { ada, key } = await withPasskey()
    expect((await enter(key, { counter: 7 })).status).toBe(200)
    for (const counter of [7, 6, 0]) expect((await enter(key, { counter })).status).toBe(401)
    expect((await actions(ada)).filter((action) => action === 'user.passkey_cloned')).toHaveLength(3)
    expect((await enter(key, { counter: 8 })).status).toBe(200)

    const ben = await person(service, service.id)
    const still = authenticator()
    const credential = still.make((await propose(ben)).body.options, service.url, { counter: 0 })
    expect((await ben.call('POST', '/console/api/me/passkeys', { name: 'Vault', credential })).status).toBe(200)
    for (let n = 0; n < 2; n += 1) expect((await enter(still, { counter: 0 })).status).toBe(200)
  })

  test('is refused after a reset, to disabled users, and to those of a provider', async () => {
    const [reset, disabled, linked] = [await withPasskey(), await withPasskey(), await withPasskey()]
    const by = { may_reset: true, role: 'operator' } as const
    await inviteAgain(service, COMMAND_LINE, service.id, reset.ada.id, by)
    await service.db`update users set disabled_datetime = now() where id = ${disabled.ada.id}`
    await service.db`
      update users set password_hash = null, issuer = 'https://id.example', subject = 's', provider = 'company'
      where id = ${linked.ada.id}`
    for (const { key } of [reset, disabled, linked]) expect((await enter(key)).status).toBe(401)
    const [row] = await service.db<{ passkeys: number; codes: number }[]>`
      select (select count(*)::int from passkeys where user_id = users.id) as passkeys,
        cardinality(recovery_hashes) as codes
      from users where id = ${reset.ada.id}`
    expect(row).toEqual({ passkeys: 0, codes: 0 })
  })

  test('is off where passwords are switched off', async () => {
    const roles = [{ claim: 'groups', value: 'all', organisation: 'first', role: 'viewer' }]
    const client = { client_id: 'x', client_secret: 'x', roles }
    const company = { name: 'company', label: 'Company', issuer: 'https://id.example', ...client }
    const settings = { sign_in: { password: false, providers: [company] } }
    const place = await openService({ workers: false, settings })
    const passkey = authenticator().sign(await ask('sign_in', place), place.url)
    expect((await post(place, '/console/api/sign-in/passkey', { passkey })).status).toBe(403)
    await place.close()
  })

  test('belongs to the host of public_url, whatever the request says', async () => {
    const place = await openService({ workers: false, settings: { public_url: 'https://sms.example.com:8443' } })
    expect((await ask('sign_in', place)).rpId).toBe('sms.example.com')
    await place.close()
  })
})

describe('challenges', () => {
  test('are limited per network, and old ones are replaced', async () => {
    await ask('sign_in')
    await service.db`update login_tries set tries = 50`
    const over = await post(service, '/console/api/passkeys/challenge', { purpose: 'sign_in' })
    expect([over.status, over.headers.has('retry-after')]).toEqual([429, true])
    await service.db`delete from login_tries`
    const hash = service.db`sha256(n::text::bytea)`
    await service.db`
      insert into passkey_challenges (challenge_hash, purpose, expires_datetime)
      select ${hash}, 'sign_in', now() + interval '1 minute' from generate_series(1, 10000) n`
    await ask('sign_in')
    expect((await service.db`select 1 from passkey_challenges`).count).toBe(10_000)
    await service.db`delete from passkey_challenges`
  })
})

describe('a passkey as second factor', () => {
  const login = (ada: Person, factor: object = {}) =>
    post(service, '/console/api/login', { email: ada.email, password: PASSWORD, ...factor })

  test('is required after the password, and accepted once; a recovery code is a substitute', async () => {
    const { ada, key, recovery_codes } = await withPasskey()
    const without = await login(ada)
    expect([without.status, faults(without.body)]).toMatchObject([401, [{ field: 'passkey', type: 'missing' }]])
    // The authenticator need not verify the user: the password was the first factor.
    const passkey = key.sign(await ask('second_factor'), service.url, { verified: false })
    expect((await login(ada, { passkey })).status).toBe(200)
    expect((await login(ada, { passkey })).status).toBe(401)
    expect((await login(ada, { passkey: key.sign(await ask('sign_in'), service.url) })).status).toBe(401)
    expect((await login(ada, { code: recovery_codes[0] })).status).toBe(200)
    expect((await login(ada, { code: recovery_codes[0] })).status).toBe(401)
  })

  test('of another user is refused', async () => {
    const [{ ada }, { key }] = [await withPasskey(), await withPasskey()]
    const passkey = key.sign(await ask('second_factor'), service.url)
    const answer = await login(ada, { passkey })
    expect([answer.status, faults(answer.body)]).toMatchObject([401, [{ field: 'passkey', type: 'invalid' }]])
  })

  test('stands beside an authenticator app; the last factor takes the recovery codes along', async () => {
    const { ada, passkey, recovery_codes } = await withPasskey()
    const { body } = await ada.call<{ secret: string }>('POST', '/console/api/me/totp', { password: PASSWORD })
    const secret = decodeBase32(body.secret)
    const step = Math.floor(Date.now() / 30_000)
    // An app that was not confirmed yet proves nothing.
    expect((await login(ada, { code: totpCode(secret, step) })).status).toBe(401)
    const on = await ada.call<Made>('POST', '/console/api/me/totp/confirm', { code: totpCode(secret, step) })
    expect(on.body.recovery_codes).toEqual([])
    expect(faults((await login(ada)).body)).toMatchObject([{ field: 'passkey' }, { field: 'code' }])
    expect((await login(ada, { code: totpCode(secret, step + 1) })).status).toBe(200)

    const path = `/console/api/me/passkeys/${passkey.id}`
    expect((await ada.call('DELETE', path, { password: PASSWORD })).status).toBe(204)
    expect((await login(ada, { code: recovery_codes[0] })).status).toBe(200)
    expect((await ada.call('DELETE', '/console/api/me/totp', { password: PASSWORD })).status).toBe(204)
    expect((await login(ada)).status).toBe(200)
    const [row] = await service.db<{ codes: number }[]>`
      select cardinality(recovery_hashes) as codes from users where id = ${ada.id}`
    expect(row?.codes).toBe(0)
  })
})

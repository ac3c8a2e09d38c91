import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { ensureFirstOperator, inviteAgain, inviteUser } from '../../src/users/invite.ts'
import { login as logIn } from '../../src/users/login/login.ts'
import { changePassword } from '../../src/users/me.ts'
import { makePasswords } from '../../src/users/login/password.ts'
import { base32, totpCode } from '../../src/users/login/totp.ts'
import { decodeBase32 } from '../support/base32.ts'
import { openService, type TestService } from '../support/service.ts'
import { loginAs, PASSWORD, person, personOf, post, type Person } from '../support/person.ts'

const RESET = { may_reset: true, role: 'operator' } as const

let service: TestService

beforeAll(async () => {
  service = await openService({ workers: false })
})
afterAll(() => service.close())

const faults = (body: unknown) => (body as { errors?: { field: string; type: string }[] }).errors

describe('the link for the first operator', () => {
  test('is used once to choose an address and a password, also by two concurrent requests', async () => {
    const token = await ensureFirstOperator(service)
    const again = await ensureFirstOperator(service)
    expect(token).toMatch(/^[\w-]{43}$/)
    const check = await post(service, '/console/api/welcome/check', { token })
    expect(check.body).toMatchObject({ role: 'operator', purpose: 'invite' })
    expect(check.body.email).toBeUndefined()

    const missing = await post(service, '/console/api/welcome', { token, password: 'short' })
    expect(missing.status).toBe(400)
    expect(faults(missing.body)).toMatchObject([
      { field: 'email', type: 'missing' },
      { field: 'password', type: 'string_too_short' },
    ])
    const bad = await post(service, '/console/api/welcome', { token, password: 'aaaaaaaaaaaaaa', email: 'no address' })
    expect(faults(bad.body)).toMatchObject([
      { field: 'email', type: 'email_invalid' },
      { field: 'password', type: 'invalid' },
    ])

    const wish = { password: PASSWORD, email: 'Ada@Example.com', name: 'Ada' }
    const answers = await Promise.all([1, 2, 3].map(() => post(service, '/console/api/welcome', { token, ...wish })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    const won = answers.find(({ status }) => status === 200)
    expect(won?.body).toMatchObject({
      user: { email: 'Ada@Example.com', name: 'Ada', role: 'operator', state: 'active', totp: false },
      sandbox: true,
    })
    expect(won?.headers.getSetCookie()[0]).toMatch(
      /^gangan_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    )
    const late = await post(service, '/console/api/welcome', { token: again, ...wish })
    expect(late.status).toBe(404)
    expect(await ensureFirstOperator(service)).toBeUndefined()
    const used = await post(service, '/console/api/welcome/check', { token })
    expect(faults(used.body)).toMatchObject([{ field: 'token', type: 'used' }])
  })

  test('is rejected if it expired or is invalid', async () => {
    const { token } = await inviteUser(service, COMMAND_LINE, {
      email: 'late@example.com',
      organisation_id: service.id,
    })
    await service.db`update user_links set expires_datetime = now() - interval '1 second'
      where user_id = (select id from users where email_key = 'late@example.com')`
    const expired = await post(service, '/console/api/welcome', { token, password: PASSWORD })
    expect([expired.status, faults(expired.body)?.[0]?.type]).toEqual([404, 'expired'])
    const unknown = await post(service, '/console/api/welcome/check', { token: 'x' })
    expect([unknown.status, faults(unknown.body)?.[0]?.type]).toEqual([404, 'not_found'])
  })
})

describe('a login', () => {
  let ada: Person

  beforeAll(async () => {
    ada = await person(service, service.id)
  })

  test('creates a session; the address may be in any case', async () => {
    const { status, body } = await post(service, '/console/api/login', {
      email: ada.email.toUpperCase(),
      password: PASSWORD,
    })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user: { role: 'owner', organisation_id: service.id },
      organisations: [{ id: service.id }],
    })
  })

  test('does not reveal which accounts exist', async () => {
    const { id } = await person(service, service.id)
    await service.db`update users set disabled_datetime = now() where id = ${id}`
    await inviteUser(service, COMMAND_LINE, { email: 'never-came@example.com', organisation_id: service.id })
    const [row] = await service.db<{ email: string }[]>`select email from users where id = ${id}`
    const answers = await Promise.all([
      post(service, '/console/api/login', { email: ada.email, password: 'not the password' }),
      post(service, '/console/api/login', { email: 'nobody@example.com', password: PASSWORD }),
      post(service, '/console/api/login', { email: 'no\0body@example.com', password: PASSWORD }),
      post(service, '/console/api/login', { email: row?.email, password: PASSWORD }),
      post(service, '/console/api/login', { email: 'never-came@example.com', password: '' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers.every(({ headers }) => headers.get('set-cookie') === null)).toBe(true)
  })

  test('is limited per account, whether it exists or not, also for concurrent attempts', async () => {
    for (const email of ['nobody-2@example.com', (await person(service, service.id)).email]) {
      const tries = Array.from({ length: 14 }, () => post(service, '/console/api/login', { email, password: 'wrong' }))
      const answers = await Promise.all(tries)
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
      const limited = answers.find(({ status }) => status === 429)
      expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(60)
      const right = await post(service, '/console/api/login', { email, password: PASSWORD })
      expect(right.status).toBe(429)
    }
    await service.db`delete from login_tries`
  })

  test('that succeeds clears the failed attempts of the account, and the window ends', async () => {
    for (let n = 0; n < 9; n += 1) {
      await post(service, '/console/api/login', { email: ada.email, password: 'wrong' })
    }
    await loginAs(service, ada)
    expect((await post(service, '/console/api/login', { email: ada.email, password: 'wrong' })).status).toBe(401)
    await service.db`update login_tries set tries = 1000`
    expect((await post(service, '/console/api/login', ada)).status).toBe(429)
    await service.db`update login_tries set until_datetime = now() - interval '1 second'`
    expect((await post(service, '/console/api/login', ada)).status).toBe(200)
  })

  test('from a page of another site is rejected', async () => {
    for (const path of ['/console/api/login', '/console/api/welcome']) {
      const forged = await post(
        service,
        path,
        { email: ada.email, password: PASSWORD },
        { 'sec-fetch-site': 'cross-site' },
      )
      expect(forged.status).toBe(403)
    }
  })

  test('returns an error for every missing field', async () => {
    const { status, body } = await post(service, '/console/api/login', {})
    expect(status).toBe(400)
    expect(faults(body)).toMatchObject([
      { field: 'email', type: 'missing' },
      { field: 'password', type: 'missing' },
    ])
  })
})

describe('a session', () => {
  test('is identified by its cookie only, of which the tables hold only a hash', async () => {
    const ada = await person(service, service.id)
    expect((await ada.call('GET', '/console/api/session')).status).toBe(200)
    expect((await ada.call('GET', '/console/api/session', undefined, { cookie: undefined })).status).toBe(401)
    expect((await ada.call('GET', '/console/api/session', undefined, { cookie: 'gangan_session=x' })).status).toBe(401)
    const token = ada.cookie.slice('gangan_session='.length)
    const [found] = await service.db<{ found: boolean }[]>`
      select exists (select 1 from user_sessions s where s::text like ${`%${token}%`}) as found`
    expect(found?.found).toBe(false)
  })

  test('ends after its maximum age, after inactivity, by logout, and when the user is disabled', async () => {
    const ada = await person(service, service.id)
    const status = async (one: Person) => (await one.call('GET', '/console/api/session')).status
    const sessions = await Promise.all([1, 2, 3, 4].map(() => loginAs(service, ada)))
    const [timed, idle, out, stays] = sessions as [Person, Person, Person, Person]
    const idOf = async (one: Person) => {
      const { body } = await one.call<{ sessions: { id: string; current: boolean }[] }>(
        'GET',
        '/console/api/me/sessions',
      )
      return body.sessions.find(({ current }) => current)?.id ?? ''
    }
    await service.db`update user_sessions set expires_datetime = now() where id = ${await idOf(timed)}`
    await service.db`update user_sessions set seen_datetime = now() - interval '13 hours' where id = ${await idOf(idle)}`
    const left = await out.call('POST', '/console/api/logout')
    expect(left.status).toBe(204)
    expect(left.headers.get('set-cookie')).toContain('Max-Age=0')
    expect(await Promise.all([timed, idle, out, stays].map(status))).toEqual([401, 401, 401, 200])
    await service.db`update users set disabled_datetime = now() where id = ${ada.id}`
    expect(await status(stays)).toBe(401)
  })

  test('is extended by use, which is stored at intervals', async () => {
    const ada = await person(service, service.id)
    await service.db`update user_sessions set seen_datetime = now() - interval '11 hours' where user_id = ${ada.id}`
    await ada.call('GET', '/console/api/session')
    const [row] = await service.db<{ fresh: boolean }[]>`
      select seen_datetime > now() - interval '1 minute' as fresh from user_sessions where user_id = ${ada.id}`
    expect(row?.fresh).toBe(true)
  })

  test('writes only with its own CSRF token, and from its own site', async () => {
    const ada = await person(service, service.id)
    const other = await person(service, service.id)
    const rename = (headers: Record<string, string | undefined>) =>
      ada.call('PATCH', '/console/api/me', { name: 'Ada L' }, headers)
    expect((await rename({})).status).toBe(200)
    for (const csrf of [undefined, '', 'x', other.csrf]) {
      expect((await rename({ 'x-csrf-token': csrf })).status).toBe(403)
    }
    for (const site of ['cross-site', 'same-site']) expect((await rename({ 'sec-fetch-site': site })).status).toBe(403)
    expect((await rename({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
    const send = await ada.call(
      'POST',
      '/sms/send',
      { recipients: '08031234567', content: 'x' },
      { 'x-csrf-token': '' },
    )
    expect(send.status).toBe(403)
  })

  test('can be listed and ended, one or all others, but not those of another user', async () => {
    const ada = await person(service, service.id)
    const second = await loginAs(service, ada)
    await loginAs(service, ada)
    const stranger = await person(service, service.id)
    type List = { sessions: { id: string; current: boolean; address: string }[] }
    const { body } = await ada.call<List>('GET', '/console/api/me/sessions')
    expect(body.sessions).toHaveLength(3)
    expect(body.sessions.filter(({ current }) => current)).toHaveLength(1)
    const own = (await second.call<List>('GET', '/console/api/me/sessions')).body.sessions.find((one) => one.current)
    expect((await stranger.call('DELETE', `/console/api/me/sessions/${own?.id}`)).status).toBe(404)
    expect((await ada.call('DELETE', `/console/api/me/sessions/${own?.id}`)).status).toBe(204)
    expect((await second.call('GET', '/console/api/session')).status).toBe(401)
    expect((await ada.call('DELETE', '/console/api/me/sessions')).status).toBe(204)
    expect((await ada.call<List>('GET', '/console/api/me/sessions')).body.sessions).toHaveLength(1)
    expect((await ada.call('DELETE', '/console/api/me/sessions/no-id')).status).toBe(404)
  })

  test('over https has a Secure cookie with the prefix __Host-', async () => {
    const secure = await openService({ workers: false, settings: { public_url: 'https://gangan.example' } })
    const { token } = await inviteUser(secure, COMMAND_LINE, { email: 's@example.com', organisation_id: null })
    const answer = await post(secure, '/console/api/welcome', { token, password: PASSWORD })
    const [cookie, device] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-gangan_session=.*; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/)
    expect(device).toMatch(/^__Host-gangan_device=.*; Path=\/; .*HttpOnly; SameSite=Strict; Secure$/)
    const plain = (cookie ?? '').split(';')[0]?.replace('__Host-', '') ?? ''
    const unguarded = await fetch(`${secure.url}/console/api/session`, { headers: { cookie: plain } })
    expect(unguarded.status).toBe(401)
    await secure.close()
  })
})

test('a client address is accepted from a trusted proxy only', async () => {
  const addressOf = async (place: TestService): Promise<string | undefined> => {
    const { token } = await inviteUser(place, COMMAND_LINE, {
      email: `p${Math.random()}@example.com`,
      organisation_id: null,
    })
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    const answer = await post<{ csrf_token: string; user: { id: string; email: string } }>(
      place,
      '/console/api/welcome',
      { token, password: PASSWORD },
      forwarded,
    )
    const { body } = await personOf(place, answer, null).call<{ sessions: { address: string }[] }>(
      'GET',
      '/console/api/me/sessions',
    )
    return body.sessions[0]?.address
  }
  expect(await addressOf(service)).toBe('127.0.0.1')
  const behind = await openService({ workers: false, settings: { console: { trusted_proxies: ['127.0.0.0/8'] } } })
  expect(await addressOf(behind)).toBe('203.0.113.7')
  await behind.close()
})

test('a password is changed with the old one, which ends all sessions but the new one', async () => {
  const ada = await person(service, service.id)
  const second = await loginAs(service, ada)
  const change = (body: object) => ada.call('POST', '/console/api/me/password', body)
  const wrong = await change({ current_password: 'wrong', password: 'another good one' })
  expect([wrong.status, faults(wrong.body)]).toMatchObject([400, [{ field: 'current_password', type: 'invalid' }]])
  const short = await change({ current_password: PASSWORD, password: 'short' })
  expect(faults(short.body)).toMatchObject([{ field: 'password', type: 'string_too_short' }])
  const changed = await change({ current_password: PASSWORD, password: 'another good one' })
  const fresh = personOf(service, changed as Parameters<typeof personOf>[1], null)
  for (const old of [ada, second]) expect((await old.call('GET', '/console/api/session')).status).toBe(401)
  expect((await fresh.call('GET', '/console/api/session')).status).toBe(200)
  expect((await post(service, '/console/api/login', ada)).status).toBe(401)
  expect((await post(service, '/console/api/login', { email: ada.email, password: 'another good one' })).status).toBe(
    200,
  )
})

test.each(['login', 'a change of the password'])(
  '%s does not outlive a reset that happened while it was checked',
  async (way) => {
    const ada = await person(service, service.id)
    const passwords = makePasswords()
    const thenReset = async <T>(checked: Promise<T>): Promise<T> => {
      const right = await checked
      await inviteAgain(service, COMMAND_LINE, service.id, ada.id, RESET)
      return right
    }
    const deps = {
      db: service.db,
      session_settings: { idle_minutes: 60, session_hours: 1, trusted_proxies: [] },
      seal: { close: () => Buffer.of(), open: () => undefined },
      passwords: {
        ...passwords,
        check: (...given: Parameters<typeof passwords.check>) => thenReset(passwords.check(...given)),
        find: (...given: Parameters<typeof passwords.find>) => thenReset(passwords.find(...given)),
      },
    }
    const site = { origin: 'http://localhost', rp_id: 'localhost' }
    const client = { address: '127.0.0.1', site, user_agent: null, device_token: null }
    const who = { user_id: ada.id, actor: ada.email, address: null }
    const change = { current_password: PASSWORD, password: 'another good one' }
    const tried = way === 'login' ? logIn(deps, ada, client) : changePassword(deps, who, ada.id, change, client)
    await expect(tried).rejects.toMatchObject({ code: 'unauthenticated' })
    const sessions = await service.db`select 1 from user_sessions where user_id = ${ada.id}`
    const links = await service.db`select 1 from user_links where user_id = ${ada.id} and used_datetime is null`
    expect([sessions.count, links.count]).toEqual([0, 1])
  },
)

describe('two-factor login', () => {
  let ada: Person
  let secret: Buffer
  let recovery: string[]

  const codeNow = (steps = 0) => totpCode(secret, Math.floor(Date.now() / 30_000) + steps)
  const login = (code?: string) => post(service, '/console/api/login', { email: ada.email, password: PASSWORD, code })

  test('is enabled with the password and a first code', async () => {
    ada = await person(service, service.id)
    expect((await ada.call('POST', '/console/api/me/totp', { password: 'wrong' })).status).toBe(400)
    const { body } = await ada.call<{ secret: string; otpauth_url: string }>('POST', '/console/api/me/totp', {
      password: PASSWORD,
    })
    secret = decodeBase32(body.secret)
    expect(base32(secret)).toBe(body.secret)
    expect(body.otpauth_url).toContain(`secret=${body.secret}`)
    expect((await login()).status).toBe(200) // Not enabled yet.
    const wrong = await ada.call('POST', '/console/api/me/totp/confirm', { code: '000000' })
    expect([wrong.status, faults(wrong.body)]).toMatchObject([400, [{ field: 'code', type: 'invalid' }]])
    const on = await ada.call<{ recovery_codes: string[] }>('POST', '/console/api/me/totp/confirm', {
      code: codeNow(),
    })
    recovery = on.body.recovery_codes
    expect(recovery).toHaveLength(10)
    const session = await ada.call('GET', '/console/api/session')
    expect(session.body).toMatchObject({ user: { totp: true, recovery_codes_left: 10 } })
    expect((await ada.call('POST', '/console/api/me/totp', { password: PASSWORD })).status).toBe(400)
    const [row] = await service.db<{ row: string }[]>`select users::text as row from users where id = ${ada.id}`
    expect(row?.row).not.toContain(secret.toString('hex'))
  })

  test('requires a code, and accepts each once, also in concurrent requests', async () => {
    const without = await login()
    expect([without.status, faults(without.body)]).toMatchObject([401, [{ field: 'code', type: 'missing' }]])
    expect(without.headers.get('set-cookie')).toBeNull()
    const wrong = await login('123')
    expect([wrong.status, faults(wrong.body)]).toMatchObject([401, [{ field: 'code', type: 'invalid' }]])
    const code = codeNow(1)
    const raced = await Promise.all([login(code), login(code), login(code)])
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 401, 401])
    expect((await login(code)).status).toBe(401)
    await service.db`delete from login_tries`
  })

  test('accepts each recovery code once', async () => {
    const [code = '', next = ''] = recovery
    const raced = await Promise.all([login(code), login(code)])
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await login(next.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    const session = await ada.call('GET', '/console/api/session')
    expect(session.body).toMatchObject({ user: { recovery_codes_left: 8 } })
  })

  test('is disabled with the password', async () => {
    expect((await ada.call('DELETE', '/console/api/me/totp', { password: 'wrong' })).status).toBe(400)
    expect((await ada.call('DELETE', '/console/api/me/totp', { password: PASSWORD })).status).toBe(204)
    expect((await login()).status).toBe(200)
  })
})

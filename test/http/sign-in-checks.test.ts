import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Session, SignInWays } from '../../src/http/console/people/schema.ts'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { inviteAgain, inviteUser, linkToEnter } from '../../src/users/invite.ts'
import { changeUser } from '../../src/users/manage.ts'
import { totpCode } from '../../src/users/login/totp.ts'
import { decodeBase32 } from '../support/base32.ts'
import { makeJar, type Jar } from '../support/cookie-jar.ts'
import { CLIENT, startOidc, type OidcServer } from '../support/oidc-server.ts'
import { PASSWORD, post } from '../support/person.ts'
import { openService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

let service: TestService
/** Another process that checks the same users: each user is checked by one of them. */
let beside: TestService
let company: OidcServer
let other: OidcServer

const scopes = ['openid', 'email', 'profile', 'groups']
const roles = [
  { claim: 'groups', value: 'admins', organisation: 'first', role: 'admin' },
  { claim: 'groups', value: 'readers', organisation: 'first', role: 'viewer' },
]

/** Passwords are disabled, and every user is checked once a second. */
beforeAll(async () => {
  company = await startOidc({ service: () => service.url })
  other = await startOidc({ service: () => service.url, refresh: false })
  const asked = { ...CLIENT, scopes, roles, check_s: 1, unreachable_s: 600 }
  const sign_in = {
    password: false,
    providers: [
      { name: 'company', label: 'Company account', issuer: company.issuer, ...asked, ask_code: true },
      { name: 'other', label: 'Other account', issuer: other.issuer, ...asked },
    ],
  }
  service = await openService({ settings: { sign_in } })
  beside = await openService({ beside: service, settings: { sign_in } })
})
afterAll(async () => {
  await beside.close()
  await service.close()
  await Promise.all([company.close(), other.close()])
})
beforeEach(() => {
  company.hangs = false
})

/** On a busy machine a provider may miss a timeout once; it is queried again half a minute later. */
const ASKED_TWICE_MS = 75_000

let people = 0

async function signIn(oidc: OidcServer, groups = ['readers'], id = `subject-${++people}`): Promise<Person> {
  const email = `${id}@example.com`
  oidc.accounts.set(id, { email, email_verified: true, groups })
  oidc.who = id
  const jar = makeJar()
  await jar.go(`${service.url}/console/sign-in/${oidc === company ? 'company' : 'other'}`)
  return { id, email, jar }
}
type Person = { id: string; email: string; jar: Jar }

async function ask<T>({ jar }: { jar: Jar }, path: string): Promise<{ status: number; body: T }> {
  const response = await fetch(service.url + path, { headers: { cookie: jar.cookie(service.url) } })
  return { status: response.status, body: (await response.json()) as T }
}

const session = (who: { jar: Jar }) => ask<Session>(who, '/console/api/session')
const roleOf = async (who: { jar: Jar }) => (await session(who)).body.user?.role
const isOut = (who: { jar: Jar }) => async () => (await session(who)).status === 401

/** How often the provider has confirmed a user's sessions: their expiry moves on. */
async function standsUntil(subject: string): Promise<string> {
  const [row] = await service.db<{ stands_until: string }[]>`
    select max(stands_until) as stands_until from provider_sessions where subject = ${subject}`
  return row?.stands_until ?? ''
}

async function confirmedAfter(subject: string, before: string): Promise<void> {
  await until('a check', async () => (await standsUntil(subject)) > before)
}

async function whyEnded(email: string): Promise<unknown[]> {
  const rows = await service.db<{ after: { why: unknown } }[]>`
    select after from audit_entries join users on users.id::text = audit_entries.subject
    where email = ${email} and action = 'user.sessions_end' order by audit_entries.id`
  return rows.map(({ after }) => after.why)
}

describe.each([
  ['with a refresh token', () => company],
  ['with an access token alone', () => other],
])('a user checked %s', (_, oidc) => {
  test('keeps the session, with the role the provider returns', async () => {
    const ada = await signIn(oidc())
    expect(await roleOf(ada)).toBe('viewer')
    oidc().accounts.set(ada.id, { email: ada.email, email_verified: true, groups: ['admins'] })
    await until('the new role', async () => (await roleOf(ada)) === 'admin')
    await confirmedAfter(ada.id, await standsUntil(ada.id)) // By then a refresh token was rotated twice.
    expect(await roleOf(ada)).toBe('admin')
  })

  test('loses all sessions when the provider has disabled them', async () => {
    const ada = await signIn(oidc())
    const elsewhere = await signIn(oidc(), ['readers'], ada.id)
    oidc().accounts.set(ada.id, { gone: true })
    const areOut = async () => (await isOut(ada)()) && (await isOut(elsewhere)())
    await until('the end of both sessions', areOut, ASKED_TWICE_MS)
    expect((await whyEnded(ada.email)).length).toBeGreaterThan(0)
    const [left] = await service.db<{ count: bigint }[]>`
      select count(*) from provider_sessions where subject = ${ada.id}`
    expect(Number(left?.count)).toBe(0)
  }, 120_000)

  test('loses the session when no rule gives them a role any more', async () => {
    const ada = await signIn(oidc())
    oidc().accounts.set(ada.id, { email: ada.email, email_verified: true, groups: [] })
    await until('the end of the session', isOut(ada))
    expect(await whyEnded(ada.email)).toEqual(['no rule assigns a role any more'])
  })
})

test('a provider that does not respond ends no session, delays no other provider, and its sessions expire after the configured time', async () => {
  const ada = await signIn(company)
  const bisi = await signIn(other)
  company.hangs = true
  await service.db`update provider_sessions set due_datetime = now() where subject = ${ada.id}`
  const before = await standsUntil(bisi.id)
  await confirmedAfter(bisi.id, before)
  await until('a log entry about it', () =>
    [...service.log_lines, ...beside.log_lines].some(
      ({ sentence }) => sentence === 'a provider could not be asked about a session',
    ),
  )
  expect((await session(ada)).status).toBe(200)
  await service.db`update provider_sessions set stands_until = now() where subject = ${ada.id}`
  expect((await session(ada)).status).toBe(401)
})

test('a process that dies with an unsaved refresh token loses only that session', async () => {
  const ada = await signIn(company)
  const [row] = await service.db<{ tokens: Buffer }[]>`select tokens from provider_sessions where subject = ${ada.id}`
  await confirmedAfter(ada.id, await standsUntil(ada.id))
  await service.db`update provider_sessions set tokens = ${row?.tokens ?? null} where subject = ${ada.id}`
  await until('the end of the session', isOut(ada))
  expect((await session(await signIn(company, ['readers'], ada.id))).status).toBe(200)
})

test('sessions of a provider that was removed from the configuration end when a process starts', async () => {
  const ada = await signIn(other)
  await service.db`update provider_sessions set issuer = 'https://gone.example' where subject = ${ada.id}`
  const without = await openService({ beside: service, settings: { sign_in: { providers: [] } } })
  await until('the end of the session', isOut(ada))
  expect((await session(ada)).status).toBe(401)
  await without.close()
})

describe('back-channel logout', () => {
  const logout = (token: string, name = 'company', url = service.url) =>
    fetch(`${url}/console/sign-in/${name}/logout`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }),
    })

  async function sidOf({ id }: Person): Promise<string> {
    const [row] = await service.db<{ sid: string }[]>`select sid from provider_sessions where subject = ${id}`
    return row?.sid ?? ''
  }

  test('ends the session it names, or all of the user if it names none', async () => {
    const ada = await signIn(company)
    const sid = await sidOf(ada)
    const elsewhere = await signIn(company, ['readers'], ada.id)
    expect((await logout(await company.logoutToken({ sub: ada.id, sid }))).status).toBe(200)
    expect([(await session(ada)).status, (await session(elsewhere)).status]).toEqual([401, 200])
    expect((await logout(await company.logoutToken({ sub: ada.id }))).status).toBe(200)
    expect((await session(elsewhere)).status).toBe(401)
    expect(await whyEnded(ada.email)).toEqual(['logged out at the provider', 'logged out at the provider'])
  })

  test('is accepted from the provider only, about its own sessions', async () => {
    const ada = await signIn(company)
    const sub = ada.id
    const past = Math.floor(Date.now() / 1_000) - 3_600
    const refused = [
      'not a token',
      await company.logoutToken({ sub, aud: 'somebody-else' }),
      await company.logoutToken({ sub, iss: other.issuer }),
      await company.logoutToken({ sub, iat: past, exp: past + 60 }),
      await company.logoutToken({ sub, iat: past, exp: past + 36_000 }),
      await company.logoutToken({ sub, iat: past + 36_000, exp: past + 36_060 }),
      await company.logoutToken({ sub, iat: undefined }),
      await company.logoutToken({ sub, jti: undefined }),
      await company.logoutToken({ sub, jti: '' }),
      await company.logoutToken({ sub, jti: 7 }),
      await company.logoutToken({ sub, nonce: 'an ID token has one' }),
      await company.logoutToken({ sub }, 'http://schemas.example/event/other'),
      await company.logoutToken({}),
      await other.logoutToken({ sub, iss: company.issuer }),
    ]
    const answers = await Promise.all(refused.map((token) => logout(token)))
    expect(answers.map(({ status }) => status)).toEqual(refused.map(() => 400))
    expect((await logout('')).status).toBe(400)
    expect((await logout(await company.logoutToken({ sub }), 'nobody')).status).toBe(404)
    expect((await session(ada)).status).toBe(200)
  })

  test('is accepted once, by any process, also if copies arrive concurrently', async () => {
    const ada = await signIn(company)
    const jti = crypto.randomUUID()
    const token = await company.logoutToken({ sub: ada.id, jti })
    const copies = [service, beside, service, beside, service].map(({ url }) => logout(token, 'company', url))
    expect((await Promise.all(copies)).map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
    expect((await session(ada)).status).toBe(401)

    const back = await signIn(company, ['readers'], ada.id)
    expect((await logout(token)).status).toBe(400)
    expect((await logout(token, 'company', beside.url)).status).toBe(400)
    expect((await logout(await company.logoutToken({ sub: ada.id, jti, exp: undefined }))).status).toBe(400)
    expect((await session(back)).status).toBe(200)
    // Ids are unique per provider only.
    expect((await logout(await other.logoutToken({ sub: ada.id, jti }), 'other')).status).toBe(200)
    expect((await session(back)).status).toBe(200)
    expect((await logout(await company.logoutToken({ sub: ada.id }))).status).toBe(200)
    expect((await session(back)).status).toBe(401)
  })

  test('that failed may be sent again', async () => {
    const ada = await signIn(company)
    const token = await company.logoutToken({ sub: ada.id })
    const raise = "create function refuse() returns trigger language plpgsql as $$ begin raise 'away'; end $$"
    await service.db.unsafe(raise)
    await service.db.unsafe(
      'create trigger refuse before delete on user_sessions for each row execute function refuse()',
    )
    expect((await logout(token)).status).toBe(500)
    await service.db.unsafe('drop trigger refuse on user_sessions')
    await service.db.unsafe('drop function refuse')
    expect((await logout(token)).status).toBe(200)
    expect((await session(ada)).status).toBe(401)
  })

  test('is posted by a real provider when a user logs out there', async () => {
    const ada = await signIn(company)
    await service.db`update provider_sessions set due_datetime = now() + interval '1 hour' where subject = ${ada.id}`
    const { url } = await ada.jar.go(`${company.issuer}/session/end`)
    const page = await (await ada.jar.get(url)).text()
    const xsrf = /name="xsrf" value="(\w+)"/.exec(page)?.[1] ?? ''
    await fetch(`${company.issuer}/session/end/confirm`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: ada.jar.cookie(company.issuer), 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf, logout: 'yes' }),
    })
    await until('the end of the session', isOut(ada))
    expect(await whyEnded(ada.email)).toContain('logged out at the provider')
  })
})

describe('with passwords disabled', () => {
  test('passwords are rejected, and none can be set', async () => {
    const { email, token } = await invited()
    const answers = [
      await post(service, '/console/api/login', { email, password: PASSWORD }),
      await post(service, '/console/api/welcome/check', { token }),
      await post(service, '/console/api/welcome', { token, password: PASSWORD }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403])
    const ways = await ask<SignInWays>({ jar: makeJar() }, '/console/api/sign-in')
    expect(ways.body).toMatchObject({ password: false, providers: [{ name: 'company' }, { name: 'other' }] })
  })

  test('an operator signs in by a link from the command line, once, within an hour', async () => {
    const operator = await atHand(null)
    const token = await linkToEnter(service, COMMAND_LINE, operator)
    expect((await post(service, '/console/api/welcome/check', { token })).body).toMatchObject({ purpose: 'enter' })
    const answers = await Promise.all([1, 2].map(() => post(service, '/console/api/enter', { token })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({
      user: { role: 'operator' },
      passwords: false,
    })
    const [row] = await service.db<{ hours: number }[]>`
      select round(extract(epoch from expires_datetime - created_datetime) / 3600)::int as hours
      from user_sessions where user_id = ${operator}`
    expect(row?.hours).toBe(1)
    await expect(linkToEnter(service, COMMAND_LINE, await atHand(service.id))).rejects.toThrow('no such operator')
  })

  async function atHand(organisation_id: string | null): Promise<string> {
    const id = crypto.randomUUID()
    await service.db`
      insert into users (id, organisation_id, email, email_key) values (${id}, ${organisation_id}, ${id}, ${id})`
    return id
  }

  async function invited(): Promise<{ email: string; token: string }> {
    const email = `invited-${++people}@example.com`
    const { token } = await inviteUser(service, COMMAND_LINE, { email, organisation_id: service.id })
    return { email, token }
  }
})

describe('with a second factor required', () => {
  test('the provider alone does not sign in; a valid code does, once', async () => {
    const ada = await signIn(company)
    const { csrf_token } = (await session(ada)).body
    const send = (path: string, body: object, { jar }: { jar: Jar } = ada, csrf = csrf_token) =>
      fetch(service.url + path, {
        method: 'POST',
        headers: { cookie: jar.cookie(service.url), 'content-type': 'application/json', 'x-csrf-token': csrf },
        body: JSON.stringify(body),
      })
    const proposal = (await (await send('/console/api/me/totp', { password: '' })).json()) as { secret: string }
    const secret = decodeBase32(proposal.secret)
    const now = Math.floor(Date.now() / 30_000)
    expect((await send('/console/api/me/totp/confirm', { code: totpCode(secret, now) })).status).toBe(200)

    const again = await signIn(company, ['readers'], ada.id)
    expect((await session(again)).status).toBe(401)
    expect((await ask<SignInWays>(again, '/console/api/sign-in')).body.owes).toEqual(['code'])
    expect((await send('/console/api/sign-in/code', { code: '000000' }, again)).status).toBe(401)
    expect((await send('/console/api/sign-in/code', { code: totpCode(secret, now) }, again)).status).toBe(401)
    const right = await send('/console/api/sign-in/code', { code: totpCode(secret, now + 1) }, again)
    expect([right.status, ((await right.json()) as Session).user.email]).toEqual([200, ada.email])
    expect((await session(again)).status).toBe(200)
    expect((await send('/console/api/sign-in/code', { code: totpCode(secret, now + 2) }, again)).status).toBe(401)
  })
})

test('a user whose role comes from a rule cannot get another one manually; a reset removes the link to the provider', async () => {
  const ada = await signIn(company)
  const { user } = (await session(ada)).body
  const by = { who: COMMAND_LINE, role: 'operator' } as const
  await expect(changeUser(service, by, service.id, user.id, { role: 'owner' })).rejects.toMatchObject({
    faults: [{ field: 'role', message: 'This role is assigned by company.' }],
  })
  await inviteAgain(service, COMMAND_LINE, service.id, user.id, { may_reset: true, role: 'operator' })
  expect((await session(ada)).status).toBe(401)
  const [row] = await service.db<{ issuer: string | null }[]>`select issuer from users where id = ${user.id}`
  expect(row?.issuer).toBeNull()
})

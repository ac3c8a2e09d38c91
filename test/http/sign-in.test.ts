import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Session, SignInWays } from '../../src/http/console/people/schema.ts'
import { COMMAND_LINE } from '../../src/users/audit.ts'
import { inviteUser } from '../../src/users/invite.ts'
import type { Role } from '../../src/users/roles.ts'
import { makeJar, type Jar } from '../support/cookie-jar.ts'
import { CLIENT, startOidc, type OidcServer } from '../support/oidc-server.ts'
import { PASSWORD, person, post } from '../support/person.ts'
import { openService, type TestService } from '../support/service.ts'
import { listeningPort } from '../../src/values/listening-port.ts'

let service: TestService
let company: OidcServer
let other: OidcServer

const rule = (value: string, role: Role) => ({ claim: 'groups', value, organisation: 'first', role })
const scopes = ['openid', 'email', 'profile', 'groups']

beforeAll(async () => {
  company = await startOidc({ service: () => service.url })
  other = await startOidc({ service: () => service.url })
  service = await openService({
    workers: false,
    settings: {
      sign_in: {
        providers: [
          {
            name: 'company',
            label: 'Company account',
            issuer: company.issuer,
            ...CLIENT,
            scopes,
            roles: [rule('admins', 'admin'), rule('readers', 'viewer')],
            operators: [{ claim: 'groups', value: 'ops' }],
          },
          { name: 'other', label: 'Other account', issuer: other.issuer, ...CLIENT, scopes, existing_users: ['first'] },
        ],
      },
    },
  })
})
afterAll(async () => {
  await service.close()
  await Promise.all([company.close(), other.close()])
})

beforeEach(() => {
  Object.assign(company, { tamper: undefined, stranger_signs: false, hangs: false })
})

let people = 0

/** A new user of the provider, signed in with this browser. */
function newcomer(oidc: OidcServer, account: Record<string, unknown> = {}) {
  people += 1
  const id = `subject-${people}`
  const email = `somebody-${people}@example.com`
  oidc.accounts.set(id, { email, email_verified: true, name: `Somebody ${people}`, groups: ['readers'], ...account })
  oidc.who = id
  return { id, email }
}

const start = (name = 'company') => `${service.url}/console/sign-in/${name}`
const back = (name = 'company') => `${start(name)}/return`

async function signIn(name = 'company', jar: Jar = makeJar()): Promise<Jar> {
  const { url, response } = await jar.go(start(name))
  expect(url).toBe(`${service.url}/console/`)
  expect(response?.status).toBe(200)
  return jar
}

async function read<T>(jar: Jar, path: string, { url } = service): Promise<{ status: number; body: T }> {
  const response = await fetch(url + path, { headers: { cookie: jar.cookie(url) } })
  return { status: response.status, body: (await response.json()) as T }
}

const session = (jar: Jar) => read<Session>(jar, '/console/api/session')

/** The sign-in was rejected, and the page shows the reason. */
async function refusal(jar: Jar): Promise<string | undefined> {
  expect((await session(jar)).status).toBe(401)
  return (await read<SignInWays>(jar, '/console/api/sign-in')).body.sentence
}

async function audit(subject: string): Promise<{ action: string; actor: string; after: unknown }[]> {
  return service.db<{ action: string; actor: string; after: unknown }[]>`
    select action, actor, after from audit_entries where subject = ${subject} order by id`
}

const linked = async (email: string) => {
  const [row] = await service.db<{ id: string; issuer: string | null; password_hash: string | null; role: string }[]>`
    select id, issuer, password_hash, role from users where email_key = ${email}`
  return row
}

describe('a user matched by a rule', () => {
  test('is created with its role, and recognised the next time, whatever their address is then', async () => {
    const { id, email } = newcomer(company)
    const first = await session(await signIn())
    expect(first.body).toMatchObject({
      user: { email, role: 'viewer', organisation_id: service.id, state: 'active', provider: 'company' },
      organisations: [{ id: service.id }],
    })
    expect((await audit(first.body.user.id)).map(({ action }) => action)).toEqual([
      'user.join',
      'user.link',
      'user.login',
    ])
    expect((await audit(first.body.user.id)).at(-1)).toMatchObject({
      actor: email,
      after: { by: 'company', issuer: company.issuer },
    })

    company.accounts.set(id, { email: 'moved@example.com', email_verified: false, groups: ['admins'] })
    const second = await session(await signIn())
    expect(second.body.user).toMatchObject({ id: first.body.user.id, email, role: 'admin' })
    expect(await audit(first.body.user.id)).toContainEqual(
      expect.objectContaining({ action: 'user.role', after: expect.objectContaining({ role: 'admin' }) }),
    )
  })

  test('is an operator if the rule says so', async () => {
    newcomer(company, { groups: ['readers', 'ops'] })
    const { body } = await session(await signIn())
    expect(body.user.role).toBe('operator')
    expect(body.user.organisation_id).toBeUndefined()
  })

  test('is created once, also by concurrent sign-ins', async () => {
    const { email } = newcomer(company)
    const jars = await Promise.all([1, 2, 3, 4].map(() => signIn()))
    const ids = await Promise.all(jars.map(async (jar) => (await session(jar)).body.user.id))
    expect(new Set(ids).size).toBe(1)
    const [{ count } = { count: 0n }] = await service.db<{ count: bigint }[]>`
      select count(*) from users where email_key = ${email}`
    expect(Number(count)).toBe(1)
  })

  test('is rejected if no rule matches them, or none does any more', async () => {
    const { email, id } = newcomer(company, { groups: [] })
    expect(await refusal(await signIn())).toContain('no rule for Company account admits you')
    expect(await linked(email)).toBeUndefined()
    company.accounts.set(id, { email, email_verified: true, groups: ['readers'] })
    expect((await session(await signIn())).status).toBe(200)
    company.accounts.set(id, { email, email_verified: true, groups: [] })
    expect(await refusal(await signIn())).toBe('No rule for Company account assigns you a role any more.')
  })

  test('is rejected if they were disabled here', async () => {
    const { email } = newcomer(company)
    await signIn()
    await service.db`update users set disabled_datetime = now() where email_key = ${email}`
    expect(await refusal(await signIn())).toBe('This account is disabled.')
  })
})

test('a rule refers to the id of an organisation, whatever organisations are named', async () => {
  const provider = await startOidc({ service: () => beside.url })
  const meant = await service.organisation()
  const gone = '019a0000-0000-7000-8000-000000000000'
  const roles = [
    { ...rule('readers', 'viewer'), organisation: meant.id.toUpperCase() },
    { ...rule('lost', 'viewer'), organisation: gone },
  ]
  const providers = [{ name: 'company', label: 'Company', issuer: provider.issuer, ...CLIENT, scopes, roles }]
  const beside = await openService({ workers: false, beside: service, settings: { sign_in: { providers } } })
  // Any customer may choose any name: also that of another, or one that looks like an id.
  await service.db`update organisations set name = ${meant.id} where id = ${service.id}`
  newcomer(provider)
  for (const name of ['Acme', gone]) {
    await service.db`update organisations set name = ${name} where id <> ${service.id}`
    const jar = makeJar()
    await jar.go(`${beside.url}/console/sign-in/company`)
    const { body } = await read<Session>(jar, '/console/api/session', beside)
    expect(body.user).toMatchObject({ organisation_id: meant.id, role: 'viewer' })
  }
  newcomer(provider, { groups: ['lost'] })
  const jar = makeJar()
  await jar.go(`${beside.url}/console/sign-in/company`)
  expect((await read<SignInWays>(jar, '/console/api/sign-in', beside)).body.sentence).toBe(
    `A rule for Company names the organisation ${gone}, which does not exist.`,
  )
  await beside.close()
  await provider.close()
})

describe('an existing user', () => {
  test('is matched by a verified address, keeps their role, and can only sign in by the provider from then on', async () => {
    const ada = await person(service, service.id, service.id, 'finance')
    newcomer(other, { email: ada.email.toUpperCase(), groups: [] })
    const { body } = await session(await signIn('other'))
    expect(body.user).toMatchObject({ id: ada.id, role: 'finance', provider: 'other', state: 'active' })
    expect((await ada.call('GET', '/console/api/session')).status).toBe(401)
    expect((await post(service, '/console/api/login', { email: ada.email, password: PASSWORD })).status).toBe(401)
  })

  test('is not matched by an unverified address', async () => {
    const ada = await person(service, service.id)
    for (const claims of [{ email_verified: false }, { email_verified: undefined }, { email: undefined }]) {
      newcomer(company, { email: ada.email, groups: ['admins'], ...claims })
      expect(await refusal(await signIn())).toContain('your email address is verified')
    }
    expect((await ada.call('GET', '/console/api/session')).status).toBe(200)
    expect((await linked(ada.email))?.issuer).toBeNull()
  })

  test('cannot be taken over by another provider that claims the same address', async () => {
    const { email } = newcomer(company)
    const mine = await signIn()
    newcomer(other, { email })
    expect(await refusal(await signIn('other'))).toBe(
      `No user who logs in with Other account has the address ${email}, and no rule for Other account admits you.`,
    )
    expect((await session(mine)).status).toBe(200)
    expect((await linked(email))?.issuer).toBe(company.issuer)
  })

  test('is not matched by a provider that is not responsible for their organisation', async () => {
    const elsewhere = await service.organisation()
    const strangers = [await person(service, elsewhere.id), await person(service, null)]
    const unknown = newcomer(other, { groups: [] }).email
    const sentence = await refusal(await signIn('other'))
    for (const { id, email } of strangers) {
      // Without a rule they get the same error as an unknown address.
      newcomer(other, { email, groups: [] })
      expect(await refusal(await signIn('other'))).toBe(sentence?.replace(unknown, email))
      const [stranger] = await service.db`select issuer, password_hash from users where id = ${id}`
      expect(stranger).toMatchObject({ issuer: null, password_hash: expect.any(String) })
    }
  })

  test('has an account of another organisation beside the one a rule creates, and keeps both', async () => {
    const elsewhere = await service.organisation()
    const stranger = await person(service, elsewhere.id)
    newcomer(company, { email: stranger.email })
    const { body } = await session(await signIn())
    expect(body.user).toMatchObject({ email: stranger.email, organisation_id: service.id, role: 'viewer' })
    expect(body.user?.id).not.toBe(stranger.id)
    expect((await stranger.call('GET', '/console/api/session')).status).toBe(200)
    const login = { email: stranger.email, password: stranger.password }
    expect((await post<Session>(service, '/console/api/login', login)).body.user?.id).toBe(stranger.id)
  })

  test('loses the invitation link when they sign in by the provider', async () => {
    const { email } = newcomer(other)
    const { token } = await inviteUser(service, COMMAND_LINE, { email, organisation_id: service.id, role: 'viewer' })
    await signIn('other')
    expect((await post(service, '/console/api/welcome', { token, password: PASSWORD })).status).toBe(404)
  })
})

test('an invitation accepted while its owner signs in by a provider leaves one way to sign in', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const { email } = newcomer(other)
    const { token } = await inviteUser(service, COMMAND_LINE, { email, organisation_id: service.id, role: 'viewer' })
    const jar = makeJar()
    const { url } = await jar.go(start('other'), back('other'))
    const [welcomed] = await Promise.all([
      post(service, '/console/api/welcome', { token, password: PASSWORD }),
      jar.go(url),
    ])
    expect([200, 404]).toContain(welcomed.status)
    expect((await session(jar)).status).toBe(200)
    expect(await linked(email)).toMatchObject({ issuer: other.issuer, password_hash: null })
  }
  expect(service.log_lines.filter(({ level }) => level === 'error')).toEqual([])
})

describe('the response of a provider is rejected', () => {
  test('when another browser started the sign-in, when it is repeated, and when the state differs', async () => {
    newcomer(company)
    const jar = makeJar()
    const { url } = await jar.go(start(), back())
    const mallory = makeJar()
    expect((await mallory.go(url)).url).toBe(`${service.url}/console/`)
    expect(await refusal(mallory)).toContain('was started in another browser')

    const changed = new URL(url)
    changed.searchParams.set('state', 'another')
    const before = jar.cookie(service.url)
    await jar.go(changed.href)
    expect(await refusal(jar)).toContain('was started in another browser')

    // With a manually stored cookie: the code is valid once.
    const send = () => fetch(url, { redirect: 'manual', headers: { cookie: before } })
    expect((await send()).headers.getSetCookie().join()).toContain('gangan_session=')
    const again = await send()
    expect(again.headers.get('location')).toBe('/console/')
    expect(again.headers.getSetCookie().join()).not.toContain('gangan_session=')
  })

  test('when the sign-in was started with another provider', async () => {
    newcomer(company)
    const jar = makeJar()
    const { url } = await jar.go(start(), back())
    await jar.go(url.replace('/company/', '/other/'))
    expect(await refusal(jar)).toContain('was started in another browser')
  })

  test('when the nonce is not that of this browser', async () => {
    newcomer(company)
    const jar = makeJar()
    const { url } = await jar.go(start(), company.issuer)
    const asked = new URL(url)
    asked.searchParams.set('nonce', 'of-somebody-else')
    await jar.go(asked.href)
    expect(await refusal(jar)).toContain('could not be verified')
  })

  test.each([
    ['is for another audience', (claims: object) => ({ ...claims, aud: 'somebody-else' })],
    ['is from another issuer', (claims: object) => ({ ...claims, iss: other.issuer })],
    ['has expired', (claims: object) => ({ ...claims, exp: Math.floor(Date.now() / 1_000) - 600 })],
  ])('when the ID token %s', async (_, tamper) => {
    const { email } = newcomer(company)
    company.tamper = tamper
    expect(await refusal(await signIn())).toContain('could not be verified')
    expect(await linked(email)).toBeUndefined()
  })

  test('when the ID token is signed with an unknown key, but not when it is unmodified', async () => {
    const { email } = newcomer(company)
    company.stranger_signs = true
    expect(await refusal(await signIn())).toContain('could not be verified')
    expect(await linked(email)).toBeUndefined()
    company.stranger_signs = false
    company.tamper = (claims) => claims
    expect((await session(await signIn())).status).toBe(200)
  })
})

test('new signing keys of the provider do not fail sign-ins', async () => {
  newcomer(company)
  await signIn()
  await company.rotate()
  expect((await session(await signIn())).status).toBe(200)
})

describe('the sign-in page', () => {
  test('gets the sign-in methods, and an error message once', async () => {
    const jar = makeJar()
    company.who = null
    await signIn('company', jar)
    const ways = await jar.get(`${service.url}/console/api/sign-in`)
    expect(await ways.json()).toEqual({
      password: true,
      providers: [
        { name: 'company', label: 'Company account' },
        { name: 'other', label: 'Other account' },
      ],
      owes: [],
      sentence: 'Company account reports: You said no.',
    })
    expect((await read<SignInWays>(jar, '/console/api/sign-in')).body.sentence).toBeUndefined()
  })

  test('reports a provider that is unreachable, and the others keep working', async () => {
    const gone = await startOidc({ service: () => service.url })
    await gone.close()
    const beside = await openService({
      workers: false,
      beside: service,
      settings: {
        sign_in: {
          providers: [
            { name: 'gone', label: 'Gone', issuer: gone.issuer, ...CLIENT, existing_users: ['*'] },
            { name: 'other', label: 'Other', issuer: other.issuer, ...CLIENT, existing_users: ['*'] },
          ],
        },
      },
    })
    const jar = makeJar()
    await jar.go(`${beside.url}/console/sign-in/gone`)
    const { sentence } = (await (await jar.get(`${beside.url}/console/api/sign-in`)).json()) as SignInWays
    expect(sentence).toBe('Gone is not responding. Please try again later.')
    const { url } = await makeJar().go(`${beside.url}/console/sign-in/other`, other.issuer)
    expect(url.startsWith(other.issuer)).toBe(true)
    await beside.close()
  })

  test('does not query an unreachable provider at every click', async () => {
    let asked = 0
    const away = createServer((_, response) => {
      asked += 1
      response.writeHead(503).end()
    }).listen(0, '127.0.0.1')
    await once(away, 'listening')
    const issuer = `http://127.0.0.1:${listeningPort(away)}`
    const providers = [{ name: 'away', label: 'Away', issuer, ...CLIENT, existing_users: ['*'] }]
    const beside = await openService({ workers: false, beside: service, settings: { sign_in: { providers } } })
    for (const _ of [1, 2, 3]) {
      const jar = makeJar()
      await jar.go(`${beside.url}/console/sign-in/away`)
      const { sentence } = (await (await jar.get(`${beside.url}/console/api/sign-in`)).json()) as SignInWays
      expect(sentence).toBe('Away is not responding. Please try again later.')
    }
    expect(asked).toBe(1)
    await beside.close()
    away.closeAllConnections()
    away.close()
  })

  test('requests with PKCE, and a redirect to our own address', async () => {
    const { url } = await makeJar().go(start(), company.issuer)
    const asked = new URL(url).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT.client_id,
      redirect_uri: back(),
      scope: scopes.join(' '),
      code_challenge_method: 'S256',
    })
    expect(asked.get('state')).toMatch(/^[\w-]{43}$/)
    expect(asked.get('nonce')).toMatch(/^[\w-]{43}$/)
  })

  test('responds with 404 for a provider that is not configured', async () => {
    const answers = await Promise.all(['nobody', '..%2f'].map((name) => fetch(start(name))))
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
  })
})

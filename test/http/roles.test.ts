import Fastify, { type RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addGroup, API } from '../../src/http/api.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { isRead } from '../../src/http/route/authorize.ts'
import { SCOPES } from '../../src/organisations/schema.ts'
import { AREAS, mayDo, rightsOf, ROLES, type Area, type Role } from '../../src/users/roles.ts'
import { campaignOf } from '../support/campaign.ts'
import { person, type Person } from '../support/person.ts'
import { openService, type TestService } from '../support/service.ts'

type Walked = { method: string; url: string; area: Area }

let service: TestService
let people: Record<Role, Person>
let routes: RouteOptions[]

beforeAll(async () => {
  service = await openService({ workers: false })
  const made = await Promise.all(ROLES.map((role) => person(service, service.id, service.id, role)))
  people = Object.fromEntries(ROLES.map((role, n) => [role, made[n]])) as Record<Role, Person>
  routes = await everyRoute()
})
afterAll(() => service?.close())

async function everyRoute(): Promise<RouteOptions[]> {
  const app = Fastify({ exposeHeadRoutes: false })
  app.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  const found: RouteOptions[] = []
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler(() => JSON.stringify)
  app.addHook('onRoute', (route) => void found.push(route))
  // The routes are only listed here, not called.
  for (const group of API) addGroup(app, {} as HttpDeps, group)
  await app.ready()
  return found
}

/** The area of every route by the first matching path prefix: a route in another area fails a test. */
const AREA_OF_PATH: readonly (readonly [string, Area])[] = [
  ['/console/api/users', 'users'],
  ['/console/api/audit', 'audit'],
  ['/console/api/keys', 'keys'],
  ['/console/api/otps', 'otp'],
  ['/console/api/airtime/', 'airtime'],
  ['/console/api/messages', 'sms'],
  ['/console/api/', 'overview'],
  ['/lists/contact/sends', 'sms'],
  ['/lists/contact/smartlists/:id/send', 'sms'],
  ['/lists/', 'lists'],
  ['/people/', 'people'],
  ['/sms', 'sms'],
  ['/campaigns', 'sms'],
  ['/senders', 'sms'],
  ['/optouts', 'sms'],
  ['/inbound', 'sms'],
  ['/conversations', 'sms'],
  ['/media', 'sms'],
  ['/notes/', 'sms'],
  ['/templates', 'sms'],
  ['/whatsapp/templates', 'sms'],
  ['/otp/settings', 'settings'],
  ['/otp/guard/:prefix', 'settings'],
  ['/otp/', 'otp'],
  ['/airtime', 'airtime'],
  ['/lookup/', 'lookup'],
  ['/settings', 'settings'],
  ['/callbacks', 'callbacks'],
  ['/webhooks', 'callbacks'],
  ['/balance', 'balance'],
  ['/ledger', 'balance'],
  ['/requests', 'requests'],
  ['/analytics', 'overview'],
  ['/sandbox/', 'phones'],
  ['/hooks', 'keys'],
  ['/smpp/', 'keys'],
]

/** Routes for users about an organisation. A stream never ends, and is tested separately. */
function walked(): Walked[] {
  return routes.flatMap(({ method, url, config }) =>
    config?.area === undefined || url === EVENTS ? [] : [{ method: [method].flat()[0] ?? '', url, area: config.area }],
  )
}

const EVENTS = '/console/api/events'
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

async function isKeptOut(by: Person, { method, url }: Walked): Promise<boolean> {
  const body = method === 'GET' || method === 'DELETE' ? undefined : {}
  const answer = await by.call<{ message?: string }>(method, url.replace(/:\w+/g, UNKNOWN_ID), body)
  return answer.status === 403 && (answer.body.message ?? '').startsWith('Your role, ')
}

describe('the table of roles', () => {
  test('declares the rights of each role', () => {
    expect(Object.fromEntries(ROLES.map((role) => [role, Object.values(rightsOf(role)).join(' ')]))).toEqual({
      //         overview sms otp airtime lookup lists people settings callbacks balance phones keys users audit requests
      owner: 'read change change change change change change change change change change change change read read',
      admin: 'read change change change change change change change change change change change change read read',
      developer: 'read change change change change read read change change read change change read read read',
      marketer: 'read change read none change change none read none read change none read none none',
      finance: 'read read read read none none none read none change none none read read none',
      viewer: 'read read read read none read none read read read read none read none none',
    })
  })

  test('has an area for every route about an organisation', () => {
    const forgotten = routes.filter(({ config }) => {
      return (config?.scope !== undefined || config?.who === 'organisation') && config.area === undefined
    })
    expect(forgotten.map(({ url }) => url)).toEqual([])
    expect(new Set(walked().map(({ area }) => area))).toEqual(new Set(AREAS))
    expect(walked().length).toBeGreaterThan(70)
  })

  test('has every route in the area of what it changes or shows', () => {
    const wrong = walked().filter(({ url, area }) => AREA_OF_PATH.find(([path]) => url.startsWith(path))?.[1] !== area)
    expect(wrong.map(({ method, url, area }) => `${method} ${url}: ${area}`)).toEqual([])
  })

  test.each(ROLES)('is enforced on every route for a %s', async (role) => {
    const wrong: string[] = []
    for (const route of walked()) {
      const may = mayDo(role, route.area, !isRead(route.method, route.url))
      if ((await isKeptOut(people[role], route)) === may) wrong.push(`${route.method} ${route.url}`)
    }
    expect(wrong).toEqual([])
  })

  test('treats the estimate of a campaign as a change, recorded in the audit log', async () => {
    const id = await campaignOf(people.marketer, { content: 'Hello' }, [{ to: '2348031234567' }])
    const estimate = `/campaigns/${id}/estimate`
    for (const role of ['viewer', 'finance'] as const)
      expect((await people[role].call('POST', estimate)).status).toBe(403)
    const read = await people.viewer.call('GET', `/campaigns/${id}`)
    expect(read.body).toMatchObject({ status: 'draft' })
    expect((await people.marketer.call('POST', estimate)).status).toBe(200)
    const { body } = await people.owner.call<{ entries: object[] }>('GET', '/console/api/audit')
    expect(body.entries).toContainEqual(
      expect.objectContaining({ action: 'POST /campaigns/:id/estimate', subject: id }),
    )
  })

  test('allows read-only roles to POST queries', async () => {
    const asked = { recipients: '2348031234567', content: 'Hello', sender_id: 'Gangan' }
    expect((await people.viewer.call('POST', '/sms/estimate', asked)).status).toBe(200)
    expect((await people.viewer.call('POST', '/lists/contact/rows/query', {})).status).toBe(200)
  })

  test('allows owners and admins to erase a person, and developers to read only', async () => {
    const phone = '2348031234567'
    for (const role of ROLES) {
      const asked = await people[role].call('POST', '/people/erasures', { phone })
      expect([role, asked.status]).toEqual([role, ['owner', 'admin'].includes(role) ? 200 : 403])
    }
    expect((await people.developer.call('GET', '/people/erasures')).status).toBe(200)
    expect((await people.developer.call('POST', '/people/export', { phone })).status).toBe(200)
    for (const role of ['marketer', 'finance', 'viewer'] as const) {
      expect((await people[role].call('POST', '/people/export', { phone })).status).toBe(403)
    }
  })

  test('limits the keys a user creates: none exceeds the role', async () => {
    type Issued = { key: { id: string }; secret: string }
    const make = (role: Role, body: object) =>
      people[role].call<Issued>('POST', '/console/api/keys', { mode: 'test', ...body })
    for (const role of ['owner', 'admin', 'developer'] as const) {
      for (const scope of SCOPES) {
        const may = mayDo(role, scope, scope !== 'balance')
        expect([role, scope, (await make(role, { scopes: [scope] })).status]).toEqual([role, scope, may ? 200 : 403])
      }
    }
    const before = await service.db`select 1 from api_keys`
    for (const body of [{}, { scopes: ['sms', 'lists'] }, { mode: 'live' }]) {
      const refused = await make('developer', body)
      expect([refused.status, refused.body]).toMatchObject([
        403,
        { message: expect.stringContaining('your role, developer') },
      ])
    }
    // Invalid input is rejected as such.
    expect((await make('developer', { scopes: ['everything'] })).status).toBe(400)
    expect((await make('developer', { scopes: 'lists' })).status).toBe(400)
    const [all, lists, sms] = [
      await make('owner', {}),
      await make('owner', { scopes: ['lists'] }),
      await make('owner', { scopes: ['sms'] }),
    ]
    const rotate = ({ body }: typeof all) =>
      people.developer.call('POST', `/console/api/keys/${body.key.id}/rotate`, {})
    expect([(await rotate(all)).status, (await rotate(lists)).status, (await rotate(sms)).status]).toEqual([
      403, 403, 200,
    ])
    expect(await service.db`select 1 from api_keys`).toHaveLength(before.length + 4)
  })

  test('is returned to the page', async () => {
    const { body } = await people.finance.call('GET', '/console/api/session')
    expect(body).toMatchObject({ user: { role: 'finance' }, rights: { balance: 'change', lists: 'none' } })
  })
})

describe('a role', () => {
  const give = (by: Person, to: Person, change: object) => by.call('PATCH', `/console/api/users/${to.id}`, change)

  test('applies from the next request on, and is recorded in the audit log with the previous one', async () => {
    const other = await service.organisation()
    const owner = await person(service, other.id)
    const joe = await person(service, other.id, other.id, 'viewer')
    const write = () => joe.call('POST', '/templates', { name: 'a', content: 'b' })
    expect((await write()).status).toBe(403)
    expect((await give(owner, joe, { role: 'marketer' })).body).toMatchObject({ user: { role: 'marketer' } })
    expect((await write()).status).toBe(200)
    const { body } = await owner.call<{ entries: object[] }>('GET', '/console/api/audit')
    expect(body.entries).toContainEqual(
      expect.objectContaining({
        action: 'user.role',
        before: { email: joe.email, role: 'viewer' },
        after: { email: joe.email, role: 'marketer' },
      }),
    )
  })

  test('of an owner is changed by owners only, and never by oneself', async () => {
    const { owner, admin, viewer } = people
    for (const change of [{ role: 'viewer' }, { disabled: true }]) {
      expect((await give(admin, owner, change)).status).toBe(403)
    }
    expect((await give(admin, viewer, { role: 'owner' })).status).toBe(403)
    expect((await give(admin, admin, { role: 'owner' })).status).toBe(403)
    expect((await give(owner, owner, { role: 'viewer' })).status).toBe(400)
    expect((await give(owner, viewer, { role: 'king' })).status).toBe(400)
    expect((await give(owner, viewer, {})).status).toBe(400)
    const invite = (by: Person, role: string) =>
      by.call<{ user: { id: string } }>('POST', '/console/api/users', { email: `${role}-${by.id}@example.com`, role })
    expect((await invite(admin, 'owner')).status).toBe(403)
    const heir = await invite(owner, 'owner')
    expect(heir.body).toMatchObject({ user: { role: 'owner', state: 'invited' } })
    const again = `/console/api/users/${heir.body.user.id}/invite`
    expect((await admin.call('POST', again)).status).toBe(403) // The link would make them an owner.
    expect((await owner.call('POST', again)).status).toBe(200)
  })

  test('of owner remains with one of two owners who remove each other concurrently', async () => {
    const other = await service.organisation()
    const [one, two] = [await person(service, other.id), await person(service, other.id)]
    const answers = await Promise.all([give(one, two, { role: 'viewer' }), give(two, one, { role: 'viewer' })])
    expect(answers.map(({ status }) => status).sort()).not.toEqual([200, 200])
    const left = await service.db`select 1 from users where organisation_id = ${other.id} and role = 'owner'`
    expect(left.count).toBe(1)
    const operator = await person(service, null, other.id)
    const last = (await one.call('GET', '/console/api/users')).status === 200 ? [one, two] : []
    expect(last).toHaveLength(2)
    for (const each of last) expect((await give(operator, each, { role: 'owner' })).status).toBe(200)
  })
})

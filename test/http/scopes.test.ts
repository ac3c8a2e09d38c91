import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keys as keysCommand } from '../../src/cli/organisations/keys.ts'
import type { HttpDeps } from '../../src/http/deps.ts'
import { buildServer } from '../../src/http/server.ts'
import type { Scope } from '../../src/organisations/schema.ts'
import { newId } from '../../src/values/id.ts'
import { goodBodies, THINGS, type SaleWrite } from '../faults/leaves-fixtures.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { readOperations } from '../support/openapi.ts'
import { possessions } from '../support/possessions.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'

const ALL = ['sms', 'otp', 'airtime', 'lookup', 'lists', 'settings', 'callbacks', 'balance'] as Scope[]

/** The expected scopes, by chapter of the reference: repeated here, so that a mistake is noticed. */
const BY_CHAPTER: Record<string, string[]> = {
  Messages: ['sms'],
  Media: ['sms'],
  Campaigns: ['sms'],
  Senders: ['sms'],
  'Opt-outs': ['sms'],
  'Received texts': ['sms'],
  Conversations: ['sms'],
  Templates: ['sms'],
  'One-time passwords': ['otp'],
  Airtime: ['airtime'],
  Lookup: ['lookup'],
  Contacts: ['lists'],
  People: ALL,
  Balance: ['balance'],
  Requests: ALL,
  Analytics: ['sms', 'otp'],
  Settings: ['settings'],
  Callbacks: ['callbacks'],
  Webhooks: ['callbacks'],
  Hooks: ALL,
  'SMPP accounts': ALL,
  Sandbox: ALL,
}
const OTHERWISE: Record<string, string[]> = {
  'GET /otp/settings': ['settings'],
  'PATCH /otp/settings': ['settings'],
  'DELETE /otp/guard/{prefix}': ['settings'],
  'POST /lists/contact/sends': ['sms', 'lists'],
  'GET /lists/contact/sends/{id}': ['sms'],
  'DELETE /lists/contact/sends/{id}': ['sms'],
}

/** The scopes of API routes in the committed table of all routes: `POST /sms/send` → `sms`. */
const recorded = new Map(
  [...readFileSync('docs/routes.md', 'utf8').matchAll(/^\| ([A-Z]+)(?: only)? \| `([^`]+)` \| ([\w, ]+) \|/gm)]
    .map(([, method, path = '', who = '']) => [`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`, who] as const)
    .filter(([, who]) => who === 'all' || ALL.some((scope) => who.split(', ').includes(scope))),
)

const operations = readOperations().filter(({ needs_key }) => needs_key)
const expected = new Map(operations.map(({ name, tag }) => [name, OTHERWISE[name] ?? BY_CHAPTER[tag] ?? []]))

type Way = { method: string; path: string; needs: string[] }

let service: TestService
let owner: Organisation
let receiver: Receiver
/** Every method and path of the server, with `{id}` for parameters. */
let routes: { method: string; path: string }[]
/** The routes of the API with their scopes: the operations, their HEAD and their aliases. */
let ways: Way[]
let ids: Record<string, string>
let bodies: SaleWrite

beforeAll(async () => {
  service = await openService()
  receiver = await startReceiver()
  owner = await service.organisation({ credit: 1_000_000 })
  routes = await allRoutes()
  ways = routes.flatMap(({ method, path }) => {
    const needs = needsOf(method, path)
    return needs ? [{ method, path, needs }] : []
  })
  const place = { service, owner, receiver }
  ids = {}
  for (const { path } of operations) {
    if (path.includes('{')) ids[path] ??= (await THINGS[path]?.(place)) ?? ''
  }
  bodies = await goodBodies(place)
})
afterAll(async () => {
  await service.close()
  await receiver.close()
})

async function allRoutes(): Promise<typeof routes> {
  const found: typeof routes = []
  const app = await buildServer({} as HttpDeps, (empty) => {
    empty.addHook('onRoute', ({ method, url }) => {
      // Several methods in one entry are those that a path does not have.
      if (typeof method === 'string') found.push({ method, path: url.replaceAll(/:(\w+)/g, '{$1}') })
    })
  })
  await app.close()
  return found
}

function needsOf(method: string, path: string): string[] | undefined {
  const spelled = path.replace('get_by_recipient', 'get-by-recipient').replace('/{recipient}', '')
  return expected.get(`${method === 'HEAD' ? 'GET' : method} ${spelled}`)
}

/** A request that would succeed with a sufficient key. */
function goodRequest(
  { method, path }: Way,
  saleWrite: SaleWrite,
  id = ids[path],
): [string, string, object | undefined] {
  const filled = path.replace('{recipient}', '08031234567').replace(/\{\w+\}/, encodeURIComponent(id ?? ''))
  const body = saleWrite[`${method} ${path}`]?.[0]
  if (method === 'GET' && body) return [method, `${filled}?${new URLSearchParams({ ...body }).toString()}`, undefined]
  const asks = method === 'GET' && /get.by.recipient$/.test(path)
  return [method, asks ? `${filled}?recipient=08031234567` : filled, body]
}

test('every operation declares its scopes in the reference', () => {
  expect(operations.length).toBeGreaterThan(70)
  expect(Object.fromEntries(operations.map(({ name, scopes }) => [name, scopes]))).toEqual(Object.fromEntries(expected))
  expect([...expected].filter(([, needs]) => needs.length === 0)).toEqual([])
})

test('the table of all routes declares the same, for every method and alias', () => {
  const needed = ways.filter(({ method }) => method !== 'HEAD')
  expect(needed.length).toBeGreaterThan(80)
  expect(Object.fromEntries(recorded)).toEqual(
    Object.fromEntries(
      needed.map(({ method, path, needs }) => [`${method} ${path}`, needs === ALL ? 'all' : needs.join(', ')]),
    ),
  )
})

test('the command line lists every scope', () => {
  const words = keysCommand.find((form) => form.words === 'create')?.options.scopes?.about ?? ''
  expect(ALL.filter((scope) => !new RegExp(`\\b${scope}\\b`).test(words))).toEqual([])
})

test('every route of the API is tested: each operation, its HEAD, its aliases', () => {
  const walked = new Set(ways.map(({ method, path }) => `${method} ${path}`))
  expect([...expected.keys()].filter((name) => !walked.has(name))).toEqual([])
  expect(walked).toContain('HEAD /settings')
  expect(walked).toContain('GET /otp/get_by_recipient/{recipient}')
  expect([...recorded.keys()].filter((name) => !walked.has(name))).toEqual([])
  const open = routes.filter(({ path, method }) => !walked.has(`${method} ${path}`)).map(({ path }) => path)
  const known = /^\/($|console|phones\/v1|health|ready|metrics|openapi\.json|docs|l\/|airtime\/callbacks\/|carriers\/)/
  // Routes of vendor-compatible APIs are tested with the vendors' clients, in test/dialects.
  const dialects = /^\/(2010-04-01\/|v[12]\/|cgi-bin\/|hooks\/\{name\})/
  expect(open.filter((path) => !known.test(path) && !dialects.test(path))).toEqual([])
})

describe.each(ALL)('a key for %s alone', (scope) => {
  test('is rejected wherever that is insufficient, before any validation or change', async () => {
    const { call } = await service.organisation({ of: owner, scopes: [scope] })
    const closed = ways.filter(({ needs }) => needs.some((need) => need !== scope))
    expect(closed.length).toBeGreaterThan(60)
    const before = await possessions(service, owner)
    const wrong: string[] = []
    for (const way of closed) {
      const [method, path, body] = goodRequest(way, bodies)
      const answers = [await call(method, path, body)]
      // Invalid JSON and an unknown id: the key is checked first.
      if (body) answers.push(await call(method, path, '{"broken'))
      if (way.path.includes('{')) answers.push(await call(...goodRequest(way, bodies, newId())))
      for (const answer of answers) {
        const is_refusal = method === 'HEAD' || answer.body?.status === 403
        if (answer.status !== 403 || !is_refusal) wrong.push(`${method} ${path}: ${answer.status} ${answer.text}`)
      }
    }
    expect(wrong).toEqual([])
    expect(await possessions(service, owner)).toEqual(before)
  })

  test('has access to its own routes', async () => {
    const open = ways.filter(({ needs }) => needs.every((need) => need === scope))
    expect(open.length).toBeGreaterThan(0)
    expect(await refusedTo([scope], open)).toEqual([])
  })
})

test.each([
  ['with every scope', ALL],
  ['without scopes', undefined],
])('a key %s has access to everything', async (_name, scopes) => {
  expect(await refusedTo(scopes, ways)).toEqual([])
})

/**
 * The routes that a key with these scopes has no access to. Ids are unknown, because existing resources would be used
 * up.
 */
async function refusedTo(scopes: Scope[] | undefined, open: readonly Way[]): Promise<string[]> {
  const of = await service.organisation({ credit: 1_000_000 })
  const saleWrite = await goodBodies({ service, owner: of, receiver })
  const { call } = await service.organisation({ of, ...(scopes ? { scopes } : {}) })
  const wrong: string[] = []
  for (const way of open) {
    const [method, path, body] = goodRequest(way, saleWrite, newId())
    const { status, text } = await call(method, path, body)
    // Without a WhatsApp number all its templates are refused.
    const is_let_in =
      [200, 204, 404].includes(status) ||
      (status === 409 && path === '/whatsapp/templates') ||
      (status === 415 && path === '/media') // A file is missing.
    if (!is_let_in) wrong.push(`${method} ${path}: ${status} ${text}`)
  }
  return wrong
}

test('all scopes but one do not give access to the phones of the sandbox, nor does a test key', async () => {
  for (const left_out of ALL) {
    const scopes = ALL.filter((scope) => scope !== left_out)
    for (const mode of ['live', 'test'] as const) {
      const { call } = await service.organisation({ of: owner, mode, scopes: [...scopes, ...scopes] })
      expect((await call('GET', '/sandbox/messages')).status).toBe(403)
    }
  }
  const { call } = await service.organisation({ of: owner, mode: 'test', scopes: ALL })
  expect((await call('GET', '/sandbox/messages')).status).toBe(200)
})

test('a message to a smartlist requires the scope lists, because it reveals its contacts', async () => {
  const smartlist_id = ids['/lists/contact/smartlists/{id}']
  const body = { smartlist_id, content: 'Dear {{Name}}' }
  const before = await possessions(service, owner)
  const sms = await service.organisation({ of: owner, scopes: ['sms'] })
  for (const wish of [body, { smartlist_id: 7 }, { smartlist_id: newId() }]) {
    expect((await sms.call('POST', '/sms/send', wish)).status).toBe(403)
  }
  expect(await possessions(service, owner)).toEqual(before)
  const both = await service.organisation({ of: owner, scopes: ['sms', 'lists'] })
  expect((await both.call('POST', '/sms/send', body)).status).toBe(200)
})

test('no key has access to operations for users, so none can extend its own rights', async () => {
  const people = routes.filter(
    ({ path }) =>
      path.startsWith('/console/api/') && !/\/(login|enter|sign-in.*|welcome.*|api\/passkeys\/challenge)$/.test(path),
  )
  expect(people.length).toBeGreaterThan(30)
  const keys = [owner, await service.organisation({ of: owner, scopes: ['settings'] })]
  for (const { call } of keys) {
    for (const { method, path } of people) {
      const { status } = await call(method, path.replaceAll(/\{\w+\}/g, newId()), method === 'POST' ? {} : undefined)
      expect({ way: `${method} ${path}`, status }).toEqual({ way: `${method} ${path}`, status: 401 })
    }
  }
})

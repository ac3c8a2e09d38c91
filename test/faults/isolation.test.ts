import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import type { JsonSchema } from '../support/from-schema.ts'
import { readOperations, type Operation } from '../support/openapi.ts'
import { ownedTables, possessions } from '../support/possessions.ts'
import { startMetaServer, templatesAt, type MetaServer } from '../support/meta-server.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { BODIES, CARRIED, FIXTURES } from './isolation-fixtures.ts'
import { note } from './scale.ts'

let service: TestService
let owner: Organisation
let stranger: Organisation
let receiver: Receiver
let meta: MetaServer

const operations = readOperations()
const keyed = operations.filter(({ needs_key }) => needs_key)
/** A phone number belongs to no organisation: for another organisation's data the result is an empty list. */
const by_id = keyed.filter(({ path }) => path.includes('{') && !path.endsWith('{recipient}'))

beforeAll(async () => {
  meta = await startMetaServer()
  service = await openService(templatesAt(meta))
  receiver = await startReceiver()
  owner = await service.organisation({ credit: 100_000 })
  stranger = await service.organisation({ credit: 100_000 })
})
afterAll(async () => {
  await service.close()
  await receiver.close()
  await meta.close()
})

const filled = (operation: Operation, id: string): string => operation.path.replace(/\{\w+\}/, encodeURIComponent(id))

describe('an id of another organisation', () => {
  test('has a fixture for every path that takes one', () => {
    expect(by_id.length).toBeGreaterThan(15)
    expect(by_id.map(({ path }) => path).filter((path) => !FIXTURES[path])).toEqual([])
    const need_body = by_id.filter(({ body }) => 'application/json' in body).map(({ name }) => name)
    expect(need_body.filter((name) => !BODIES[name])).toEqual([])
  })

  test.each(by_id.map((operation) => ({ name: operation.name, operation })))('is a 404: $name', async (one) => {
    const { operation } = one
    const id = (await FIXTURES[operation.path]?.({ service, owner, receiver })) ?? ''
    expect(id).not.toBe('')
    const body = BODIES[operation.name]
    const before = await possessions(service, owner)
    const answer = await stranger.call(operation.method, filled(operation, id), body)
    expect(answer.status).toBe(404)
    expect(answer.text).not.toContain(owner.id)
    expect(await possessions(service, owner)).toEqual(before)
    // The owner's own call succeeds: the id was valid.
    expect((await owner.call(operation.method, filled(operation, id), body)).status).toBeLessThan(300)
  })

  test('has a case for every field that carries one', () => {
    const carried = keyed.flatMap(carriedIds)
    expect(carried.length).toBeGreaterThan(8)
    expect(carried.filter((name) => !CARRIED[name])).toEqual([])
  })

  test.each(Object.entries(CARRIED))('in a body or a query counts as unknown: %s', async (name, one) => {
    const id = await one.fixture({ service, owner, receiver })
    const [method = '', path = ''] = name.split(' ')
    const asked = one.ask(id)
    const before = await possessions(service, owner)
    const answer = await stranger.call(method, path + (asked.path ?? ''), asked.body)
    expect(answer.status).toBe(one.status)
    expect(await possessions(service, owner)).toEqual(before)
    const lists = Object.values(answer.body ?? {}).filter(Array.isArray)
    expect(answer.status === 200 ? lists.flat() : []).toEqual([])
  })
})

test('no list contains data of another organisation, not even with its query_id', async () => {
  for (const fixture of new Set(Object.values(FIXTURES))) await fixture({ service, owner, receiver })
  const theirs = (await possessions(service, owner)).flatMap(
    (row) => row.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [],
  )
  const ids = new Set(theirs)
  expect(ids.size).toBeGreaterThan(30)
  // The calls of the other organisation contain the ids it tried above: test/http/requests.test.ts covers that.
  const lists = keyed.filter(({ method, path }) => method === 'GET' && !path.includes('{') && path !== '/requests')
  let scrolled = 0
  for (const { path, parameters } of lists) {
    const query = parameters.some(({ name }) => name === 'recipient') ? '?recipient=08031234567&' : '?'
    const mine = await owner.call<{ meta?: { pagination?: { query_id?: string } } }>('GET', `${path}${query}limit=1`)
    const query_id = mine.body?.meta?.pagination?.query_id
    const paths = [`${path}${query}`]
    if (query_id) paths.push(`${path}${query}query_id=${encodeURIComponent(query_id)}`)
    scrolled += paths.length - 1
    for (const one of paths) {
      const { text } = await stranger.call('GET', one)
      const seen = (text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []).filter((id) => ids.has(id))
      expect({ one, seen }).toEqual({ one, seen: [] })
    }
  }
  expect(scrolled).toBeGreaterThan(2)
  note({
    promise: 'tenants apart',
    figure: `${by_id.length} operations by a foreign id: 404, nothing changed; ${Object.keys(CARRIED).length} foreign ids in bodies and queries; ${lists.length} lists without a foreign id; every statement on an organisation's table names it`,
  })
})

/**
 * Statements about all organisations: of the operator, the queue, retention, and the check whether the code of a short
 * link exists.
 */
const FOR_ALL =
  /^(forget|hasMargins|find(Imbalances|ChargeFaults|PurchaseFaults|All)|list(Whole|All)|findTaken|measure|claim|keep|finish|postpone|count)/

test('every statement on a table of organisations names the organisation, or is listed as one about all', async () => {
  const owned = (await ownedTables(service)).filter(
    (name) => !['jobs', 'report_jobs', 'reports', 'submissions', 'phone_messages', 'api_keys'].includes(name),
  )
  const stores = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('store.ts'))
  const loose: string[] = []
  const functionsOf = (file: string) => [
    ...readFileSync(join('src', file), 'utf8').matchAll(/^(?:export )?(?:async )?function (\w+)([\s\S]*?)^}/gm),
  ]
  const namingIn = (file: string) =>
    functionsOf(file)
      .filter(([, , body = '']) => body.includes('organisation_id'))
      .map(([, name]) => name)
  let seen = 0
  for (const file of stores) {
    if (/^(users|sign-in)\//.test(file)) continue // Users belong to an organisation or to none: test/http/console-access.test.ts.
    const functions = functionsOf(file)
    const naming = stores.filter((one) => dirname(one) === dirname(file)).flatMap(namingIn)
    for (const [, name = '', body = ''] of functions) {
      const touches = owned.some((table) => new RegExp(`\\b(from|into|update|join) ${table}\\b`).test(body))
      if (!touches) continue
      seen += 1
      // Some statements are composed by functions of the stores of a folder, one of which names it.
      const named = body.includes('organisation_id') || naming.some((one) => body.includes(`${one}(`))
      if (!named && !FOR_ALL.test(name)) loose.push(`${file} ${name}`)
    }
  }
  expect(seen).toBeGreaterThan(60)
  expect(loose).toEqual([])
})

/** `METHOD path field` of every field and query parameter that refers to a resource of an organisation. */
function carriedIds({ name, path, parameters, body }: Operation): string[] {
  const found: string[] = []
  const walk = (schema: JsonSchema | undefined, place: string): void => {
    for (const [field, of] of Object.entries(schema?.properties ?? {})) {
      if (isReference(field)) found.push(`${name} ${place}${field}`)
      walk(of, `${place}${field}.`)
      walk(of.items, `${place}${field}[].`)
    }
  }
  if (!path.includes('{')) walk(body['application/json'], '')
  for (const parameter of parameters) {
    if (parameter.in === 'query' && isReference(parameter.name)) found.push(`${name} ${parameter.name}`)
  }
  return found
}

/**
 * `sender_id` is a name on a display, and `query_id` only a position in a list: the lists above are requested with it. `id`
 * is the caller's own name of a button, and `wa_id` that of a WhatsApp user.
 */
function isReference(field: string): boolean {
  return /(^|_)id$/.test(field) && !/sender_id$|^query_id$|^wa_id$|^id$/.test(field)
}

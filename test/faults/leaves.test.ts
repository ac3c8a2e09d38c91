import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import type { JsonSchema } from '../support/from-schema.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { readOperations, type Parameter } from '../support/openapi.ts'
import { person } from '../support/person.ts'
import { startMetaServer, templatesAt, type MetaServer } from '../support/meta-server.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { consoleRoutes } from './console-routes.ts'
import { NASTY, NASTY_IN_PATH, NASTY_IN_QUERY, waysIn, writeWith, writeWithout } from './leaves.ts'
import { consoleIds, goodBodies, goodConsoleBodies, THINGS, type SaleWrite } from './leaves-fixtures.ts'
import { count, note, scale, WHOLE } from './scale.ts'
import { shuffled } from './shuffled.ts'

/** The time for all requests of a test: a slow machine sends fewer and reports that. */
const BUDGET_MS = WHOLE ? 3_600_000 : scale(6_000, 25_000)
/** Minimum of requests per operation, on any machine. */
const LEAST = scale(3, 10)
const CLIENTS = 16
const SEED = Number(process.env.GANGAN_SEED ?? Math.floor(Math.random() * 2 ** 31))

let service: TestService
let owner: Organisation
let receiver: Receiver
let meta: MetaServer
let pool: Pool

beforeAll(async () => {
  meta = await startMetaServer()
  service = await openService(templatesAt(meta))
  receiver = await startReceiver()
  owner = await service.organisation({ credit: 10_000_000 })
  pool = new Pool(service.url, { connections: CLIENTS, headersTimeout: 60_000 })
})
afterAll(async () => {
  await pool.close()
  await service.close()
  await receiver.close()
  await meta.close()
})

type Asked = { path: string; headers?: Record<string, string>; body?: string }
type Answer = { status: number; type: string; text: string; request_id: string | undefined }

/** The requests of an operation, and how its responses are validated. */
type Target = {
  name: string
  method: string
  headers: Record<string, string>
  asked: Asked[]
  check: (answer: Answer) => string[]
}

/** All variants of valid requests with one value replaced. */
function spoilt(path: string, parameters: readonly Parameter[], saleWrite: readonly object[]): Asked[] {
  const asked: Asked[] = saleWrite.flatMap((good) =>
    waysIn(good).flatMap((way) => [
      ...NASTY.map((text) => ({ path, body: writeWith(good, way, text) })),
      ...(way.length > 0 ? [{ path, body: writeWithout(good, way) }] : []),
    ]),
  )
  for (const { name, in: place } of parameters) {
    if (place === 'path') {
      asked.push(...NASTY_IN_PATH.map((text) => ({ path: path.replace(/[^/]*¶/, () => text || '%20') })))
    }
    if (place === 'query') {
      const queries = NASTY_IN_QUERY.flatMap((text) => [`${name}=${text}`, `${name}=1&${name}=${text}`])
      asked.push(...queries.map((query) => ({ path: `${path}?${query}` })))
    }
  }
  const plain = path.replace('¶', '')
  const keys = parameters.some(({ in: place }) => place === 'header') ? NASTY_KEYS : []
  const body = JSON.stringify(saleWrite[0])
  return [
    ...asked.map((one) => ({ ...one, path: one.path.replace('¶', '') })),
    ...keys.map((key) => ({ path: plain, headers: { 'idempotency-key': key }, body })),
  ]
}

const NASTY_KEYS = ['', ' ', 'x', 'x'.repeat(255), 'x'.repeat(256), 'a, b', '\u00e9', '"', '%00', '{}']

/** Sends all variants in random order, the operations in round robin, until the time is over. */
async function sendAll(targets: readonly Target[]): Promise<{ sent: number; fewest: number; of: number }> {
  const wrong: string[] = []
  const until = Date.now() + BUDGET_MS
  const queues = targets.map((target, n) => ({ target, line: shuffled(target.asked, SEED + n), sent: 0 }))
  let next = 0
  const client = async (): Promise<void> => {
    for (let idle = 0; idle < queues.length && wrong.length < 20;) {
      const queue = queues[(next += 1) % queues.length]
      const asked = queue && (queue.sent < LEAST || Date.now() < until) ? queue.line[queue.sent] : undefined
      idle = asked ? 0 : idle + 1
      if (!queue || !asked) continue
      queue.sent += 1
      const faults = await ask(queue.target, asked)
      if (faults.length > 0)
        wrong.push(`${queue.target.name}: ${faults.join('; ')}\n${JSON.stringify(asked).slice(0, 700)}`)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  const bugs = service.log_lines
    .filter(({ level }) => level === 'error')
    .map(({ details }) => String((details as { err?: Error }).err?.stack))
  expect({ seed: SEED, wrong, bugs: wrong.length > 0 ? [...new Set(bugs)].slice(0, 10) : [] }).toEqual({
    seed: SEED,
    wrong: [],
    bugs: [],
  })
  const sent = queues.map((queue) => queue.sent)
  return {
    sent: sent.reduce((a, b) => a + b, 0),
    fewest: Math.min(...sent),
    of: queues.reduce((sum, { line }) => sum + line.length, 0),
  }
}

async function ask(target: Target, asked: Asked): Promise<string[]> {
  const answer = await request(target, asked)
  const { status, text } = answer
  const faults = target.check(answer)
  if (status >= 500) faults.push(`answered ${status}`)
  if (!answer.request_id) faults.push('has no x-request-id')
  const body_status =
    status >= 400 && answer.type.startsWith('application/json') ? (JSON.parse(text) as object) : { status }
  if (!('status' in body_status && body_status.status === status)) faults.push('names another status')
  return faults
}

async function request(target: Pick<Target, 'method' | 'headers'>, { path, headers, body }: Asked): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const got = await pool.request({
    method: target.method,
    path,
    headers: { ...target.headers, ...type, ...headers },
    body: body ?? null,
  })
  return {
    status: got.statusCode,
    type: String(got.headers['content-type'] ?? ''),
    text: await got.body.text(),
    request_id: got.headers['x-request-id'] as string | undefined,
  }
}

/** Fields that are accepted only to reject them with a reason; the conversation of the fixture is by SMS. */
const ALWAYS_REFUSED: Record<string, object> = {
  'POST /sms/estimate': { smartlist_id: '' },
  'POST /conversations/{phone}/messages': { whatsapp: {} },
}

/** With a smartlist it responds like the operation that replaced it, as described there. */
const ANSWERS_ALSO_AS: Record<string, string> = { 'POST /sms/send': 'POST /lists/contact/sends' }

const fieldsOf = (bodies: readonly object[]): string[] => bodies.flatMap((body) => Object.keys(body))

/** Fields of a schema that no valid body has. */
function missingIn(schema: JsonSchema | undefined, saleWrite: readonly object[] | undefined): string[] {
  return Object.keys(schema?.properties ?? {}).filter((name) => !fieldsOf(saleWrite ?? []).includes(name))
}

test(
  'every replacement of any value of any request of openapi.json is answered as declared',
  async () => {
    const saleWrite = await goodBodies({ service, owner, receiver })
    const operations = readOperations()
    const targets: Target[] = []
    const missing: string[] = []
    for (const operation of operations) {
      const id = operation.path.includes('{')
        ? ((await THINGS[operation.path]?.({ service, owner, receiver })) ?? 'x')
        : ''
      const path = operation.path.replace(/\{\w+\}/, `${id}¶`)
      const own = saleWrite[operation.name] ?? []
      const headers = { authorization: owner.key }
      // The request must be valid before it is changed, or it would never pass the first check. Resources that can be
      // used once are not used up.
      if (operation.method !== 'DELETE') {
        for (const good of own) {
          const asked = { path: path.replace('¶', ''), body: JSON.stringify(good) }
          const answer = await request({ ...operation, headers }, asked)
          if (answer.status >= 300) missing.push(`${operation.name} ${asked.body}: ${answer.text}`)
        }
      }
      missing.push(
        ...missingIn(operation.body['application/json'], [...own, ALWAYS_REFUSED[operation.name] ?? {}]).map(
          (field) => `${operation.name} ${field}`,
        ),
      )
      targets.push({
        ...operation,
        headers,
        asked: spoilt(path, operation.parameters, own),
        check: (answer) => {
          const faults = operation.check(answer)
          const also = operations.find(({ name }) => name === ANSWERS_ALSO_AS[operation.name])
          return faults.length > 0 && also?.check(answer).length === 0 ? [] : faults
        },
      })
    }
    expect(missing).toEqual([])
    const { sent, fewest, of } = await sendAll(targets.filter(({ asked }) => asked.length > 0))
    expect(await auditMoney(service.db)).toEqual([])
    note({
      promise: 'robust API: every leaf of every request spoilt',
      figure: `${count(sent)} of ${count(of)} requests with one place spoilt, to ${targets.length} operations (at least ${fewest} each): no 5xx, every answer as declared; seed ${SEED}`,
    })
  },
  BUDGET_MS + 180_000,
)

test(
  'no replacement of any value of any console request causes an internal error',
  async () => {
    const routes = await consoleRoutes()
    expect(routes.length).toBeGreaterThan(30)
    const place = { service, owner, receiver }
    const saleWrite: SaleWrite = await goodConsoleBodies(place)
    const ids = await consoleIds(place)
    const operator = await person(service, null, owner.id)
    const targets: Target[] = []
    for (const { method, path, parameters, body } of routes) {
      const name = `${method} ${path}`
      const own = saleWrite[name] ?? []
      expect({ [name]: missingIn(body, own) }).toEqual({ [name]: [] })
      // Changing a password ends the session.
      const { cookie, csrf } = /\/me\/(password|totp)/.test(path) ? await person(service, null, owner.id) : operator
      const streams = path === '/console/api/events'
      const headers = { cookie, 'x-csrf-token': csrf, ...(streams ? {} : { 'x-organisation-id': owner.id }) }
      const filled = path.replace(/:\w+/, () => `${ids[path] ?? 'x'}¶`).replace(/:\w+/g, 'x')
      const asked = spoilt(filled, parameters, own)
      targets.push({ name, method, headers, asked, check: declaredForPeople })
    }
    const { sent, fewest, of } = await sendAll(targets.filter(({ asked }) => asked.length > 0))
    note({
      promise: 'robust API: every leaf of what the console asks for spoilt',
      figure: `${count(sent)} of ${count(of)} requests with one place spoilt, to ${targets.length} routes (at least ${fewest} each): no 5xx; seed ${SEED}`,
    })
  },
  BUDGET_MS + 180_000,
)

const STATUSES = [200, 204, 400, 401, 402, 403, 404, 409, 415, 429]

function declaredForPeople({ status, type }: Answer): string[] {
  if (!STATUSES.includes(status)) return [`answered ${status}`]
  return status >= 400 && !type.startsWith('application/json') ? [`is ${type}`] : []
}

import { cpus, loadavg } from 'node:os'
import * as fc from 'fast-check'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { breaking, fitting, nonsense, type Known } from '../support/from-schema.ts'
import { readOperations, type Operation } from '../support/openapi.ts'
import { startGangan, type Gangan } from '../support/process.ts'
import { until } from '../support/until.ts'
import { count, LONG, note, scale, WHOLE } from './scale.ts'
import { watchStalls, type Stall, type Stalls } from './stalls.ts'

/** Requests per operation, and the time for all of them: a slow machine sends fewer and reports that. */
const REQUESTS = scale(100, 10_000)
/** A file contains all data, to which every request adds: with this many requests the time would grow quadratically. */
const FILES = REQUESTS / 10
const BUDGET_MS = WHOLE ? 3_600_000 : scale(12_000, 70_000)
/** Requests per round; each operation gets at least one round, on any machine. */
const ROUND = scale(25, 100)
const CLIENTS = 24
const STALL_MS = 100
/** A longer path is not routed, whatever the operation. */
const LONGEST_ID = 100
const SEED = Number(process.env.GANGAN_SEED ?? Math.floor(Math.random() * 2 ** 31))

type Asked = { method: string; path: string; headers: Record<string, string>; body?: string }

const operations = readOperations()

let database: TestDatabase
let gangan: Gangan
let pool: Pool
let stalls: Stalls
/** Ids from responses: most requested ids should exist. */
const ids: string[] = Array.from({ length: 20 }, newId)

beforeAll(async () => {
  database = await freshDatabase()
  stalls = await watchStalls()
  gangan = await startGangan({ ...stalls.env, DATABASE_URL: database.url, GANGAN_CREDIT: '10000000000' })
  pool = new Pool(gangan.url, { connections: CLIENTS, headersTimeout: 60_000 })
})
afterAll(async () => {
  await pool.close()
  await gangan.end('SIGTERM')
  await stalls.close()
  await database.drop()
})

/** A callback address without a server: callbacks of the sandbox must not leave this machine. */
const NOWHERE = 'http://127.0.0.1:9/callback'
const phone = fc.oneof(
  fc.constantFrom('08031234567', '+234 803 123 4568', '2348000000003', '2348000000001', '447700900123'),
  fc.integer({ min: 0, max: 9_999_999 }).map((n) => `234803${String(n).padStart(7, '0')}`),
)
const id = fc.nat().map((n) => ids[n % ids.length] ?? '')
const known: Known = {
  recipients: fc.oneof(
    phone,
    fc.array(phone, { minLength: 1, maxLength: 5 }),
    fc.array(phone, { minLength: 1, maxLength: 5 }).map((list) => list.join(', ')),
  ),
  recipient: phone,
  phone,
  phones: fc.array(phone, { minLength: 1, maxLength: 5 }),
  to: phone,
  from: phone,
  callback: fc.constant(NOWHERE),
  url: fc.constant(NOWHERE),
  id,
  row_id: id,
  column_id: id,
  smartlist_id: id,
  template_id: id,
  subject_id: id,
  prefix: fc.constantFrom('234803123', '1'),
  vendor: fc.constantFrom('simulator', 'nobody'),
  columns: fc.record({ Name: fc.string({ maxLength: 20 }), Mobile: phone }, { requiredKeys: [] }),
  csv: fc
    .array(fc.tuple(fc.string({ maxLength: 8 }), phone), { maxLength: 5 })
    .map((rows) => `Name,Mobile\n${rows.map((row) => row.join(',')).join('\n')}`),
  network: fc.constantFrom('MTN', 'glo', 'Airtel', '9mobile', 'NTEL'),
  amount: fc.integer({ min: 50, max: 500 }),
  operator: fc.constantFrom('contain', 'equal', 'empty', 'greater', 'is_any'),
  name: fc.constantFrom('Name', 'Email', 'Mobile'),
}

const asText = (value: unknown): string =>
  value !== null && typeof value === 'object' ? JSON.stringify(value) : String(value)
/** A lone surrogate cannot be encoded in a URL. */
const encode = (value: unknown): string => encodeURIComponent(Buffer.from(asText(value)).toString())

/** A request to the operation: most match its description, the others violate it in one place or completely. */
function requestTo(operation: Operation): fc.Arbitrary<Asked> {
  const values = operation.parameters.map((parameter) => {
    const fits = fitting(parameter.schema, known, parameter.name)
    const breaks = breaking(parameter.schema, known, parameter.name)
    const value = fc.oneof({ weight: 4, arbitrary: fits }, { weight: 1, arbitrary: breaks })
    return parameter.in === 'path' ? value : fc.option(value, { nil: undefined, freq: 2 })
  })
  return fc.tuple(fc.tuple(...values), bodyOf(operation), key(operation)).map(([given, body, authorization]) => {
    let { path } = operation
    const query: string[] = []
    const headers: Record<string, string> = { ...authorization, ...body.headers }
    for (const [n, parameter] of operation.parameters.entries()) {
      const value = given[n]
      if (parameter.in === 'path')
        path = path.replace(`{${parameter.name}}`, encode(asText(value).slice(0, LONGEST_ID)) || 'x')
      else if (value !== undefined && parameter.in === 'query') query.push(`${parameter.name}=${encode(value)}`)
      else if (value !== undefined) headers[parameter.name] = encode(value).slice(0, 300)
    }
    const asked = { method: operation.method, path: query.length > 0 ? `${path}?${query.join('&')}` : path, headers }
    return body.body === undefined ? asked : { ...asked, body: body.body }
  })
}

function key({ needs_key }: Operation): fc.Arbitrary<Record<string, string>> {
  if (!needs_key) return fc.constant({})
  const right = fc.constant({ authorization: gangan.key ?? '' })
  const wrong = fc.constantFrom<Record<string, string>>({}, { authorization: 'gg_live_wrong' }, { authorization: '' })
  return fc.oneof({ weight: 40, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

type Body = { headers: Record<string, string>; body?: string }

function bodyOf({ body }: Operation): fc.Arbitrary<Body> {
  const schema = body['application/json']
  if (!schema) return fc.constant({ headers: {} })
  const json = (value: unknown): Body => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value) ?? 'null',
  })
  return fc.oneof(
    { weight: 10, arbitrary: fitting(schema, known).map(json) },
    { weight: 8, arbitrary: breaking(schema, known).map(json) },
    { weight: 1, arbitrary: nonsense.map(json) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Body>(
        { headers: {} },
        { headers: { 'content-type': 'application/json' }, body: '' },
        { headers: { 'content-type': 'application/json' }, body: '{"a":' },
        { headers: { 'content-type': 'application/json' }, body: '['.repeat(2_000) },
        { headers: { 'content-type': 'text/html' }, body: '<p>' },
        { headers: { 'content-type': 'nonsense' }, body: '{}' },
      ),
    },
  )
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** What the service logged about a request; its log is written a moment later. */
async function logged(request_id: unknown): Promise<string> {
  const find = () =>
    gangan
      .output()
      .split('\n')
      .find((line) => line.includes(String(request_id)))
  return until('the log of a request', find, 2_000).catch(() => 'not logged')
}

/** Sends a request, and returns the errors of the response. */
async function ask(operation: Operation, asked: Asked): Promise<{ status: number; faults: string[] }> {
  const answer = await pool.request({
    method: asked.method,
    path: asked.path,
    headers: asked.headers,
    body: asked.body ?? null,
  })
  const text = await answer.body.text()
  const status = answer.statusCode
  if (status === 200 && text.length < 5_000) {
    for (const seen of text.match(UUID) ?? []) ids[Math.floor(Math.random() * 200)] = seen
  }
  const type = String(answer.headers['content-type'] ?? '')
  const faults = operation.check({ status, type, text })
  // A 503 of the readiness check is not an error.
  if (status >= 500 && !(status === 503 && operation.name === 'GET /ready'))
    faults.push(`answered ${status}`, await logged(answer.headers['x-request-id']))
  if (answer.headers.connection === 'close') faults.push('closes the connection')
  if (!answer.headers['x-request-id']) faults.push('has no x-request-id')
  const stated = type.startsWith('application/json') && status >= 400 && (JSON.parse(text) as { status: number }).status
  if (stated !== false && stated !== status) faults.push('names another status')
  return { status, faults }
}

/** The requests left to send to an operation, generated per round. */
type Line = { operation: Operation; number: number; sent: number; of: number }

/** One round of an operation: some requests, several at a time. */
async function takeTurn(line: Line, wrong: string[], by_status: Map<number, number>): Promise<void> {
  const { operation, number } = line
  const many = Math.min(ROUND, line.of - line.sent)
  const requests = fc.sample(requestTo(operation), { numRuns: many, seed: SEED + number + line.sent })
  const waiting = requests.values()
  const client = async (): Promise<void> => {
    for (const asked of waiting) {
      if (wrong.length >= 20) return
      const { status, faults } = await ask(operation, asked).catch((fault: Error) => ({
        status: 0,
        faults: [`no answer: ${fault.message}`, gangan.output().slice(-1_000)],
      }))
      by_status.set(status, (by_status.get(status) ?? 0) + 1)
      if (faults.length > 0) {
        wrong.push(`${operation.name}: ${faults.join('; ')}\n${JSON.stringify(asked).slice(0, 500)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  line.sent += requests.length
}

test(
  'requests generated from openapi.json: no 5xx, every response as declared',
  async () => {
    expect(operations.length).toBeGreaterThan(40)
    const wrong: string[] = []
    const by_status = new Map<number, number>()
    const stood: (Stall & { name: string })[] = []
    const lines = operations.map((operation, number): Line => {
      return { operation, number, sent: 0, of: operation.is_file ? FILES : REQUESTS }
    })
    stalls.read() // Log entries of the start belong to no request.
    const end_ms = Date.now() + BUDGET_MS
    for (let sent_each = 0; sent_each < REQUESTS && Date.now() < end_ms && wrong.length < 20; sent_each += ROUND) {
      for (const line of lines) {
        if (sent_each > 0 && Date.now() > end_ms) break
        if (line.sent === line.of) continue
        await takeTurn(line, wrong, by_status)
        stood.push(...stalls.read().map((stall) => ({ ...stall, name: line.operation.name })))
      }
    }
    const sent = lines.reduce((sum, line) => sum + line.sent, 0)
    const fewestOf = (some: Line[]): number => Math.min(...some.map((line) => line.sent))
    const fewest = fewestOf(lines.filter(({ operation }) => !operation.is_file))
    const files = lines.filter(({ operation }) => operation.is_file)
    // Both checked together, so that a wrong response does not hide an imbalance.
    const money = await auditMoney(database.db)
    expect({ seed: SEED, sent, wrong, money }).toEqual({ seed: SEED, sent, wrong: [], money: [] })
    expect(fewest).toBeGreaterThanOrEqual(ROUND)
    expect(fewestOf(files)).toBeGreaterThanOrEqual(Math.min(ROUND, FILES))
    expect(by_status.get(200) ?? 0).toBeGreaterThan(sent / 10)
    expect(by_status.get(400) ?? 0).toBeGreaterThan(sent / 20)

    const statuses = [...by_status].sort(([a], [b]) => a - b).map(([status, of]) => `${status}: ${count(of)}`)
    note({
      promise: 'robust API: requests generated from openapi.json',
      figure: `${count(sent)} requests to ${operations.length} operations (at least ${count(fewest)} each, ${count(fewestOf(files))} each of ${files.length} that answer with a file), no 5xx, every answer as declared (${statuses.join(', ')}); seed ${SEED}`,
      goal: '10,000 per operation',
      met: fewest >= 10_000,
    })
    const worst = stood.sort((a, b) => b.computed_ms - a.computed_ms)[0] ?? {
      name: 'no operation',
      late_ms: 0,
      computed_ms: 0,
    }
    const longest_ms = Math.max(0, ...stood.map(({ late_ms }) => late_ms))
    note({
      promise: 'robust API: longest stall of the event loop',
      figure: `${worst.computed_ms.toFixed(0)} ms of computing, at ${worst.name}; by the clock ${longest_ms.toFixed(0)} ms, in which other processes had the cores as well`,
      goal: `< ${STALL_MS} ms`,
      met: worst.computed_ms < STALL_MS,
    })
    const quiet = (loadavg()[0] ?? 0) < cpus().length + 1
    expect(worst.computed_ms).toBeLessThan(LONG && quiet ? STALL_MS : Infinity)
  },
  BUDGET_MS + 120_000,
)

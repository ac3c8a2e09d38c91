import { readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { readOperations, type Operation } from '../support/openapi.ts'
import { startGangan, type Gangan } from '../support/process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { largeRequests, type Large } from './large.ts'
import { goodBodies, THINGS } from './leaves-fixtures.ts'
import { count, LONG, note, noteTable, scale, WHOLE } from './scale.ts'
import { shuffled } from './shuffled.ts'
import { watchStalls, type Stalls } from './stalls.ts'

/**
 * One caller's request must not stop the others: large and repetitive input for every place of every operation, to a
 * process of its own, while another connection asks for its health.
 */
const BUDGET_MS = WHOLE ? 3_600_000 : scale(8_000, 20_000)
/** However slow the machine, each operation gets these. */
const LEAST = scale(1, 4)
const STALL_MS = 250
const LARGEST_ANSWER = 1_048_576
const LARGEST_GROWTH = 256 * 1_048_576
const HEALTH_EVERY_MS = 10
const SEED = Number(process.env.GANGAN_SEED ?? Math.floor(Math.random() * 2 ** 31))

const MIB = 1_048_576
/** Bodies of these may be longer than a megabyte. */
const BODY_LIMITS: Record<string, number> = {
  'POST /sms/send': 8 * MIB,
  'POST /sms/estimate': 8 * MIB,
  'POST /lists/contact/rows/bulk': 8 * MIB,
  'POST /lists/contact/imports': 8 * MIB,
  'POST /campaigns/{id}/recipients': 8 * MIB,
}
/** A list, an export, or a document, as long as what there is to tell. */
const MAY_BE_LONG = /^GET |\/query$|\/export$/

let service: TestService
let owner: Organisation
let receiver: Receiver
let gangan: Gangan
let pool: Pool
let health: Pool
let stalls: Stalls

beforeAll(async () => {
  service = await openService()
  receiver = await startReceiver()
  owner = await service.organisation({ credit: 1_000_000_000 })
  stalls = await watchStalls()
  const env = { ...stalls.env, DATABASE_URL: service.database.url, GANGAN_PEPPER: 'the pepper of the tests' }
  gangan = await startGangan(env, ['--http'])
  pool = new Pool(gangan.url, { connections: 1, headersTimeout: 120_000 })
  health = new Pool(gangan.url, { connections: 1, headersTimeout: 120_000 })
})
afterAll(async () => {
  await pool.close()
  await health.close()
  await gangan.end('SIGTERM')
  await stalls.close()
  await service.close()
  await receiver.close()
})

type Target = { operation: Operation; line: Large[]; sent: number }
type Seen = { name: string; input: string; stall_ms: number; health_ms: number; rss: number }

async function makeTargets(): Promise<Target[]> {
  const place = { service, owner, receiver }
  const saleWrite = await goodBodies(place)
  const targets: Target[] = []
  for (const [n, operation] of readOperations().entries()) {
    const id = operation.path.includes('{') ? ((await THINGS[operation.path]?.(place)) ?? 'x') : ''
    const path = operation.path.replace(/\{\w+\}/, `${id}¶`)
    const limit = BODY_LIMITS[operation.name] ?? MIB
    const own = saleWrite[operation.name] ?? []
    const requests = largeRequests(path, operation.parameters, own, operation.body['application/json'], limit)
    if (requests.length > 0) targets.push({ operation, line: shuffled(requests, SEED + n), sent: 0 })
  }
  return targets
}

/** Asks with a key, and now and then without one; says what is wrong with the answer. */
async function ask({ operation }: Target, { path, body, input }: Large, with_key: boolean): Promise<string[]> {
  const asked = pool.request({
    method: operation.method,
    path,
    headers: {
      ...(with_key ? { authorization: owner.key } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    body: body?.() ?? null,
  })
  const answer = await asked.catch((cause: unknown) => {
    throw new Error(`${operation.name} ${input} is not answered`, { cause })
  })
  const text = await answer.body.text()
  const { statusCode: status } = answer
  const faults: string[] = []
  if (status >= 500) faults.push(`answered ${status}`)
  if (!with_key && operation.needs_key && status !== 401) faults.push(`answered ${status} without a key`)
  const long = text.length > LARGEST_ANSWER && !(status === 200 && MAY_BE_LONG.test(operation.name))
  if (long) faults.push(`answered ${text.length} characters`)
  const type = String(answer.headers['content-type'] ?? '')
  const { errors = [] } = (status === 400 && type.startsWith('application/json') ? JSON.parse(text) : {}) as {
    errors?: unknown[]
  }
  if (errors.length > 100) faults.push(`named ${errors.length} faults`)
  return faults.map((fault) => `${operation.name} ${input}: ${fault}`)
}

/** How long the slowest answer of /health took, while the work went on. */
async function watched(work: Promise<string[]>): Promise<{ faults: string[]; health_ms: number }> {
  let health_ms = 0
  let over = false
  const watch = async (): Promise<void> => {
    while (!over) {
      const began = performance.now()
      const { body } = await health.request({ method: 'GET', path: '/health' })
      await body.dump()
      health_ms = Math.max(health_ms, performance.now() - began)
      await new Promise((next) => setTimeout(next, HEALTH_EVERY_MS))
    }
  }
  const watching = watch()
  const faults = await work.finally(() => (over = true))
  await watching
  return { faults, health_ms }
}

function memory(): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gangan.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1_024
}

test(
  'large and repetitive input to every place of every operation stops nobody else',
  async () => {
    const targets = await makeTargets()
    expect(targets.length).toBeGreaterThan(40)
    stalls.read() // those of the start are nobody's request
    const wrong: string[] = []
    const seen: Seen[] = []
    const rss_before = memory()
    const until_ms = Date.now() + BUDGET_MS
    let sent = 0
    for (let round = 0, more = true; more && wrong.length < 20; round++) {
      more = false
      for (const target of targets) {
        const request = round < LEAST || Date.now() < until_ms ? target.line[target.sent] : undefined
        if (!request) continue
        more = true
        target.sent++
        const with_key = ++sent % 20 !== 0
        const { faults, health_ms } = await watched(ask(target, request, with_key))
        wrong.push(...faults)
        const stall_ms = Math.max(0, ...stalls.read().map(({ computed_ms }) => computed_ms))
        seen.push({ name: target.operation.name, input: request.input, stall_ms, health_ms, rss: memory() })
      }
    }
    expect({ seed: SEED, wrong }).toEqual({ seed: SEED, wrong: [] })
    expect(await auditMoney(service.db)).toEqual([])
    const largest = Math.max(...seen.map(({ rss }) => rss))
    const returned = await until('memory returns', () =>
      memory() < rss_before + LARGEST_GROWTH ? memory() : undefined,
    )
    tell(targets, seen, { sent, rss_before, largest, returned })
    const quiet = (loadavg()[0] ?? 0) < cpus().length + 1
    const worst = worstOf(seen)
    expect(worst.stall_ms, `${worst.name} ${worst.input}`).toBeLessThan(LONG && quiet ? STALL_MS : Infinity)
  },
  BUDGET_MS + 300_000,
)

function worstOf(seen: readonly Seen[]): Seen {
  return seen.reduce((worst, one) => (one.stall_ms > worst.stall_ms ? one : worst), seen[0]!)
}

const mib = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`

function tell(
  targets: readonly Target[],
  seen: readonly Seen[],
  { sent, rss_before, largest, returned }: Record<'sent' | 'rss_before' | 'largest' | 'returned', number>,
): void {
  const worst = worstOf(seen)
  const all = targets.reduce((sum, { line }) => sum + line.length, 0)
  note({
    promise: 'one caller does not stop the others: large and repetitive input',
    figure: `${count(sent)} of ${count(all)} requests to ${targets.length} operations: no 5xx, no answer over 1 MB but lists, at most 100 faults; longest computing ${worst.stall_ms.toFixed(0)} ms, at ${worst.name} (${worst.input}); memory ${mib(rss_before)}, at most ${mib(largest)}, afterwards ${mib(returned)}; seed ${SEED}`,
    goal: `< ${STALL_MS} ms`,
    met: worst.stall_ms < STALL_MS,
  })
  noteTable({
    title: 'Large and repetitive input',
    text: 'For each operation the input that kept the process busy longest, how long it computed without a break, the slowest `/health` on another connection meanwhile (other processes had the cores as well), and the memory of the process at its largest.',
    head: ['operation', 'requests', 'input', 'computing, ms', '/health, ms', 'memory'],
    rows: targets.map(({ operation, sent: of }) => {
      const own = seen.filter(({ name }) => name === operation.name)
      const { input, stall_ms } = worstOf(own)
      const health_ms = Math.max(...own.map((one) => one.health_ms))
      const rss = Math.max(...own.map((one) => one.rss))
      return [
        operation.name,
        count(of),
        `\`${input.replaceAll('|', '¦')}\``,
        stall_ms.toFixed(0),
        health_ms.toFixed(0),
        mib(rss),
      ]
    }),
  })
}

import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { temporaryFolder, type Folder } from '../support/folder.ts'
import { startGangan, type Gangan } from '../support/process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { PEPPER } from '../support/secret-seal.ts'
import { openService, type TestService, type Organisation } from '../support/service.ts'
import { until } from '../support/until.ts'
import type { Large } from './large.ts'
import { dialectTargets, postTargets, POSTS_CONFIG } from './large-posts.ts'
import { apiTargets, consoleTargets, pageTargets, type Target } from './large-targets.ts'
import { count, LONG, note, noteTable, scale, WHOLE } from './scale.ts'
import { shuffled } from './shuffled.ts'
import { watchStalls, type Stalls } from './stalls.ts'

/**
 * A request of one client must not block the others: large and repetitive input for every value of every route, to
 * separate processes, while another connection requests the health.
 */
const BUDGET_MS = WHOLE ? 12 * 60_000 : scale(8_000, 20_000)
/** Minimum of requests per operation, on any machine. */
const LEAST = scale(1, 4)
const STALL_MS = 250
const LARGEST_ANSWER = 1_048_576
const LARGEST_GROWTH = 256 * 1_048_576
const HEALTH_EVERY_MS = 10
const SEED = Number(process.env.GANGAN_SEED ?? Math.floor(Math.random() * 2 ** 31))

const MIB = 1_048_576
/** A list, an export, or a document, whose length depends on the data. */
const MAY_BE_LONG = /^GET |\/query$|\/export$/

/** A process, its connections, and the probe of its event loop. */
type Site = { gangan: Gangan; pool: Pool; health: Pool; stalls: Stalls }

let service: TestService
let owner: Organisation
let receiver: Receiver
let folder: Folder
/** One with the default configuration; one to which vendors, phones and an identity provider post. */
let sites: Site[] = []

beforeAll(async () => {
  service = await openService()
  receiver = await startReceiver()
  folder = await temporaryFolder()
  owner = await service.organisation({ credit: 1_000_000_000 })
  const config = join(folder.path, 'gangan.yaml')
  await writeFile(config, JSON.stringify(POSTS_CONFIG))
  sites = [await openSite({}), await openSite({ GANGAN_CONFIG: config })]
}, 300_000)
afterAll(async () => {
  for (const { gangan, pool, health, stalls } of sites) {
    await pool.close()
    await health.close()
    await gangan.end('SIGTERM')
    await stalls.close()
  }
  await service.close()
  await receiver.close()
  await folder.remove()
})

async function openSite(more: Record<string, string>): Promise<Site> {
  const stalls = await watchStalls()
  const env = { ...stalls.env, DATABASE_URL: service.database.url, GANGAN_PEPPER: PEPPER, ...more }
  const gangan = await startGangan(env, ['--http'])
  const pool = new Pool(gangan.url, { connections: 1, headersTimeout: 120_000 })
  return { gangan, stalls, pool, health: new Pool(gangan.url, { connections: 1, headersTimeout: 120_000 }) }
}

const PAGES = [
  '/',
  '/docs',
  '/openapi.json',
  '/l/abcdefgh',
  '/console',
  '/console/x',
  '/console/sign-in/company',
  '/console/sign-in/company/return',
  '/phones/v1/settings',
  '/cgi-bin/sendsms',
  '/carriers/whatsapp/whatsapp',
]

type At = Target & { site: Site }
type Seen = { name: string; input: string; stall_ms: number; health_ms: number; rss: number }

async function makeTargets(): Promise<At[]> {
  const place = { service, owner, receiver }
  const [own, posts] = sites as [Site, Site]
  const all = [
    ...[...(await apiTargets(place)), ...(await consoleTargets(place)), ...(await dialectTargets(owner))].map(
      (one) => ({
        ...one,
        site: own,
      }),
    ),
    ...[...(await postTargets(posts.gangan.url)), ...pageTargets(PAGES)].map((one) => ({ ...one, site: posts })),
  ]
  return all.map((one, n) => ({ ...one, line: shuffled(one.line, SEED + n) }))
}

/** Sends requests with a key, and some without one; returns the errors of the responses. */
async function ask(target: At, { path, type, body, input }: Large, with_key: boolean): Promise<string[]> {
  const { name, method, site } = target
  const text = body?.()
  const headers = {
    ...(with_key ? target.headers : {}),
    ...(text === undefined ? {} : { 'content-type': type ?? 'application/json', ...target.sign?.(text) }),
  }
  const asked = site.pool.request({ method, path, headers, body: text ?? null })
  const answer = await asked.catch((cause: unknown) => {
    throw new Error(`${name} ${input} gets no response`, { cause })
  })
  const said = await answer.body.text()
  const { statusCode: status } = answer
  const faults: string[] = []
  if (status >= 500 && !(status === 503 && target.may_be_away)) faults.push(`answered ${status}`)
  if (!with_key && target.needs_key && status !== 401) faults.push(`answered ${status} without a key`)
  const long = said.length > LARGEST_ANSWER && !(status === 200 && MAY_BE_LONG.test(name))
  if (long) faults.push(`answered ${said.length} characters`)
  const is_json = String(answer.headers['content-type'] ?? '').startsWith('application/json')
  const { errors = [] } = (status === 400 && is_json ? JSON.parse(said) : {}) as { errors?: unknown[] }
  if (errors.length > 100) faults.push(`named ${errors.length} faults`)
  return faults.map((fault) => `${name} ${input}: ${fault}`)
}

/** The longest response time of /health during the work. */
async function watched({ health }: Site, work: Promise<string[]>): Promise<{ faults: string[]; health_ms: number }> {
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

function memory({ gangan }: Site): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gangan.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1_024
}

test(
  'large and repetitive input for every value of every route does not block other clients',
  async () => {
    const targets = await makeTargets()
    expect(targets.length).toBeGreaterThan(220)
    for (const { stalls } of sites) stalls.read() // Log entries of the start belong to no request.
    const wrong: string[] = []
    const seen: Seen[] = []
    const rss_before = Math.max(...sites.map(memory))
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
        const { faults, health_ms } = await watched(target.site, ask(target, request, with_key))
        wrong.push(...faults)
        const stall_ms = Math.max(0, ...target.site.stalls.read().map(({ computed_ms }) => computed_ms))
        seen.push({ name: target.name, input: request.input, stall_ms, health_ms, rss: memory(target.site) })
      }
    }
    expect({ seed: SEED, wrong }).toEqual({ seed: SEED, wrong: [] })
    expect(await auditMoney(service.db)).toEqual([])
    const largest = Math.max(...seen.map(({ rss }) => rss))
    const returned = await until('memory to be released', () =>
      Math.max(...sites.map(memory)) < rss_before + LARGEST_GROWTH ? Math.max(...sites.map(memory)) : undefined,
    )
    noteResults(targets, seen, { sent, rss_before, largest, returned })
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

function noteResults(
  targets: readonly At[],
  seen: readonly Seen[],
  { sent, rss_before, largest, returned }: Record<'sent' | 'rss_before' | 'largest' | 'returned', number>,
): void {
  const worst = worstOf(seen)
  const all = targets.reduce((sum, { line }) => sum + line.length, 0)
  note({
    promise: 'one caller does not stop the others: large and repetitive input',
    figure: `${count(sent)} of ${count(all)} requests to ${targets.length} routes: no 5xx, no answer over 1 MB but lists, at most 100 faults; longest computing ${worst.stall_ms.toFixed(0)} ms, at ${worst.name} (${worst.input}); memory ${mib(rss_before)}, at most ${mib(largest)}, afterwards ${mib(returned)}; seed ${SEED}`,
    goal: `< ${STALL_MS} ms`,
    met: worst.stall_ms < STALL_MS,
  })
  noteTable({
    title: 'Large and repetitive input',
    text: 'For each route the input that kept the process busy longest, how long it computed without a break, the slowest `/health` on another connection meanwhile (other processes had the cores as well), and the memory of the process at its largest.',
    head: ['route', 'requests', 'input', 'computing, ms', '/health, ms', 'memory'],
    rows: targets.map(({ name: route, sent: of }) => {
      const own = seen.filter(({ name }) => name === route)
      const { input, stall_ms } = worstOf(own)
      const health_ms = Math.max(...own.map((one) => one.health_ms))
      const rss = Math.max(...own.map((one) => one.rss))
      return [
        route,
        count(of),
        `\`${input.replaceAll('|', '¦')}\``,
        stall_ms.toFixed(0),
        health_ms.toFixed(0),
        mib(rss),
      ]
    }),
  })
}

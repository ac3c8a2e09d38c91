import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Pool } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../bench/kannel.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { temporaryFolder } from '../support/folder.ts'
import { startGangan, type Gangan } from '../support/process.ts'
import { openService, type TestService } from '../support/service.ts'
import { bind, makeAccount, tryBind, type Login, type SmppClient } from '../support/smpp-client.ts'
import { until } from '../support/until.ts'
import { count, note, noteTable, scale, WHOLE } from './scale.ts'
import { floods, startFlood, type Flood } from './smpp-flood.ts'
import { watchStalls, type Stalls } from './stalls.ts'

/**
 * One organisation, or an unauthenticated client, floods the SMPP server of a process with the default limits, from a
 * separate process, while another organisation submits and another connection requests the health of the service.
 */
const FLOOD_MS = WHOLE ? 10_000 : scale(1_500, 3_000)
const EVERY_MS = 20
const MIB = 1_048_576
const HEALTH_P50_MS = 50

let service: TestService
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let stalls: Stalls
let gangan: Gangan
let health: Pool
let port: number
let flooder: Login
let quiet: Login
let client: SmppClient

beforeAll(async () => {
  service = await openService({ workers: false })
  folder = await temporaryFolder()
  port = await freePort()
  const path = join(folder.path, 'gangan.json')
  const carriers = [{ kind: 'simulator', name: 'simulator', report_delay_ms: 20 }]
  await writeFile(path, JSON.stringify({ carriers, smpp_server: { port, response_timeout_ms: 2_000 } }))
  stalls = await watchStalls()
  const env = { ...stalls.env, DATABASE_URL: service.database.url, GANGAN_PEPPER: 'the pepper of the tests' }
  gangan = await startGangan({ ...env, GANGAN_CONFIG: path })
  health = new Pool(gangan.url, { connections: 1, headersTimeout: 120_000 })
  flooder = await makeAccount(await service.organisation({ credit: 1_000_000_000 }), { max_binds: 20 })
  quiet = await makeAccount(await service.organisation({ credit: 1_000_000 }), { max_binds: 20 })
  client = await bind(port, quiet)
})
afterAll(async () => {
  client.close()
  await health.close()
  await gangan.end('SIGTERM')
  await stalls.close()
  await folder.remove()
  await service.close()
})

type Times = { health: number[]; submits: number[]; statuses: Set<number>; memory: number }

/** Requests the health and submits for the other organisation repeatedly, until the time is over. */
async function watch(ms: number): Promise<Times> {
  const seen: Times = { health: [], submits: [], statuses: new Set(), memory: 0 }
  const end = Date.now() + ms
  const again = async (ask: () => Promise<unknown>, times: number[]): Promise<void> => {
    do {
      const began = performance.now()
      await ask()
      times.push(performance.now() - began)
      seen.memory = Math.max(seen.memory, memory())
      await new Promise((next) => setTimeout(next, EVERY_MS))
    } while (Date.now() < end)
  }
  const askHealth = async () => (await health.request({ method: 'GET', path: '/health' })).body.dump()
  const submit = async () => {
    const answer = await client.submit({ destination_addr: '2348051234567', short_message: 'Hello' })
    seen.statuses.add(answer.command_status)
  }
  await Promise.all([again(askHealth, seen.health), again(submit, seen.submits)])
  return seen
}

function memory(): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${gangan.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1_024
}

const middle = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0
const both = (times: readonly number[]): string => `${middle(times).toFixed(1)} / ${Math.max(...times).toFixed(0)}`

type Row = {
  flood: Flood
  before: Times
  during: Times
  sent: number
  answered: number
  deliveries: number
  stall_ms: number
}

async function run(flood: Flood): Promise<Row> {
  const before = await watch(FLOOD_MS / 2)
  stalls.read()
  const flooding = await startFlood(flood, port, flooder)
  const during = await watch(FLOOD_MS)
  // A customer who binds during the flood succeeds as well.
  const late = await tryBind(port, quiet)
  const counted = await flooding.stop()
  late.close()
  const stall_ms = Math.max(0, ...stalls.read().map(({ computed_ms }) => computed_ms))
  expect({ flood: flood.name, late: late.status, statuses: [...during.statuses] }).toEqual({
    flood: flood.name,
    late: 0,
    statuses: [0],
  })
  await until('the connection slots of the flood to be free', async () => {
    const [row] = await service.db<{ n: number }[]>`
      select count(*)::integer as n from smpp_binds where leased_until > now()`
    return row?.n === 1
  })
  return { flood, before, during, ...counted, stall_ms }
}

test(
  'a flood over SMPP affects neither another organisation nor the health of the service',
  async () => {
    const rows: Row[] = []
    for (const flood of floods()) rows.push(await run(flood))
    expect(await auditMoney(service.db)).toEqual([])
    noteRows(rows)
  },
  10 * 60_000,
)

function noteRows(rows: readonly Row[]): void {
  const worst = Math.max(...rows.map(({ during }) => middle(during.health)))
  note({
    promise: 'one caller does not stop the others: floods over SMPP',
    figure: `${rows.length} floods: every submit of another organisation taken, and its binds; /health p50 at most ${worst.toFixed(1)} ms`,
    goal: `/health p50 < ${HEALTH_P50_MS} ms`,
    met: worst < HEALTH_P50_MS,
  })
  const per_s = (n: number): string => count(Math.round(n / (FLOOD_MS / 1_000)))
  noteTable({
    title: 'Floods over SMPP',
    text: `One organisation (20 binds of one account, default limits) or a stranger floods a service for ${FLOOD_MS / 1_000} s. Beside it another organisation submits one message after the other, and another connection asks for \`/health\`. Times are p50 / longest in ms, before the flood and during it; the machine carries the flood as well. Computing is the longest time without a break of the event loop.`,
    head: [
      'flood',
      'PDUs sent, /s',
      'answered, /s',
      'deliver_sm',
      '/health before',
      '/health during',
      'submit_sm before',
      'submit_sm during',
      'computing, ms',
      'memory',
    ],
    rows: rows.map(({ flood, before, during, sent, answered, deliveries, stall_ms }) => [
      flood.name,
      per_s(sent),
      per_s(answered),
      count(deliveries),
      both(before.health),
      both(during.health),
      both(before.submits),
      both(during.submits),
      stall_ms.toFixed(0),
      `${Math.round(during.memory / MIB)} MiB`,
    ]),
  })
}

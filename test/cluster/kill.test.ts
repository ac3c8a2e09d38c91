import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../src/db/connect.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { startGangan, type Gangan } from '../support/process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { PEPPER } from '../support/secret-seal.ts'
import { openService } from '../support/service.ts'
import { until } from '../support/until.ts'
import { isRefused, startLoad, type Load } from '../faults/load.ts'
import { count, note, scale } from '../faults/scale.ts'
import { cluster, nodeOf } from './nodes.ts'
import { findServer, type Server } from './servers.ts'

const KILLS = scale(4, 50)
const MESSAGES = scale(60, 500)
/** On a slow machine there are fewer kills, as the recorded result shows. */
const BUDGET_MS = scale(120_000, 900_000)
const CREDIT = 100_000
const PRICE = 4
const EACH = 2
const REST_MS = scale(120_000, 240_000)

type Account = { id: string; key: string; node: string; receiver: Receiver; load: Load }

describe.skipIf(!cluster)('a cluster', () => {
  let database: TestDatabase
  let servers: Server[] = []
  const accounts: Account[] = []
  const processes: Gangan[] = []
  let killed = 0
  let is_away = false
  let began = Date.now()
  const isLate = () => Date.now() - began > BUDGET_MS

  beforeAll(async () => {
    const found = await Promise.all(cluster?.nodes.map(findServer) ?? [])
    servers = found.flatMap((server) => server ?? [])
    if (servers.length !== found.length) throw new Error('its servers are not on this machine')
    database = await freshDatabase()
  })
  afterAll(async () => {
    for (const server of servers) await server.start()
    for (const gangan of processes) await gangan.end('SIGTERM')
    for (const { receiver } of accounts) await receiver.close()
    await database.drop()
  })

  const start = () => startGangan({ DATABASE_URL: database.url, GANGAN_PEPPER: PEPPER })

  /** Organisations on every worker, each with clients that retry until they have a response. */
  async function openAccounts(): Promise<void> {
    const service = await openService({ beside: { database }, workers: false })
    const wanted = EACH * (servers.length - 1)
    while (accounts.length < wanted) {
      const { id, key } = await service.organisation({ credit: CREDIT })
      const node = await nodeOf(database.db, id)
      if (accounts.filter((one) => one.node === node).length >= EACH) continue
      const receiver = await startReceiver()
      const load: Load = { answers: new Map(), retries: 0, reasons: [], finished: Promise.resolve() }
      accounts.push({ id, key, node, receiver, load })
    }
    await service.close()
  }

  function sendAll(): void {
    let request_number = 0
    // Half of them between two kills, half while a node is down.
    const allowed = () => {
      const part = (2 * killed + (is_away ? 2 : 1)) / (2 * KILLS + 1)
      return killed >= KILLS || isLate() ? MESSAGES : Math.ceil(MESSAGES * part)
    }
    for (const account of accounts) {
      const { key, receiver } = account
      const url = () => processes[(request_number += 1) % processes.length]?.url ?? ''
      account.load = startLoad({ key, receiver, messages: MESSAGES, clients: 3, url, allowed })
    }
  }

  test(
    'whose workers, coordinator and gangan are killed under load loses nothing and charges nothing twice',
    async () => {
      await openAccounts()
      processes.push(await start(), await start())
      began = Date.now()
      sendAll()
      /** Of organisations on the other workers, while one worker was down. */
      const others: { answered: number; refused: number; reasons: string[] } = { answered: 0, refused: 0, reasons: [] }
      const kinds: Record<string, number> = {}
      while (killed < KILLS && !isLate()) {
        const before = answered()
        await until('messages between two kills', () => answered() >= before + accounts.length || isOver(), 60_000)
        const victim = killed % (servers.length + 1)
        const server = servers[victim]
        if (!server) await killProcess()
        else {
          // A node that was killed before and is back may still be considered unreachable.
          if (victim > 0) await until('all nodes to be reachable', allSeen, 60_000)
          const spared = accounts.filter(({ node }) => node !== server.name)
          const start_of = tally(spared)
          await server.kill()
          is_away = true
          await new Promise((resolve) => setTimeout(resolve, 300 + Math.random() * 700))
          const end_of = tally(spared)
          is_away = false
          await server.start()
          if (victim > 0) {
            others.answered += end_of.answered - start_of.answered
            others.refused += end_of.retries - start_of.retries
            for (const [n, { load }] of spared.entries()) others.reasons.push(...load.reasons.slice(start_of.each[n]))
          }
        }
        const kind = !server ? 'gangan' : victim === 0 ? 'coordinator' : 'worker'
        kinds[kind] = (kinds[kind] ?? 0) + 1
        killed += 1
      }
      await Promise.all(accounts.map(({ load }) => load.finished))
      for (const account of accounts) await audit(database.db, account)
      expect(await auditMoney(database.db)).toEqual([])
      expect(accounts.reduce((sum, { load }) => sum + load.retries, 0)).toBeGreaterThan(0)
      note({
        promise: 'nothing accepted is lost: nodes of a cluster and gangan killed',
        figure: `${killed} kills (${Object.entries(kinds)
          .map(([kind, times]) => `${kind} ${times}`)
          .join(
            ', ',
          )}), ${count(MESSAGES * accounts.length)} messages of ${accounts.length} organisations: all found, balances exact, every callback delivered; while a worker was unreachable the organisations of others had ${others.answered} requests answered and ${others.refused} refused${others.reasons.map((reason) => ` [${reason}]`).join('')}`,
        goal: `${KILLS} kills`,
        met: killed === KILLS,
      })
    },
    scale(400_000, 1_800_000),
  )

  async function allSeen(): Promise<boolean> {
    const notified = await Promise.all(
      processes.map(async ({ url }) => {
        const answer = await fetch(`${url}/ready`).catch(() => undefined)
        return answer?.ok === true && !(await answer.text()).includes('nodes_away')
      }),
    )
    return notified.every(Boolean)
  }

  const answered = () => accounts.reduce((sum, { load }) => sum + load.answers.size, 0)
  const isOver = () => answered() >= MESSAGES * accounts.length

  function tally(some: readonly Account[]): { answered: number; retries: number; each: number[] } {
    return {
      each: some.map(({ load }) => load.reasons.length),
      answered: some.reduce((sum, { load }) => sum + load.answers.size, 0),
      retries: some.reduce((sum, { load }) => sum + load.retries, 0),
    }
  }

  async function killProcess(): Promise<void> {
    const n = killed % processes.length
    await processes[n]?.end('SIGKILL')
    processes[n] = await start()
  }
})

/**
 * Every answered request is stored once, with its final status; the balance is exact; every callback arrived, under one
 * id.
 */
async function audit(db: Db, { id, load, receiver }: Account): Promise<void> {
  let wrong: unknown[] = []
  // Also `unknown` ones: no report is lost, it may only arrive later than it was due.
  const right = until(
    'every delivery to end',
    async () => (wrong = await listWrong(db, id, load)).length === 0,
    REST_MS,
  )
  await right.catch(() => {})
  expect(wrong).toEqual([])
  await until('the intake to be empty', async () => (await countWaiting(db, id)) === 0, REST_MS)
  const [row] = await db<{ balance: number }[]>`
    select balance::float8 / 10000 as balance from balances where organisation_id = ${id}`
  const kept = [...load.answers.keys()].filter((n) => !isRefused(n)).length
  expect(row?.balance).toBe(CREDIT - PRICE * kept)
  const heard = () => new Map(receiver.received.map(({ json }) => [json.data.id, json.id]))
  await until('every callback', () => heard().size >= load.answers.size, REST_MS)
  const notified = new Set(receiver.received.map(({ json }) => `${json.data.id} ${json.id}`))
  expect(notified.size).toBe(load.answers.size)
}

type End = { message_id: string; status: string; refunded: boolean; description: string | null }

/** Accepted messages without the expected status, and messages that were never requested. */
async function listWrong(db: Db, organisation_id: string, { answers }: Load): Promise<unknown[]> {
  const deliveries = await db<End[]>`
    select message_id, status, refunded, description from deliveries where organisation_id = ${organisation_id}`
  const ends = new Map(deliveries.map((one) => [one.message_id, one]))
  const asked_for = new Set(answers.values())
  const wrong = [...answers].filter(([n, message_id]) => {
    const { status, refunded } = ends.get(message_id) ?? {}
    return status !== (isRefused(n) ? 'rejected' : 'delivered') || refunded !== isRefused(n)
  })
  return [
    ...wrong.map(([n, message_id]) => [n, ends.get(message_id)]),
    ...deliveries.filter(({ message_id }) => !asked_for.has(message_id)),
  ]
}

async function countWaiting(db: Db, organisation_id: string): Promise<number> {
  const [row] = await db<{ waiting: number }[]>`
    select count(*)::integer as waiting from intake where organisation_id = ${organisation_id}`
  return row?.waiting ?? 0
}

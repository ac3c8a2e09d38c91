import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connect, type Db } from '../../src/db/connect.ts'
import { startEmbedded } from '../../src/db/embedded/start.ts'
import { freshDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/folder.ts'
import { caller } from '../support/service.ts'
import { runGangan, startGangan, type Gangan } from '../support/process.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { auditLoad, startLoad } from './load.ts'
import { count, LONG, note, scale } from './scale.ts'

const CREDIT = 1_000_000
const CLIENTS = 40
/** Time until all work has ended: a lease of ten seconds, and the first delays of a callback. */
const REST_MS = scale(60_000, 120_000)

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let receiver: Receiver
const undo: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  folder = await temporaryFolder()
  receiver = await startReceiver()
})
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
  await receiver.close()
  await folder.remove()
})

/** Irregular delays between kills. */
const restless = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 400))

/** As many as there are kills, so that the load lasts as long as the killing. */
const share = (messages: number, kills: number, killed: () => number) => (): number =>
  killed() >= kills ? messages : Math.ceil((messages * (killed() + 1)) / (kills + 1))

test.runIf(LONG)(
  'killed repeatedly together with its embedded database: nothing is lost and nothing charged twice',
  async () => {
    const messages = scale(300, 3_000)
    const kills = scale(1, 12)
    const env = { GANGAN_DATA: folder.path }
    let gangan = await startGangan(env)
    undo.push(() => gangan.end('SIGTERM'))
    const { key = '' } = gangan
    let killed = 0
    const allowed = share(messages, kills, () => killed)
    const load = startLoad({ key, receiver, messages, clients: CLIENTS, url: () => gangan.url, allowed })
    while (killed < kills) {
      await restless()
      await gangan.end('SIGKILL')
      gangan = await startGangan(env)
      killed += 1
    }
    await load.finished
    const embedded = await startEmbedded({ data_dir: folder.path, owner: false })
    const db = connect(embedded.url_options, { connections: 2 })
    const { duplicates } = await auditLoad({ db, credit: CREDIT, receiver }, load, REST_MS)
    await db.end()
    expect(await runGangan(['balance', 'audit'], env)).toMatchObject({ code: 0 })
    expect(load.retries).toBeGreaterThan(0) // Otherwise no kill had an effect.
    note({
      promise: 'nothing accepted is lost: gangan killed, embedded database',
      figure: `${killed} kills, ${count(messages)} messages (${count(load.retries)} requests retried): all found, balance exact, every callback delivered, ${duplicates} of them twice`,
      goal: `${kills} kills`,
      met: killed === kills,
    })
  },
  scale(180_000, 300_000),
)

test(
  'three processes on one database, killed at random: nothing is lost and nothing charged twice',
  async () => {
    const messages = scale(400, 10_000)
    const kills = scale(2, 80)
    const budget_ms = scale(60_000, 170_000)
    const database = await freshDatabase()
    undo.push(() => database.drop())
    const env = { DATABASE_URL: database.url }
    const first = await startGangan(env)
    const { key = '' } = first
    const fleet: Gangan[] = [first, ...(await Promise.all([startGangan(env), startGangan(env)]))]
    const dead = new Set<Gangan>()
    undo.push(() => Promise.all(fleet.map((one) => one.end('SIGTERM'))))
    let killed = 0
    let request = 0
    // Another one each time. Starts take most of the time of the test, so clients do not retry at a process that is not
    // running.
    const url = (): string => {
      const alive = fleet.filter((one) => !dead.has(one))
      return (alive[(request += 1) % alive.length] ?? fleet[request % fleet.length])?.url ?? ''
    }
    const began = Date.now()
    const late = (): boolean => Date.now() - began > budget_ms
    const allowed = (): number => (late() ? messages : share(messages, kills, () => killed)())
    const load = startLoad({ key, receiver, messages, clients: CLIENTS, url, allowed })
    const killer = async (n: number): Promise<void> => {
      while (killed < kills && !late()) {
        await restless()
        const doomed = fleet[n]
        if (!doomed) return
        await doomed.end('SIGKILL')
        dead.add(doomed)
        killed += 1
        fleet[n] = await startGangan(env)
      }
    }
    await Promise.all(fleet.map((_, n) => killer(n)))
    await load.finished
    const { duplicates } = await auditLoad({ db: database.db, credit: CREDIT, receiver }, load, REST_MS)
    expect(load.retries).toBeGreaterThan(0)
    note({
      promise: 'nothing accepted is lost: gangan killed, three processes',
      figure: `${killed} kills, ${count(messages)} messages (${count(load.retries)} requests retried): all found, balance exact, every callback delivered, ${duplicates} of them twice`,
      goal: `${kills} kills, ${count(messages)} messages`,
      met: killed >= kills,
    })
  },
  scale(180_000, 400_000),
)

/** The embedded PostgreSQL of a running gangan, which only gangan restarts. */
async function ownPostgres(): Promise<{ db: Db; kill(): Promise<'server' | 'process'> }> {
  const embedded = await startEmbedded({ data_dir: folder.path, owner: false })
  const db = connect(embedded.url_options, { connections: 2 })
  undo.push(() => db.end({ timeout: 1 }))
  return {
    db,
    /** Every third time the whole server, otherwise one of its processes, after which it terminates all others. */
    async kill() {
      const whole = Math.random() < 0.33
      const [row] = await db<{ pid: number }[]>`
        select pid from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid() order by random() limit 1`
      process.kill(whole || !row ? postmasterOf(folder.path) : row.pid, 'SIGKILL')
      return whole ? 'server' : 'process'
    },
  }
}

/** The process that has the data folder in its command line. */
function postmasterOf(data_dir: string): number {
  const lines = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).split('\n')
  return Number(/^\s*(\d+)/.exec(lines.find((line) => line.includes(` -D ${data_dir}/`)) ?? '')?.[1])
}

test.runIf(LONG)(
  'PostgreSQL killed at random under a running gangan: it stays up, and nothing is lost',
  async () => {
    const messages = scale(400, 10_000)
    const kills = scale(2, 130)
    const budget_ms = scale(60_000, 140_000)
    const gangan = await startGangan({ GANGAN_DATA: folder.path })
    undo.push(() => gangan.end('SIGTERM'))
    const server = await ownPostgres()
    const { key = '' } = gangan
    const began = Date.now()
    const late = (): boolean => Date.now() - began > budget_ms
    const killed = { server: 0, process: 0 }
    const total = (): number => killed.server + killed.process
    const allowed = (): number => (late() ? messages : share(messages, kills, total)())
    const load = startLoad({ key, receiver, messages, clients: CLIENTS, url: () => gangan.url, allowed })
    while (total() < kills && !late()) {
      await restless()
      try {
        killed[await server.kill()] += 1
      } catch {
        continue // It has not recovered from the last kill yet.
      }
      // A kill during recovery tests nothing: wait until it works again.
      await until('PostgreSQL to recover', async () => (await server.db`select 1`.catch(() => [])).length === 1, 60_000)
    }
    await load.finished
    const { duplicates } = await auditLoad({ db: server.db, credit: CREDIT, receiver }, load, REST_MS)
    expect((await caller(gangan.url, key)('GET', '/balance')).status).toBe(200)
    expect(load.retries).toBeGreaterThan(0)
    note({
      promise: 'nothing accepted is lost: PostgreSQL killed',
      figure: `${total()} kills (${killed.server} of the server, ${killed.process} of one of its processes) under one gangan that stayed up, ${count(messages)} messages (${count(load.retries)} requests retried): all found, balance exact, every callback delivered, ${duplicates} of them twice`,
      goal: `${kills} kills, ${count(messages)} messages`,
      met: total() >= kills,
    })
  },
  scale(240_000, 400_000),
)

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { createKey } from '../../src/organisations/keys.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { numbersOf } from '../support/drafts.ts'
import { temporaryFolder } from '../support/folder.ts'
import { startNpmSmsc } from '../support/npm-smsc.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { startGangan, type Gangan } from '../support/process.ts'
import { caller } from '../support/service.ts'
import { smppCarrier, smppRoute } from '../support/smpp-carrier.ts'
import { until } from '../support/until.ts'
import { count, note, scale } from './scale.ts'

const SINGLES = scale(300, 3_000)
const LISTS = scale(3, 40)
const RECIPIENTS = 600
const TOTAL = SINGLES + LISTS * RECIPIENTS
const CLIENTS = 12
const CREDIT = 1_000_000
/** Their messages are charged, submitted and reported in shared writes. */
const ORGANISATIONS = 8
const PRICE = 4
const REST_MS = scale(90_000, 180_000)
const LIMIT_MS = scale(240_000, 400_000)

let database: TestDatabase
const undo: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  database = await freshDatabase()
})
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
  await database.drop()
})

/** Single messages with lists between them, each with its own key. */
const REQUESTS = Array.from({ length: SINGLES + LISTS }, (_, n) => {
  const every = Math.floor(SINGLES / LISTS) + 1
  const is_list = n % every === every - 1
  return { recipients: is_list ? numbersOf(RECIPIENTS) : [`234805${String(n).padStart(7, '0')}`], ref: `ref-${n}` }
})

type Load = { ids: Map<string, string>; retries: number; finished: Promise<void> }

/** Keys of several organisations, the first with the key that the service printed. */
async function makeKeys({ key = '' }: Gangan): Promise<string[]> {
  const { db } = database
  const keys = [key]
  while (keys.length < ORGANISATIONS) {
    const organisation_id = await foundOrganisation(db, BigInt(CREDIT) * 10_000n)
    keys.push(
      (await createKey({ db }, organisation_id, 'live', { name: null, scopes: null, expires_datetime: null })).key,
    )
  }
  return keys
}

/** A client whose connection is lost retries with the same key, at the process that serves then. */
function startLoad(target: () => Promise<Gangan>, keys: readonly string[]): Load {
  const load: Load = { ids: new Map(), retries: 0, finished: Promise.resolve() }
  let next = 0
  async function send({ recipients, ref }: (typeof REQUESTS)[number], key: string): Promise<void> {
    for (;;) {
      try {
        const body = { recipients: recipients.join(','), content: 'Hello', external_ref: ref }
        const call = caller((await target()).url, key)
        const answer = await call<{ id: string }>('POST', '/sms/send', body, { 'idempotency-key': ref })
        if (answer.status === 200) return void load.ids.set(ref, answer.body.id)
        expect([409, 503]).toContain(answer.status)
      } catch (fault) {
        if (!(fault instanceof TypeError)) throw fault // Otherwise the process died with our request in flight.
      }
      load.retries += 1
    }
  }
  async function client(): Promise<void> {
    for (let n = next++; n < REQUESTS.length; n = next++) {
      await send(REQUESTS[n] ?? expect.fail('no such request'), keys[n % keys.length] ?? '')
    }
  }
  load.finished = all(Array.from({ length: CLIENTS }, client))
  return load
}

async function all(clients: readonly Promise<void>[]): Promise<void> {
  await Promise.all(clients)
}

async function countRows(): Promise<number> {
  const [row] = await database.db<{ rows: number }[]>`select count(*)::integer as rows from intake`
  return row?.rows ?? 0
}

async function countDeliveries(): Promise<number> {
  const [row] = await database.db<{ count: number }[]>`
    select count(*)::integer as count from deliveries where status not in ('queued', 'sent')`
  return row?.count ?? 0
}

/** Nothing lost, nothing duplicated, the ledger exact, and the intake empty. */
async function auditAll({ ids }: Load): Promise<void> {
  const { db } = database
  await until('every delivery to end', async () => (await countDeliveries()) === TOTAL, REST_MS)
  const messages = await db<{ id: string; external_ref: string; recipients: string[] }[]>`
    select id, external_ref, array_agg(recipient order by position) as recipients
    from messages join deliveries on message_id = id group by id, external_ref`
  expect(new Map(messages.map(({ id, external_ref }) => [external_ref, id]))).toEqual(ids)
  const listed = new Map(messages.map(({ external_ref, recipients }) => [external_ref, recipients]))
  for (const { ref, recipients } of REQUESTS) expect(listed.get(ref)).toEqual(recipients)
  expect(messages).toHaveLength(REQUESTS.length)
  expect(await countRows()).toBe(0)
  const [row] = await db<{ balance: number }[]>`
    select sum(balance)::float8 / 10000 as balance from balances
    join organisations on id = organisation_id where mode = 'live'`
  expect(row?.balance).toBe(ORGANISATIONS * CREDIT - PRICE * TOTAL)
  expect(await auditMoney(db)).toEqual([])
}

async function auditHandsets(): Promise<void> {
  const [shown] = await database.db`
    select count(*)::integer as shown, count(distinct (message_id, recipient))::integer as different
    from sandbox_messages`
  expect(shown).toEqual({ shown: TOTAL, different: TOTAL })
  const [states] = await database.db`select count(*)::integer as other from deliveries where status <> 'delivered'`
  expect(states).toEqual({ other: 0 })
}

test(
  'a process that accepts and submits is killed repeatedly: nothing is lost and nothing sent twice',
  async () => {
    const kills = scale(1, 15)
    let gangan = startGangan({ DATABASE_URL: database.url })
    undo.push(async () => (await gangan).end('SIGTERM'))
    const load = startLoad(() => gangan, await makeKeys(await gangan))
    let left_behind = 0
    for (let killed = 0; killed < kills; killed += 1) {
      const enough = Math.floor((REQUESTS.length * (killed + 1)) / (kills + 1))
      await until('its share of the load', () => load.ids.size >= enough, REST_MS)
      await (await gangan).end('SIGKILL')
      left_behind += await countRows()
      gangan = startGangan({ DATABASE_URL: database.url })
    }
    await load.finished
    await auditAll(load)
    await auditHandsets()
    expect(left_behind).toBeGreaterThan(0) // Otherwise no kill happened in between.
    note({
      promise: 'nothing accepted is lost: killed between acceptance and submission, in one process',
      figure: `${kills} kills, ${count(SINGLES)} single messages and ${LISTS} lists of ${RECIPIENTS}, of ${ORGANISATIONS} organisations (${load.retries} requests retried, ${left_behind} rows of the intake left behind by the dead): every recipient got it once, balance exact`,
      goal: `${kills} kills`,
      met: true,
    })
  },
  LIMIT_MS,
)

test(
  'the accepting and the submitting process are killed repeatedly: nothing is lost and nothing sent twice',
  async () => {
    const kills = scale(1, 12)
    const target = await startGangan({ DATABASE_URL: database.url }, ['--http'])
    const load = startLoad(async () => target, await makeKeys(target))
    await load.finished
    await target.end('SIGKILL')
    const left_behind = await countRows()
    expect(left_behind).toBeGreaterThan(LISTS)
    for (let killed = 0; killed < kills; killed += 1) {
      const before = await countRows()
      const worker = await startGangan({ DATABASE_URL: database.url }, ['--worker'])
      await until('some to be submitted', async () => before === 0 || (await countRows()) < before)
      await worker.end('SIGKILL')
    }
    const worker = await startGangan({ DATABASE_URL: database.url }, ['--worker'])
    undo.push(() => worker.end('SIGTERM'))
    await auditAll(load)
    await auditHandsets()
    note({
      promise: 'nothing accepted is lost: killed between acceptance and submission, in separate processes',
      figure: `${kills + 1} kills, ${count(TOTAL)} recipients, all of them in ${left_behind} rows of the intake when their process was killed: every recipient got it once, balance exact`,
      goal: `${kills + 1} kills`,
      met: true,
    })
  },
  LIMIT_MS,
)

test(
  'killed with a carrier that must not get a message twice: only messages in its window are unknown',
  async () => {
    const kills = scale(1, 8)
    const window = 20
    const leased = window // The maximum that a process has in flight at an SMPP carrier.
    const smsc = await startNpmSmsc()
    const folder = await temporaryFolder()
    const path = join(folder.path, 'gangan.json')
    const settings = { carriers: [smppCarrier(smsc.port, { window })], routes: [smppRoute] }
    await writeFile(path, JSON.stringify(settings))
    const env = { DATABASE_URL: database.url, GANGAN_CONFIG: path }
    let gangan = startGangan(env)
    undo.push(
      () => folder.remove(),
      () => smsc.close(),
      async () => (await gangan).end('SIGTERM'),
    )
    const load = startLoad(() => gangan, await makeKeys(await gangan))
    for (let killed = 0; killed < kills; killed += 1) {
      const enough = Math.floor((TOTAL * (killed + 1)) / (kills + 2))
      await until('its share of the messages', () => smsc.submits.length >= enough, REST_MS)
      await (await gangan).end('SIGKILL')
      gangan = startGangan(env)
    }
    await load.finished
    const ended = async () => {
      const rows = await database.db<{ status: string; count: number }[]>`
        select status, count(*)::integer as count from deliveries group by status`
      return Object.fromEntries(rows.map(({ status, count: own }) => [status, own]))
    }
    const { sent = 0, unknown = 0 } = await until(
      'every message to be with the carrier, or unknown',
      async () => {
        const states = await ended()
        return (states.sent ?? 0) + (states.unknown ?? 0) === TOTAL && states
      },
      REST_MS,
    )
    expect(unknown).toBeLessThanOrEqual(kills * leased)
    // A number gets one text of every list that contains it.
    const wanted = new Map<string, number>()
    for (const { recipients } of REQUESTS) for (const to of recipients) wanted.set(to, (wanted.get(to) ?? 0) + 1)
    const got = new Map<string, number>()
    for (const { destination_addr: to } of smsc.submits) got.set(to, (got.get(to) ?? 0) + 1)
    const twice = [...got].filter(([to, times]) => times > (wanted.get(to) ?? 0))
    expect(twice).toEqual([])
    expect(smsc.submits.length).toBeGreaterThanOrEqual(sent)
    expect(await countRows()).toBe(0)
    expect(await auditMoney(database.db)).toEqual([])
    note({
      promise: 'nothing is sent twice: killed with a window of messages at a network that must not get them again',
      figure: `${kills} kills, ${count(TOTAL)} recipients, a window of ${window}: ${count(sent)} sent once, ${unknown} unknown, none twice, none lost`,
      goal: `at most ${leased} unknown for each kill`,
      met: unknown <= kills * leased,
    })
  },
  LIMIT_MS,
)

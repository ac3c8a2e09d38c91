import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import type { Costs } from '../../src/carriers/costs.ts'
import { connectBeside, type Db } from '../../src/db/connect.ts'
import { transaction } from '../../src/db/transaction.ts'
import type { Outcome } from '../../src/messaging/dispatch/decide.ts'
import { firstAttempts } from '../../src/messaging/dispatch/first-attempts.ts'
import { routeQueue } from '../../src/messaging/dispatch/queues.ts'
import { makeRecorder } from '../../src/messaging/dispatch/recorder.ts'
import { retries, type RetriedDelivery } from '../../src/messaging/dispatch/retry-worker.ts'
import { readQueued } from '../../src/messaging/dispatch/store.ts'
import { makeAcceptMessages } from '../../src/messaging/accept/accept.ts'
import type { LeasedDelivery } from '../../src/messaging/intake/leased-row.ts'
import type { Job } from '../../src/queue/store.ts'
import { makeClaims } from '../support/claims.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { draftOf, saleOf } from '../support/drafts.ts'
import { claimAll, putOff, writeOutcomes } from '../support/intake.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { makeTestCarrier } from '../support/route.ts'
import { makeSettler } from '../support/settling.ts'
import { between } from '../support/statements.ts'
import { until } from '../support/until.ts'
import { somebodyWaits } from '../support/waiting.ts'

/** Outcomes of many organisations at the same time. On a cluster each organisation has statements of its own. */

const ROUTE = 'sms'
/** Per page. Carrier c has no cost list. */
const CHARGED: Partial<Record<string, bigint>> = { a: 1_0000n, b: 2_0000n }
const FIRST_LANE = '00000000-0000-0000-0000-000000000000'

let database: TestDatabase
let kept: Db
let organisations: string[]

beforeEach(async () => {
  database = await freshDatabase()
  kept = connectBeside(database.db, { connections: 8, plans: 'kept' })
})
afterEach(async () => {
  await kept.end({ timeout: 1 })
  await database.drop()
})

/** A message of each organisation, leased by this process. */
async function leaseOneEach(count: number): Promise<LeasedDelivery[]> {
  organisations = []
  for (let n = 0; n < count; n += 1) organisations.push(await foundOrganisation(database.db, 1_000_0000n))
  await acceptOneEach()
  return leaseAll()
}

async function leaseAll(db = database.db): Promise<LeasedDelivery[]> {
  const claimed = await Promise.all(organisations.map((id) => claimAll(db, id)))
  return claimed.flat().flatMap(({ granted }) => granted)
}

async function acceptOneEach(db = database.db): Promise<void> {
  const wakeups = { wake() {}, onWake: () => () => {}, close: async () => {} }
  const { storeSales } = makeAcceptMessages({ db, shared_db: db, wakeups, submittersOf: () => [], depth: { add() {} } })
  for (const id of organisations) await storeSales(id, [saleOf(draftOf())])
}

function startRecorder(db = kept) {
  const { deps } = makeSettler(db)
  const log = { info() {}, warn() {}, error() {} }
  const target = { queue: routeQueue(ROUTE), carrier: makeTestCarrier({ name: 'line' }) }
  const first = makeRecorder({ ...deps, log }, { route: ROUTE }, firstAttempts({ ...deps, log }, ROUTE))
  const retry = makeRecorder({ ...deps, log }, { route: ROUTE }, retries({ ...deps, log }, target))
  return { first, retry, target }
}

const sent = (delivery: { message_id: string }): Outcome => ({
  kind: 'accepted',
  carrier_message_id: `line-${delivery.message_id}`,
  report_due_s: 3_600,
})

async function recordedOf(): Promise<Map<string, string>> {
  const rows = await database.db<{ organisation_id: string; status: string }[]>`
    select organisation_id, status from deliveries`
  return new Map(rows.map(({ organisation_id, status }) => [organisation_id, status]))
}

const idsOf = async () =>
  (await database.db<{ id: string }[]>`select carrier_message_id as id from submissions order by 1`).map(({ id }) => id)

const intakeRows = async () =>
  (await database.db<{ organisation_id: string }[]>`select organisation_id from intake`).map(
    (row) => row.organisation_id,
  )

/** Records the outcomes of all deliveries, and returns the statements with which that was done. */
async function statementsOf(name: string, work: () => Promise<unknown>): Promise<number> {
  let count = 0
  await between(
    kept,
    async (asked, ask) => {
      if (asked.text.includes(name)) count += 1
      return ask(asked)
    },
    work,
  )
  return count
}

test('accepted messages of 64 organisations are recorded by one statement', async () => {
  const deliveries = await leaseOneEach(64)
  const { first, target } = startRecorder()
  const count = await statementsOf('record_intake', () =>
    Promise.all(deliveries.map((delivery) => first.record(target, delivery, sent(delivery)))),
  )
  expect(count).toBe(kept.distributed ? 64 : 1)
  expect(await recordedOf()).toEqual(new Map(organisations.map((id) => [id, 'sent'])))
  expect(await idsOf()).toEqual(deliveries.map(({ message_id }) => `line-${message_id}`).sort())
  expect(await intakeRows()).toEqual([])
  expect(await database.db`select 1 from messages`).toHaveLength(64)
})

test('messages that several carriers have accepted are recorded by one statement, each with what its carrier charges', async () => {
  const deliveries = await leaseOneEach(8)
  const { deps } = makeSettler(kept)
  const costs: Costs = {
    in_use: true,
    of: (carrier) =>
      CHARGED[carrier] === undefined
        ? undefined
        : {
            billed_on: carrier === 'b' ? 'delivered' : 'submitted',
            use_answers: false,
            perPage: () => CHARGED[carrier],
          },
  }
  const recording = { ...deps, costs, log: { info() {}, warn() {}, error() {} } }
  const { record } = makeRecorder(recording, { route: ROUTE }, firstAttempts(recording, ROUTE))
  const targets = ['a', 'b', 'c'].map((name) => ({ queue: routeQueue(ROUTE), carrier: makeTestCarrier({ name }) }))
  const carrierOf = (n: number) => targets[n % 3]!
  const count = await statementsOf('record_intake', () =>
    Promise.all(
      deliveries.map((delivery, n) =>
        record(carrierOf(n), delivery, { kind: 'accepted', carrier_message_id: `${n}`, report_due_s: 3_600 }),
      ),
    ),
  )
  expect(count).toBe(kept.distributed ? 8 : 1)
  const stored = await database.db`
    select id.carrier_message_id as id, id.carrier, d.carrier as recorded, d.cost, d.cost_if_delivered as if_delivered
    from submissions id join deliveries d using (organisation_id, message_id, recipient) order by 1`
  expect(stored).toEqual(
    deliveries.map((_, n) => {
      const { name } = carrierOf(n).carrier
      const cost = CHARGED[name] ?? null
      return { id: `${n}`, carrier: name, recorded: name, cost, if_delivered: name === 'b' ? true : null }
    }),
  )
})

test('an organisation with another outcome is recorded alone, and the others together', async () => {
  const deliveries = await leaseOneEach(8)
  const { first, target } = startRecorder()
  const rejected: Outcome = { kind: 'rejected', code: '11', description: 'no such number' }
  const count = await statementsOf('record_intake', () =>
    Promise.all(deliveries.map((delivery, n) => first.record(target, delivery, n === 3 ? rejected : sent(delivery)))),
  )
  expect(count).toBe(kept.distributed ? 8 : 2)
  const states = organisations.map((id, n) => [id, n === 3 ? 'rejected' : 'sent'] as const)
  expect(await recordedOf()).toEqual(new Map(states))
})

test('retries of many organisations are recorded by one statement, and their jobs end', async () => {
  const leased = await leaseOneEach(8)
  const unsent = leased.map((delivery) => putOff(delivery, ROUTE))
  for (const one of unsent) await writeOutcomes(database.db, ROUTE, { unsent: [one] })
  const retried: RetriedDelivery[] = []
  for (const job of await claimJobs()) {
    const wanted = [{ message_id: job.subject_id, recipient: job.subject_key }]
    for (const found of await readQueued(database.db, job.organisation_id, wanted)) {
      retried.push({ ...found, organisation_id: job.organisation_id, job })
    }
  }
  expect(retried).toHaveLength(8)
  const { retry, target } = startRecorder()
  const count = await statementsOf('record_submitted', () =>
    Promise.all(retried.map((delivery) => retry.record(target, delivery, sent(delivery)))),
  )
  expect(count).toBe(kept.distributed ? 8 : 1)
  expect(await recordedOf()).toEqual(new Map(organisations.map((id) => [id, 'sent'])))
  expect(await database.db`select 1 from jobs`).toEqual([])
  expect(await idsOf()).toHaveLength(8)
})

async function claimJobs(): Promise<Job[]> {
  const claim = makeClaims(database.db, routeQueue(ROUTE))
  const found: Job[] = []
  await until('all jobs to be claimed', async () => {
    found.push(...(await claim({ limit: 100, lease_s: 300, except: [], after: FIRST_LANE })))
    return found.length === organisations.length
  })
  return found
}

test('an organisation whose rows are locked does not delay the others', async () => {
  const deliveries = await leaseOneEach(8)
  const [locked] = deliveries
  if (!locked) throw new Error('nothing was claimed')
  const { first, target } = startRecorder()
  const recording = await transaction(database.db, async (tx) => {
    await tx`
      select 1 from intake
      where organisation_id = ${locked.row.organisation_id} and id = ${locked.row.id} for update`
    const all = deliveries.map((delivery) => first.record(target, delivery, sent(delivery)))
    await Promise.all(all.slice(1))
    await until('the locked organisation to wait alone', () => somebodyWaits(database.db))
    expect(await intakeRows()).toEqual([locked.row.organisation_id])
    return { all }
  })
  await Promise.all(recording.all)
  expect(await recordedOf()).toEqual(new Map(organisations.map((id) => [id, 'sent'])))
  expect(await idsOf()).toHaveLength(8)
  expect(await intakeRows()).toEqual([])
})

test('a constraint violation of one organisation leaves the others recorded', async () => {
  const deliveries = await leaseOneEach(8)
  const [bad] = deliveries
  if (!bad) throw new Error('nothing was claimed')
  bad.pages = 0
  const { first, target } = startRecorder()
  await Promise.all(deliveries.map((delivery) => first.record(target, delivery, sent(delivery))))
  const good = organisations.filter((id) => id !== bad.row.organisation_id)
  expect(await recordedOf()).toEqual(new Map(good.map((id) => [id, 'sent'])))
  expect(await intakeRows()).toEqual([bad.row.organisation_id])
})

test('a statement that was committed, but not acknowledged, records nothing twice when it is repeated', async () => {
  const deliveries = await leaseOneEach(8)
  const { first, target } = startRecorder()
  let lost = false
  await between(
    kept,
    async (asked, ask) => {
      const answer = await ask(asked)
      if (lost || !asked.text.includes('record_intake')) return answer
      lost = true
      throw Object.assign(new Error('Connection terminated unexpectedly'), { code: 'ECONNRESET' })
    },
    () => Promise.all(deliveries.map((delivery) => first.record(target, delivery, sent(delivery)))),
  )
  expect(lost).toBe(true)
  expect(await recordedOf()).toEqual(new Map(organisations.map((id) => [id, 'sent'])))
  expect(await idsOf()).toEqual(deliveries.map(({ message_id }) => `line-${message_id}`).sort())
})

/** The intake is empty most of the time, and then full for a moment; a plan is kept whichever it was made for. */
test.skipIf(inject('cluster') !== undefined).each([
  { state: 'empty', rows: 0 },
  { state: 'full', rows: 5_000 },
])('rows are found by their key, also if the plan was made while the intake was $state', async ({ rows }) => {
  const only = connectBeside(database.db, { connections: 1, plans: 'kept' })
  const planned = await leaseOneEach(2)
  await database.db`delete from intake`
  await addLeased(only, rows)
  await database.db.unsafe('vacuum analyze intake')
  const { first, target } = startRecorder(only)
  await Promise.all(planned.map((delivery) => first.record(target, delivery, sent(delivery))))
  await addLeased(only, 500)
  await acceptOneEach(only)
  const deliveries = await leaseAll(only)
  expect(deliveries).toHaveLength(2)
  const before = await fetched(only)
  await Promise.all(deliveries.map((delivery) => first.record(target, delivery, sent(delivery))))
  expect((await fetched(only)) - before).toBe(4) // one for its messages and one to delete it
  await only.end({ timeout: 1 })
})

/** Rows of each organisation that other processes have leased. */
async function addLeased(db: Db, count: number): Promise<void> {
  await db`
    insert into intake (organisation_id, id, route, priority, first_id, last_id, size, leased_until, messages)
    select o, gen_random_uuid(), ${ROUTE}, 1, gen_random_uuid(), 'ffffffff-ffff-ffff-ffff-ffffffffffff', 1,
      now() + interval '1 h', '{}'
    from unnest(${organisations}::uuid[]) o cross join generate_series(1, ${count}::integer)`
}

/** Rows of the intake that were fetched so far. */
async function fetched(db: Db): Promise<number> {
  await db`select pg_stat_force_next_flush()`
  const [row] = await db<{ fetched: number }[]>`
    select (idx_tup_fetch + seq_tup_read)::integer as fetched from pg_stat_user_tables where relname = 'intake'`
  return row?.fetched ?? -1
}

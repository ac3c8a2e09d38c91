import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { OutgoingMessage, SubmitOutcome } from '../../src/carriers/message-carrier.ts'
import { refundLines } from '../../src/billing/store.ts'
import { transaction } from '../../src/db/transaction.ts'
import { routeQueue, routeQueues } from '../../src/messaging/dispatch/queues.ts'
import { makeRecorder } from '../../src/messaging/dispatch/recorder.ts'
import { retries, type RetriedDelivery } from '../../src/messaging/dispatch/retry-worker.ts'
import type { Job } from '../../src/queue/store.ts'
import type { Route } from '../../src/messaging/dispatch/route.ts'
import { PRIORITY, type Draft } from '../../src/messaging/draft.ts'
import { cancelUnsent } from '../../src/messaging/intake/store.ts'
import { auditMoney } from '../../src/messaging/settle/audit.ts'
import { makeClaims } from '../support/claims.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { draftOf, numbersOf, saleOf } from '../support/drafts.ts'
import { emptyIntake } from '../support/intake.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { accepted, makeTestCarrier, startRouteProcess, type RouteProcess, type TestCarrier } from '../support/route.ts'
import { makeSettler } from '../support/settling.ts'
import { between } from '../support/statements.ts'
import { until } from '../support/until.ts'

/** A database that fails during submission, while the process lives: no message is stuck, and none is sent twice. */

const CREDIT = 1_000_000_0000n
const FIRST_LANE = '00000000-0000-0000-0000-000000000000'

let database: TestDatabase
let by: string
let carrier: TestCarrier
const running: RouteProcess[] = []

beforeEach(async () => {
  database = await freshDatabase()
  by = await foundOrganisation(database.db, CREDIT)
  carrier = makeTestCarrier()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()))
  const faults = await auditMoney(database.db)
  await database.drop()
  if (faults.length > 0) throw new Error(faults.join('\n'))
})

async function start(route: Partial<Route> = {}): Promise<RouteProcess> {
  const one = await startRouteProcess(database.db, { carriers: [carrier], ...route })
  running.push(one)
  return one
}

/** In a process without workers. */
async function accept(draft: Draft, organisation_id = by): Promise<void> {
  const accepting = await startRouteProcess(database.db, {
    carriers: [makeTestCarrier({ freeCapacity: () => 0 })],
    name: 'nowhere',
  })
  await accepting.accept(organisation_id, [saleOf(draft)])
  await accepting.stop()
}

/** Deliveries with a job each, as retries have. */
async function acceptJobs(count: number): Promise<Draft> {
  const draft = draftOf({ deliveries: numbersOf(count) })
  await accept(draft)
  await emptyIntake(database.db, by)
  return draft
}

const lost = () => Object.assign(new Error('the connection broke'), { code: 'ECONNRESET' })
const statuses = async () =>
  (await database.db<{ status: string }[]>`select status from deliveries`).map(({ status }) => status)
const untilSent = (count: number) =>
  until(`${count} to be sent`, async () => {
    const all = await statuses()
    return all.length === count && all.every((status) => status === 'sent')
  })
const claimJobs = () =>
  makeClaims(database.db, routeQueue('sms'))({ limit: 10, lease_s: 10, except: [], after: FIRST_LANE })

/** Makes the first statement that contains the text fail, before or after it was executed. */
function failingOnce(name: string, work: () => Promise<unknown>, { whose = '', done = false } = {}): Promise<unknown> {
  let failed = false
  return between(
    database.db,
    async (asked, ask) => {
      const meant = !failed && asked.text.includes(name) && (whose === '' || asked.values.includes(whose))
      if (!meant) return ask(asked)
      failed = true
      if (done) await ask(asked)
      throw lost()
    },
    work,
  )
}

describe('rows of the intake', () => {
  test.each([
    ['failed', false],
    ['was carried out and its answer lost', true],
  ])('the rest of a slice is submitted, although fetching it %s', async (_, done) => {
    carrier = makeTestCarrier({ batch: 10, limit: 20 })
    await accept(draftOf({ deliveries: numbersOf(100), priority: PRIORITY.bulk }))
    const work = async () => {
      await start()
      await untilSent(100)
    }
    await failingOnce('advance_intake', work, { done })
    expect(carrier.taken).toHaveLength(100)
  })

  test('messages claimed for one organisation are submitted, although the claim for another failed', async () => {
    const other = await foundOrganisation(database.db, CREDIT)
    await accept(draftOf({ deliveries: numbersOf(5) }))
    await accept(draftOf({ deliveries: numbersOf(5) }), other)
    await failingOnce(
      'claim_intake',
      async () => {
        await start()
        await untilSent(10)
      },
      { whose: other },
    )
    expect(carrier.taken).toHaveLength(10)
  })

  test('a row whose lease expired is not claimed again by the process that still submits it', async () => {
    let answer: (outcome: SubmitOutcome) => void = () => {}
    const held = new Promise<SubmitOutcome>((resolve) => (answer = resolve))
    carrier.answer = () => held
    await accept(draftOf({ deliveries: numbersOf(3) }))
    await start()
    await until('the carrier to have them', () => carrier.taken.length === 3)
    await database.db`update intake set leased_until = now()`
    await until('the row to be claimed again', async () => {
      const [row] = await database.db<{ claims: number }[]>`select claims from intake`
      return row?.claims === 2
    })
    carrier.answer = accepted
    answer({ kind: 'held' }) // It was not submitted yet, so it is now.
    await untilSent(3)
    expect(carrier.taken).toHaveLength(6)
  })

  test('a message accepted while the response was lost is submitted, once', async () => {
    const own = await start()
    await until('the first poll', () => own.submitters.some((submitter) => submitter.reserve({ priority: 0, size: 0 })))
    await failingOnce(
      'accept_messages',
      () =>
        expect(own.accept(by, [saleOf(draftOf({ deliveries: numbersOf(2) }))], true)).rejects.toMatchObject({
          code: 'ECONNRESET',
        }),
      { done: true },
    )
    await untilSent(2)
    expect(carrier.taken).toHaveLength(2)
  })
})

describe('jobs', () => {
  test('are submitted, although unused rate tokens could not be returned', async () => {
    await acceptJobs(3)
    await failingOnce('set tokens = tokens +', async () => {
      await start({ rate_per_s: 50 })
      await untilSent(3)
    })
    expect(carrier.taken).toHaveLength(3)
  })

  test('whose lease expired are not claimed again by the process that still submits them', async () => {
    let answer: (outcome: SubmitOutcome) => void = () => {}
    const held = new Promise<SubmitOutcome>((resolve) => (answer = resolve))
    carrier.answer = () => held
    await acceptJobs(2)
    await start()
    await until('the carrier to have them', () => carrier.taken.length === 2)
    await database.db`update jobs set leased_until = now()`
    await until('them to be claimed again', async () => {
      const jobs = await database.db<{ attempts: number }[]>`select attempts from jobs`
      return jobs.length === 2 && jobs.every(({ attempts }) => attempts === 2)
    })
    answer({ kind: 'accepted', carrier_message_id: 'late', report_due_s: 3_600 })
    await untilSent(2)
    expect(carrier.taken).toHaveLength(2)
  })

  test('that were not submitted are released once, however often that is repeated', async () => {
    await acceptJobs(2)
    const [taken, held] = await claimJobs()
    if (!taken || !held) throw new Error('there are no jobs')
    const { deps } = makeSettler(database.db)
    const log = { info() {}, warn() {}, error() {} }
    const target = { queue: routeQueue('sms'), carrier }
    const recorder = makeRecorder({ ...deps, log }, { route: 'sms' }, retries({ ...deps, log }, target))
    const delivery = (job: Job): RetriedDelivery => ({
      organisation_id: by,
      message_id: job.subject_id,
      recipient: job.subject_key,
      channel: 'sms',
      sender_id: null,
      text: 'Hello',
      expires_in_s: null,
      pages: 1,
      sealed_text: null,
      tried: [],
      whatsapp: null,
      is_binary: false,
      opted_out: null,
      possible_carrier: null,
      callback: null,
      charge: 4_0000n,
      job,
    })
    let failed = false
    await between(
      database.db,
      async (asked, ask) => {
        if (failed || !asked.text.includes('record_submitted')) return ask(asked)
        failed = true
        await until('another process to claim it', async () => (await claimJobs()).length === 1)
        throw lost()
      },
      () =>
        Promise.all([
          recorder.record(target, delivery(taken), {
            kind: 'accepted',
            carrier_message_id: 'one',
            report_due_s: 3_600,
          }),
          recorder.record(target, delivery(held), { kind: 'held' }),
        ]),
    )
    expect(await database.db`select id, leased from jobs`).toEqual([{ id: held.id, leased: true }])
  })

  test('that wait for another carrier are canceled with their message', async () => {
    const draft = await acceptJobs(2)
    const [, second = ''] = routeQueues('sms', ['first', 'second'])
    await database.db`update jobs set queue = ${second}`
    const gone = await transaction(database.db, async (tx) => {
      const taken = await cancelUnsent(tx, by, [draft.id], [second])
      const refunds = taken.map(({ message_id: subject_id, recipient: subject_key, charge: amount }) => {
        return { subject_id, subject_key, amount }
      })
      await refundLines(tx, by, refunds)
      return taken
    })
    expect(gone).toHaveLength(2)
    expect(await statuses()).toEqual(['canceled', 'canceled'])
    expect(await database.db`select 1 from jobs`).toHaveLength(0)
  })

  test('that a carrier may have from an earlier attempt are unknown when their message is canceled', async () => {
    const draft = await acceptJobs(1)
    await database.db`update deliveries set carrier = 'own'`
    const gone = await transaction(database.db, (tx) => cancelUnsent(tx, by, [draft.id], [routeQueue('sms')]))
    expect(gone).toEqual([])
    expect(await database.db`select status, refunded from deliveries`).toEqual([{ status: 'unknown', refunded: false }])
    expect(await database.db`select 1 from jobs`).toHaveLength(0)
  })
})

describe('a carrier that fails with one message of several', () => {
  const failsWithFirst = () =>
    makeTestCarrier({
      submit(messages: readonly OutgoingMessage[]) {
        carrier.taken.push(...messages)
        return messages.map(async (message, n) => {
          if (n === 0) throw new Error('the result could not be recorded')
          return accepted(message)
        })
      },
    })
  const untilEnded = () =>
    until('all to have ended', async () => {
      const all = await statuses()
      return all.length === 4 && all.every((status) => status !== 'queued')
    })

  test('out of the intake', async () => {
    carrier = failsWithFirst()
    await accept(draftOf({ deliveries: numbersOf(4) }))
    await start()
    await untilEnded()
    expect((await statuses()).sort()).toEqual(['sent', 'sent', 'sent', 'unknown'])
    expect(carrier.taken).toHaveLength(4)
  })

  test('out of the queue', async () => {
    carrier = failsWithFirst()
    await acceptJobs(4)
    await start()
    await untilEnded()
    expect((await statuses()).sort()).toEqual(['sent', 'sent', 'sent', 'unknown'])
    expect(carrier.taken).toHaveLength(4)
  })
})

/** The carrier answers the first two of four messages only. The outcome of the others is unknown. */
describe('a carrier that returns fewer outcomes than messages', () => {
  const answersSome = (resubmittable: boolean) =>
    makeTestCarrier({
      resubmittable,
      async submit(messages: readonly OutgoingMessage[]) {
        carrier.taken.push(...messages)
        return messages.length < 4 ? messages.map(accepted) : messages.slice(0, 2).map(accepted)
      },
    })
  const sources = [
    ['a first attempt', () => accept(draftOf({ deliveries: numbersOf(4) }))],
    ['a retry', () => acceptJobs(4)],
  ] as const

  test.each(sources)('records the others as unknown immediately, at %s, and sends nothing twice', async (_, fill) => {
    carrier = answersSome(false)
    await fill()
    await start()
    await until('all to have ended', async () => {
      const all = await statuses()
      return all.length === 4 && all.every((status) => status !== 'queued')
    })
    expect((await statuses()).toSorted()).toEqual(['sent', 'sent', 'unknown', 'unknown'])
    expect(carrier.taken).toHaveLength(4)
    expect(await database.db`select 1 from jobs`).toHaveLength(0)
    // A report on the number of an unanswered message is matched.
    expect(await database.db`select 1 from submissions`).toHaveLength(4)
  })

  test.each(sources)('submits the others again, at %s, if it recognises repeated messages', async (_, fill) => {
    carrier = answersSome(true)
    await fill()
    await start()
    await untilSent(4)
    expect(carrier.taken).toHaveLength(6)
  })
})

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startCallbacks, type DeliverDeps } from '../../src/callbacks/deliver/deliver.ts'
import { recordAttempts, requeueBurst, type Attempt } from '../../src/callbacks/deliver/deliver-store.ts'
import { startReserved, reserveCallbacks } from '../../src/callbacks/deliver/reserved.ts'
import { endpointLane, newEvent } from '../../src/callbacks/enqueue.ts'
import type { PostOutcome } from '../../src/callbacks/post/outcome.ts'
import { readCallback } from '../../src/callbacks/read/read.ts'
import { replayCallback } from '../../src/callbacks/read/replay.ts'
import { newSecret } from '../../src/callbacks/signing/signature.ts'
import { byLayout } from '../../src/db/layout.ts'
import { connectBeside, type Db } from '../../src/db/connect.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { makeWakeups, type Wakeups } from '../../src/queue/wakeups.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { secret_seal } from '../support/secret-seal.ts'
import { between } from '../support/statements.ts'
import { until } from '../support/until.ts'

const URL = 'https://receiver.example/reports'
const SECRET = newSecret()
const OK: PostOutcome = { kind: 'answered', status: 200, excerpt: 'ok', duration_ms: 3 }
const FAULTY: PostOutcome = { kind: 'answered', status: 500, excerpt: 'no', duration_ms: 4 }

let database: TestDatabase
let work_db: Db
let wakeups: Wakeups
let by: string
let posts: string[]
let answer: (signal: AbortSignal | undefined) => PostOutcome | Promise<PostOutcome>
let workers: ReturnType<typeof startCallbacks>[]

beforeAll(async () => {
  database = await freshDatabase()
  work_db = connectBeside(database.db, { connections: 4, plans: 'kept' })
  work_db.nodes.direct = false // Statements are intercepted on their way to one server.
  // On a cluster a worker claims only for organisations it was notified of; elsewhere this tests the poll.
  wakeups = await makeWakeups(database.db)
})
afterAll(async () => {
  await wakeups.close()
  await work_db.end({ timeout: 1 })
  await database.drop()
})
beforeEach(async () => {
  by = await foundOrganisation(database.db, 0n)
  await database.db`delete from jobs`
  posts = []
  answer = () => OK
  workers = []
})
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
})

/** Senders of callbacks; several act as several processes. */
function start(more: Partial<DeliverDeps> = {}): ReturnType<typeof startCallbacks> {
  const worker = startCallbacks({
    db: work_db,
    wakeups,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    meters: makeMeters(),
    poster: {
      post: async (_, headers, _body, signal) => {
        posts.push(headers['webhook-id'] ?? '')
        return answer(signal)
      },
      close: async () => {},
    },
    secret_seal,
    secretsOf: async () => [SECRET],
    disable_after_days: 5,
    authTokenOf: () => '',
    takeAnswer: async () => {},
    ...more,
  })
  workers.push(worker)
  return worker
}

const written = (count: number) =>
  Array.from({ length: count }, () =>
    newEvent(by, { type: 'text.delivered', url: URL, subject_id: newId(), created_datetime: 'then', data: {} }),
  )

/** Stored as a leased batch; returns the events and the id of the batch. */
async function burst(count: number) {
  const events = written(count)
  for (const event of events) event.leased = true
  const [row] = await database.db<{ burst_ids: string[]; posts: number; waiting: number }[]>`
    select burst_ids::text[], posts, waiting from store_events(
      ${byLayout(database.db, { single_server: null, cluster: by })}, ${events.map(() => by)}::uuid[],
      ${events.map(({ id }) => id)}::uuid[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ url }) => url)}::text[], ${events.map(({ lane }) => lane)}::uuid[],
      ${events.map(({ subject_id }) => subject_id)}::uuid[], ${events.map(({ body }) => body)}::text[],
      ${events.map(({ leased }) => leased)}::boolean[], null, 10
    )`
  expect(row).toMatchObject({ posts: count, waiting: 0 })
  return { events, burst_id: BigInt(row?.burst_ids[0] ?? '') }
}

/** As the process that stored it does. */
async function handTo(worker: ReturnType<typeof startCallbacks>, count: number) {
  const place = { organisation_id: by, lane: endpointLane(by, URL) }
  await until('the first poll', () => worker.reserve(place))
  worker.startReserved(place, undefined, { ...NOTHING, id: '' })
  const { events, burst_id } = await burst(count)
  reserveCallbacks(worker, events)
  expect(events.every(({ leased }) => leased)).toBe(true)
  startReserved(worker, events, new Map(events.map(({ id }) => [id, burst_id])))
  return { events, burst_id }
}
const NOTHING = {
  type: '',
  url: URL,
  body: '',
  attempts: 0,
  age_s: 0,
  event_id: '',
  subject_id: '',
  webhook_id: null,
  secrets: null,
  format: null,
  muted: false,
}

type Row = { id: string; status: string; attempts: number }
const stored = () =>
  database.db<Row[]>`select id, status, attempts from callbacks where organisation_id = ${by} order by id`
type Job = { queue: string; subject_id: string; leased: boolean; due_s: number }
const jobs = () =>
  database.db<Job[]>`
    select queue, subject_id, leased, extract(epoch from run_at - now())::float8 as due_s
    from jobs where organisation_id = ${by} order by subject_id`
const allDelivered = () =>
  until('all delivered', async () => (await stored()).every(({ status }) => status === 'delivered'))

/** An attempt as recorded for a callback of a burst. */
const tryOf = (id: string, burst_id: bigint | null, more: Partial<Attempt> = {}): Attempt => ({
  organisation_id: by,
  id,
  webhook_id: null,
  url: URL,
  lane: endpointLane(by, URL),
  job_id: null,
  burst_id,
  made: 0,
  status: 'delivered',
  retry_ms: null,
  status_code: 200,
  reason: null,
  excerpt: 'ok',
  duration_ms: 3,
  waited_ms: null,
  is_retry: false,
  ...more,
})
const RETRY = { status: 'pending' as const, retry_ms: 5_000, status_code: 500 }

describe('a leased batch of callbacks', () => {
  test('is delivered with two versions of each row, and one job for all', async () => {
    const { events } = await handTo(start(), 20)
    await allDelivered()
    expect(posts.toSorted()).toEqual(events.map(({ id }) => id))
    await until('its job to be gone', async () => (await jobs()).length === 0)
    expect(await database.db`select 1 from callback_attempts where organisation_id = ${by}`).toEqual([])
  })

  test('creates one retry job for each callback that failed', async () => {
    const { events, burst_id } = await burst(2)
    const [first, second] = events.map(({ id }) => id)
    const retry = tryOf(first ?? '', burst_id, RETRY)
    await recordAttempts(work_db, [retry], [], 5)
    // The response was lost: the statement is repeated, and has no effect.
    await recordAttempts(work_db, [{ ...retry, is_retry: true, waited_ms: 900 }], [], 5)
    expect(await stored()).toMatchObject([{ attempts: 1, status: 'pending' }, { attempts: 0 }])
    const own = (await jobs()).filter(({ queue }) => queue === 'callbacks')
    expect(own).toMatchObject([{ subject_id: first, leased: false }])
    expect(own[0]?.due_s).toBeGreaterThan(3)
    await recordAttempts(work_db, [tryOf(second ?? '', burst_id)], [burst_id], 5)
    expect((await jobs()).map(({ queue }) => queue)).toEqual(['callbacks'])
  })

  test('that fails because of an internal error is requeued', async () => {
    let secrets = 0
    const worker = start({
      secretsOf: async () => {
        if ((secrets += 1) <= 2) throw new Error('no secrets')
        return [SECRET]
      },
    })
    const { events } = await handTo(worker, 5)
    await allDelivered()
    expect(posts.toSorted()).toEqual(events.map(({ id }) => id))
    await until('no job left', async () => (await jobs()).length === 0)
  })

  test('that is not done at shutdown is due immediately for the next process', async () => {
    const aborted: PostOutcome = { kind: 'failed', reason: 'aborted', description: 'Stopped.', duration_ms: 1 }
    answer = (signal) =>
      new Promise((resolve) => signal?.addEventListener('abort', () => resolve(aborted), { once: true }))
    const worker = start()
    await handTo(worker, 12)
    await until('eight posts', () => posts.length === 8)
    await worker.stop()
    expect(await jobs()).toMatchObject([{ queue: 'callback bursts', leased: false }])
    answer = () => OK
    start()
    await allDelivered()
    await until('no job left', async () => (await jobs()).length === 0)
  })
})

describe('a burst whose lease has ended', () => {
  test('is requeued by one of two processes that find it, and only pending callbacks are', async () => {
    const { events, burst_id } = await burst(3)
    const [delivered, ...others] = events.map(({ id }) => id)
    await recordAttempts(work_db, [tryOf(delivered ?? '', burst_id)], [], 5)
    const scattered = await Promise.all([requeueBurst(work_db, by, burst_id), requeueBurst(work_db, by, burst_id)])
    expect(scattered.toSorted()).toEqual([0, 2])
    expect(await jobs()).toMatchObject(others.map((subject_id) => ({ queue: 'callbacks', subject_id })))
  })

  test('is delivered by the next process, once', async () => {
    const { events } = await burst(30)
    await database.db`update jobs set leased_until = now() - interval '1 s'`
    start()
    start()
    await allDelivered()
    await until('no job left', async () => (await jobs()).length === 0)
    expect(posts.toSorted()).toEqual(events.map(({ id }) => id))
  })

  test('while its process is slow: each callback has one job, whichever process writes first', async () => {
    const { events, burst_id } = await burst(3)
    const [delivered = '', failed = '', untouched = ''] = events.map(({ id }) => id)
    await requeueBurst(work_db, by, burst_id)
    // The slow process does not know about it.
    await recordAttempts(work_db, [tryOf(delivered, burst_id), tryOf(failed, burst_id, RETRY)], [burst_id], 5)
    expect(await stored()).toMatchObject([
      { status: 'delivered', attempts: 1 },
      { status: 'pending', attempts: 1 },
      { status: 'pending', attempts: 0 },
    ])
    expect((await jobs()).map(({ subject_id }) => subject_id)).toEqual([delivered, failed, untouched])
    start()
    await allDelivered()
    await until('no job left', async () => (await jobs()).length === 0)
    expect(posts.toSorted()).toEqual([failed, untouched])
  })

  test('that its own process claims again is delivered once, including callbacks that wait for a slot', async () => {
    let give = () => {}
    const held = new Promise<PostOutcome>((resolve) => {
      give = () => resolve(OK)
    })
    answer = () => held
    const { events, burst_id } = await handTo(start(), 12)
    await until('eight posts', () => posts.length === 8)
    await requeueBurst(database.db, by, burst_id)
    await until('all claimed', async () => (await jobs()).every(({ leased }) => leased))
    give()
    await allDelivered()
    await until('no job left', async () => (await jobs()).length === 0)
    expect(posts.toSorted()).toEqual(events.map(({ id }) => id))
  })

  test('and a retry at the same moment leave one job', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { events, burst_id } = await burst(4)
      const tries = events.slice(0, 3).map(({ id }) => tryOf(id, burst_id, RETRY))
      await Promise.all([recordAttempts(work_db, tries, [], 5), requeueBurst(work_db, by, burst_id)])
    }
    const own = (await jobs()).map(({ subject_id }) => subject_id)
    expect(own).toEqual((await stored()).map(({ id }) => id))
  })
})

describe('while the database is unreachable', () => {
  const away = () => Object.assign(new Error('the server is shutting down'), { code: '57P01' })

  test('delivered callbacks are remembered, not delivered again, and recorded when the database is back', async () => {
    const worker = start()
    let refused = 0
    await between(
      work_db,
      async (asked, ask) => {
        if (!asked.text.includes('record_attempts') || (refused += 1) > 3) return ask(asked)
        throw away()
      },
      async () => {
        const { events } = await handTo(worker, 10)
        await allDelivered()
        expect(posts.toSorted()).toEqual(events.map(({ id }) => id))
      },
    )
    expect(refused).toBeGreaterThan(3)
    await until('no job left', async () => (await jobs()).length === 0)
  })

  test('for longer than a lease: a callback claimed again by the process that remembers it is not delivered again', async () => {
    const worker = start()
    let back = false
    await between(
      work_db,
      async (asked, ask) => {
        if (asked.text.includes('record_attempts') && !back) throw away()
        return ask(asked)
      },
      async () => {
        const { events, burst_id } = await handTo(worker, 6)
        await until('the posts', () => posts.length === 6)
        // Another process has found the lease expired, and died: its jobs are claimed here.
        await requeueBurst(database.db, by, burst_id)
        await until('all claimed', async () => (await jobs()).every(({ leased }) => leased))
        back = true
        await allDelivered()
        await until('no job left', async () => (await jobs()).length === 0)
        expect(posts.toSorted()).toEqual(events.map(({ id }) => id))
      },
    )
  })

  test('and the process stops: one more attempt to record, then the next process takes over', async () => {
    const worker = start()
    await between(
      work_db,
      async (asked, ask) => {
        if (asked.text.includes('record_attempts')) throw away()
        return ask(asked)
      },
      async () => {
        await handTo(worker, 3)
        await until('the posts', () => posts.length === 3)
        await worker.stop()
      },
    )
    expect(await stored()).toMatchObject([{ status: 'pending' }, { status: 'pending' }, { status: 'pending' }])
    start()
    await allDelivered()
    expect(posts).toHaveLength(6)
  })
})

describe('the attempts of a callback', () => {
  const log = async (id: string) => (await readCallback({ db: database.db }, by, id)).attempts_log

  test('are read from the log and the row together, and survive another replay', async () => {
    const { events, burst_id } = await burst(1)
    const id = events[0]?.id ?? ''
    await recordAttempts(work_db, [tryOf(id, burst_id, { ...RETRY, excerpt: 'no', duration_ms: 7 })], [burst_id], 5)
    expect(await log(id)).toMatchObject([{ attempt: 1, status_code: 500, excerpt: 'no', duration_ms: 7 }])
    const [job] = await database.db<{ id: bigint }[]>`select id from jobs where subject_id = ${id}`
    const second = { ...tryOf(id, null, { made: 1 }), job_id: job?.id ?? 0n }
    await recordAttempts(work_db, [second], [], 5)
    const both = [
      { attempt: 1, status_code: 500, excerpt: 'no', duration_ms: 7 },
      { attempt: 2, status_code: 200, excerpt: 'ok', duration_ms: 3 },
    ]
    const before = await log(id)
    expect(before).toMatchObject(both)
    expect(await jobs()).toEqual([])
    await replayCallback({ db: database.db, wakeups }, by, id)
    expect(await log(id)).toEqual(before)
    answer = () => FAULTY
    start()
    await until('the third attempt', async () => (await stored())[0]?.attempts === 3)
    expect(await log(id)).toMatchObject([...both, { attempt: 3, status_code: 500 }])
  })

  test('that are only in the log are read', async () => {
    const { events } = await burst(1)
    const id = events[0]?.id ?? ''
    await database.db`
      insert into callback_attempts (organisation_id, callback_id, attempt, status_code, duration_ms, created_datetime)
      values (${by}, ${id}, 1, 204, 5, '2026-11-14T23:42:46.539766+00:00')`
    await database.db`
      update callbacks set status = 'delivered', attempts = 1, updated_datetime = now(), burst_id = null
      where organisation_id = ${by}`
    expect(await log(id)).toEqual([
      { attempt: 1, status_code: 204, duration_ms: 5, created_datetime: '2026-11-14T23:42:46.539766+00:00' },
    ])
  })
})

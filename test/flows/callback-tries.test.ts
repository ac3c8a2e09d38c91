import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startCallbacks, type DeliverDeps } from '../../src/callbacks/deliver/deliver.ts'
import { enqueueCallbacks, endpointLane, type CallbackEvent } from '../../src/callbacks/enqueue.ts'
import type { PostOutcome } from '../../src/callbacks/post/outcome.ts'
import { newSecret } from '../../src/callbacks/signing/signature.ts'
import { createWebhook, changeWebhook } from '../../src/callbacks/webhooks/webhooks.ts'
import { transaction } from '../../src/db/transaction.ts'
import { makeMeters } from '../../src/observe/meters.ts'
import { startPoll, type Poll } from '../../src/queue/poll.ts'
import { newId } from '../../src/values/id.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { foundOrganisation } from '../support/organisation.ts'
import { secret_seal } from '../support/secret-seal.ts'
import { until } from '../support/until.ts'

const URL = 'https://receiver.example/reports'
const SECRET = newSecret()

type Post = { url: string; headers: Record<string, string>; body: string; signal: AbortSignal | undefined }
type Row = {
  id: string
  status: string
  attempts: number
  status_code: number | null
  reason: string | null
  excerpt: string | null
  duration_ms: number | null
  due_ms: number | null
  /** The scheduled next attempt. */
  next_ms: number | null
  leased: boolean | null
}

let database: TestDatabase
let by: string
let posts: Post[]
let answer: (post: Post) => PostOutcome | Promise<PostOutcome>
let wakes: { queue: string; delay_ms: number | undefined }[]
let log_lines: { level: string; details: object; sentence: string }[]
let deps: DeliverDeps
let worker: ReturnType<typeof startCallbacks> | undefined
let rouse = () => {}
let ears: { queue: string; hear: (detail: string) => void }[]
let look: Poll | undefined

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

beforeEach(async () => {
  by = await foundOrganisation(database.db, 0n)
  await database.db`delete from jobs`
  posts = []
  wakes = []
  ears = []
  look = startPoll(database.db, (queue, organisation_id) => {
    wake(queue, organisation_id)
    return true
  })
  log_lines = []
  answer = () => answered(200)
  const note = (level: string) => (details: object, sentence: string) =>
    void log_lines.push({ level, details, sentence })
  deps = {
    db: database.db,
    wakeups: {
      wake: (queue, delay_ms) => void wakes.push({ queue, delay_ms }),
      onWake: (queue, listener) => {
        ears.push({ queue, hear: listener })
        rouse = () => listener('')
        return () => {}
      },
      close: async () => {},
    },
    log: { info: note('info'), warn: note('warn'), error: note('error') },
    meters: makeMeters(),
    poster: {
      post: async ({ url }, headers, body, signal) => {
        const post = { url, headers, body, signal }
        posts.push(post)
        return answer(post)
      },
      close: async () => {},
    },
    secret_seal,
    secretsOf: async () => [SECRET],
    disable_after_days: 5,
    authTokenOf: () => '',
    takeAnswer: async () => {},
  }
})
afterEach(async () => {
  letGo()
  await worker?.stop()
  look?.close()
  worker = undefined
})

/** On a cluster a worker claims for the organisations it was notified of. */
function wake(queue: string, organisation_id: string): void {
  for (const ear of ears) if (ear.queue === queue) ear.hear(organisation_id)
}

/** Posts without a response yet, with functions that respond. */
let held: (() => void)[] = []

function hold(outcome: PostOutcome): void {
  answer = () => new Promise((resolve) => held.push(() => resolve(outcome)))
}

function letGo(): void {
  answer = () => answered(200)
  for (const end of held) end()
  held = []
}

const answered = (status: number, more: object = {}): PostOutcome => ({
  kind: 'answered',
  status,
  excerpt: 'what it said',
  duration_ms: 12,
  ...more,
})

/** A queued event; the body names it. */
async function put(more: Partial<CallbackEvent> = {}, organisation_id = by): Promise<string> {
  const subject_id = newId()
  const event = { type: 'text.delivered' as const, url: URL, subject_id, created_datetime: 'then', data: {}, ...more }
  await transaction(database.db, (tx) => enqueueCallbacks(tx, organisation_id, [event]))
  return subject_id
}

async function read(subject_id: string): Promise<Row> {
  const [row] = await database.db<Row[]>`
    select callbacks.id, callbacks.status, callbacks.attempts, coalesce(status_code, last_status_code) as status_code,
      coalesce(reason, last_reason) as reason, coalesce(excerpt, last_excerpt) as excerpt,
      coalesce(duration_ms, last_duration_ms) as duration_ms, leased,
      extract(epoch from run_at - now())::float8 * 1000 as due_ms,
      extract(epoch from next_attempt_datetime - now())::float8 * 1000 as next_ms
    from callbacks
    left join callback_attempts log on log.callback_id = callbacks.id and attempt = callbacks.attempts
      and log.organisation_id = callbacks.organisation_id
    left join jobs on jobs.subject_id = callbacks.id and jobs.organisation_id = callbacks.organisation_id
    where callbacks.subject_id = ${subject_id}`
  if (!row) throw new Error('there is no such callback')
  return row
}

const tried = async (subject_id: string, attempts = 1) =>
  until('the attempt to be recorded', async () => {
    const row = await read(subject_id)
    return row.attempts >= attempts && row
  })

const counted = async () =>
  Object.fromEntries((await deps.meters.callbacks.get()).values.map(({ labels, value }) => [labels.outcome, value]))

function start(): void {
  worker = startCallbacks(deps)
}

describe('a response', () => {
  test.each([200, 204, 299])('%d acknowledges', async (status) => {
    answer = () => answered(status)
    const id = await put()
    start()
    expect(await tried(id)).toMatchObject({
      status: 'delivered',
      attempts: 1,
      status_code: status,
      reason: null,
      excerpt: 'what it said',
      duration_ms: 12,
      due_ms: null,
      next_ms: null,
    })
    expect(wakes).toEqual([])
    await until('it to be counted', async () => 'delivered' in (await counted()))
    expect(await counted()).toEqual({ delivered: 1 })
  })

  test('410 stops', async () => {
    answer = () => answered(410)
    const id = await put()
    start()
    expect(await tried(id)).toMatchObject({ status: 'stopped', status_code: 410, due_ms: null })
    await until('it to be counted', async () => 'stopped' in (await counted()))
    expect(wakes).toEqual([])
  })

  test.each([199, 300, 404, 409, 411, 500])('%d is retried after about five seconds', async (status) => {
    answer = () => answered(status)
    const id = await put()
    start()
    const row = await tried(id)
    expect(row).toMatchObject({ status: 'pending', status_code: status, reason: null, leased: false })
    expect(row.due_ms).toBeGreaterThan(1_000)
    expect(row.due_ms).toBeLessThanOrEqual(6_000)
    expect(row.next_ms).toBeCloseTo(row.due_ms ?? 0, 0)
    const [woken] = await until('the wake-up to be ordered', () => (wakes.length > 0 ? wakes : undefined))
    expect(woken?.queue).toBe('callbacks')
    expect(woken?.delay_ms).toBeGreaterThanOrEqual(4_005)
    expect(woken?.delay_ms).toBeLessThanOrEqual(6_005)
    expect(await counted()).toEqual({ retry: 1 })
  })

  test('with Retry-After delays the retry, unless the schedule has a longer delay', async () => {
    answer = ({ url }) => answered(503, { retry_after_s: url.endsWith('long') ? 100 : 1 })
    const [long, short] = [await put({ url: `${URL}/long` }), await put({ url: `${URL}/short` })]
    start()
    const due = [(await tried(long)).due_ms ?? 0, (await tried(short)).due_ms ?? 0]
    expect(due[0]).toBeGreaterThan(90_000)
    expect(due[0]).toBeLessThanOrEqual(100_000)
    // The queue is woken shortly after the callback is due, not before.
    await until('the wake-up', () => wakes.some(({ delay_ms }) => delay_ms === 100_005))
    expect(due[1]).toBeGreaterThan(2_000)
    expect(due[1]).toBeLessThanOrEqual(6_000)
  })

  test('that never arrives is retried, with its reason', async () => {
    answer = () => ({ kind: 'failed', reason: 'timeout', description: 'No answer in time.', duration_ms: 15_000 })
    const id = await put()
    start()
    expect(await tried(id)).toMatchObject({
      status: 'pending',
      status_code: null,
      reason: 'timeout: No answer in time.',
      excerpt: null,
      duration_ms: 15_000,
    })
  })
})

describe('a callback', () => {
  test('fails when the schedule ends', async () => {
    answer = () => answered(500)
    const id = await put()
    await database.db`update callbacks set attempts = 27 where subject_id = ${id}`
    await database.db`
      insert into callback_attempts (organisation_id, callback_id, attempt, duration_ms, created_datetime)
      select organisation_id, id, 1, 0, now() - interval '24 hours' from callbacks where subject_id = ${id}`
    start()
    expect(await tried(id, 28)).toMatchObject({ status: 'failed', status_code: 500, due_ms: null, next_ms: null })
    await until('it to be counted', async () => 'failed' in (await counted()))
    expect(wakes).toEqual([])
  })

  test('has a longer delay after its second attempt', async () => {
    answer = () => answered(500)
    const id = await put()
    await database.db`update callbacks set attempts = 1 where subject_id = ${id}`
    start()
    expect((await tried(id, 2)).due_ms).toBeGreaterThan(40_000)
  })

  test('that is a test is attempted once', async () => {
    answer = () => answered(500)
    const id = await put()
    await database.db`update callbacks set type = 'webhook.test' where subject_id = ${id}`
    start()
    expect(await tried(id)).toMatchObject({ status: 'failed', due_ms: null })
  })

  test('is signed with the organisation’s secrets, at the time of the attempt, under its own id', async () => {
    const id = await put()
    const other = await foundOrganisation(database.db, 0n)
    const asked: string[] = []
    deps = { ...deps, secretsOf: async (organisation_id) => [asked.push(organisation_id) > 0 ? SECRET : ''] }
    start()
    await tried(id)
    const [post] = posts
    expect(post?.url).toBe(URL)
    expect(post?.headers['webhook-id']).toBe((await read(id)).id)
    expect(new Webhook(SECRET).verify(post?.body ?? '', post?.headers ?? {})).toMatchObject({ type: 'text.delivered' })
    expect(asked).toEqual([by])
    expect(asked).not.toContain(other)
  })

  test('of each organisation is read and recorded separately', async () => {
    const other = await foundOrganisation(database.db, 0n)
    const ids = [await put(), await put({}, other), await put()]
    start()
    for (const id of ids) expect(await tried(id)).toMatchObject({ status: 'delivered', due_ms: null })
    expect(posts).toHaveLength(3)
  })

  test('that has ended is removed from the queue without a post', async () => {
    const id = await put()
    await database.db`update callbacks set status = 'delivered' where subject_id = ${id}`
    const after = await put()
    start()
    await tried(after)
    await until('the job to be gone', async () => (await read(id)).due_ms === null)
    expect(posts).toHaveLength(1)
  })

  test('that causes an internal error is postponed, and no other is affected', async () => {
    const other = await foundOrganisation(database.db, 0n)
    const fault = new Error('no secrets')
    deps = {
      ...deps,
      secretsOf: async (organisation_id) => {
        if (organisation_id === other) throw fault
        return [SECRET]
      },
    }
    const [bad, good] = [await put({}, other), await put()]
    start()
    expect(await tried(good)).toMatchObject({ status: 'delivered' })
    const put_off = await until('it to be postponed', async () => {
      const row = await read(bad)
      return row.leased === false && row.due_ms !== null && row.due_ms > 0 && row
    })
    expect(put_off).toMatchObject({ status: 'pending', attempts: 0 })
    expect(put_off.due_ms).toBeLessThanOrEqual(1_000)
    expect(log_lines).toEqual([
      {
        level: 'error',
        details: { queue: 'callbacks', err: fault, attempts: 1 },
        sentence: 'processing a callback failed',
      },
    ])
  })

  test('is postponed for a minute at most', async () => {
    deps = { ...deps, secretsOf: () => Promise.reject(new Error('no secrets')) }
    const id = await put()
    await database.db`
      update jobs set attempts = 30 where subject_id = (select id from callbacks where subject_id = ${id})`
    start()
    const row = await until('it to be postponed', async () => {
      const now = await read(id)
      return now.leased === false && (now.due_ms ?? 0) > 1_000 && now
    })
    expect(row.due_ms).toBeGreaterThan(50_000)
    expect(row.due_ms).toBeLessThanOrEqual(60_000)
  })
})

describe('a registered endpoint', () => {
  const register = () =>
    createWebhook({ db: database.db, address_mode: { private_allowed: false }, secret_seal }, by, { url: URL }, [])

  test('is signed with its own secret, and receives the event’s id', async () => {
    const { secret } = await register()
    const subject_id = await put({ url: null })
    start()
    await tried(subject_id)
    const [post] = posts
    const body = new Webhook(secret).verify(post?.body ?? '', post?.headers ?? {}) as { id: string }
    expect(post?.headers['webhook-id']).toBe(body.id)
  })

  test('that acknowledged an event does not stop retries to another address', async () => {
    const { id: webhook_id } = await register()
    const own = 'https://own.example/reports'
    const gates: (() => void)[] = []
    answer = ({ url }) => new Promise((resolve) => gates.push(() => resolve(answered(url === own ? 503 : 200))))
    const subject_id = await put({ url: own })
    start()
    await until('both to be posted', () => gates.length === 2)
    for (const open of gates) open()
    const rows = await until('both to be recorded', async () => {
      const found = await database.db<{ webhook_id: string | null; status: string; again: boolean }[]>`
        select webhook_id, status, next_attempt_datetime > now() as again from callbacks
        where organisation_id = ${by} and subject_id = ${subject_id} and attempts = 1
        order by webhook_id nulls first`
      return found.length === 2 && found
    })
    expect(rows).toEqual([
      { webhook_id: null, status: 'pending', again: true },
      { webhook_id, status: 'delivered', again: null },
    ])
  })

  test('that was disabled meanwhile is not called', async () => {
    const { id } = await register()
    const subject_id = await put({ url: null })
    await changeWebhook({ ...deps, address_mode: { private_allowed: false } }, by, id, { enabled: false }, [])
    start()
    const row = await until('it to be stopped', async () => {
      const now = await read(subject_id)
      return now.status === 'stopped' && now
    })
    expect(row).toMatchObject({ attempts: 0, due_ms: null })
    expect(posts).toEqual([])
  })

  test('that responds with 410 is disabled, and the operator is notified', async () => {
    answer = () => answered(410)
    const { id } = await register()
    const subject_id = await put({ url: null })
    start()
    await tried(subject_id)
    await until('the operator to be notified', () => log_lines.length > 0)
    expect(log_lines).toEqual([
      {
        level: 'warn',
        details: {
          organisation_id: by,
          webhook_id: id,
          reason: 'The endpoint answered 410: it wants no more events.',
        },
        sentence: 'a webhook was disabled',
      },
    ])
  })
})

describe('posts in flight', () => {
  test('are limited to eight at first; each fast acknowledgement increases the limit by one', async () => {
    hold(answered(200))
    for (let n = 0; n < 12; n += 1) await put()
    start()
    await until('eight posts', () => posts.length === 8)
    held[0]?.()
    await until('the limit to be updated', async () => (await counted())['delivered'] === 1)
    expect(posts).toHaveLength(9)
    held[1]?.()
    await until('one in its place, and one more', () => posts.length === 11)
    letGo()
    await until('the others', () => posts.length === 12)
  })

  test('of a failing endpoint are reduced', async () => {
    hold(answered(500))
    for (let n = 0; n < 12; n += 1) await put()
    start()
    await until('eight posts', () => posts.length === 8)
    held[0]?.()
    await until('the limit to be updated', async () => (await counted())['retry'] === 1)
    expect(posts).toHaveLength(9)
    for (let n = 1; n < 8; n += 1) {
      held[n]?.()
      await until('the limit to be updated again', async () => (await counted())['retry'] === n + 1)
    }
    expect(posts).toHaveLength(9) // The limit is one now, and one is in flight.
    held[8]?.()
    await until('the next', () => posts.length === 10)
    letGo()
    await until('the others', () => posts.length === 12)
  })

  test('that end before shutdown are recorded', async () => {
    hold(answered(200))
    const id = await put()
    start()
    await until('the post', () => posts.length === 1)
    const stopped = worker?.stop()
    worker = undefined
    held[0]?.()
    await stopped
    expect(await read(id)).toMatchObject({ status: 'delivered', due_ms: null })
    expect(posts[0]?.signal?.aborted).toBe(false)
  })

  test('that do not end at shutdown are aborted, and are due immediately for the next process', async () => {
    const aborted: PostOutcome = { kind: 'failed', reason: 'aborted', description: 'Stopped.', duration_ms: 1 }
    answer = ({ signal }) =>
      new Promise((resolve) => signal?.addEventListener('abort', () => resolve(aborted), { once: true }))
    const ids: string[] = []
    for (let n = 0; n < 9; n += 1) ids.push(await put())
    start()
    await until('eight posts', () => posts.length === 8)
    await worker?.stop()
    worker = undefined
    expect(posts).toHaveLength(8) // The ninth is not started any more.
    const rows = await Promise.all(ids.map(read))
    expect(rows.every(({ status, attempts }) => status === 'pending' && attempts === 0)).toBe(true)
    expect(rows.filter(({ leased, due_ms }) => leased === false && (due_ms ?? 1) <= 0)).toHaveLength(8)
    expect(rows.filter(({ leased }) => leased)).toHaveLength(1)
  })
})

describe('an organisation with any number of endpoints that hang', () => {
  test('leaves leases and slots for the organisations after it', async () => {
    hold(answered(200))
    const subject_ids = Array.from({ length: 9_000 }, () => newId())
    const hanging = subject_ids.map((subject_id, n) => ({
      type: 'text.delivered' as const,
      url: `https://${Math.floor(n / 8)}.hanging.example/`,
      subject_id,
      created_datetime: 'then',
      data: {},
    }))
    await transaction(database.db, (tx) => enqueueCallbacks(tx, by, hanging))
    start()
    const inHand = async () => (await database.db`select 1 from jobs where leased`).length
    // Half of the 8,192 callbacks that a process may lease.
    await until('the maximum of its posts', async () => (await inHand()) >= 4_096, 60_000)
    await until('its posts', async () => posts.length > 600, 60_000)
    const most = await inHand()
    const other = await foundOrganisation(database.db, 0n)
    const theirs = await put({}, other)
    rouse()
    await until('the post of the other', () => posts.find(({ url }) => url === URL))
    letGo()
    expect(await tried(theirs)).toMatchObject({ status: 'delivered' })
    expect(most).toBe(4_096)
  }, 150_000)
})

describe('a callback that is stored as leased', () => {
  const place = () => ({ organisation_id: by, lane: endpointLane(by, URL) })

  test('is posted without being read again', async () => {
    const subject_id = await put()
    const { id } = await read(subject_id)
    // The process that stores it has leased it, so that no other process claims it.
    const [burst] = await database.db<{ id: bigint }[]>`
      update jobs set queue = 'callback bursts', leased = true, leased_until = now() + interval '1 minute'
      where subject_id = ${id} returning id`
    start()
    await until('the first poll', () => worker?.reserve(place()))
    const given = {
      attempts: 0,
      age_s: 0,
      event_id: id,
      subject_id: id,
      webhook_id: null,
      secrets: null,
      format: null,
      muted: false,
    }
    worker?.startReserved(place(), burst?.id, {
      id,
      type: 'text.delivered',
      url: `${URL}/leased`,
      body: '{"stored":"leased"}',
      ...given,
    })
    expect(await tried(subject_id)).toMatchObject({ status: 'delivered', due_ms: null })
    expect(posts.map(({ url, body }) => `${url} ${body}`)).toEqual([`${URL}/leased {"stored":"leased"}`])
  })

  test('may be missing: its slot is free again', async () => {
    start()
    await until('the first poll', () => worker?.reserve(place()))
    const nothing = {
      attempts: 0,
      age_s: 0,
      event_id: '',
      subject_id: '',
      webhook_id: null,
      secrets: null,
      format: null,
      muted: false,
    }
    worker?.startReserved(place(), undefined, { id: '', type: '', url: URL, body: '', ...nothing })
    const id = await put()
    rouse()
    await tried(id)
    expect(posts).toHaveLength(1)
  })
})

import { EventEmitter, once } from 'node:events'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { connectBeside } from '../../src/db/connect.ts'
import { transaction } from '../../src/db/transaction.ts'
import { claimOwn } from '../../src/queue/cluster-store.ts'
import { findDue } from '../../src/queue/due-store.ts'
import { openBucket, returnTokens, takeTokens } from '../../src/queue/rate-store.ts'
import { claim, enqueue, finish, releaseJobs, postpone, postponeEach, type Job } from '../../src/queue/store.ts'
import { makeWakeups, type Wakeups } from '../../src/queue/wakeups.ts'
import { startWorker } from '../../src/queue/worker.ts'
import { newId } from '../../src/values/id.ts'
import { makeClaims } from '../support/claims.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { between } from '../support/statements.ts'
import { until } from '../support/until.ts'

let database: TestDatabase
let wakeups: Wakeups
let claims: ReturnType<typeof makeClaims>
const log = { info: () => {}, warn: () => {}, error: () => {} }

beforeEach(async () => {
  database = await freshDatabase()
  wakeups = await makeWakeups(database.db)
  claims = makeClaims(database.db, 'q')
})
afterEach(async () => {
  await wakeups.close()
  await database.drop()
})

const FIRST = '00000000-0000-0000-0000-000000000000'
const take = (limit: number, more: object = {}) => claims({ limit, lease_s: 10, except: [], after: FIRST, ...more })

async function put(lane: string, count: number, more: object = {}): Promise<void> {
  const jobs = Array.from({ length: count }, (_, n) => ({
    lane,
    organisation_id: lane,
    subject_id: newId(),
    subject_key: String(n),
    ...more,
  }))
  await transaction(database.db, (tx) => enqueue(tx, 'q', jobs))
}

const lanesOf = (jobs: readonly Job[]) => {
  const counts = new Map<string, number>()
  for (const { lane } of jobs) counts.set(lane, (counts.get(lane) ?? 0) + 1)
  return counts
}

describe('claiming', () => {
  test('takes from all lanes, whichever job is first', async () => {
    const [large, small] = [newId(), newId()]
    await put(large, 1_000)
    await put(small, 5)
    const counts = lanesOf(await take(20))
    expect(counts.get(small)).toBe(5)
    expect(counts.get(large)).toBe(10)
  })

  test('takes lower priority numbers first', async () => {
    await put(newId(), 10, { priority: 2 })
    const urgent = newId()
    await put(urgent, 3, { priority: 0 })
    expect(lanesOf(await take(4)).get(urgent)).toBeGreaterThanOrEqual(2)
    expect((await take(1_000)).length).toBeGreaterThan(0)
  })

  test('continues with the next lane if there are more lanes than slots', async () => {
    const lanes = Array.from({ length: 12 }, () => newId())
    for (const lane of lanes) await put(lane, 100)
    const served = new Set<string>()
    let after = FIRST
    for (let round = 0; round < 4; round += 1) {
      const jobs = await take(3, { after })
      for (const { lane } of jobs) served.add(lane)
      after =
        jobs
          .map(({ lane }) => lane)
          .sort()
          .at(-1) ?? FIRST
    }
    expect(served.size).toBe(12)
  })

  test('gives each job to one worker only', async () => {
    await put(newId(), 500)
    const claimed = await Promise.all(Array.from({ length: 20 }, () => take(50)))
    const ids = claimed.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('skips jobs that are not due and busy lanes, and distinguishes a dead worker from a postponed job', async () => {
    const [later, busy, ready] = [newId(), newId(), newId()]
    await put(later, 1, { delay_ms: 60_000 })
    await put(busy, 1)
    await put(ready, 1)
    const [job] = await take(10, { except: [busy] })
    expect(job).toMatchObject({ lane: ready, attempts: 1, interrupted: false })
    await postpone(database.db, job ? [job] : [], 0)
    const [again] = await take(10, { except: [busy] })
    expect(again).toMatchObject({ attempts: 2, interrupted: false })
    await database.db`update jobs set leased_until = now() where lane = ${ready}`
    const [orphan] = await take(10, { except: [busy] })
    expect(orphan).toMatchObject({ attempts: 3, interrupted: true })
    await finish(database.db, orphan ? [orphan] : [])
    expect(await take(10, { except: [busy] })).toEqual([])
  })

  test('continues for work that takes days, however often it was claimed', async () => {
    const lane = newId()
    await put(lane, 1)
    await database.db`update jobs set attempts = 32767 where lane = ${lane}`
    const [job] = await take(10)
    expect(job).toMatchObject({ lane, attempts: 32_767 })
    await postpone(database.db, job ? [job] : [], 0)
    const wanted = { queue: 'q', lease_s: 10, except: [], after: FIRST, limit: 1 }
    expect(await claimOwn(database.db, lane, wanted)).toMatchObject([{ lane, attempts: 32_767 }])
  })

  test('of one organisation takes all its jobs, also if a lane has more than its share', async () => {
    const [organisation_id, full] = [newId(), newId()]
    await put(newId(), 1, { organisation_id, delay_ms: 60_000 })
    await put(full, 7, { organisation_id })
    await put(newId(), 1, { organisation_id })
    const wanted = { queue: 'q', lease_s: 10, except: [], after: FIRST }
    expect(await claimOwn(database.db, organisation_id, { ...wanted, limit: 6 })).toHaveLength(6)
    expect(await claimOwn(database.db, organisation_id, { ...wanted, limit: 6 })).toHaveLength(2)
    await put(full, 7, { organisation_id })
    expect(await claimOwn(database.db, organisation_id, { ...wanted, limit: 6, per_lane: 2 })).toHaveLength(2)
  })

  // A cluster has a plan per shard, most of which are empty here.
  test.skipIf(inject('cluster'))('uses the index for the lanes and the jobs', async () => {
    await put(newId(), 2_000)
    await database.db`analyze jobs`
    const plan = await database.db`
      explain select id from jobs
      where queue = 'q' and priority = 1 and lane = ${newId()} and run_at <= now() order by run_at limit 10`
    expect(JSON.stringify(plan)).toContain('jobs_due')
  })
})

describe('a worker', () => {
  test('isolates a bad job from the others of its batch', async () => {
    await put(newId(), 10)
    const done: string[] = []
    const worker = startWorker(
      { db: database.db, wakeups, log },
      {
        queue: 'q',
        limit: 10,
        batch: 10,
        work: async (jobs) => {
          if (jobs.some(({ subject_key }) => subject_key === '3')) throw new Error('bad job')
          done.push(...jobs.map(({ subject_key }) => subject_key))
          await finish(database.db, jobs)
        },
      },
    )
    await until('the nine others', () => done.length === 9)
    expect(done.sort()).toEqual(['0', '1', '2', '4', '5', '6', '7', '8', '9'])
    await worker.stop()
  })

  test.each([
    ['a fault of its own', new Error('it does not work'), 60],
    ['the database was away', Object.assign(new Error('it is starting up'), { code: '57P03' }), 4],
  ])('postpones a job that failed by %s', async (_, fault, longest_s) => {
    await put(newId(), 1)
    await database.db`update jobs set attempts = 8`
    const worker = startWorker(
      { db: database.db, wakeups, log },
      { queue: 'q', limit: 1, batch: 1, work: () => Promise.reject(fault) },
    )
    const wait_s = await until('it to be postponed', async () => {
      const [row] = await database.db<{ wait_s: number }[]>`
        select extract(epoch from run_at - clock_timestamp())::float8 as wait_s
        from jobs where not leased and attempts = 9`
      return row?.wait_s
    })
    await worker.stop()
    expect(wait_s).toBeLessThanOrEqual(longest_s)
    expect(wait_s).toBeGreaterThan(longest_s - 2)
  })

  test('releases a job immediately when the database is back', async () => {
    await put(newId(), 1)
    let broken = true
    const flaky = new Proxy(database.db, {
      apply: (target, self, args) => {
        const [strings] = args as [TemplateStringsArray?]
        const is_put_off = strings?.some((part) => part.includes('set run_at = later.run_at')) ?? false
        if (is_put_off && broken) {
          broken = false
          throw Object.assign(new Error('it is starting up'), { code: '57P03' })
        }
        return Reflect.apply(target, self, args) as unknown
      },
    })
    let tries = 0
    let lease_had_ended: boolean | undefined
    const leaseEnded = async (lease: string): Promise<boolean> => {
      const [row] = await database.db<{ ended: boolean }[]>`select now() > ${lease}::timestamptz as ended`
      return row?.ended ?? true
    }
    let first_lease = ''
    const worker = startWorker(
      { db: flaky, wakeups, log },
      {
        queue: 'q',
        limit: 1,
        batch: 1,
        async work(jobs) {
          tries += 1
          if (tries === 1) {
            const [row] = await database.db<{ lease: string }[]>`select leased_until as lease from jobs`
            first_lease = row?.lease ?? ''
            throw Object.assign(new Error('it is shutting down'), { code: '57P01' })
          }
          lease_had_ended = await leaseEnded(first_lease)
          await finish(database.db, jobs)
        },
      },
    )
    await until('the second attempt', () => lease_had_ended !== undefined)
    await worker.stop()
    expect(broken).toBe(false)
    expect(lease_had_ended).toBe(false)
  })

  test('keeps a lane within its limit', async () => {
    const [slow, other] = [newId(), newId()]
    await put(slow, 30)
    await put(other, 1)
    const running = new Map<string, number>()
    let most = 0
    const gate = new EventEmitter()
    let open = false
    let other_done = false
    const worker = startWorker(
      { db: database.db, wakeups, log },
      {
        queue: 'q',
        limit: 20,
        batch: 1,
        lanes: { limit: () => 2, step: 2 },
        work: async ([job]) => {
          const lane = job?.lane ?? ''
          running.set(lane, (running.get(lane) ?? 0) + 1)
          most = Math.max(most, running.get(slow) ?? 0)
          if (lane === slow && !open) await once(gate, 'open')
          else other_done = true
          running.set(lane, (running.get(lane) ?? 0) - 1)
          await finish(database.db, job ? [job] : [])
        },
      },
    )
    await until('the other lane', () => other_done)
    expect(most).toBeLessThanOrEqual(3)
    open = true
    gate.emit('open')
    await until('everything', async () => (await take(1)).length === 0 && running.get(slow) === 0)
    await worker.stop()
  })

  test('is woken by another process', async () => {
    expect.hasAssertions()
    const elsewhere = await makeWakeups(database.db)
    const heard = new Promise<void>((resolve) => {
      elsewhere.onWake('q', () => resolve())
    })
    wakeups.wake('q')
    await expect(heard).resolves.toBeUndefined()
    await elsewhere.close()
  })
})

// On a cluster the poll names organisations, and only due jobs.
describe.skipIf(inject('cluster'))('the poll', () => {
  test('finds for all queues in one statement which are due, and when the next one is', async () => {
    const enqueueIn = (queue: string, more: object) =>
      transaction(database.db, (tx) =>
        enqueue(tx, queue, [{ lane: newId(), organisation_id: newId(), subject_id: newId(), ...more }]),
      )
    await enqueueIn('later', { delay_ms: 60_000 })
    await enqueueIn('later', { delay_ms: 30_000 })
    await enqueueIn('mixed', { delay_ms: 30_000, priority: 0 })
    await enqueueIn('mixed', { priority: 3 })
    await enqueueIn('leased', {})
    await enqueueIn('expired', {})
    await database.db`update jobs set leased = true, leased_until = now() + interval '10 s' where queue = 'leased'`
    await database.db`update jobs set leased = true, leased_until = now() where queue = 'expired'`
    await database.db`insert into report_jobs (queue, lane, subject_id) values ('reports', ${newId()}, ${newId()})`
    const found = new Map((await findDue(database.db)).map(({ queue, due_in_ms }) => [queue, due_in_ms]))
    expect([...found.keys()].toSorted()).toEqual(['expired', 'later', 'leased', 'mixed', 'reports'])
    for (const queue of ['expired', 'mixed', 'reports']) expect(found.get(queue)).toBeLessThanOrEqual(0)
    expect(found.get('leased')).toBeNull()
    expect(found.get('later')).toBeGreaterThan(0)
    expect(found.get('later')).toBeLessThanOrEqual(30_000)
  })

  test('wakes the worker whose jobs are due; the others claim nothing', async () => {
    const claims_of = new Map<unknown, number>()
    let polls = 0
    const count: Parameters<typeof between>[1] = (asked, ask) => {
      if (asked.text.includes('due_in_ms')) polls += 1
      else if (asked.text.includes('skip locked'))
        claims_of.set(asked.values[0], (claims_of.get(asked.values[0]) ?? 0) + 1)
      return ask(asked)
    }
    await between(database.db, count, async () => {
      const done: bigint[] = []
      const work = async (jobs: Job[]) => {
        await finish(database.db, jobs)
        done.push(...jobs.map(({ id }) => id))
      }
      const workers = ['q', 'r', 's'].map((queue) =>
        startWorker({ db: database.db, wakeups, log }, { queue, limit: 10, batch: 1, work }),
      )
      await until('the first claims', () => claims_of.size === 3)
      await put(newId(), 1, { delay_ms: 700 }) // no wake-up
      await until('the job', () => done.length === 1)
      const polled = polls
      await until('two more polls', () => polls >= polled + 2)
      await Promise.all(workers.map((worker) => worker.stop()))
    })
    expect(claims_of.get('q')).toBeGreaterThan(1)
    expect([claims_of.get('r'), claims_of.get('s')]).toEqual([1, 1])
  })
})

test('tokens are shared, refilled by time, and can be returned', async () => {
  let since = Date.now()
  /** What time has brought by now; on a quick machine nothing. */
  const refilled = () => Math.floor((Date.now() - since) / 100)
  await openBucket(database.db, 'r', 10)
  const taken = await Promise.all(Array.from({ length: 40 }, () => takeTokens(database.db, 'r', 10, 1)))
  const granted = taken.reduce((sum, one) => sum + one, 0)
  expect(granted).toBeGreaterThanOrEqual(10)
  expect(granted).toBeLessThanOrEqual(10 + refilled())
  since = Date.now()
  await database.db`update queue_rates set tokens = 0, refilled = clock_timestamp()`
  expect(await takeTokens(database.db, 'r', 10, 5)).toBeLessThanOrEqual(refilled())
  await returnTokens(database.db, 'r', 3)
  const again = await takeTokens(database.db, 'r', 10, 5)
  expect(again).toBeGreaterThanOrEqual(3)
  expect(again).toBeLessThanOrEqual(3 + refilled())
  await database.db`update queue_rates set refilled = clock_timestamp() - interval '1 hour'`
  expect(await takeTokens(database.db, 'r', 10, 50)).toBe(10)
})

test('any number of lanes leaves a slot for each', async () => {
  // Jobs of a later time, in more lanes than a claim reads, all of them before this one.
  await database.db`
    insert into jobs (queue, lane, organisation_id, subject_id, run_at)
    select 'q', lpad(to_hex(n), 32, '0')::uuid, gen_random_uuid(), gen_random_uuid(), now() + interval '1 h'
    from generate_series(1, 10050) as n`
  const last = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
  await put(last, 2)
  const seen: string[] = []
  const work = async (jobs: Job[]) => {
    seen.push(...jobs.map(({ lane }) => lane))
    await finish(database.db, jobs)
  }
  const worker = startWorker({ db: database.db, wakeups, log }, { queue: 'q', limit: 10, batch: 1, work })
  await until('its slot', () => seen.length === 2)
  // And then again from the start.
  await database.db`update jobs set run_at = now() where lane = ${'00000000-0000-0000-0000-000000000001'}`
  await until('the slot of the first', () => seen.length === 3)
  await worker.stop()
  expect(seen).toEqual([last, last, '00000000-0000-0000-0000-000000000001'])
})

describe('a job stored as leased', () => {
  const lane = newId()
  const place = (of: string) => ({ organisation_id: of, lane: of })
  /** Stores a job as leased by this process. */
  async function putInHand(of = lane): Promise<Job> {
    const [row] = await database.db<{ id: bigint; subject_id: string }[]>`
      insert into jobs (queue, lane, organisation_id, subject_id, attempts, leased, leased_until)
      values ('q', ${of}, ${of}, ${newId()}, 1, true, now() + interval '10 s')
      returning id, subject_id`
    if (!row) throw new Error('no job')
    return { ...row, lane: of, attempts: 1, interrupted: false, organisation_id: of, subject_key: '' }
  }

  async function startTaking(limit: number) {
    const started: string[] = []
    const gate = new EventEmitter()
    const worker = startWorker(
      { db: database.db, wakeups, log },
      {
        queue: 'q',
        limit,
        batch: 1,
        lanes: { limit: () => limit, step: 100 },
        work: async ([job]) => {
          if (!job) return
          started.push(job.subject_id)
          await once(gate, 'go')
          await finish(database.db, [job])
        },
      },
    )
    return { worker, started, go: () => gate.emit('go') }
  }

  test('is worked on without a claim, and a claim does not find it', async () => {
    const { worker, started, go } = await startTaking(10)
    await until('the first poll', async () => worker.reserve(place(lane)))
    const job = await putInHand()
    worker.startReserved(place(lane), job)
    expect(started).toEqual([job.subject_id])
    expect(await take(10)).toEqual([])
    go()
    await worker.stop()
    expect(await database.db`select 1 from jobs`).toHaveLength(0)
  })

  test('is claimed again when its lease expires, as interrupted: a process that dies loses none', async () => {
    const job = await putInHand()
    await database.db`update jobs set leased_until = now() - interval '1 s'`
    expect(await take(10)).toEqual([expect.objectContaining({ id: job.id, attempts: 2, interrupted: true })])
  })

  test('gets no slot while all are taken, and then not before queued jobs', async () => {
    const { worker, started, go } = await startTaking(2)
    await until('the first poll', async () => worker.reserve(place(lane)))
    expect(worker.reserve(place(lane))).toBe(true)
    expect(worker.reserve(place(lane))).toBe(false)
    await put(lane, 1)
    worker.startReserved(place(lane), undefined)
    worker.startReserved(place(lane), undefined)
    // There is a free slot now, but a job of the lane is queued; another lane is not affected.
    expect(worker.reserve(place(lane))).toBe(false)
    const other = newId()
    expect(worker.reserve(place(other))).toBe(true)
    worker.startReserved(place(other), undefined)
    wakeups.wake('q')
    await until('the queued one', async () => started.length === 1)
    go()
    await until('the lane to be caught up', async () => {
      wakeups.wake('q')
      return worker.reserve(place(lane))
    })
    worker.startReserved(place(lane), undefined)
    await worker.stop()
  })
})

test('a rate of less than one per second sends one at intervals', async () => {
  await openBucket(database.db, 'slow', 0.1)
  const pass = async (seconds: number): Promise<number> => {
    await database.db`
      update queue_rates set refilled = clock_timestamp() - ${seconds} * interval '1 s' where queue = 'slow'`
    return takeTokens(database.db, 'slow', 0.1, 5)
  }
  expect(await pass(0)).toBe(0)
  expect(await pass(10)).toBe(1)
  expect(await pass(0)).toBe(0)
  expect(await pass(3_600)).toBe(1)
})

// On a cluster jobs have another key, and no statement reads those of several organisations.
test.skipIf(inject('cluster'))(
  'jobs are found by key, also if statistics were collected while the queue was empty',
  async () => {
    const kept = connectBeside(database.db, { connections: 1, plans: 'kept' })
    await kept`
    insert into jobs (queue, lane, organisation_id, subject_id)
    select 'idle', gen_random_uuid(), gen_random_uuid(), gen_random_uuid() from generate_series(1, 1000)`
    await kept`delete from jobs where queue = 'idle'`
    await kept.unsafe('analyze jobs')
    const asked: string[] = []
    await between(
      kept,
      (statement, ask) => {
        asked.push(statement.text)
        return ask(statement)
      },
      async () => {
        await findDue(kept)
        await claim(kept, { queue: 'idle', limit: 10, lease_s: 10, except: [], after: newId() })
        await postponeEach(kept, [{ id: 1n, organisation_id: newId(), delay_ms: 1 }])
        await releaseJobs(kept, [{ id: 1n, organisation_id: newId() }])
      },
    )
    expect(asked).toHaveLength(4)
    const [poll = '', ...by_job] = asked
    const poll_plan = JSON.stringify(await kept.unsafe(`explain (generic_plan, format json) ${poll}`))
    expect(poll_plan.match(/"Index Name":"(report_)?jobs\w*"[^{}]*"Index Cond"/g)).toHaveLength(4)
    expect(poll_plan).not.toContain('Seq Scan')
    for (const text of by_job) {
      const each = JSON.stringify(await kept.unsafe(`explain (generic_plan, verbose, format json) ${text}`))
      const by_key = each.match(/\{[^{}]*"Index Name":"jobs_pkey"[^{}]*/g) ?? []
      expect(by_key).toHaveLength(1)
      expect(by_key[0]).toContain('"Index Cond"')
    }
    await kept.end({ timeout: 1 })
  },
)

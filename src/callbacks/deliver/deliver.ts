import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import { finish, postpone, type Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import type { SecretSeal } from '../../values/secret-seal.ts'
import { readPending, recordTries, stopMuted, type PendingCallback, type TriedCallback } from './deliver-store.ts'
import { makeCollector } from './collector.ts'
import { CALLBACK_QUEUE } from '../enqueue.ts'
import type { CallbackHands } from './hand-over.ts'
import { tellMuted, watchMutes } from './mutes.ts'
import { makeConcurrencyLimit } from './concurrency.ts'
import type { PostOutcome, Poster } from '../post/post.ts'
import { retryDelay } from './retry-schedule.ts'
import { openSecrets } from './secrets.ts'
import { signatureHeaders } from './signature.ts'

export type DeliverDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  meters: Meters
  poster: Poster
  /** Opens the secrets of registered endpoints. */
  secret_seal: SecretSeal
  /** The secrets that sign what goes to the callback of a request, newest first. */
  secretsOf: (organisation_id: string) => Promise<readonly string[]>
  /** A registered endpoint that failed for so long is disabled. */
  disable_after_days: number
}

/** Callbacks in the hands of this process; each endpoint's share of them, and of the posts under way, is limited. */
const IN_HAND = 8_192
/** Callbacks of one endpoint that one claim may take, and that are read together. */
const STEP = 256
/** What came of posts is written down together: all that end within this time, at most so many. */
const RECORD = { every_ms: 20, items: 500 }

/** Signs, posts, and writes down what came of it: callback after callback, each endpoint in its own lane. */
export function startCallbacks(deps: DeliverDeps): Worker & CallbackHands {
  const concurrency = makeConcurrencyLimit()
  const closing = new AbortController()
  const record = makeCollector(RECORD, (tries: readonly Try[]) => recordMany(deps, tries), isDatabaseUnreachable)
  const stop = makeCollector(RECORD, (muted: readonly Muted[]) => stopMuted(deps.db, muted), isDatabaseUnreachable)
  const mutes = watchMutes(deps)
  const handed_over = new Map<bigint, PendingCallback>()

  async function deliver(job: Job, callback: PendingCallback): Promise<void> {
    const { organisation_id } = job
    const { id, webhook_id } = callback
    if (webhook_id !== null) mutes.hold(organisation_id, webhook_id)
    const outcome = await post(job, callback).finally(() => webhook_id !== null && mutes.release(webhook_id))
    if (outcome === 'muted') return stop({ organisation_id, id, job_id: job.id })
    if (outcome === 'closing') return // its lease gives it to the next process
    if (outcome.kind === 'failed' && outcome.reason === 'aborted') return postpone(deps.db, [job.id], 0)
    const tried = judge(callback, outcome)
    concurrency.learn(job.lane, tried.status === 'delivered', outcome)
    await record({ organisation_id, tried: { ...tried, job_id: job.id } })
    if (tried.retry_ms !== null) deps.wakeups.wake(CALLBACK_QUEUE, tried.retry_ms + 5)
  }

  /** The endpoint's turn is over with its answer: writing that down holds up nobody. */
  async function post(job: Job, callback: PendingCallback): Promise<PostOutcome | 'muted' | 'closing'> {
    if (callback.muted) return 'muted'
    await concurrency.enter(job)
    try {
      if (closing.signal.aborted) return 'closing'
      if (callback.webhook_id !== null && mutes.isMuted(callback.webhook_id, callback.type)) return 'muted'
      const secrets = await secretsOf(job.organisation_id, callback)
      if (secrets.length === 0) return UNSIGNED
      const headers = signatureHeaders(secrets, callback.event_id, Math.floor(Date.now() / 1_000), callback.body)
      const { organisation_id, lane } = job
      return await deps.poster.post(
        { organisation_id, lane, url: callback.url },
        headers,
        callback.body,
        closing.signal,
      )
    } finally {
      concurrency.leave(job)
    }
  }

  async function secretsOf(organisation_id: string, callback: PendingCallback): Promise<readonly string[]> {
    const { webhook_id, secrets } = callback
    if (webhook_id === null || secrets === null) return deps.secretsOf(organisation_id)
    return openSecrets(deps.secret_seal, organisation_id, webhook_id, secrets)
  }

  /** A post that was made is not made again because another failed: each has its own end. */
  async function work(jobs: Job[], done: (job: Job) => void): Promise<void> {
    const stored = await readMany(
      deps.db,
      jobs.filter(({ id }) => !handed_over.has(id)),
    )
    const gone: bigint[] = []
    const delivering = jobs.map(async (job) => {
      const callback = handed_over.get(job.id) ?? stored.get(job.subject_id)
      handed_over.delete(job.id)
      if (!callback) return void gone.push(job.id)
      await deliver(job, callback).catch((fault: unknown) => putOff(deps, job, fault))
      done(job)
    })
    // Delivered by a worker that died before it said so to the queue; if this fails, somebody finds them again.
    await Promise.all([...delivering, finish(deps.db, gone).catch(() => {})])
  }

  const lanes = { limit: concurrency.limit, step: STEP, many_per_organisation: true }
  const worker = startWorker(deps, { queue: CALLBACK_QUEUE, limit: IN_HAND, batch: STEP, lanes, work })

  return {
    reserve: (place) => worker.reserve(place),
    take(place, job, callback) {
      if (job) handed_over.set(job.id, callback)
      worker.take(place, job)
    },
    async stop() {
      const grace = setTimeout(() => closing.abort(), STOP_GRACE_MS)
      await worker.stop()
      mutes.stop()
      clearTimeout(grace)
    },
  }
}

/** Something of ours failed, most likely the database. */
async function putOff({ db, log }: DeliverDeps, job: Job, fault: unknown): Promise<void> {
  log.error({ queue: CALLBACK_QUEUE, err: fault, attempts: job.attempts }, 'a callback could not be dealt with')
  const delay_ms = Math.min(LONGEST_BACK_OFF_MS, 500 * 2 ** Math.min(10, job.attempts))
  await postpone(db, [job.id], delay_ms).catch(() => {}) // then the lease gives it back
}

/** Not sent at all: unsigned, the receiver could only refuse it. Told as a try, so that whoever misses it finds why. */
const UNSIGNED: PostOutcome = {
  kind: 'failed',
  reason: 'secret',
  description: 'The secret that signs it was sealed under another pepper: rotate it, or give the pepper back.',
  duration_ms: 0,
}

const LONGEST_BACK_OFF_MS = 60_000

/** What is under way when the process stops may still end; then it is broken off and tried again by the next one. */
const STOP_GRACE_MS = 3_000

type Muted = { organisation_id: string; id: string; job_id: bigint }

type Try = { organisation_id: string; tried: TriedCallback }

/** 2xx acknowledges, 410 stops, everything else is tried again until the schedule ends. */
function judge(callback: PendingCallback, outcome: PostOutcome): Omit<TriedCallback, 'job_id'> {
  const { id, webhook_id, url, type, attempts, age_s } = callback
  const { duration_ms } = outcome
  if (outcome.kind === 'answered') {
    const { status: status_code, excerpt } = outcome
    const { status, retry_ms } = verdictOf(status_code) ?? later(type, attempts, age_s, outcome.retry_after_s)
    return { id, webhook_id, url, status, retry_ms, status_code, reason: null, excerpt, duration_ms }
  }
  const reason = `${outcome.reason}: ${outcome.description}`
  return { id, webhook_id, url, ...later(type, attempts, age_s), status_code: null, reason, excerpt: null, duration_ms }
}

const DELIVERED = { status: 'delivered', retry_ms: null } as const
const STOPPED = { status: 'stopped', retry_ms: null } as const

function verdictOf(status_code: number): typeof DELIVERED | typeof STOPPED | undefined {
  if (status_code >= 200 && status_code < 300) return DELIVERED
  return status_code === 410 ? STOPPED : undefined
}

/** Somebody watches a test event: it is tried once. */
function later(
  type: string,
  attempts: number,
  age_s: number,
  retry_after_s = 0,
): Pick<TriedCallback, 'status' | 'retry_ms'> {
  const delay_s = type === 'webhook.test' ? undefined : retryDelay(attempts + 1, age_s)
  if (delay_s === undefined) return { status: 'failed', retry_ms: null }
  return { status: 'pending', retry_ms: 1_000 * Math.max(delay_s, retry_after_s) }
}

async function readMany(db: Db, jobs: readonly Job[]): Promise<Map<string, PendingCallback>> {
  const found = new Map<string, PendingCallback>()
  const groups = groupBy(jobs, (job) => job.organisation_id)
  await Promise.all(
    [...groups].map(async ([organisation_id, own]) => {
      const ids = own.map(({ subject_id }) => subject_id)
      for (const callback of await readPending(db, organisation_id, ids)) found.set(callback.id, callback)
    }),
  )
  return found
}

async function recordMany(deps: DeliverDeps, tries: readonly Try[]): Promise<void> {
  const groups = groupBy(tries, (one) => one.organisation_id)
  await Promise.all(
    [...groups].map(async ([organisation_id, own]) => {
      const disabled = await recordTries(
        deps.db,
        organisation_id,
        own.map(({ tried }) => tried),
        deps.disable_after_days,
      )
      for (const { id, disabled_reason } of disabled) {
        deps.log.warn({ organisation_id, webhook_id: id, reason: disabled_reason }, 'a webhook was disabled')
      }
      if (disabled.length > 0) tellMuted(deps.wakeups)
    }),
  )
  const outcomes = groupBy(tries, ({ tried }) => (tried.retry_ms === null ? tried.status : 'retry'))
  for (const [outcome, own] of outcomes) deps.meters.callbacks.inc({ outcome }, own.length)
}

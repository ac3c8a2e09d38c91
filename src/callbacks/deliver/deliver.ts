import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import type { LaneOf } from '../../queue/lane-capacity.ts'
import { backOffMs } from '../../queue/run-jobs.ts'
import { finish, postpone, type Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import { makeKeyedBatchWriter } from '../../values/concurrency/batch-writer.ts'
import type { Log } from '../../values/log.ts'
import type { SecretSeal } from '../../values/secrets/secret-seal.ts'
import { CALLBACK_QUEUE } from '../enqueue.ts'
import { findSubject } from '../formats/subject-store.ts'
import { writeCallback } from '../formats/write.ts'
import type { PostOutcome } from '../post/outcome.ts'
import type { Poster } from '../post/post.ts'
import { makeAttemptRecorder, RECORD, type EndedAttempt } from './attempt-recorder.ts'
import { startBursts } from './bursts.ts'
import { makeConcurrencyLimit } from './concurrency.ts'
import { readPendingOf, stopMuted, type PendingCallback } from './deliver-store.ts'
import { judge, UNSIGNED } from './judge.ts'
import { watchMuted } from '../webhooks/muted-webhooks.ts'
import type { CallbackSender } from './reserved.ts'
import { openSecrets } from '../signing/secrets.ts'
import type { TraceCallback } from './trace.ts'

export type DeliverDeps = {
  db: Db
  wakeups: Wakeups
  log: Log
  meters: Meters
  poster: Poster
  /** Opens the secrets of registered webhooks. */
  secret_seal: SecretSeal
  /** The secrets that sign posts to the `callback` of a request, newest first. */
  secretsOf: (organisation_id: string) => Promise<readonly string[]>
  /** Signs posts in Twilio's format, by the API key of the request. */
  authTokenOf: (key_id: string) => string
  /** Processes the response of an endpoint to an inbound text, in formats where the response may contain a reply. */
  takeAnswer: (
    organisation_id: string,
    callback: Pick<PendingCallback, 'id' | 'body'>,
    answer: { text?: string | undefined; is_plain?: boolean | undefined },
  ) => Promise<void>
  /** A webhook that failed for this long is disabled. */
  disable_after_days: number
  /** If traces are enabled. */
  traceCallback?: TraceCallback | undefined
}

/**
 * Maximum number of callbacks leased by this process; the share of each endpoint, and of its concurrent posts, is limited.
 * Includes callbacks that were posted but cannot be recorded while the database is unreachable.
 */
const MAX_IN_FLIGHT = 8_192
/** Callbacks of one endpoint that one claim may take, and that are read together. */
const STEP = 256
/** When the process stops, posts in flight may end and outcomes may be recorded for this long; then they are aborted. */
const STOP_GRACE_MS = 3_000

/**
 * A callback in flight, until its outcome is recorded. Its `job_id` becomes a later one, if it was queued meanwhile and
 * claimed again by this process. One flat object: with a dozen short-lived ones, a post took a third longer.
 */
type Delivery = EndedAttempt & {
  readonly callback: PendingCallback
  /** How often its job was claimed. */
  readonly claims: number
  ended: Promise<void>
}

/** Signs and posts callbacks and records the outcomes, each endpoint in its own lane. */
export function startCallbacks(deps: DeliverDeps): Worker & CallbackSender {
  const concurrency = makeConcurrencyLimit()
  const closing = new AbortController()
  const bursts = startBursts(deps)
  const muted_webhooks = watchMuted(deps)
  const recorder = makeAttemptRecorder(deps, bursts)
  const stop = makeKeyedBatchWriter(
    RECORD,
    (organisation_id, muted: readonly { id: string; job_id: bigint | null }[]) =>
      stopMuted(deps.db, organisation_id, muted),
    isDatabaseUnreachable,
  )
  const in_flight = new Map<string, Delivery>()
  const signers = {
    secretsOf,
    authTokenOf: deps.authTokenOf,
    findSubject: (organisation_id: string, callback: PendingCallback) =>
      findSubject(deps.db, organisation_id, callback),
  }
  let abandoned = 0

  /**
   * If the database was unreachable for longer than a lease, this process may claim a callback that it has in flight. It is
   * not posted a second time: the outcome is recorded for its new job.
   */
  function startClaimed(job: Job, callback: PendingCallback): Promise<void> {
    const known = in_flight.get(callback.id)
    if (!known) return start(deliveryOf(job, callback, job.id, null, job.attempts))
    known.job_id = job.id
    return known.ended
  }

  function start(delivery: Delivery): Promise<void> {
    in_flight.set(delivery.id, delivery)
    delivery.ended = run(delivery)
    return delivery.ended
  }

  async function run(delivery: Delivery): Promise<void> {
    try {
      await deliver(delivery)
    } catch (fault) {
      await postponeFailed(delivery, fault)
    }
    in_flight.delete(delivery.id)
    if (delivery.burst_id !== null) worker.startReserved(delivery, undefined)
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const { organisation_id, id, callback, webhook_id } = delivery
    if (webhook_id !== null) muted_webhooks.hold(organisation_id, webhook_id)
    const outcome = await post(delivery).finally(() => webhook_id !== null && muted_webhooks.release(webhook_id))
    if (outcome === 'muted') return stop(organisation_id, { id, job_id: delivery.job_id })
    if (outcome === 'skipped') return releaseBurst(delivery)
    if (outcome.kind === 'failed' && outcome.reason === 'aborted') return release(delivery, 0)
    judge(delivery, callback, outcome)
    concurrency.learn(delivery.lane, delivery.status === 'delivered', outcome)
    // Before it is recorded as delivered: after a crash in between it is posted and answered again, and the reply sent once.
    if (outcome.kind === 'answered' && outcome.text && delivery.status === 'delivered') {
      if (callback.type === 'text.received') await deps.takeAnswer(organisation_id, callback, outcome)
    }
    delivery.ended_ms = Date.now()
    try {
      await recorder.add(organisation_id, delivery)
    } catch (fault) {
      if (!isDatabaseUnreachable(fault)) throw fault
      abandoned += 1
      return releaseBurst(delivery)
    }
    if (delivery.retry_ms !== null) deps.wakeups.wake(CALLBACK_QUEUE, delivery.retry_ms + 5, organisation_id)
  }

  /** The endpoint's permit is released with its response, before the outcome is recorded. */
  async function post(delivery: Delivery): Promise<PostOutcome | 'muted' | 'skipped'> {
    const { organisation_id, callback, webhook_id } = delivery
    if (callback.muted) return 'muted'
    await concurrency.acquire(delivery)
    try {
      if (closing.signal.aborted || isLost(delivery)) return 'skipped'
      if (webhook_id !== null && (await muted_webhooks.isMuted(webhook_id, callback.type))) return 'muted'
      const written = await writeCallback(callback, organisation_id, signers)
      if (!written) return UNSIGNED
      const { url, headers, body, form } = written
      const traced = deps.traceCallback && (await deps.traceCallback(organisation_id, { ...callback, url }))
      if (traced) headers.traceparent = traced.traceparent
      const to = { organisation_id, lane: delivery.lane, url }
      const outcome = await deps.poster.post(to, headers, body, closing.signal, form)
      traced?.end(outcome)
      return outcome
    } finally {
      concurrency.release(delivery)
    }
  }

  async function secretsOf(organisation_id: string, callback: PendingCallback): Promise<readonly string[]> {
    const { webhook_id, secrets } = callback
    if (webhook_id === null || secrets === null) return deps.secretsOf(organisation_id)
    return openSecrets(deps.secret_seal, organisation_id, webhook_id, secrets)
  }

  /** Another process has taken over its burst, and this one has not claimed it again. */
  function isLost({ job_id, burst_id }: Delivery): boolean {
    return job_id === null && burst_id !== null && bursts.isLost(burst_id)
  }

  /** The lease of a job expires by time; a burst is released when its last callback is. */
  function releaseBurst({ burst_id }: Delivery): void {
    if (burst_id !== null) bursts.release(burst_id, 0)
  }

  async function release({ organisation_id, job_id, burst_id }: Delivery, delay_ms: number): Promise<void> {
    if (burst_id !== null) bursts.release(burst_id, delay_ms)
    if (job_id !== null) await postpone(deps.db, [{ id: job_id, organisation_id }], delay_ms)
  }

  /** After an internal failure, most likely of the database. */
  async function postponeFailed(delivery: Delivery, fault: unknown): Promise<void> {
    const { claims } = delivery
    deps.log.error({ queue: CALLBACK_QUEUE, err: fault, attempts: claims }, 'processing a callback failed')
    await release(delivery, backOffMs(claims, false)).catch(() => {}) // then its lease expires
  }

  /** Each callback has its own outcome: none is posted again because another failed. */
  async function work(jobs: Job[], done: (job: Job) => void): Promise<void> {
    const stored = await readPendingOf(deps.db, jobs)
    const gone: Job[] = []
    const started = jobs.map(async (job) => {
      const callback = stored.get(job.subject_id)
      if (!callback) return void gone.push(job)
      await startClaimed(job, callback)
      done(job)
    })
    // Delivered by a worker that died before it deleted the job. If this fails, the next claim finds them again.
    await Promise.all([...started, finish(deps.db, gone).catch(() => {})])
  }

  const lanes = { limit: concurrency.limit, step: STEP, many_per_organisation: true }
  const worker = startWorker(deps, { queue: CALLBACK_QUEUE, limit: MAX_IN_FLIGHT, batch: STEP, lanes, work })

  return {
    reserve: (lane) => worker.reserve(lane),
    startReserved(lane, burst_id, callback) {
      if (burst_id === undefined) return worker.startReserved(lane, undefined)
      bursts.add(burst_id, lane.organisation_id)
      void start(deliveryOf(lane, callback, null, burst_id, 1))
    },
    async stop() {
      recorder.flush()
      const grace = setTimeout(() => {
        closing.abort()
        recorder.abandon()
      }, STOP_GRACE_MS)
      await worker.stop()
      await bursts.stop()
      muted_webhooks.stop()
      clearTimeout(grace)
      if (abandoned > 0) {
        deps.log.warn({ callbacks: abandoned }, 'outcomes of callbacks could not be recorded: they are posted again')
      }
    },
  }
}

function deliveryOf(
  { organisation_id, lane }: LaneOf,
  callback: PendingCallback,
  job_id: bigint | null,
  burst_id: bigint | null,
  claims: number,
): Delivery {
  return {
    organisation_id,
    id: callback.id,
    webhook_id: callback.webhook_id,
    url: callback.url,
    lane,
    job_id,
    burst_id,
    made: callback.attempts,
    status: 'pending',
    retry_ms: null,
    status_code: null,
    reason: null,
    excerpt: null,
    duration_ms: 0,
    waited_ms: null,
    is_retry: false,
    callback,
    claims,
    ended_ms: 0,
    ended: NEVER_STARTED,
  }
}

const NEVER_STARTED = Promise.resolve()

import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import type { LaneOf } from '../../queue/lane-capacity.ts'
import { backOffMs } from '../../queue/run-jobs.ts'
import { finish, postpone, type Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import { makeKeyedBatchWriter, makeRetryingBatchWriter } from '../../values/concurrency/batch-writer.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import type { SecretSeal } from '../../values/secrets/secret-seal.ts'
import { CALLBACK_QUEUE } from '../enqueue.ts'
import { findSubject } from '../formats/subject-store.ts'
import { writeCallback } from '../formats/write.ts'
import type { PostOutcome, Poster } from '../post/post.ts'
import { startBursts, type Bursts } from './bursts.ts'
import { makeConcurrencyLimit } from './concurrency.ts'
import {
  readPendingOf,
  recordAttempts,
  stopMuted,
  type AttemptedCallback,
  type PendingCallback,
} from './deliver-store.ts'
import { judge, UNSIGNED } from './judge.ts'
import { announceMuted, watchMuted } from './muted-webhooks.ts'
import type { CallbackSender } from './reserved.ts'
import { openSecrets } from './secrets.ts'
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
    answer: { text?: string; is_plain?: boolean },
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
/** Outcomes of an organisation within this time are recorded in one write. */
const RECORD = { fill_ms: 20, items: 500 }
const RECORD_RETRIES = { first_ms: 100, longest_ms: 2_000 }
/** When the process stops, posts in flight may end and outcomes may be recorded for this long; then they are aborted. */
const STOP_GRACE_MS = 3_000

/** A callback in flight, until its outcome is recorded. */
type Delivery = {
  organisation_id: string
  lane: string
  callback: PendingCallback
  /** The job by which it was claimed; a later one, if it was queued meanwhile and claimed again by this process. */
  job_id: bigint | null
  /** The burst it was stored with. */
  burst_id: bigint | null
  attempts: number
  ended: Promise<void>
}

/** An attempt, and when it ended. */
type Attempt = { delivery: Delivery; attempted: AttemptedCallback; ended_ms: number }

/** Signs and posts callbacks and records the outcomes, each endpoint in its own lane. */
export function startCallbacks(deps: DeliverDeps): Worker & CallbackSender {
  const concurrency = makeConcurrencyLimit()
  const closing = new AbortController()
  const bursts = startBursts(deps)
  const muted_webhooks = watchMuted(deps)
  /**
   * An outcome that cannot be recorded is kept and retried until the database is back: otherwise the callback would be
   * posted twice. It stays in flight until then, so that there are never more than `MAX_IN_FLIGHT`. One write at a time per
   * organisation, so that a burst can be deleted together with its last callback.
   */
  const recorder = makeRetryingBatchWriter<Attempt>(
    RECORD,
    {
      ...RECORD_RETRIES,
      shouldRetry: isDatabaseUnreachable,
      onRetry(organisation_id, attempts, fault, failures) {
        if (failures > 1) return
        const details = { organisation_id, callbacks: attempts.length, err: fault }
        deps.log.warn(details, 'the outcomes of callbacks are recorded when the database is back')
      },
    },
    (organisation_id, attempts, is_retry) => record(deps, bursts, organisation_id, attempts, is_retry),
    isDatabaseUnreachable,
  )
  const stop = makeKeyedBatchWriter(
    RECORD,
    (organisation_id, muted: readonly { id: string; job_id: bigint | null }[]) =>
      stopMuted(deps.db, organisation_id, muted),
    isDatabaseUnreachable,
  )
  const reserved = new Map<string, { burst_id: bigint; callback: PendingCallback }>()
  const in_flight = new Map<string, Delivery>()
  let abandoned = 0

  /**
   * If the database was unreachable for longer than a lease, this process may claim a callback that it has in flight. It is
   * not posted a second time: the outcome is recorded for its new job.
   */
  function start(job: Job, callback: PendingCallback, burst_id: bigint | null): Promise<void> {
    const known = in_flight.get(callback.id)
    if (known) {
      known.job_id = job.id
      return known.ended
    }
    const { organisation_id, lane, attempts } = job
    const job_id = burst_id === null ? job.id : null
    const delivery = { organisation_id, lane, callback, job_id, burst_id, attempts, ended: Promise.resolve() }
    in_flight.set(callback.id, delivery)
    delivery.ended = deliver(delivery)
      .catch((fault: unknown) => postponeFailed(delivery, fault))
      .finally(() => in_flight.delete(callback.id))
    return delivery.ended
  }

  async function deliver(delivery: Delivery): Promise<void> {
    const { organisation_id, lane, callback } = delivery
    const { id, webhook_id } = callback
    if (webhook_id !== null) muted_webhooks.hold(organisation_id, webhook_id)
    const outcome = await post(delivery).finally(() => webhook_id !== null && muted_webhooks.release(webhook_id))
    if (outcome === 'muted') return stop(organisation_id, { id, job_id: delivery.job_id })
    if (outcome === 'skipped') return releaseBurst(delivery)
    if (outcome.kind === 'failed' && outcome.reason === 'aborted') return release(delivery, 0)
    const attempted = judge(callback, outcome)
    concurrency.learn(lane, attempted.status === 'delivered', outcome)
    // Before it is recorded as delivered: after a crash in between it is posted and answered again, and the reply sent once.
    if (outcome.kind === 'answered' && outcome.text && attempted.status === 'delivered') {
      if (callback.type === 'text.received') await deps.takeAnswer(organisation_id, callback, outcome)
    }
    try {
      await recorder.add(organisation_id, { delivery, attempted, ended_ms: Date.now() })
    } catch (fault) {
      if (!isDatabaseUnreachable(fault)) throw fault
      abandoned += 1
      return releaseBurst(delivery)
    }
    if (attempted.retry_ms !== null) deps.wakeups.wake(CALLBACK_QUEUE, attempted.retry_ms + 5, organisation_id)
  }

  /** The endpoint's permit is released with its response, before the outcome is recorded. */
  async function post(delivery: Delivery): Promise<PostOutcome | 'muted' | 'skipped'> {
    const { organisation_id, lane, callback } = delivery
    if (callback.muted) return 'muted'
    await concurrency.acquire(delivery)
    try {
      if (closing.signal.aborted || isLost(delivery)) return 'skipped'
      const { webhook_id, type } = callback
      if (webhook_id !== null && (await muted_webhooks.isMuted(webhook_id, type))) return 'muted'
      const { authTokenOf } = deps
      const secrets = () => secretsOf(organisation_id, callback)
      const subjectOf = () => findSubject(deps.db, organisation_id, callback)
      const written = await writeCallback(callback, organisation_id, { secrets, authTokenOf, findSubject: subjectOf })
      if (!written) return UNSIGNED
      const { url, headers, body, form } = written
      const traced = deps.traceCallback && (await deps.traceCallback(organisation_id, { ...callback, url }))
      if (traced) headers.traceparent = traced.traceparent
      const outcome = await deps.poster.post({ organisation_id, lane, url }, headers, body, closing.signal, form)
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
    const { attempts } = delivery
    deps.log.error({ queue: CALLBACK_QUEUE, err: fault, attempts }, 'processing a callback failed')
    await release(delivery, backOffMs(attempts, false)).catch(() => {}) // then its lease expires
  }

  /** Each callback has its own outcome: none is posted again because another failed. */
  async function work(jobs: Job[], done: (job: Job) => void): Promise<void> {
    const stored = await readPendingOf(
      deps.db,
      jobs.filter(({ subject_id }) => !reserved.has(subject_id)),
    )
    const gone: Job[] = []
    const started = jobs.map(async (job) => {
      const known = reserved.get(job.subject_id)
      reserved.delete(job.subject_id)
      const callback = known?.callback ?? stored.get(job.subject_id)
      if (!callback) return void gone.push(job)
      await start(job, callback, known?.burst_id ?? null)
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
      reserved.set(callback.id, { burst_id, callback })
      worker.startReserved(lane, jobOf(lane, burst_id, callback.id))
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

/** A job as if it had been claimed. All callbacks of a burst share its job. */
function jobOf({ organisation_id, lane }: LaneOf, burst_id: bigint, callback_id: string): Job {
  const claimed = { attempts: 1, interrupted: false, subject_key: '' }
  return { ...claimed, id: burst_id, lane, organisation_id, subject_id: callback_id }
}

async function record(
  deps: DeliverDeps,
  bursts: Bursts,
  organisation_id: string,
  attempts: readonly Attempt[],
  is_retry: boolean,
): Promise<void> {
  const burst_ids = attempts.flatMap(({ delivery }) => delivery.burst_id ?? [])
  const records = attempts.map(({ delivery, attempted, ended_ms }) => {
    const { lane, job_id, burst_id } = delivery
    return { attempted, lane, job_id, burst_id, is_retry, waited_ms: is_retry ? Date.now() - ended_ms : null }
  })
  const ended = bursts.endingWith(burst_ids)
  const disabled = await recordAttempts(deps.db, organisation_id, records, ended, deps.disable_after_days)
  bursts.end(burst_ids)
  for (const { id, disabled_reason } of disabled) {
    deps.log.warn({ organisation_id, webhook_id: id, reason: disabled_reason }, 'a webhook was disabled')
  }
  if (disabled.length > 0) announceMuted(deps.wakeups)
  const outcomes = groupBy(attempts, ({ attempted }) => (attempted.retry_ms === null ? attempted.status : 'retry'))
  for (const [outcome, own] of outcomes) deps.meters.callbacks.inc({ outcome }, own.length)
}

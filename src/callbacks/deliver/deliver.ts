import { isDatabaseUnreachable } from '../../db/unreachable.ts'
import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import { finish, postpone, type Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import type { LaneOf } from '../../queue/lane-capacity.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import type { SecretSeal } from '../../values/secrets/secret-seal.ts'
import { readPending, recordTries, stopMuted, type PendingCallback, type TriedCallback } from './deliver-store.ts'
import { startBursts, type Bursts } from './bursts.ts'
import { makeCollector } from './collector.ts'
import { CALLBACK_QUEUE } from '../enqueue.ts'
import { findSubject } from '../formats/subject-store.ts'
import { writeCallback } from '../formats/write.ts'
import type { CallbackSender } from './reserved.ts'
import { announceMuted, watchMutes } from './muted-webhooks.ts'
import { makeConcurrencyLimit } from './concurrency.ts'
import type { PostOutcome, Poster } from '../post/post.ts'
import { judge } from './judge.ts'
import { makeRecorder, type Recorded } from './recorder.ts'
import { openSecrets } from './secrets.ts'
import type { TraceCallback } from './trace.ts'

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
  /** What signs posts in Twilio's form, by the key they were asked for with. */
  authTokenOf: (key_id: string) => string
  /** What an endpoint has answered to a text that somebody wrote, where its form can say something. */
  takeAnswer: (
    organisation_id: string,
    callback: Pick<PendingCallback, 'id' | 'body'>,
    answer: { text?: string; is_plain?: boolean },
  ) => Promise<void>
  /** A registered endpoint that failed for so long is disabled. */
  disable_after_days: number
  /** Where traces are wanted. */
  traceCallback?: TraceCallback | undefined
}

/**
 * Callbacks in the hands of this process; each endpoint's share of them, and of the posts under way, is limited. Also
 * those that were told while the database is away: nothing is claimed or posted beyond.
 */
const IN_HAND = 8_192
/** Callbacks of one endpoint that one claim may take, and that are read together. */
const STEP = 256
/** What came of posts is written down together: all that end within this time, at most so many. */
const RECORD = { every_ms: 20, items: 500 }

/** A callback in hand, until what came of it is written. */
type Telling = {
  organisation_id: string
  lane: string
  callback: PendingCallback
  /** The job it was claimed by; another if it was put in line meanwhile and came back to us. */
  job_id: bigint | null
  /** The burst it was handed over with. */
  burst_id: bigint | null
  attempts: number
  ended: Promise<void>
}

/** A try, and when it was over. */
type Try = { telling: Telling; tried: TriedCallback; over_ms: number }

/** Signs, posts, and writes down what came of it: callback after callback, each endpoint in its own lane. */
export function startCallbacks(deps: DeliverDeps): Worker & CallbackSender {
  const concurrency = makeConcurrencyLimit()
  const closing = new AbortController()
  const bursts = startBursts(deps)
  const recorder = makeRecorder<Try>({
    ...RECORD,
    write: (organisation_id, tries) => recordMany(deps, bursts, organisation_id, tries),
    isPassing: isDatabaseUnreachable,
    onRemembered: (organisation_id, callbacks, fault) =>
      deps.log.warn({ organisation_id, callbacks, err: fault }, 'what was told is remembered until it can be written'),
  })
  const stop = makeCollector(RECORD, (muted: readonly Muted[]) => stopMany(deps.db, muted), isDatabaseUnreachable)
  const mutes = watchMutes(deps)
  const handed_over = new Map<string, { burst_id: bigint; callback: PendingCallback }>()
  const under_way = new Map<string, Telling>()
  let forgotten = 0

  /**
   * What is under way here may come back to us, if the database was away for longer than a lease. Then it is not posted a
   * second time: what came of it, or will, is written for the job it has now.
   */
  function tell(job: Job, callback: PendingCallback, burst_id: bigint | null): Promise<void> {
    const before = under_way.get(callback.id)
    if (before) {
      before.job_id = job.id
      return before.ended
    }
    const { organisation_id, lane, attempts } = job
    const job_id = burst_id === null ? job.id : null
    const telling = { organisation_id, lane, callback, job_id, burst_id, attempts, ended: Promise.resolve() }
    under_way.set(callback.id, telling)
    telling.ended = deliver(telling)
      .catch((fault: unknown) => putOff(telling, fault))
      .finally(() => under_way.delete(callback.id))
    return telling.ended
  }

  async function deliver(telling: Telling): Promise<void> {
    const { organisation_id, lane, callback } = telling
    const { id, webhook_id } = callback
    if (webhook_id !== null) mutes.hold(organisation_id, webhook_id)
    const outcome = await post(telling).finally(() => webhook_id !== null && mutes.release(webhook_id))
    if (outcome === 'muted') return stop({ organisation_id, id, job_id: telling.job_id })
    if (outcome === 'left') return leave(telling)
    if (outcome.kind === 'failed' && outcome.reason === 'aborted') return giveBack(telling, 0)
    const tried = judge(callback, outcome)
    concurrency.learn(lane, tried.status === 'delivered', outcome)
    // Before it is written that it was told: should we die in between, it is told and answered again, and sent once.
    if (outcome.kind === 'answered' && outcome.text && tried.status === 'delivered') {
      if (callback.type === 'text.received') await deps.takeAnswer(organisation_id, callback, outcome)
    }
    if (await recorder.record(organisation_id, { telling, tried, over_ms: Date.now() })) {
      if (tried.retry_ms !== null) deps.wakeups.wake(CALLBACK_QUEUE, tried.retry_ms + 5, organisation_id)
    } else {
      forgotten += 1
      leave(telling)
    }
  }

  /** The endpoint's turn is over with its answer: writing that down holds up nobody. */
  async function post(telling: Telling): Promise<PostOutcome | 'muted' | 'left'> {
    const { organisation_id, lane, callback } = telling
    if (callback.muted) return 'muted'
    await concurrency.enter(telling)
    try {
      if (closing.signal.aborted || isLost(telling)) return 'left'
      if (callback.webhook_id !== null && (await mutes.isMuted(callback.webhook_id, callback.type))) return 'muted'
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
      concurrency.leave(telling)
    }
  }

  async function secretsOf(organisation_id: string, callback: PendingCallback): Promise<readonly string[]> {
    const { webhook_id, secrets } = callback
    if (webhook_id === null || secrets === null) return deps.secretsOf(organisation_id)
    return openSecrets(deps.secret_seal, organisation_id, webhook_id, secrets)
  }

  /** Put in line by others, and not come back to us. */
  function isLost({ job_id, burst_id }: Telling): boolean {
    return job_id === null && burst_id !== null && bursts.isLost(burst_id)
  }

  /** To whoever comes next: the lease of its job ends without us, a burst is given up when the last of it is. */
  function leave({ burst_id }: Telling): void {
    if (burst_id !== null) bursts.leave(burst_id, 0)
  }

  async function giveBack({ organisation_id, job_id, burst_id }: Telling, delay_ms: number): Promise<void> {
    if (burst_id !== null) bursts.leave(burst_id, delay_ms)
    if (job_id !== null) await postpone(deps.db, [{ id: job_id, organisation_id }], delay_ms)
  }

  /** Something of ours failed, most likely the database. */
  async function putOff(telling: Telling, fault: unknown): Promise<void> {
    const { attempts } = telling
    deps.log.error({ queue: CALLBACK_QUEUE, err: fault, attempts }, 'a callback could not be dealt with')
    const delay_ms = Math.min(LONGEST_BACK_OFF_MS, 500 * 2 ** Math.min(10, attempts))
    await giveBack(telling, delay_ms).catch(() => {}) // then the lease gives it back
  }

  /** A post that was made is not made again because another failed: each has its own end. */
  async function work(jobs: Job[], done: (job: Job) => void): Promise<void> {
    const stored = await readMany(
      deps.db,
      jobs.filter(({ subject_id }) => !handed_over.has(subject_id)),
    )
    const gone: Job[] = []
    const telling = jobs.map(async (job) => {
      const handed = handed_over.get(job.subject_id)
      handed_over.delete(job.subject_id)
      const callback = handed?.callback ?? stored.get(job.subject_id)
      if (!callback) return void gone.push(job)
      await tell(job, callback, handed?.burst_id ?? null)
      done(job)
    })
    // Delivered by a worker that died before it said so to the queue; if this fails, somebody finds them again.
    await Promise.all([...telling, finish(deps.db, gone).catch(() => {})])
  }

  const lanes = { limit: concurrency.limit, step: STEP, many_per_organisation: true }
  const worker = startWorker(deps, { queue: CALLBACK_QUEUE, limit: IN_HAND, batch: STEP, lanes, work })

  return {
    reserve: (place) => worker.reserve(place),
    startReserved(place, burst_id, callback) {
      if (burst_id === undefined) return worker.startReserved(place, undefined)
      bursts.add(burst_id, place.organisation_id)
      handed_over.set(callback.id, { burst_id, callback })
      worker.startReserved(place, jobOf(place, burst_id, callback.id))
    },
    async stop() {
      recorder.hurry()
      const grace = setTimeout(() => {
        closing.abort()
        recorder.giveUp()
      }, STOP_GRACE_MS)
      await worker.stop()
      await bursts.stop()
      mutes.stop()
      clearTimeout(grace)
      if (forgotten > 0) deps.log.warn({ callbacks: forgotten }, 'what was told could not be written: it is told again')
    },
  }
}

/** As if it had been claimed. All of a burst have its job. */
function jobOf({ organisation_id, lane }: LaneOf, burst_id: bigint, callback_id: string): Job {
  const claimed = { attempts: 1, interrupted: false, subject_key: '' }
  return { ...claimed, id: burst_id, lane, organisation_id, subject_id: callback_id }
}

/** Not sent at all: unsigned, the receiver could only refuse it. Told as a try, so that whoever misses it finds why. */
const UNSIGNED: PostOutcome = {
  kind: 'failed',
  reason: 'secret',
  description: 'The secret that signs it was sealed under another pepper: rotate it, or give the pepper back.',
  duration_ms: 0,
}

const LONGEST_BACK_OFF_MS = 60_000

/**
 * What is under way when the process stops may still end, and what is remembered may still be written; then it is broken
 * off, and tried again by the next one.
 */
const STOP_GRACE_MS = 3_000

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

async function recordMany(
  deps: DeliverDeps,
  bursts: Bursts,
  organisation_id: string,
  recorded: readonly Recorded<Try>[],
): Promise<void> {
  const burst_ids = recorded.flatMap(({ item }) => item.telling.burst_id ?? [])
  const tries = recorded.map(({ item: { telling, tried, over_ms }, again }) => {
    const { lane, job_id, burst_id } = telling
    return { tried, lane, job_id, burst_id, again, waited_ms: again ? Date.now() - over_ms : null }
  })
  const over = bursts.overWith(burst_ids)
  const disabled = await recordTries(deps.db, organisation_id, tries, over, deps.disable_after_days)
  bursts.end(burst_ids)
  for (const { id, disabled_reason } of disabled) {
    deps.log.warn({ organisation_id, webhook_id: id, reason: disabled_reason }, 'a webhook was disabled')
  }
  if (disabled.length > 0) announceMuted(deps.wakeups)
  const outcomes = groupBy(tries, ({ tried }) => (tried.retry_ms === null ? tried.status : 'retry'))
  for (const [outcome, own] of outcomes) deps.meters.callbacks.inc({ outcome }, own.length)
}

type Muted = { organisation_id: string; id: string; job_id: bigint | null }

async function stopMany(db: Db, muted: readonly Muted[]): Promise<void> {
  const groups = groupBy(muted, ({ organisation_id }) => organisation_id)
  await Promise.all([...groups].map(([organisation_id, own]) => stopMuted(db, organisation_id, own)))
}

import { batchesOf, connectionsOf, requireReachable } from '../db/layout.ts'
import type { Db } from '../db/connect.ts'
import { makeBoundedCache } from '../values/concurrency/bounded-cache.ts'
import { startPeriodicJob } from '../values/concurrency/periodic-job.ts'
import { makeSemaphore } from '../values/concurrency/semaphore.ts'
import { makeTokenBucket, type TokenBucket } from '../values/concurrency/token-bucket.ts'
import { newId } from '../values/id.ts'
import type { Log } from '../values/log.ts'
import { isFailure, makeRequestSampler, type Burst, type Call, type RequestSampler } from './sampler.ts'
import { insertBursts, type NewBurst } from './store.ts'

export type RequestLog = Pick<RequestSampler, 'note'> & { stop(): Promise<void> }

const FLUSH_MS = 1_000
const CONCURRENT_WRITES = 4
/** Characters of bodies and answers an organisation may store: as a burst, and per second. */
const ALLOWANCE = { burst: 1_000_000, rate_per_s: 4_000 }
/** Organisations whose allowance is remembered; one that is evicted starts with a full one. */
const MAX_ALLOWANCES = 10_000

/**
 * Writes the requests of all organisations once a second, one row per organisation, so that a request costs no
 * statement of its own. A crash loses the last second of the log. Rows that cannot be written are dropped: the log must
 * not grow in memory while the database is down.
 */
export function startRequestLog(deps: { db: Db; log: Log }, sampler = makeRequestSampler()): RequestLog {
  const allowances = makeBoundedCache<string, TokenBucket>(MAX_ALLOWANCES)
  const semaphore = makeSemaphore(CONCURRENT_WRITES)

  async function flush(): Promise<void> {
    const now = Date.now()
    const bursts = [...sampler.drain()]
      .filter(([, { calls }]) => calls.length > 0)
      .map(([organisation_id, burst]) => newBurst(organisation_id, burst, now, allowanceOf(organisation_id)))
    await Promise.all(batchesOf(deps.db, bursts).map((some) => semaphore.run(() => write(some))))
  }

  function allowanceOf(organisation_id: string): TokenBucket {
    const known = allowances.get(organisation_id)
    if (known) return known
    const allowance = makeTokenBucket(ALLOWANCE)
    allowances.set(organisation_id, allowance)
    return allowance
  }

  async function write(some: readonly NewBurst[]): Promise<void> {
    try {
      const { organisation_id = '' } = some[0] ?? {}
      await requireReachable(deps.db, organisation_id)
      await insertBursts(connectionsOf(deps.db, organisation_id), some)
    } catch (err) {
      deps.log.warn({ err }, 'the requests of the last second could not be written to the request log')
    }
  }

  const job = startPeriodicJob(FLUSH_MS, flush, (err) => deps.log.warn({ err }, 'writing the request log failed'))

  return {
    note: (organisation_id, status, describe) => sampler.note(organisation_id, status, describe),
    async stop() {
      await job.stop()
      await flush()
    },
  }
}

/** Bodies of failures have priority. */
function newBurst(organisation_id: string, burst: Burst, now: number, allowance: TokenBucket): NewBurst {
  const calls = [...burst.calls].sort((a, b) => a.answered_ms - b.answered_ms)
  const kept = new Set<Call>()
  for (const call of [...calls].sort((a, b) => Number(isFailure(b.status)) - Number(isFailure(a.status)))) {
    const length = (call.body?.length ?? 0) + (call.answer?.length ?? 0)
    if (length === 0 || allowance.take(length)) kept.add(call)
  }
  return {
    organisation_id,
    id: newId(),
    seen: burst.seen,
    calls: calls.map(({ request_id, method, path, status, ms, key_id, answered_ms }) => {
      return { request_id, method, path, status, ms, key_id, ago_ms: Math.max(0, now - answered_ms) }
    }),
    contents: calls.map((call) => {
      const { request_id, body = null, answer = null } = call
      return kept.has(call) ? { request_id, body, answer } : { request_id, body: null, answer: null, left_out: true }
    }),
  }
}

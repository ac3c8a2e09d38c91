import { requireNode } from '../db/cluster/nodes.ts'
import { whereItLies } from '../db/cluster/where-it-lies.ts'
import type { Db } from '../db/connect.ts'
import { newId } from '../values/id.ts'
import type { Log } from '../values/log.ts'
import { isFailure, makeRecorder, type Burst, type Call, type Recorder } from './recent-calls.ts'
import { insertBursts, type NewBurst } from './store.ts'

export type RequestLog = Pick<Recorder, 'note'> & { stop(): Promise<void> }

const FLUSH_MS = 1_000
const AT_ONCE = 4
/** Characters of bodies and answers an organisation may store: as a burst, and per second. */
const ALLOWANCE = 1_000_000
const ALLOWANCE_PER_S = 4_000

/**
 * Writes the requests of all organisations once a second, one row per organisation, so that a request costs no
 * statement of its own. A crash loses the last second of the log. Rows that cannot be written are dropped: the log must
 * not grow in memory while the database is down.
 */
export function startRequestLog(deps: { db: Db; log: Log }, recorder = makeRecorder()): RequestLog {
  const allowances = makeAllowances()
  let writing: Promise<void> | undefined

  async function flush(): Promise<void> {
    const now = Date.now()
    const bursts = [...recorder.drain()]
      .filter(([, { calls }]) => calls.length > 0)
      .map(([organisation_id, burst]) => writtenBurst(organisation_id, burst, now, allowances.of(organisation_id, now)))
    // On a cluster, one statement per organisation, on its shard.
    const writes = deps.db.distributed ? bursts.map((one) => [one]) : bursts.length > 0 ? [bursts] : []
    for (let n = 0; n < writes.length; n += AT_ONCE) await Promise.all(writes.slice(n, n + AT_ONCE).map(write))
    allowances.forgetFull(now)
  }

  async function write(some: readonly NewBurst[]): Promise<void> {
    try {
      const { organisation_id = '' } = some[0] ?? {}
      await requireNode(deps.db, organisation_id)
      await insertBursts(whereItLies(deps.db, organisation_id), some)
    } catch (err) {
      deps.log.warn({ err }, 'calls of the last second are missing from the request log')
    }
  }

  const timer = setInterval(() => {
    writing ??= flush().finally(() => {
      writing = undefined
    })
  }, FLUSH_MS)
  timer.unref()

  return {
    note: (organisation_id, status, describe) => recorder.note(organisation_id, status, describe),
    async stop() {
      clearInterval(timer)
      await writing
      await flush()
    },
  }
}

type Allowance = { left: number; since_ms: number }

/** Token buckets of characters, by organisation. An absent bucket is full. */
function makeAllowances() {
  const buckets = new Map<string, Allowance>()
  const filled = ({ left, since_ms }: Allowance, now: number): number =>
    Math.min(ALLOWANCE, left + ((now - since_ms) / 1_000) * ALLOWANCE_PER_S)
  return {
    of(organisation_id: string, now: number): Allowance {
      const own = buckets.get(organisation_id) ?? { left: ALLOWANCE, since_ms: now }
      own.left = filled(own, now)
      own.since_ms = now
      buckets.set(organisation_id, own)
      return own
    },
    forgetFull(now: number): void {
      for (const [id, own] of buckets) if (filled(own, now) >= ALLOWANCE) buckets.delete(id)
    },
  }
}

/** Bodies of failures have priority. */
function writtenBurst(organisation_id: string, burst: Burst, now: number, allowance: Allowance): NewBurst {
  const calls = [...burst.calls].sort((a, b) => a.answered_ms - b.answered_ms)
  const kept = new Set<Call>()
  for (const call of [...calls].sort((a, b) => Number(isFailure(b.status)) - Number(isFailure(a.status)))) {
    const length = (call.body?.length ?? 0) + (call.answer?.length ?? 0)
    if (length > allowance.left) continue
    allowance.left -= length
    kept.add(call)
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

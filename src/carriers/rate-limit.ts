import type { Db } from '../db/connect.ts'
import { openBucket, returnTokens, takeTokens } from '../queue/rate-store.ts'
import { cached } from '../values/concurrency/cached.ts'
import type { Log } from '../values/log.ts'
import type { Availability } from './availability.ts'

/** A carrier's rate limit, in a token bucket that all processes share, and its pauses. Nothing here ever rejects. */
export type RateLimit = {
  /** Whether this or another process has paused the carrier; read at most once per second. */
  isPaused(): Promise<boolean>
  /** Takes up to `count` tokens; undefined if the database cannot be reached. */
  take(count: number): Promise<number | undefined>
  /** Returns tokens that no message used. */
  release(count: number): Promise<void>
  /** Waits for `count` tokens. False: the carrier is paused, or the process stops. */
  acquire(count: number, isStopping: () => boolean): Promise<boolean>
}

const PAUSE_CACHED_MS = 1_000
const AFTER_FAULT_MS = 500
const MAX_WAIT_MS = 250

/** Without `rate_per_s` tokens are unlimited. */
export function makeRateLimit(
  { db, log }: { db: Db; log: Log },
  { name, rate_per_s = Infinity }: { name: string; rate_per_s?: number | undefined },
  availability: Availability,
): RateLimit {
  const bucket = `carrier:${name}`
  const readPaused = cached(PAUSE_CACHED_MS, () => availability.isPaused())
  const isPaused = (): Promise<boolean> => readPaused('').catch(() => false)
  let is_open = false

  async function take(count: number): Promise<number | undefined> {
    if (rate_per_s === Infinity) return count
    try {
      if (!is_open) await openBucket(db, bucket, rate_per_s)
      is_open = true
      return await takeTokens(db, bucket, rate_per_s, count)
    } catch (fault) {
      log.warn({ carrier: name, err: fault }, 'messages wait: the rate limit of a carrier could not be read')
      return undefined
    }
  }

  return {
    isPaused,
    take,

    async release(count) {
      if (count === 0 || rate_per_s === Infinity) return
      await returnTokens(db, bucket, count).catch((fault: unknown) => {
        log.warn({ carrier: name, err: fault }, 'unused tokens of a rate limit could not be returned')
      })
    },

    async acquire(count, isStopping) {
      if (await isPaused()) return false
      for (let left = count; left > 0;) {
        if (isStopping()) return false
        const taken = await take(left)
        left -= taken ?? 0
        const wait_ms = taken === undefined ? AFTER_FAULT_MS : Math.min(MAX_WAIT_MS, (1_000 * left) / rate_per_s)
        if (left > 0) await new Promise((resolve) => setTimeout(resolve, wait_ms))
      }
      return true
    },
  }
}

import type { Db } from '../../db/connect.ts'
import { openBucket, takeTokens } from '../../queue/rate-store.ts'
import { cached } from '../../values/concurrency/cached.ts'
import type { Log } from '../../values/log.ts'
import type { Rest } from '../rest.ts'

/** Resolves when so many messages may go: true; or that they must not go now. */
export type Turn = (count: number) => Promise<boolean>

const PAUSE_REMEMBERED_MS = 1_000
const AFTER_FAULT_MS = 500
const LONGEST_WAIT_MS = 250

/** Keeps to the vendor's rate over all processes, and to what another process was told by the vendor. Never fails. */
export function makeTurn(
  { db, log }: { db: Db; log: Log },
  { name, rate_per_s }: { name: string; rate_per_s: number | undefined },
  rest: Rest,
  isStopping: () => boolean,
): Turn {
  const bucket = `carrier:${name}`
  const isPaused = cached(PAUSE_REMEMBERED_MS, () => rest.isPaused())
  let opened = false

  async function taken(rate: number, count: number): Promise<number> {
    try {
      if (!opened) await openBucket(db, bucket, rate)
      opened = true
      return await takeTokens(db, bucket, rate, count)
    } catch (fault) {
      log.warn({ carrier: name, err: fault }, 'messages wait: their turn could not be asked for')
      await new Promise((resolve) => setTimeout(resolve, AFTER_FAULT_MS))
      return 0
    }
  }

  return async (count) => {
    if (await isPaused('').catch(() => false)) return false
    if (rate_per_s === undefined) return true
    for (let left = count; left > 0;) {
      if (isStopping()) return false
      left -= await taken(rate_per_s, left)
      if (left === 0) break
      await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_WAIT_MS, (1_000 * left) / rate_per_s)))
    }
    return true
  }
}

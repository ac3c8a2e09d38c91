import type { Db } from '../db/connect.ts'
import { onOneConnection } from '../db/transaction.ts'
import type { InstallationKeys } from '../otp/pepper.ts'
import { readMark } from '../otp/pepper-store.ts'
import { startPeriodicJob } from '../values/concurrency/periodic-job.ts'
import type { Log } from '../values/log.ts'
import { countSealed, OTP_HOURS, resealAll, settlePepper } from './reseal.ts'
import { lockResealing, unlockResealing } from './lock-store.ts'

const INTERVAL_MS = 60_000

type Deps = { db: Db; log: Log; keys: InstallationKeys }

/**
 * Rotates the pepper while the former one is configured: of several processes one seals again what was sealed under it,
 * and repeats until nothing is left, because processes that were started before may still seal under the former one.
 */
export function startResealing(deps: Deps): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let has_ended = false

  async function run(): Promise<void> {
    if (has_ended) return
    await onOneConnection(deps.db, async (connection) => {
      if (!(await lockResealing(connection))) return
      try {
        has_ended = await rotate(deps, stopping.signal)
      } finally {
        await unlockResealing(connection).catch(() => {}) // a lost connection has released it
      }
    })
  }

  const job = startPeriodicJob(
    INTERVAL_MS,
    run,
    (err) => deps.log.warn({ err }, 'the rotation of the pepper failed; it is continued within a minute'),
    { at_start: true },
  )
  return {
    async stop() {
      stopping.abort()
      await job.stop()
    },
  }
}

/** Whether nothing depends on the former pepper any more. */
async function rotate(deps: Deps, signal: AbortSignal): Promise<boolean> {
  if (!(await settlePepper(deps))) {
    deps.log.error({}, 'the keys of the database open under neither the present nor the previous pepper')
    return false
  }
  const resealed = await resealAll(deps, signal)
  if (signal.aborted) return false
  if (resealed > 0) deps.log.info({ resealed }, 'secrets were sealed under the present pepper')
  if (!(await isRotated(deps))) return false
  deps.log.info({}, 'nothing depends on the previous pepper any more: remove it')
  return true
}

export async function isRotated(deps: Pick<Deps, 'db' | 'keys'>): Promise<boolean> {
  const mark = await readMark(deps.db)
  if (mark?.mark !== deps.keys.pepper_mark || mark.hours < OTP_HOURS) return false
  return (await countSealed(deps)).every(({ former }) => former === 0)
}

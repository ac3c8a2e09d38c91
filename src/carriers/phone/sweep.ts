import type { Db } from '../../db/connect.ts'
import type { Log } from '../../values/log.ts'
import type { TakeReports } from '../message-carrier.ts'
import { findLost, markLost } from './message-store.ts'

const EVERY_MS = 10_000

/**
 * Says of messages in the hands of phones that have been silent for too long that nobody will know. What the phone says
 * later still counts. Several processes doing so is harmless: a report may come twice.
 */
export function startSweep(
  { db, log, takeReports }: { db: Db; log: Log; takeReports: TakeReports },
  carrier: string,
): { stop(): Promise<void> } {
  let sweeping = Promise.resolve()
  const timer = setInterval(() => {
    sweeping = sweeping.then(() =>
      sweep().catch((fault: unknown) => log.warn({ carrier, err: fault }, 'looking for silent phones failed')),
    )
  }, EVERY_MS)

  async function sweep(): Promise<void> {
    const lost = await findLost(db, carrier)
    if (lost.length === 0) return
    await takeReports(
      // Of the others the route was never told that a phone has them.
      lost.filter(({ answered }) => answered).map(({ id }) => ({
        carrier,
        carrier_message_id: id,
        status: 'unknown',
        code: 'silent',
        description: 'the phone that has it has been silent since',
      })),
    )
    await markLost(
      db,
      lost.map(({ id }) => id),
    )
  }

  return {
    async stop() {
      clearInterval(timer)
      await sweeping
    },
  }
}

import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import type { Log } from '../../values/log.ts'
import type { TakeReports } from '../message-carrier.ts'
import { findLost, markLost } from './message-store.ts'
import type { PhoneSettings } from './schema.ts'
import { measurePhones } from './state.ts'
import { listPhoneLines, type PhoneLine } from './store.ts'

const EVERY_MS = 10_000

type Deps = { db: Db; log: Log; meters: Meters; takeReports: TakeReports }

/**
 * Says of messages in the hands of phones that have been silent for too long that nobody will know. What the phone says
 * later still counts. Several processes doing so is harmless: a report may come twice. And it measures the phones.
 */
export function startSweep(deps: Deps, settings: PhoneSettings): { stop(): Promise<void> } {
  const { name: carrier } = settings
  let sweeping = Promise.resolve()
  let measured: PhoneLine[] = []
  const timer = setInterval(() => {
    sweeping = sweeping.then(() =>
      sweep().catch((fault: unknown) => deps.log.warn({ carrier, err: fault }, 'looking for silent phones failed')),
    )
  }, EVERY_MS)

  async function sweep(): Promise<void> {
    await giveUpLost(deps, carrier)
    const lines = await listPhoneLines(deps.db, [settings])
    measurePhones(deps.meters, carrier, lines, measured)
    measured = lines
  }

  return {
    async stop() {
      clearInterval(timer)
      await sweeping
    },
  }
}

/** Reported first, then noted: whoever dies in between has it reported again. */
export async function giveUpLost(
  { db, takeReports }: Pick<Deps, 'db' | 'takeReports'>,
  carrier: string,
): Promise<void> {
  const lost = await findLost(db, carrier)
  if (lost.length === 0) return
  // Of the others the route was never told that a phone has them.
  const reported = lost.filter(({ answered }) => answered)
  await takeReports(
    reported.map(({ id }) => ({
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

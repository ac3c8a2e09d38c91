import { descriptionOf } from '../delivery-codes.ts'
import type { Db } from '../../db/connect.ts'
import type { Meters } from '../../observe/meters.ts'
import { startPeriodicJob, type PeriodicJob } from '../../values/concurrency/periodic-job.ts'
import type { Log } from '../../values/log.ts'
import type { TakeReports } from '../message-carrier.ts'
import { measurePhones } from './describe.ts'
import { findLost, markLost } from './message-store.ts'
import type { PhoneSettings } from './schema.ts'
import { listPhoneLines, type PhoneLine } from './store.ts'

type Deps = { db: Db; log: Log; meters: Meters; takeReports: TakeReports }

const SWEEP_INTERVAL_MS = 10_000

/**
 * Reports messages as `unknown` whose phone has been silent for too long, and measures the phones. Later reports of the
 * phone still count. Several processes may do so concurrently: a report may come twice.
 */
export function startLostSweep(deps: Deps, settings: PhoneSettings): PeriodicJob {
  const { name: carrier } = settings
  let measured: PhoneLine[] = []

  async function sweep(): Promise<void> {
    await reportLost(deps, carrier)
    const lines = await listPhoneLines(deps.db, [settings])
    measurePhones(deps.meters, carrier, lines, measured)
    measured = lines
  }

  return startPeriodicJob(SWEEP_INTERVAL_MS, sweep, (fault) =>
    deps.log.warn({ carrier, err: fault }, 'the sweep for messages of silent phones failed'),
  )
}

/** Reports first, then marks: after a crash in between the messages are reported again. */
export async function reportLost(
  { db, takeReports }: Pick<Deps, 'db' | 'takeReports'>,
  carrier: string,
): Promise<void> {
  const lost = await findLost(db, carrier)
  if (lost.length === 0) return
  // The dispatcher has not seen the others as accepted yet, so there is nothing to report on.
  const reported = lost.filter(({ answered }) => answered)
  await takeReports(
    reported.map(({ id }) => ({
      carrier,
      carrier_message_id: id,
      status: 'unknown',
      code: 'silent',
      description: descriptionOf('silent'),
    })),
  )
  await markLost(
    db,
    lost.map(({ id }) => id),
  )
}

import type { Db } from '../../db/connect.ts'
import { groupBy } from '../../values/group.ts'
import type { Log } from '../../values/log.ts'
import type { LeasedRow } from '../intake/leased-row.ts'
import { extendRowLeases } from '../intake/store.ts'

/** Keeps rows of the intake for so long, or with 0 lets them go; what fails is tried again by whoever asks next. */
export async function giveLease(
  { db, log }: { db: Db; log: Log },
  held: readonly LeasedRow[],
  lease_s: number,
): Promise<void> {
  const groups = [...groupBy(held, (row) => row.organisation_id)]
  await Promise.all(
    groups.map(([organisation_id, own]) =>
      extendRowLeases(db, organisation_id, own, lease_s).catch((fault: unknown) => {
        log.warn({ organisation_id, err: fault }, 'keeping rows of the intake failed')
      }),
    ),
  )
}

import { startPeriodicJob } from '../values/concurrency/periodic-job.ts'
import type { Log } from '../values/log.ts'
import type { Db, Tx } from './connect.ts'
import { isDatabaseUnreachable } from './unreachable.ts'

/** Data of the installation that this process keeps in memory, such as what operators have paused. */
export type LiveVersions = {
  /**
   * Calls `load` when the watch starts, and whenever the version of the data has changed, with that version; the data may be
   * newer. A load that fails is repeated at the next check.
   */
  follow(name: string, load: (version: bigint) => Promise<unknown>): void
  stop(): Promise<void>
}

/** Within twice this time every process has read a change. */
const CHECK_INTERVAL_MS = 1_000

/** Compares the versions of all followed data once per second, in one statement. */
export function watchLiveVersions({ db, log }: { db: Db; log: Log }): LiveVersions {
  const followed = new Map<string, { load: (version: bigint) => Promise<unknown>; loaded: bigint | undefined }>()

  async function check(): Promise<void> {
    if (followed.size === 0) return
    const versions = await readVersions(db)
    // The version is read before the data: a change in between is loaded again by the next check.
    for (const [name, one] of followed) {
      const version = versions.get(name) ?? 0n
      if (one.loaded === version) continue
      await one.load(version)
      one.loaded = version
    }
  }

  const job = startPeriodicJob(CHECK_INTERVAL_MS, check, (fault) => {
    if (!isDatabaseUnreachable(fault)) log.warn({ err: fault }, 'reading changed data of the installation failed')
  })
  return {
    follow(name, load) {
      followed.set(name, { load, loaded: undefined })
      job.run()
    },
    stop: () => job.stop(),
  }
}

/**
 * Returns the new version. In the transaction of the change, which thereby waits for other changes of the same data:
 * versions become visible in their order.
 */
export async function raiseLiveVersion(tx: Tx, name: string): Promise<bigint> {
  const [row] = await tx<{ version: bigint }[]>`
    insert into live_versions (name) values (${name})
    on conflict (name) do update set version = live_versions.version + 1
    returning version`
  return row?.version ?? 0n
}

async function readVersions(db: Db): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db<{ name: string; version: bigint }[]>`select name, version from live_versions`
  return new Map(rows.map(({ name, version }) => [name, version]))
}

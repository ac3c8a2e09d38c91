import { isDeepStrictEqual } from 'node:util'
import { ConfigFault, type Config } from '../config/config.ts'
import { withStoredEntries } from '../config/effective.ts'
import type { Db } from '../db/connect.ts'
import type { LiveVersions } from '../db/live-versions.ts'
import { LIVE_CONFIG, readStored, type Entry, type StoredEntry } from '../live-config/entries.ts'
import type { Log } from '../values/log.ts'
import type { SecretSeal } from '../values/secrets/secret-seal.ts'
import type { Reload } from './reload.ts'

type Deps = {
  db: Db
  log: Log
  live_versions: LiveVersions
  secret_seal: SecretSeal
  reload: Reload
  /** As the service runs it. */
  current: () => Config
  onSandboxEnd: (next: Config) => void
}

/** Applies the carriers and routes of operators whenever they have changed. Those of the start are applied already. */
export function followEntries({ db, log, live_versions, secret_seal, reload, current, onSandboxEnd }: Deps): void {
  live_versions.follow(LIVE_CONFIG, async () => {
    const stored = await readStored(db, secret_seal)
    // Not awaited: a carrier that changed may drain for a minute, and other data is followed meanwhile.
    void apply(stored).catch((err: unknown) => log.error({ err }, 'carriers and routes of operators were not applied'))
  })

  async function apply(stored: readonly StoredEntry[]): Promise<void> {
    if (isDeepStrictEqual(stored.map(plain), current().source.entries.map(plain))) return
    const next = decide(stored)
    if (!next) return
    if (current().sandbox && !next.sandbox) return onSandboxEnd(next)
    const outcome = await reload(next)
    if (outcome.faults.length > 0) log.error(outcome, 'carriers and routes of operators were applied with faults')
    else log.info(outcome, 'carriers and routes of operators were applied')
  }

  /** A change fits the configuration of the process that made it; that of this process may differ. */
  function decide(stored: readonly StoredEntry[]): Config | undefined {
    try {
      return withStoredEntries(current(), stored)
    } catch (fault) {
      if (!(fault instanceof ConfigFault)) throw fault
      log.error(
        { faults: fault.faults },
        'the carriers and routes of operators do not fit the configuration of this process; nothing was changed',
      )
      return undefined
    }
  }
}

function plain({ kind, name, settings }: Entry): Entry {
  return { kind, name, settings }
}

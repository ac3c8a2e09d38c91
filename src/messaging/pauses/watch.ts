import type { Db } from '../../db/connect.ts'
import type { LiveVersions } from '../../db/live-versions.ts'
import { PAUSES } from './pause.ts'
import type { PauseKind, PauseMode } from './schema.ts'
import { listOperatorPauses } from './store.ts'

/** What operators have paused, in memory. Until it is known, everything counts as paused. */
export type Pauses = {
  /** How the carrier or route is paused now; undefined: it is not. */
  modeOf(kind: PauseKind, name: string): PauseMode | undefined
  /** Milliseconds since the carrier was paused; 0: it is not. One that drains is down for good. */
  downFor(carrier: string): number
  /** Calls the listener after every change. */
  /** Returns a function that ends it. */
  onChange(listener: () => void): () => void
}

type Known = { mode: PauseMode; since_ms: number; until_ms: number }

export function watchPauses({ db, live_versions }: { db: Db; live_versions: LiveVersions }): Pauses {
  let known: ReadonlyMap<string, Known> | undefined
  const listeners = new Set<() => void>()

  live_versions.follow(PAUSES, async () => {
    const now = performance.now()
    const rows = await listOperatorPauses(db)
    known = new Map(
      rows.map(({ kind, name, mode, since_s, for_s }) => [
        `${kind} ${name}`,
        { mode, since_ms: now - 1_000 * since_s, until_ms: for_s === null ? Infinity : now + 1_000 * for_s },
      ]),
    )
    for (const listener of listeners) listener()
  })

  function find(kind: PauseKind, name: string): Known | undefined {
    if (known?.size === 0) return undefined
    const found = known?.get(`${kind} ${name}`)
    return found && found.until_ms > performance.now() ? found : undefined
  }

  return {
    modeOf: (kind, name) => (known ? find(kind, name)?.mode : 'paused'),
    downFor(carrier) {
      const found = find('carrier', carrier)
      if (!found) return 0
      return found.mode === 'draining' ? Infinity : performance.now() - found.since_ms
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

import type { Db } from '../db/connect.ts'
import type { LiveVersions } from '../db/live-versions.ts'
import { isDatabaseUnreachable } from '../db/unreachable.ts'
import { startFlush } from '../observe/flush.ts'
import type { Meters } from '../observe/meters.ts'
import type { Log } from '../values/log.ts'
import { makeEntries, type Entries } from './entries.ts'
import { BLOCKLIST } from './manage.ts'
import { addHits, readChanges, readEntries, type LoadedRow } from './store.ts'

export type Blocklist = {
  /** Whether nothing may be sent to the number. Counts a hit if so. */
  isBlocked: IsBlocked
  stop(): Promise<void>
}

export type IsBlocked = (recipient: string) => boolean

/** Rows of one statement. */
const ROWS_PER_READ = 10_000
/** Removed entries are kept for a day: a process that read no change for longer than this reads everything again. */
const STALE_MS = 12 * 3_600_000

/** The block list in memory: read as a whole once, and then what has changed, within two seconds. */
export function startBlocklist({
  db,
  log,
  meters,
  live_versions,
}: {
  db: Db
  log: Log
  meters: Pick<Meters, 'blocked'>
  live_versions: LiveVersions
}): Blocklist {
  let entries = makeEntries()
  let loaded: bigint | undefined
  let loaded_ms = 0
  let hits = new Map<string, number>()

  live_versions.follow(BLOCKLIST, async (version) => {
    if (loaded === undefined || Date.now() - loaded_ms > STALE_MS) entries = await readAll(db)
    else await readNewer(db, loaded, entries)
    loaded = version
    loaded_ms = Date.now()
  })

  const flush = startFlush(async () => {
    if (hits.size === 0) return
    const counted = hits
    hits = new Map()
    try {
      await addHits(db, counted)
    } catch (fault) {
      // There are never more keys than entries.
      for (const [entry, count] of counted) hits.set(entry, (hits.get(entry) ?? 0) + count)
      if (!isDatabaseUnreachable(fault)) log.warn({ err: fault }, 'counting the hits of the block list failed')
    }
  })

  return {
    isBlocked(recipient) {
      if (entries.size === 0) return false
      const entry = entries.find(recipient, Date.now())
      if (entry === undefined) return false
      hits.set(entry, (hits.get(entry) ?? 0) + 1)
      meters.blocked.inc()
      return true
    },
    stop: () => flush.stop(),
  }
}

async function readAll(db: Db): Promise<Entries> {
  const entries = makeEntries()
  for (let after = ''; ;) {
    const rows = await readEntries(db, after, ROWS_PER_READ)
    apply(entries, rows)
    after = rows.at(-1)?.entry ?? after
    if (rows.length < ROWS_PER_READ) return entries
  }
}

async function readNewer(db: Db, loaded: bigint, entries: Entries): Promise<void> {
  for (let after = { version: loaded, entry: ALL }; ;) {
    const rows = await readChanges(db, after, ROWS_PER_READ)
    apply(entries, rows)
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_PER_READ) return
    after = { version: last.version, entry: last.entry }
  }
}

/** Behind all entries of a version: those were read. */
const ALL = '~'

function apply(entries: Entries, rows: readonly LoadedRow[]): void {
  const now = Date.now()
  for (const { entry, for_s, removed } of rows) {
    if (removed) entries.delete(entry)
    else entries.set(entry, for_s === null ? Infinity : now + 1_000 * for_s)
  }
}

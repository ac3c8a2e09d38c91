import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startPeriodicJob } from '../../values/concurrency/periodic-job.ts'
import type { Log } from '../../values/log.ts'
import type { BackupSettings } from '../backup/settings.ts'
import { connect, type Db, type DatabaseAddress } from '../connect.ts'
import { listBases, MANIFEST, writeBase } from './base.ts'
import { readArchive, SEGMENTS } from './place.ts'
import { compressSegments, listSegments, removeSegmentsBefore, timeOf, unlessGone } from './segments.ts'
import { markMoment, readLastFailure, switchSegment } from './store.ts'

/** Interval of the check whether a base backup is due; one that failed is tried again by it. */
const BASE_CHECK_MS = 60_000
/** A segment that waits for this many intervals is late. */
const LATE_AFTER_INTERVALS = 3
/** Suffix of PostgreSQL's mark that a segment has to be archived. */
const READY = '.ready'

type Place = { cluster_dir: string; archive_dir: string }
type Deps = { log: Log; pepper_mark: string; administrator: DatabaseAddress } & Place
type Settings = BackupSettings & { wal: NonNullable<BackupSettings['wal']> }

/**
 * Keeps the archive of the running cluster: ends a segment in every interval, compresses what PostgreSQL has archived,
 * makes base backups when they are due and removes what the kept ones do not need. Only the owner of the data folder may
 * call it.
 */
export function startArchiving(deps: Deps, settings: Settings): { stop(): Promise<void> } {
  const { log, archive_dir } = deps
  const stopping = new AbortController()
  // Only a superuser may end segments and begin base backups.
  const db = connect(deps.administrator, { connections: 1, application_name: 'gangan archive' })
  const segments = join(archive_dir, SEGMENTS)
  const health = watchHealth(log)

  async function archive(): Promise<void> {
    await markMoment(db)
    await switchSegment(db)
    await compressSegments(segments, stopping.signal)
    health.note(await describeLateness(db, deps, settings.wal.every_s))
  }

  async function makeBaseIfDue(): Promise<void> {
    const newest = (await listBases(archive_dir)).at(-1)
    if (newest && Date.parse(newest.begun_datetime) > Date.now() - settings.every_hours * 3_600_000) return
    const { name, bytes } = await writeBase({ ...deps, db }, stopping.signal)
    log.info({ base: join(archive_dir, name), bytes }, 'a base backup was made')
    await removeOld(archive_dir, settings.keep)
  }

  const jobs = [
    startPeriodicJob(1_000 * settings.wal.every_s, archive, (err) => {
      if (!stopping.signal.aborted) health.note('the log could not be archived', err)
    }),
    startPeriodicJob(
      BASE_CHECK_MS,
      makeBaseIfDue,
      (err) => {
        if (!stopping.signal.aborted) log.error({ err }, 'a base backup failed; it is tried again within a minute')
      },
      { at_start: true },
    ),
  ]
  return {
    async stop() {
      stopping.abort(new Error('the service was stopped'))
      await Promise.all(jobs.map((job) => job.stop()))
      await db.end({ timeout: 1 })
    },
  }
}

/** Logs that archiving fails or is late, and that it works again; nothing in between. */
function watchHealth(log: Log): { note(trouble: string | undefined, err?: unknown): void } {
  let troubled = false
  return {
    note(trouble, err) {
      if (trouble !== undefined && !troubled) {
        log.error({ ...(err ? { err } : {}), reason: trouble }, 'the archive of the database falls behind')
      }
      if (trouble === undefined && troubled) log.info({}, 'the archive of the database is up to date again')
      troubled = trouble !== undefined
    },
  }
}

async function describeLateness(db: Db, place: Place, every_s: number): Promise<string | undefined> {
  const waiting = await listWaiting(place)
  const oldest_s = (Date.now() - Math.min(Date.now(), ...waiting)) / 1_000
  if (oldest_s < LATE_AFTER_INTERVALS * every_s) return undefined
  const failure = await readLastFailure(db)
  const why = failure ? `; ${failure} could not be copied, postgres.log in the data folder says why` : ''
  return `${waiting.length} segments wait to be archived, the oldest for ${Math.round(oldest_s)} s${why}`
}

/** Since when each segment waits to be archived, in milliseconds. */
async function listWaiting({ cluster_dir }: Place): Promise<number[]> {
  const folder = join(cluster_dir, 'pg_wal', 'archive_status')
  const names = (await readdir(folder)).filter((name) => name.endsWith(READY))
  const found = await Promise.all(names.map((name) => stat(join(folder, name)).catch(unlessGone)))
  return found.flatMap((one) => (one ? [one.mtimeMs] : []))
}

async function removeOld(archive_dir: string, keep: number): Promise<void> {
  const bases = await listBases(archive_dir)
  // First the manifest: a base backup without it is none.
  for (const { folder } of bases.slice(0, -keep)) {
    await rm(join(folder, MANIFEST), { force: true })
    await rm(folder, { recursive: true, force: true })
  }
  const [oldest] = bases.slice(-keep)
  if (oldest) await removeSegmentsBefore(join(archive_dir, SEGMENTS), oldest.segment)
}

/**
 * For metrics: to which moment the archive of a cluster reaches, and when its newest base backup was complete, in Unix time.
 */
export async function measureArchive(cluster_dir: string): Promise<{ until_s: number; base_s: number } | undefined> {
  const archive_dir = await readArchive(cluster_dir)
  if (archive_dir === undefined) return undefined
  const folder = join(archive_dir, SEGMENTS)
  const newest = (await listSegments(folder)).at(-1)
  const until_ms = newest && (await timeOf(folder, newest))
  const base = (await listBases(archive_dir)).at(-1)
  return { until_s: (until_ms ?? 0) / 1_000, base_s: base ? Date.parse(base.ended_datetime) / 1_000 : 0 }
}

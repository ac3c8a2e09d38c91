import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Db } from '../connect.ts'
import { onOneConnection } from '../transaction.ts'
import { newId } from '../../values/id.ts'
import { startPeriodicJob } from '../../values/concurrency/periodic-job.ts'
import type { Log } from '../../values/log.ts'
import { asError } from '../../values/thrown.ts'
import { removeDead } from './left-behind.ts'
import { makeBackupFolder } from './require-folder.ts'
import type { BackupSettings } from './settings.ts'
import { beginBackup, endBackup, lockSchedule, unlockSchedule } from './store.ts'
import { writeBackup } from './write.ts'

const CHECK_INTERVAL_MS = 60_000
/** Names given by `beginBackup`; other files of the folder are left alone. */
const BACKUP_NAME = /^gangan-\d{8}T\d{6}Z\.backup\.gz$/

type Deps = { db: Db; log: Log; pepper_mark: string }

/** Makes scheduled backups and removes the oldest. Of several processes one does. */
export function startBackups(deps: Deps, settings: BackupSettings): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const job = startPeriodicJob(
    CHECK_INTERVAL_MS,
    () => backUpIfDue(deps, settings, stopping.signal),
    (err) => deps.log.warn({ err }, 'checking for a due backup failed; it is retried'),
    { at_start: true },
  )
  return {
    async stop() {
      stopping.abort(new Error('the service was stopped'))
      await job.stop()
    },
  }
}

/** True if a backup was made, false if it failed, undefined if none is due or another process makes it. */
export async function backUpIfDue(
  { db, log, pepper_mark }: Deps,
  { folder, every_hours, keep }: BackupSettings,
  signal?: AbortSignal,
): Promise<boolean | undefined> {
  return onOneConnection(db, async (connection) => {
    if (!(await lockSchedule(connection))) return undefined
    const id = newId()
    try {
      const name = await beginBackup(db, id, every_hours)
      if (name === undefined) return undefined
      const place = resolve(folder)
      const { bytes, rows } = await makeOne(db, place, name, { pepper_mark, signal })
      await endBackup(db, id, { bytes })
      log.info({ file: join(place, name), bytes, rows }, 'a backup was made')
      // A failure here does not affect the new backup.
      await removeOldest(place, keep).catch((err: unknown) => log.error({ err }, 'old backups could not be removed'))
      return true
    } catch (fault) {
      log.error({ err: fault }, 'a backup failed')
      await endBackup(db, id, { fault: asError(fault).message }).catch(() => {}) // without an end it counts as failed as well
      return false
    } finally {
      await unlockSchedule(connection).catch(() => {}) // a lost connection has released it
    }
  })
}

async function makeOne(
  db: Db,
  place: string,
  name: string,
  options: { pepper_mark: string; signal?: AbortSignal | undefined },
) {
  await makeBackupFolder(place)
  await removeDead(db, place, (whole) => BACKUP_NAME.test(whole))
  return writeBackup(db, { file: join(place, name), ...options })
}

async function removeOldest(place: string, keep: number): Promise<void> {
  const whole = (await readdir(place)).filter((name) => BACKUP_NAME.test(name)).sort()
  const removed = await Promise.allSettled(whole.slice(0, -keep).map((name) => rm(join(place, name), { force: true })))
  for (const one of removed) if (one.status === 'rejected') throw one.reason
}

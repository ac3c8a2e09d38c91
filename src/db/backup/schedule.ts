import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeFolder } from '../embedded/folder.ts'
import type { Db } from '../connect.ts'
import { onOneConnection } from '../transaction.ts'
import { newId } from '../../values/id.ts'
import type { Log } from '../../values/log.ts'
import { asError } from '../../values/thrown.ts'
import { removeDead } from './left-behind.ts'
import type { BackupSettings } from './settings.ts'
import { beginBackup, endBackup, lockSchedule, unlockSchedule } from './store.ts'
import { writeBackup } from './write.ts'

const LOOK_EVERY_MS = 60_000
/** As `beginBackup` names them; nothing else in the folder is touched. */
const OURS = /^gangan-\d{8}T\d{6}Z\.backup\.gz$/

type Deps = { db: Db; log: Log; pepper_mark: string }

/** Makes a backup when one is due, and removes the oldest. Several processes may do so: one of them does. */
export function startBackups(deps: Deps, settings: BackupSettings): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let making: Promise<unknown> | undefined
  const look = (): void => {
    making ??= backUpIfDue(deps, settings, stopping.signal)
      .catch((err: unknown) => deps.log.warn({ err }, 'whether a backup is due could not be asked'))
      .finally(() => (making = undefined))
  }
  const timer = setInterval(look, LOOK_EVERY_MS)
  look()
  return {
    async stop() {
      clearInterval(timer)
      stopping.abort(new Error('the service was stopped'))
      await making
    },
  }
}

/** True when one was made, false when it failed, undefined when none is due or another process makes it. */
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
      // The new one is whole whatever becomes of these.
      await removeOldest(place, keep).catch((err: unknown) => log.error({ err }, 'old backups could not be removed'))
      return true
    } catch (fault) {
      log.error({ err: fault }, 'a backup failed')
      await endBackup(db, id, { fault: asError(fault).message }).catch(() => {}) // it has no end, which says the same
      return false
    } finally {
      await unlockSchedule(connection).catch(() => {}) // it has gone with the connection
    }
  })
}

async function makeOne(
  db: Db,
  place: string,
  name: string,
  options: { pepper_mark: string; signal?: AbortSignal | undefined },
) {
  await makeFolder(place, 0o700)
  await removeDead(db, place, (whole) => OURS.test(whole))
  return writeBackup(db, { file: join(place, name), ...options })
}

async function removeOldest(place: string, keep: number): Promise<void> {
  const whole = (await readdir(place)).filter((name) => OURS.test(name)).sort()
  const removed = await Promise.allSettled(whole.slice(0, -keep).map((name) => rm(join(place, name), { force: true })))
  for (const one of removed) if (one.status === 'rejected') throw one.reason
}

import type { Machine } from '../observe/machine.ts'
import { readLastFailure } from '../db/archive/store.ts'
import type { BackupSettings } from '../db/backup/settings.ts'
import type { Db } from '../db/connect.ts'
import { worst, type Findings } from './check.ts'
import { fill } from '../values/fill.ts'
import { levelOf, THRESHOLDS } from './thresholds.ts'
import { secondsInWords } from './units.ts'

type Deps = { db: Db; machine: Machine; backups: BackupSettings | undefined }

const HOUR_S = 3_600

/** The continuous archive of the embedded database; nothing where none is configured. */
export async function findArchive({ db, machine, backups }: Deps): Promise<Findings> {
  if (!backups?.wal || !machine.readArchive) return []
  const archive = await machine.readArchive()
  if (!archive || archive.until_s === 0) {
    return {
      level: 'warning',
      summary: 'The database is not archived yet.',
      advice: 'backups.wal takes effect when the service starts; the first segment follows within its interval.',
    }
  }
  const now_s = Date.now() / 1_000
  const failed = await readLastFailure(db)
  const behind_s = now_s - archive.until_s
  const level = worst([levelOf(THRESHOLDS.archive_age, behind_s), failed === undefined ? 'ok' : 'warning'])
  if (level !== 'ok') {
    return {
      level,
      summary:
        failed === undefined
          ? fill('The archive of the database ends {age} ago.', { age: secondsInWords(behind_s) })
          : fill('The archive of the database ends {age} ago; the segment {segment} could not be archived.', {
              age: secondsInWords(behind_s),
              segment: failed,
            }),
      advice:
        'Check that the service runs, and the disk of backups.folder; postgres.log in the data folder has the reason.',
    }
  }
  if (archive.base_s === 0) {
    return {
      level: 'warning',
      summary: 'The archive of the database has no complete base backup yet.',
      advice: 'Wait for the first; if it fails, the log of the service has the reason.',
      section: 'GanganBaseBackupOld',
    }
  }
  const base_s = now_s - archive.base_s
  const of_base = levelOf(THRESHOLDS.base_age, base_s / (backups.every_hours * HOUR_S))
  const values = { age: secondsInWords(behind_s), base: secondsInWords(base_s) }
  return {
    level: of_base,
    summary: fill('The archive of the database ends {age} ago; its newest base backup is {base} old.', values),
    ...(of_base === 'ok'
      ? {}
      : {
          advice: 'The log of the service has the reason (a base backup failed): usually a full disk.',
          section: 'GanganBaseBackupOld',
        }),
  }
}

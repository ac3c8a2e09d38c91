import type { BackupSettings } from '../db/backup/settings.ts'
import { readLastBackup } from '../db/backup/store.ts'
import type { Db } from '../db/connect.ts'
import { worst, type Finding } from './check.ts'
import { fill, fillCount } from '../values/fill.ts'
import { levelOf, THRESHOLDS } from './thresholds.ts'
import { bytesInWords, secondsInWords } from './units.ts'

type Deps = { db: Db; backups: BackupSettings | undefined; sandbox: boolean; is_embedded: boolean }

const HOUR_S = 3_600

export async function findBackups({ db, backups, sandbox, is_embedded }: Deps): Promise<Finding> {
  if (!backups) {
    if (sandbox || !is_embedded) return { level: 'ok', summary: 'No scheduled backups are configured.' }
    return {
      level: 'warning',
      summary: 'No scheduled backups are configured.',
      advice: 'Set backups.folder, on another disk than the data.',
    }
  }
  const last = await readLastBackup(db)
  if (!last || (last.begun_s === 0 && last.failures === 0)) {
    return {
      level: 'warning',
      summary: 'No scheduled backup is complete yet.',
      advice: 'Wait for the first, or take one now: gangan backup FILE.',
    }
  }
  if (last.begun_s === 0) {
    return {
      level: 'critical',
      summary: fill('No scheduled backup has succeeded; {n} failed.', { n: last.failures }),
      advice: FAILING,
    }
  }
  const age_s = Date.now() / 1_000 - last.begun_s
  const by_age = levelOf(THRESHOLDS.backup_age, age_s / (backups.every_hours * HOUR_S))
  const level = worst([by_age, levelOf(THRESHOLDS.backup_failures, last.failures)])
  const values = { age: secondsInWords(age_s), size: bytesInWords(last.bytes) }
  if (last.failures > 0) {
    return {
      level,
      summary: fillCount(
        last.failures,
        'The newest complete backup is {age} old; {n} has failed since.',
        'The newest complete backup is {age} old; {n} have failed since.',
        values,
      ),
      advice: FAILING,
    }
  }
  return {
    level,
    summary: fill('The newest complete backup is {age} old and has {size}.', values),
    ...(level === 'ok'
      ? {}
      : {
          advice: 'Check that a process with workers is running, and take one now: gangan backup FILE.',
          section: 'GanganBackupOld',
        }),
  }
}

const FAILING =
  'The log has the reason (a backup failed): usually a full disk, or a folder that the service may not write to.'

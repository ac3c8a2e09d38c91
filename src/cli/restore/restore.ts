import { stat } from 'node:fs/promises'
import { readConfig } from '../../config/config.ts'
import { checkBackup, restoreBackup } from '../../db/backup/restore.ts'
import type { Db } from '../../db/connect.ts'
import { keepPepperFile } from '../../otp/pepper.ts'
import { forgetPepper, keepSecret } from '../../otp/pepper-store.ts'
import { withDatabase } from '../database.ts'
import { withBar } from './progress.ts'
import { auditOrRefuse, choosePepper, explainRestore, NEW_PEPPER, RESTORE_OPTIONS } from './steps.ts'
import type { RestoreValues } from './steps.ts'
import { restoreTo } from './to-moment.ts'
import { form, type Command } from '../terminal/command.ts'
import type { Result } from '../terminal/result.ts'

/** Restores a backup into an empty database or data folder. */
export const restore: Command = [
  form(
    'FILE',
    'restore a backup into an empty database or data folder, in one transaction that checks row counts and the ledger',
    RESTORE_OPTIONS,
    (values, file = '') => run(values, file).catch(explainRestore),
    ['gangan restore monday.gangan --pepper /mnt/safe/pepper'],
  ),
  restoreTo,
]

async function run(values: RestoreValues, file: string): Promise<Result> {
  const config = readConfig()
  const started = performance.now()
  const { size } = await stat(file)
  const backup = await withBar('checking the file', size, (onProgress) => checkBackup(file, { onProgress }))
  const pepper = await choosePepper(values, config, { file, pepper_mark: backup.header.pepper_mark })
  const notes: string[] = []
  async function load(db: Db): Promise<void> {
    const in_folder = config.pepper === undefined && config.database_url === undefined
    // Before the data: a start that found data without a pepper would generate another.
    if (pepper !== undefined && in_folder) await keepPepperFile(config.data_dir, pepper)
    await withBar('restoring', size, (onProgress) =>
      restoreBackup(db, backup, {
        onProgress,
        onUnknownTable: (table) => notes.push(`The table ${table} is not part of Gangan and was skipped.`),
        async finish(tx) {
          if (values['new-pepper']) await forgetPepper(tx)
          if (pepper !== undefined && !in_folder && config.pepper === undefined) await keepSecret(tx, 'pepper', pepper)
          notes.push(...(await auditOrRefuse(tx, values)))
        },
      }),
    )
  }
  // A `serve` that took the database over would stop it under the restore.
  await withDatabase(config, load, { creates: true, alone: true })
  const { rows, tables } = backup.summary
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  return {
    data: { rows, tables, seconds: Number(seconds), as_of: backup.header.created_datetime, notes },
    text:
      `Restored ${rows.toLocaleString('en')} rows of ${tables} tables in ${seconds} s, as of ${backup.header.created_datetime}.\n` +
      notes.map((note) => `${note}\n`).join('') +
      (values['new-pepper'] ? NEW_PEPPER : '') +
      'Pending messages are sent when gangan serve starts.\n',
  }
}

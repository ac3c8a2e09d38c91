import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readConfig, type Config } from '../config/config.ts'
import { BackupFault, writeBackup } from '../db/backup/write.ts'
import { pepperFile, pepperKeys, readPepper } from '../otp/pepper.ts'
import { withDatabase } from './database.ts'
import { form, valued, type Command } from './terminal/command.ts'
import { interruption } from './terminal/interruption.ts'
import { OperatorFault } from './terminal/operator-fault.ts'
import { progressBar } from './terminal/progress.ts'
import type { Result } from './terminal/result.ts'
import { isRecord } from '../values/record.ts'
import { codeOf } from '../values/thrown.ts'

/** Writes a snapshot of the database to a file, while it is in use. */
export const backup: Command = [
  form(
    'FILE',
    'write a snapshot of the database while it is in use; it does not contain the pepper',
    { pepper: valued('FILE', 'write the pepper to a separate file') },
    run,
    ['gangan backup monday.gangan --pepper /mnt/safe/pepper'],
  ),
]

async function run({ pepper: pepper_path }: { pepper?: string }, path = ''): Promise<Result> {
  const config = readConfig()
  const file = resolve(path)
  const bar = progressBar(process.stderr)
  const started = performance.now()
  // Removes the unfinished file.
  const { signal, release } = interruption('The backup was interrupted and its file removed.')
  try {
    const made = await withDatabase(config, async (db) => {
      const pepper = await readPepper({ db }, config)
      const onProgress = (done: number, total: number, table: string) => bar.show(done, total, table)
      const written = await writeBackup(db, { file, pepper_mark: pepperKeys(pepper).pepper_mark, onProgress, signal })
      if (pepper_path !== undefined) await writeFile(pepper_path, `${pepper}\n`, { flag: 'wx', mode: 0o600 })
      return written
    })
    bar.end()
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    return {
      data: { file, ...made, seconds: Number(seconds) },
      text:
        `Backed up ${made.rows.toLocaleString('en')} rows of ${made.tables} tables in ${seconds} s: ${path} (${megabytes(made.bytes)} MB).\n` +
        `It does not contain the pepper: ${describePepper(config, pepper_path)}\n`,
    }
  } catch (fault) {
    throw explainBackup(fault)
  } finally {
    release()
  }
}

export function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toLocaleString('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 })
}

function describePepper({ pepper, database_url, data_dir }: Config, written: string | undefined): string {
  if (written !== undefined) return `${written} holds it. Keep both, in different places.`
  if (pepper !== undefined) return 'keep GANGAN_PEPPER as well, in a different place.'
  if (database_url === undefined) return `keep a copy of ${pepperFile(data_dir)} as well, in a different place.`
  return 'it is in the table secrets; --pepper FILE writes it to a separate file.'
}

/** For the operator, where the fault is a known one. */
export function explainBackup(fault: unknown): unknown {
  if (fault instanceof BackupFault) return new OperatorFault(fault.message)
  if (isRecord(fault) && typeof fault.path === 'string') {
    return new OperatorFault(`${fault.path} cannot be written (${codeOf(fault)}).`)
  }
  if (codeOf(fault) === 'ENOSPC') return new OperatorFault('The disk is full; there is no space for the backup.')
  return fault
}

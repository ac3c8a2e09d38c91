import { readFile, stat } from 'node:fs/promises'
import { readConfig, type Config } from '../config/config.ts'
import { UnusableBackup } from '../db/backup/format.ts'
import { checkBackup, restoreBackup, RestoreFault, type CheckedBackup } from '../db/backup/restore.ts'
import type { Db, Tx } from '../db/connect.ts'
import { keepPepperFile, pepperFile, pepperKeys, readIfThere } from '../otp/pepper.ts'
import { keepSecret } from '../otp/pepper-store.ts'
import { auditAll } from './organisations/balance.ts'
import { withDatabase } from './database.ts'
import { flag, form, valued, type Command } from './terminal/command.ts'
import { OperatorFault, unusableFile } from './terminal/operator-fault.ts'
import { progressBar } from './terminal/progress.ts'
import type { Result } from './terminal/result.ts'
import { isRecord } from '../values/record.ts'

const OPTIONS = {
  pepper: valued('FILE', 'the pepper of the installation it was taken from'),
  'new-pepper': flag('do without it: secrets sealed with it are lost'),
  'accept-faults': flag('restore even if the audit of the ledger finds faults'),
}

type Values = { pepper?: string; 'new-pepper'?: boolean; 'accept-faults'?: boolean }

/** Restores a backup into an empty database or data folder. */
export const restore: Command = [
  form(
    'FILE',
    'restore a backup into an empty database or data folder, in one transaction that checks row counts and the ledger',
    OPTIONS,
    (values, file = '') => run(values, file).catch(explain),
    ['gangan restore monday.gangan --pepper /mnt/safe/pepper'],
  ),
]

async function run(values: Values, file: string): Promise<Result> {
  const config = readConfig()
  const started = performance.now()
  const { size } = await stat(file)
  const backup = await withBar('checking the file', size, (onProgress) => checkBackup(file, onProgress))
  const pepper = await choosePepper(values, config, backup)
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

const NEW_PEPPER =
  'Without its pepper, callback secrets, SMPP passwords, phone tokens and Twilio auth tokens have to be issued again.\n'

/** The pepper to store with the data; undefined if the environment has it or a new one is wanted. */
async function choosePepper(
  values: Values,
  config: Config,
  { file, header }: CheckedBackup,
): Promise<string | undefined> {
  if (values['new-pepper']) return undefined
  const given = values.pepper === undefined ? undefined : (await readFile(values.pepper, 'utf8')).trim()
  const kept = config.database_url === undefined ? await readIfThere(pepperFile(config.data_dir)) : undefined
  const known = config.pepper ?? kept
  if (given === undefined && known === undefined) {
    throw new OperatorFault(
      `${file} does not contain the pepper that its secrets are sealed with: pass it with --pepper FILE or GANGAN_PEPPER, or use --new-pepper to give up these secrets.`,
    )
  }
  for (const one of [given, known]) {
    if (one !== undefined && pepperKeys(one).pepper_mark !== header.pepper_mark) {
      const where =
        one === given ? values.pepper : config.pepper === undefined ? pepperFile(config.data_dir) : 'GANGAN_PEPPER'
      throw new OperatorFault(`The pepper of ${where} is not the one that the secrets in ${file} are sealed with.`)
    }
  }
  return config.pepper === undefined ? given : undefined
}

async function auditOrRefuse(tx: Tx, values: Values): Promise<string[]> {
  const findings = await auditAll(tx)
  if (findings.length === 0) return ['Every balance is the sum of its ledger lines, and every line has its cause.']
  const report = `The audit of the ledger found faults:\n  ${findings.join('\n  ')}`
  if (values['accept-faults']) return [report]
  throw new OperatorFault(`${report}\nNothing was restored; --accept-faults restores it as it is.`)
}

async function withBar<T>(
  text: string,
  size: number,
  work: (onProgress: (bytes: number) => void) => Promise<T>,
): Promise<T> {
  const bar = progressBar(process.stderr)
  // The end of the file is not the end of the restore.
  const result = await work((bytes) => bar.show(Math.min(bytes, size - 1), size, text))
  bar.show(size, size, text)
  bar.end()
  return result
}

function explain(fault: unknown): never {
  if (fault instanceof UnusableBackup || fault instanceof RestoreFault) throw new OperatorFault(fault.message)
  if (isRecord(fault) && typeof fault.path === 'string') throw unusableFile(fault.path, fault)
  throw fault
}

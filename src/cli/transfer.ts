import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readConfig } from '../config/config.ts'
import { readEffective } from '../config/effective.ts'
import { readKeys } from '../otp/pepper.ts'
import { exportOrganisation, type WrittenExport } from '../transfer/export.ts'
import { newTransferKey, transferKeys, type TransferKeys } from '../transfer/key.ts'
import { checkExport, restoreOrganisation, type RestoredOrganisation } from '../transfer/restore.ts'
import { isId } from '../values/id.ts'
import { explainBackup, megabytes } from './backup.ts'
import { withDatabase } from './database.ts'
import { withBar } from './restore/progress.ts'
import { auditOrRefuse, explainRestore, RESTORE_OPTIONS } from './restore/steps.ts'
import { flag, form, valued, type Command } from './terminal/command.ts'
import { interruption } from './terminal/interruption.ts'
import { notFound, OperatorFault } from './terminal/operator-fault.ts'
import { progressBar } from './terminal/progress.ts'
import type { Result } from './terminal/result.ts'

const EXPORT = {
  key: valued('FILE', 'where to write the key that its secrets are sealed with (FILE.key)'),
  close: flag('suspend it here and hold what waits, to move it: nothing is sent by both installations'),
}

const RESTORE = {
  key: valued('FILE', 'the key that its export wrote (FILE.key)'),
  'accept-faults': RESTORE_OPTIONS['accept-faults'],
}

/** Moves an organisation to another installation. */
export const transfer: Command = [
  form(
    'export ID FILE',
    'write everything of an organisation and its test twin to a file, for another installation',
    EXPORT,
    (given, id = '', file = '') => write(given, id, file),
    ['gangan organisations export 0197c1f2-3f5e-7aa4-9a51-2f8d7c6b5a40 ada-stores.gangan --close'],
  ),
  form(
    'restore FILE',
    'put an exported organisation into this installation, suspended, with what waits on hold until it is resumed',
    RESTORE,
    (given, file = '') => restore(given, file).catch(explainRestore),
    ['gangan organisations restore ada-stores.gangan'],
  ),
]

async function write(given: { key?: string; close?: boolean }, id: string, path: string): Promise<Result> {
  const config = readConfig()
  const file = resolve(path)
  const key_path = given.key ?? `${path}.key`
  const closes = given.close === true
  const bar = progressBar(process.stderr)
  const { signal, release } = interruption('The export was interrupted and its file removed.')
  const text = newTransferKey()
  try {
    // Before the export: an export without its key is of no use.
    await writeFile(key_path, `${text}\n`, { flag: 'wx', mode: 0o600 })
    const written = await withDatabase(config, async (db) => {
      const keys = await readKeys({ db }, config)
      const onProgress = (done: number, total: number, table: string) => bar.show(done, total, table)
      const options = { file, key: keysOf(text, key_path), closes, onProgress, signal }
      const made = isId(id) ? await exportOrganisation({ db, keys }, id, options) : undefined
      if (!made) throw notFound(`There is no organisation ${id} (a test twin is exported with its organisation).`)
      return made
    }).catch(async (fault: unknown) => {
      await rm(key_path, { force: true })
      throw fault
    })
    bar.end()
    return describeExport(written, { file, key_path })
  } catch (fault) {
    throw explainExport(fault, closes)
  } finally {
    release()
  }
}

function explainExport(fault: unknown, closes: boolean): unknown {
  const known = explainBackup(fault)
  if (!closes || !(known instanceof OperatorFault) || known.kind === 'not_found') return known
  return new OperatorFault(`${known.message} gangan organisations list shows whether it is closed by now.`, known.kind)
}

function describeExport(written: WrittenExport, { file, key_path }: { file: string; key_path: string }): Result {
  const { organisation, rows, tables, bytes, waiting_reports } = written
  const { id, name, is_closed } = organisation
  const lines = [
    `Exported ${rows.toLocaleString('en')} rows of ${tables} tables of ${name} (${id}): ${file} (${megabytes(bytes)} MB).`,
    `${key_path} holds the key of its secrets: pass both on, through different channels.`,
    is_closed
      ? 'It is suspended here, and what waits is on hold. Resume it in one installation only.'
      : 'It goes on sending here: the file is a copy. To move it, export it with --close.',
    ...(waiting_reports > 0
      ? [
          `Outstanding delivery reports: ${waiting_reports}. They arrive where the carriers are connected, which is here.`,
        ]
      : []),
  ]
  return {
    data: { id, name, is_closed, file, key: key_path, rows, tables, bytes, waiting_reports },
    text: lines.map((line) => `${line}\n`).join(''),
  }
}

async function restore(given: { key?: string; 'accept-faults'?: boolean }, file: string): Promise<Result> {
  const config = readConfig()
  const { size } = await stat(file)
  const key_path = given.key ?? `${file}.key`
  const key = keysOf((await readFile(key_path, 'utf8')).trim(), key_path)
  const exported = await withBar('checking the file', size, (onProgress) => checkExport(file, key, onProgress))
  const notes: string[] = []
  const { restored, routes } = await withDatabase(config, async (db) => {
    const keys = await readKeys({ db }, config)
    const effective = await readEffective({ db }, config)
    const done = await withBar('restoring', size, (onProgress) =>
      restoreOrganisation({ db, keys }, exported, {
        currency: config.settings.currency,
        onProgress,
        audit: async (tx) => void notes.push(...(await auditOrRefuse(tx, given))),
      }),
    )
    return { restored: done, routes: effective.settings.routes.map(({ name }) => name) }
  })
  notes.push(...notesOn(restored, routes))
  const { id, name } = restored.organisation
  const { rows, tables, created_datetime: as_of } = exported
  return {
    data: { id, name, as_of, rows, tables, waiting: restored.waiting, notes },
    text:
      `Restored ${rows.toLocaleString('en')} rows of ${tables} tables of ${name} (${id}), as of ${as_of}.\n` +
      notes.map((note) => `${note}\n`).join('') +
      `It is suspended, and what waits is on hold: gangan organisations resume ${id} lets it send.\n`,
  }
}

/** What the operator has to know or to do. */
function notesOn(restored: RestoredOrganisation, known_routes: readonly string[]): string[] {
  const { organisation, waiting, links_dropped, accounts_to_renew, has_other_keys } = restored
  const { messages, scheduled } = waiting
  const unknown = waiting.routes.filter((route) => !known_routes.includes(route))
  return [
    ...(messages + scheduled > 0 ? [`On hold: ${messages} deliveries, and ${scheduled} that are scheduled.`] : []),
    ...(organisation.is_closed
      ? []
      : ['It was not closed where it was exported: what waits may have been sent there since.']),
    ...unknown.map(
      (route) =>
        `This installation has no route ${route}, for which deliveries wait: after resume, gangan messages move --route ${route} --to another.`,
    ),
    ...(accounts_to_renew.length > 0
      ? [`SMPP accounts to create again, because their passwords do not work here: ${accounts_to_renew.join(', ')}.`]
      : []),
    ...(has_other_keys
      ? ['Auth tokens for Twilio’s clients are others here: gangan keys twilio KEY_ID shows them.']
      : []),
    ...(links_dropped > 0 ? [`${links_dropped} short links were left out: their codes are in use here.`] : []),
  ]
}

function keysOf(text: string, path: string): TransferKeys {
  const keys = transferKeys(text)
  if (!keys) throw new OperatorFault(`${path} is not the key of an export.`)
  return keys
}

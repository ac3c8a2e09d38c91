import { resolve } from 'node:path'
import { readConfig, type Config } from '../../config/config.ts'
import { chooseBase } from '../../db/archive/coverage.ts'
import { archivesIn } from '../../db/archive/place.ts'
import type { Db } from '../../db/connect.ts'
import { hasEmbedded, recoverEmbedded } from '../../db/embedded/start.ts'
import { transaction } from '../../db/transaction.ts'
import { migrate } from '../../db/migrate.ts'
import { makeFolder } from '../../values/folder.ts'
import { readMoment } from '../../values/time/moment.ts'
import { keepPepperFile, pepperKeys, readPepper } from '../../otp/pepper.ts'
import { forgetPepper, readMark } from '../../otp/pepper-store.ts'
import { auditOrRefuse, choosePepper, explainRestore, NEW_PEPPER, RESTORE_OPTIONS } from './steps.ts'
import type { RestoreValues } from './steps.ts'
import { form, valued, type Form } from '../terminal/command.ts'
import { interruption } from '../terminal/interruption.ts'
import { OperatorFault, usageFault } from '../terminal/operator-fault.ts'
import { progressBar } from '../terminal/progress.ts'
import type { Result } from '../terminal/result.ts'

const OPTIONS = {
  to: valued('TIME', 'the moment, such as 2026-11-19T00:55:00Z, or latest: the end of the archive'),
  from: valued('FOLDER', 'the archive, if it is not that of backups.folder'),
  ...RESTORE_OPTIONS,
}

/** Recovers the embedded database to a moment, from a base backup and the archived log. */
export const restoreTo: Form = form(
  '',
  'restore the embedded database to a moment, from the archive of backups.wal into a new data folder',
  OPTIONS,
  (values) => run(values).catch(explainRestore),
  ['gangan restore --to 2026-11-19T00:55:00Z', 'gangan restore --to latest --from /mnt/safe/wal'],
)

async function run({ to, from, ...values }: RestoreValues & { to?: string; from?: string }): Promise<Result> {
  const to_ms = readTarget(to)
  const config = readConfig()
  const folder = archivesOf(config, from)
  await requireNoDatabase(config)
  const started = performance.now()
  const { archive_dir, base, until } = await chooseBase(folder, to_ms ?? 'latest')
  // It may have been rotated since the base backup: the database knows which one seals at the moment.
  const pepper = await choosePepper(values, config, { file: base.folder, pepper_mark: undefined })
  if (pepper !== undefined) {
    await makeFolder(config.data_dir, process.getuid?.() === 0 ? 0o711 : 0o700)
    await keepPepperFile(config.data_dir, pepper)
  }
  const notes: string[] = []
  const bar = progressBar(process.stderr)
  const { signal, release } = interruption('The restore was interrupted; nothing was restored.')
  try {
    await recoverEmbedded({
      data_dir: config.data_dir,
      archive_dir,
      base,
      to_ms,
      signal,
      onProgress: (files, of) => {
        bar.show(files, of, files < of ? 'unpacking the base backup' : 'replaying the log')
        if (files === of) bar.end()
      },
      async finish(db: Db) {
        await migrate(db)
        if (values['new-pepper']) await transaction(db, forgetPepper)
        else await requirePepper(db, config, base.pepper_mark)
        notes.push(...(await auditOrRefuse(db, values)))
      },
    })
  } finally {
    release()
  }
  const as_of = to_ms === undefined ? until : new Date(to_ms).toISOString()
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  return {
    data: { as_of, base: base.folder, data_dir: config.data_dir, seconds: Number(seconds), notes },
    text:
      `Restored ${config.data_dir} as of ${as_of} in ${seconds} s, from ${base.folder}.\n` +
      notes.map((note) => `${note}\n`).join('') +
      (values['new-pepper'] ? NEW_PEPPER : '') +
      'Pending messages are sent when gangan serve starts, also those that were sent after this moment.\n',
  }
}

async function requirePepper(db: Db, config: Config, mark_of_base: string): Promise<void> {
  const wanted = (await readMark(db))?.mark ?? mark_of_base
  const { pepper_mark } = pepperKeys(await readPepper({ db }, config))
  if (pepper_mark === wanted) return
  throw new OperatorFault(
    'The pepper is not the one that seals at this moment; it has been rotated. Nothing was restored.',
  )
}

/** In milliseconds; undefined for the end of the archive. */
function readTarget(to: string | undefined): number | undefined {
  if (to === undefined) throw usageFault('gangan restore needs a FILE, or --to TIME.')
  if (to === 'latest') return undefined
  const ms = readMoment(to)
  if (ms === undefined) {
    throw usageFault(
      '--to takes a time with its offset, such as 2026-11-19T00:55:00Z or 2026-11-19T01:55+01:00, or latest.',
    )
  }
  if (ms > Date.now()) throw new OperatorFault('--to: this moment is in the future.')
  return ms
}

function archivesOf({ database_url, settings }: Config, from: string | undefined): string {
  if (database_url !== undefined) {
    throw new OperatorFault(
      '--to restores the embedded database, and DATABASE_URL is set: use the tools of your server for its point-in-time recovery.',
    )
  }
  if (from !== undefined) return resolve(from)
  if (settings.backups) return archivesIn(resolve(settings.backups.folder))
  throw usageFault('The configuration has no backups.folder: set GANGAN_CONFIG, or name the archive with --from.')
}

async function requireNoDatabase({ data_dir }: Config): Promise<void> {
  if (!(await hasEmbedded(data_dir))) return
  throw new OperatorFault(
    `The data folder ${data_dir} has a database already: set GANGAN_DATA to a folder that does not exist yet.`,
  )
}

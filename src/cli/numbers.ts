import { readConfig } from '../config/config.ts'
import { migrate } from '../db/migrate.ts'
import { NotLines } from '../lookup/registry/blocks.ts'
import { ImportInProgress, importRegistry, NothingUsable, type ImportOptions } from '../lookup/registry/import.ts'
import { listRegistries } from '../lookup/registry/import-store.ts'
import { makeKnowledge } from '../numbers/knowledge.ts'
import { withDatabase } from './database.ts'
import { requireCountry } from './organisations/organisations.ts'
import { choice, flag, form, valued, type Command } from './terminal/command.ts'
import { OperatorFault, unusableFile, usageFault } from './terminal/operator-fault.ts'
import { progressBar } from './terminal/progress.ts'
import { rows, type Result } from './terminal/result.ts'
import { isRecord } from '../values/record.ts'

const IMPORT = {
  kind: choice(['ported', 'dnd'], 'numbers with their present operator, or do not disturb'),
  replace: flag('replace the registry (default: merge into it)'),
  country: valued('CODE', 'country of national numbers (the default country)'),
  rejects: valued('FILE', 'file for rejected lines (FILE.rejects.csv)'),
  restart: flag('start over instead of resuming'),
}

type Options = { kind?: string; replace?: boolean; restart?: boolean; country?: string; rejects?: string }

export const numbers: Command = [
  form(
    'import FILE',
    'import a registry from CSV: number, operator',
    IMPORT,
    (values, file = '') => importFile(readOptions(values, file)),
    ['gangan numbers import ported.csv --kind ported --replace'],
  ),
  form('list', 'list registries with size and age', {}, list),
]

function readOptions({ kind, ...values }: Options, file: string): ImportOptions {
  if (kind !== 'ported' && kind !== 'dnd')
    throw usageFault('Say gangan numbers import --kind ported FILE, or --kind dnd FILE.')
  const { country = readConfig().settings.organisation.default_country } = values
  requireCountry(country)
  const rejects_file = values.rejects ?? `${file}.rejects.csv`
  const mode = values.replace ? 'replace' : 'merge'
  return { kind, mode, file, rejects_file, country, restart: values.restart ?? false }
}

async function importFile(options: ImportOptions): Promise<Result> {
  const config = readConfig()
  const bar = progressBar(process.stderr)
  const started = performance.now()
  let began_at: number | undefined
  const outcome = await withDatabase(config, async (db) => {
    await migrate(db)
    const deps = { db, numbers: makeKnowledge({ db }, config.settings.lookup) }
    return importRegistry(deps, options, ({ bytes_done, bytes_total, lines_done, rejected, finishing }) => {
      began_at ??= lines_done
      const rate = perSecond(lines_done - began_at, started)
      const text = `${lines_done.toLocaleString('en')} lines, ${rate}/s, ${rejected.toLocaleString('en')} rejected`
      bar.show(bytes_done, bytes_total, finishing ? `${text}; putting them in their place` : text)
    })
  }).catch(explain)
  bar.end()
  const { lines, rejected, resumed_at } = outcome
  const seconds = (performance.now() - started) / 1_000
  const memory_mb = Math.round(process.resourceUsage().maxRSS / 1_024)
  const text =
    (resumed_at > 0 ? `Went on after line ${resumed_at.toLocaleString('en')}. ` : '') +
    `${lines.toLocaleString('en')} lines in ${seconds.toFixed(1)} s (${perSecond(lines - resumed_at, started)}/s), ` +
    `peak memory ${memory_mb} MB; the ${options.kind} registry has ${outcome.numbers.toLocaleString('en')} numbers.\n` +
    (rejected > 0 ? `${rejected.toLocaleString('en')} lines were rejected: ${options.rejects_file}\n` : '')
  return { data: { kind: options.kind, ...outcome, seconds: Math.round(seconds * 10) / 10, memory_mb }, text }
}

function perSecond(lines: number, started: number): string {
  return Math.round(lines / Math.max(0.001, (performance.now() - started) / 1_000)).toLocaleString('en')
}

function explain(fault: unknown): never {
  if (isRecord(fault) && typeof fault.path === 'string') throw unusableFile(fault.path, fault)
  if (fault instanceof ImportInProgress || fault instanceof NotLines || fault instanceof NothingUsable) {
    throw new OperatorFault(fault.message)
  }
  throw fault
}

async function list(): Promise<Result> {
  return rows(await withDatabase(readConfig(), listRegistries), {
    registry: (one) => one.kind,
    numbers: (one) => one.numbers.toLocaleString('en'),
    imported: (one) => one.imported_datetime,
  })
}

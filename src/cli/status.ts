import { readConfig, type Config } from '../config/config.ts'
import { connect, type Db } from '../db/connect.ts'
import { findRunningEmbedded } from '../db/embedded/start.ts'
import { faultInWords } from '../db/fault-words.ts'
import { detectLayout } from '../db/layout.ts'
import { isSchemaMissing } from '../db/migrate.ts'
import { fill, type Finding } from '../status/check.ts'
import { readStatus } from '../status/read-status.ts'
import type { Status } from '../status/schema.ts'
import { messageOf } from '../values/thrown.ts'
import { databaseSubject, machineSubject } from '../wiring/status.ts'
import { requireDatabase } from './database.ts'
import { flag, form, type Command } from './terminal/command.ts'
import { shownFindings } from './terminal/findings.ts'
import type { Result } from './terminal/result.ts'

const CONNECTIONS = 4
const CLOSE_TIMEOUT_S = 1
/** A PostgreSQL that is recovering from a crash is not waited for. */
const FIND_TIMEOUT_MS = 5_000

/** The state of the installation. Starts and changes nothing, so that it tells what is. */
export const statusCommand: Command = [
  form(
    '',
    'show the state of the service, its database and its carriers, each with what to do; exits with 0, 10 or 11',
    { nagios: flag('print for Nagios and Icinga, and exit with 0, 1, 2 or 3 as they expect') },
    ({ nagios }) => (nagios ? asPlugin(readNow) : readNow().then((status) => shownFindings(status.findings, status))),
    ['gangan status', 'gangan status --json | jq \'.findings[] | select(.level != "ok")\''],
  ),
]

async function readNow(): Promise<Status> {
  const config = readConfig()
  await requireDatabase(config)
  const reached = await reachDatabase(config)
  if (!('db' in reached)) return readStatus({ ...machineSubject(config), ...reached })
  try {
    return await readStatus(databaseSubject(config, reached.db))
  } finally {
    await reached.db.end({ timeout: CLOSE_TIMEOUT_S })
  }
}

/** The database, if it can be used at the moment. Unlike other commands this one starts none. */
async function reachDatabase(config: Config): Promise<{ db: Db } | { unreachable: Finding }> {
  const address = config.database_url === undefined ? await findEmbedded(config.data_dir) : { url: config.database_url }
  if ('level' in address) return { unreachable: address }
  const db = connect(address, { connections: CONNECTIONS })
  try {
    await detectLayout(db)
    if (!(await isSchemaMissing(db))) return { db }
    await db.end({ timeout: CLOSE_TIMEOUT_S })
    return { unreachable: NO_SCHEMA }
  } catch (fault) {
    await db.end({ timeout: 0 })
    const summary = fill('The database cannot be used ({reason}).', { reason: faultInWords(fault) })
    const advice = 'Check DATABASE_URL, and that the database server runs.'
    return { unreachable: { level: 'critical', summary, advice } }
  }
}

async function findEmbedded(data_dir: string) {
  const late = AbortSignal.timeout(FIND_TIMEOUT_MS)
  const timeout = new Promise<'late'>((resolve) => late.addEventListener('abort', () => resolve('late')))
  const found = await Promise.race([findRunningEmbedded(data_dir), timeout])
  if (found === 'late') return BUSY
  return found ?? { ...STOPPED, summary: fill(STOPPED.summary, { folder: data_dir }) }
}

const STOPPED: Finding = {
  level: 'critical',
  summary: 'The service is not running: the PostgreSQL of {folder} is stopped.',
  advice: 'Start it (systemctl start gangan, or gangan serve). If it ends, the end of its log says why.',
  section: 'GanganDown',
}
const BUSY: Finding = {
  level: 'critical',
  summary: 'The embedded PostgreSQL is starting or stopping.',
  advice: 'Wait: after a crash it recovers first. The file postgres.log in the data folder shows its progress.',
}
const NO_SCHEMA: Finding = {
  level: 'critical',
  summary: 'The database has no schema yet.',
  advice: 'Start the service, or run gangan migrate.',
  section: 'An upgrade does not finish',
}

const PLUGIN = { ok: 0, warning: 1, critical: 2, unknown: 3 }

/** One line, with the counts as performance data, then the findings that are not ok. */
async function asPlugin(read: () => Promise<Status>): Promise<Result> {
  try {
    const { level, findings, ...rest } = await read()
    const bad = findings.filter((one) => one.level !== 'ok')
    const first = findings.find((one) => one.level === level)
    const count = (wanted: string): number => findings.filter((one) => one.level === wanted).length
    const counts = ['ok', 'warning', 'critical'].map((one) => `${one}=${count(one)}`).join(' ')
    const said = level === 'ok' ? 'everything is ok' : (first?.summary ?? '')
    const lines = bad.map((one) => `${one.level}: ${one.check}: ${one.summary} ${one.advice ?? ''}`.trimEnd())
    return {
      data: { level, ...rest, findings },
      text: [`GANGAN ${level.toUpperCase()} - ${bar(said)} | ${counts}`, ...lines.map(bar), ''].join('\n'),
      exit: PLUGIN[level],
    }
  } catch (fault) {
    const reason = messageOf(fault)
    return {
      data: { level: 'unknown', reason },
      text: `GANGAN UNKNOWN - ${bar(reason.replaceAll(/\s+/g, ' '))}\n`,
      exit: PLUGIN.unknown,
    }
  }
}

/** In the output of a plugin a bar begins the performance data. */
function bar(text: string): string {
  return text.replaceAll('|', '/')
}

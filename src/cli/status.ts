import { readConfig } from '../config/config.ts'
import { readStatus } from '../status/read-status.ts'
import type { Status } from '../status/schema.ts'
import { messageOf } from '../values/thrown.ts'
import { databaseSubject, machineSubject } from '../wiring/status.ts'
import { effectiveIfReadable } from './configured.ts'
import { requireDatabase } from './database.ts'
import { reachDatabase } from './reach-database.ts'
import { flag, form, type Command } from './terminal/command.ts'
import { shownFindings } from './terminal/findings.ts'
import type { Result } from './terminal/result.ts'

const CLOSE_TIMEOUT_S = 1

/** The state of the installation. Starts and changes nothing, so that it tells what is. */
export const statusCommand: Command = [
  form(
    '',
    'show the state of the service, its database and its carriers, each with what to do; exits with 0, 10 or 11',
    { nagios: flag('print for Nagios and Icinga, and exit with 0, 1, 2 or 3 as they expect') },
    ({ nagios }) => (nagios ? asPlugin(readNow) : readNow().then((status) => shownFindings(status.findings, status))),
    ['gangan status --json | jq \'.findings[] | select(.level != "ok")\''],
  ),
]

async function readNow(): Promise<Status> {
  const config = readConfig()
  await requireDatabase(config)
  const reached = await reachDatabase(config)
  if (!('db' in reached)) return readStatus({ ...machineSubject(config), ...reached })
  try {
    return await readStatus(databaseSubject(await effectiveIfReadable(reached.db, config), reached.db))
  } finally {
    await reached.db.end({ timeout: CLOSE_TIMEOUT_S })
  }
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

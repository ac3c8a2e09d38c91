import { readConfig, type Config } from '../config/config.ts'
import { configWarnings } from '../config/warnings.ts'
import { makeChecks, type Check, type Finding } from '../status/check.ts'
import { effectiveIfReadable } from './configured.ts'
import { findFolders, findFreeSpace } from './doctor/folders.ts'
import { peersOf } from './doctor/peers.ts'
import { findPorts } from './doctor/ports.ts'
import { findPostgresql } from './doctor/postgresql.ts'
import { findOpenFiles, findRuntime, findSharedMemory, findTimeZones } from './doctor/system.ts'
import { tryPeers } from './doctor/try-peer.ts'
import { reachDatabase } from './reach-database.ts'
import { form, integer, type Command } from './terminal/command.ts'
import { shownFindings } from './terminal/findings.ts'
import type { Result } from './terminal/result.ts'

const DEFAULT_TIMEOUT_S = 10
/** A connection takes two at most, the name and the socket; the check ends after three. */
const STEPS = 3
const CLOSE_TIMEOUT_S = 1
const SECTION = 'The service does not start'

/** What an installation needs, each checked independently. A new check is an entry here. */
const CHECKS: readonly Check<{ config: Config; timeout_ms: number }>[] = [
  { name: 'runtime', section: SECTION, find: () => findRuntime() },
  { name: 'configuration', section: SECTION, find: ({ config }) => findWarnings(config) },
  { name: 'ports', section: SECTION, find: ({ config }) => findPorts(config) },
  { name: 'open files', section: SECTION, find: () => findOpenFiles() },
  { name: 'folders', section: SECTION, find: ({ config }) => findFolders(config) },
  { name: 'disk', section: 'GanganDiskFull', find: ({ config }) => findFreeSpace(config) },
  { name: 'shared memory', section: SECTION, find: ({ config }) => findSharedMemory(config) },
  { name: 'time zones', section: SECTION, find: () => findTimeZones() },
  { name: 'postgresql', section: 'The database cannot be used', find: ({ config }) => findPostgresql(config) },
  {
    name: 'peers',
    section: 'GanganBindDown',
    find: ({ config, timeout_ms }) => tryPeers(peersOf(config), timeout_ms / STEPS),
  },
]

/** Tries what an installation needs, before a start or beside a running service. */
export const doctor: Command = [
  form(
    '',
    'try what an installation needs: ports, folders, limits, PostgreSQL, and TLS to carriers; writes nothing',
    { timeout: integer(1, 120, `bound of each check, in seconds (${DEFAULT_TIMEOUT_S})`, 'S') },
    run,
    ['gangan doctor --timeout 30 --json'],
  ),
]

async function run({ timeout }: { timeout?: string }): Promise<Result> {
  const timeout_ms = 1_000 * Number(timeout ?? DEFAULT_TIMEOUT_S)
  const config = await withOperators(readConfig())
  return shownFindings(await makeChecks(CHECKS, { config, timeout_ms }, { timeout_ms }))
}

/** With the carriers of operators, if the database can be reached; whether it can is a check of its own. */
async function withOperators(config: Config): Promise<Config> {
  const reached = await reachDatabase(config)
  if (!('db' in reached)) return config
  try {
    return await effectiveIfReadable(reached.db, config)
  } finally {
    await reached.db.end({ timeout: CLOSE_TIMEOUT_S })
  }
}

async function findWarnings(config: Config): Promise<Finding[]> {
  const warnings = await configWarnings(process.env, config)
  return warnings.length > 0 ? warnings : [{ level: 'ok', summary: 'The configuration is valid.' }]
}

import type { Db } from '../db/connect.ts'
import { findNewerPatch } from '../db/schema/builds.ts'
import { measureSize } from '../db/connections.ts'
import { hasFunctions } from '../db/schema/functions.ts'
import { knownSchema, newestApplied } from '../db/migrate.ts'
import { listProcesses, type ServiceProcess } from './process-store.ts'
import type { Finding } from './check.ts'
import { fill } from '../values/fill.ts'
import { readServer } from './store.ts'
import { levelOf, THRESHOLDS } from './thresholds.ts'
import { bytesInWords, countInWords, percentInWords } from './units.ts'

type Deps = { db: Db }

/** The oldest version that is supported; docs/compatibility.md names it. */
export const OLDEST_POSTGRESQL = 15

export async function findDatabase({ db }: Deps): Promise<Finding> {
  const [server, bytes] = await Promise.all([readServer(db), measureSize(db)])
  const values = { version: server.version, size: bytesInWords(bytes), oldest: OLDEST_POSTGRESQL }
  if (server.read_only) {
    return {
      level: 'critical',
      summary: fill('PostgreSQL {version} accepts no writes.', values),
      advice: 'DATABASE_URL leads to a standby: point it to the primary, or promote the standby.',
    }
  }
  if (server.version_number < OLDEST_POSTGRESQL * 10_000) {
    return {
      level: 'warning',
      summary: fill('PostgreSQL {version} is older than {oldest}, the oldest version that is supported.', values),
      advice: 'Upgrade the database server.',
    }
  }
  return { level: 'ok', summary: fill('PostgreSQL {version} answers; the database has {size}.', values) }
}

export async function findConnections({ db }: Deps): Promise<Finding> {
  const { connections, connections_limit } = await readServer(db)
  const share = connections / Math.max(1, connections_limit)
  const values = { used: connections, limit: connections_limit, share: percentInWords(share) }
  const level = levelOf(THRESHOLDS.connections, share)
  return {
    level,
    summary: fill('{used} of {limit} connections to PostgreSQL are in use ({share}).', values),
    ...(level === 'ok' ? {} : { advice: 'Raise max_connections of PostgreSQL, or run fewer processes.' }),
  }
}

export async function findSchema({ db }: Deps): Promise<Finding> {
  const [found, known] = await Promise.all([newestApplied(db), knownSchema()])
  const values = { found, known }
  const newer_patch = await findNewerPatch(db)
  if (newer_patch !== undefined) {
    return {
      level: 'ok',
      summary: fill('The database has schema {found} of the newer patch release {version}.', {
        ...values,
        version: newer_patch,
      }),
      advice: 'Finish the upgrade: restart the processes of this version with the newer one.',
    }
  }
  if (found > known) {
    return {
      level: 'critical',
      summary: fill('The database has schema {found}; this build knows schema {known} only.', values),
      advice: 'Install the newer version of Gangan here: processes of this one take no more requests.',
    }
  }
  if (found < known) {
    return {
      level: 'critical',
      summary: fill('The database has schema {found}; this build needs schema {known}.', values),
      advice: 'Run gangan migrate, or restart the service: it migrates at the start.',
    }
  }
  if (!(await hasFunctions(db))) {
    return {
      level: 'warning',
      summary: fill('The database has schema {found}, but functions of another build.', values),
      advice: 'Run gangan migrate with the newest build, and restart the processes of other builds.',
    }
  }
  return { level: 'ok', summary: fill('The database has schema {found}, that of this build.', values) }
}

/** Bounded by how long the question took: a slow answer says nothing about the clock. */
export async function findClockSkew({ db }: Deps): Promise<Finding> {
  await readServer(db) // opens the connection
  const asked = Date.now()
  const { now_s } = await readServer(db)
  const answered = Date.now()
  const skew_s = Math.abs(now_s - (asked + answered) / 2_000)
  const least_s = Math.max(0, skew_s - (answered - asked) / 2_000)
  const level = levelOf(THRESHOLDS.clock_skew, least_s)
  const values = { seconds: least_s < 0.1 ? least_s.toFixed(3) : least_s.toFixed(1) }
  if (level === 'ok') {
    return { level, summary: fill('The clocks of this machine and of the database agree within {seconds} s.', values) }
  }
  return {
    level,
    summary: fill('The clocks of this machine and of the database differ by {seconds} s.', values),
    advice: 'Synchronise both clocks with NTP (timedatectl status shows whether it is active).',
  }
}

export async function findProcesses({ db, version }: Deps & { version: string }): Promise<Finding[]> {
  const processes = await listProcesses(db)
  if (processes.length === 0) {
    return [
      {
        level: 'critical',
        summary: 'The service is not running: no process of it is connected to the database.',
        advice: 'Start it (systemctl start gangan, or gangan serve). If it ends, the end of its log says why.',
      },
    ]
  }
  return [...lackingRoles(processes), ...otherVersions(processes, version), ...processes.map(shown)]
}

function shown({ version, http, worker, pid, host, connections }: ServiceProcess): Finding {
  const values = { version, pid, host, connections: countInWords(connections, 'connection') }
  const one = (sentence: string): Finding => ({ level: 'ok', summary: fill(sentence, values) })
  if (http && worker)
    return one('Process {pid} on {host} serves HTTP and runs workers: version {version}, {connections}.')
  if (http) return one('Process {pid} on {host} serves HTTP: version {version}, {connections}.')
  return one('Process {pid} on {host} runs workers: version {version}, {connections}.')
}

function lackingRoles(processes: readonly ServiceProcess[]): Finding[] {
  const findings: Finding[] = []
  if (!processes.some(({ http }) => http)) {
    findings.push({
      level: 'critical',
      summary: 'No process serves HTTP.',
      advice: 'Start one: gangan serve --http.',
    })
  }
  if (!processes.some(({ worker }) => worker)) {
    findings.push({
      level: 'critical',
      summary: 'No process runs workers: messages are accepted and not submitted.',
      advice: 'Start one: gangan serve --worker.',
    })
  }
  return findings
}

function otherVersions(processes: readonly ServiceProcess[], version: string): Finding[] {
  const others = [...new Set(processes.map((one) => one.version))].filter((one) => one !== version)
  if (others.length === 0) return []
  return [
    {
      level: 'warning',
      summary: fill('Processes of version {others} run beside version {version}.', {
        others: others.join(', '),
        version,
      }),
      advice: 'Finish the upgrade: restart every process with the newest version.',
    },
  ]
}

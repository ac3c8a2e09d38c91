import type { Config } from '../../config/config.ts'
import { connectionsOfProcess } from '../../db/pools.ts'
import { findBinaryPackage } from '../../db/embedded/binaries.ts'
import { hasEmbedded } from '../../db/embedded/start.ts'
import type { Db } from '../../db/connect.ts'
import { listProcesses } from '../../status/process-store.ts'
import type { Finding } from '../../status/check.ts'
import { OLDEST_POSTGRESQL } from '../../status/database.ts'
import { readServerSettings, type ServerSettings } from '../../status/store.ts'
import { messageOf } from '../../values/thrown.ts'
import { reachDatabase } from '../reach-database.ts'

const CLOSE_TIMEOUT_S = 1
const EXTENSIONS = ['pg_trgm', 'btree_gin']

/** The database server and its settings; an embedded one that is stopped is not started. */
export async function findPostgresql(config: Config): Promise<Finding[]> {
  if (config.database_url === undefined) {
    const stopped = await findStopped(config)
    if (stopped) return [stopped]
  }
  const reached = await reachDatabase(config, { needs_schema: false })
  if (!('db' in reached)) return [reached.unreachable]
  try {
    return await judge(reached.db)
  } finally {
    await reached.db.end({ timeout: CLOSE_TIMEOUT_S })
  }
}

/** The embedded PostgreSQL before the first start: only its binaries can be looked at. */
async function findStopped({ data_dir }: Config): Promise<Finding | undefined> {
  if (await hasEmbedded(data_dir)) return undefined
  try {
    findBinaryPackage()
    return {
      level: 'ok',
      summary: `The embedded PostgreSQL is installed; the first start makes a database in ${data_dir}.`,
    }
  } catch (fault) {
    return { level: 'critical', summary: messageOf(fault), advice: 'Run npm install again, or set DATABASE_URL.' }
  }
}

async function judge(db: Db): Promise<Finding[]> {
  const [settings, processes] = await Promise.all([readServerSettings(db), listProcesses(db)])
  return [...judgeServer(settings), judgeConnections(settings, processes.length), ...judgeDurability(settings)]
}

function judgeServer(settings: ServerSettings): Finding[] {
  const { version, version_number, encoding, locale, extensions, may_create } = settings
  const findings: Finding[] = []
  if (version_number < OLDEST_POSTGRESQL * 10_000) {
    findings.push({
      level: 'critical',
      summary: `PostgreSQL ${version} is too old.`,
      advice: `Upgrade the server to version ${OLDEST_POSTGRESQL} or newer.`,
    })
  }
  if (encoding !== 'UTF8') {
    findings.push({
      level: 'critical',
      summary: `The encoding of the database is ${encoding}: most texts cannot be stored.`,
      advice: "Make another: create database gangan encoding 'UTF8' template template0.",
    })
  }
  const missing = EXTENSIONS.filter((name) => !extensions.includes(name))
  if (missing.length > 0) {
    findings.push({
      level: 'critical',
      summary: `The server lacks the extensions ${missing.join(', ')}.`,
      advice: 'Install its contrib package (postgresql-contrib), or create the extensions as its administrator.',
    })
  }
  if (!may_create) {
    findings.push({
      level: 'critical',
      summary: 'The user of DATABASE_URL may not create tables.',
      advice: 'Make it the owner of the database: alter database … owner to ….',
    })
  }
  if (findings.length > 0) return findings
  return [{ level: 'ok', summary: `PostgreSQL ${version}, encoding ${encoding}, locale ${locale}.` }]
}

/** For the processes that run, and one more during an upgrade. */
function judgeConnections({ connections_limit }: ServerSettings, running: number): Finding {
  const processes = Math.max(1, running) + 1
  const needed = processes * connectionsOfProcess()
  if (needed <= connections_limit) {
    const room = Math.floor(connections_limit / connectionsOfProcess())
    return { level: 'ok', summary: `${connections_limit} connections are enough for ${room} processes.` }
  }
  return {
    level: 'warning',
    summary: `PostgreSQL allows ${connections_limit} connections; ${processes} processes open up to ${needed}.`,
    advice: `Set max_connections to at least ${needed + RESERVED} and restart the server.`,
    section: 'GanganDatabaseConnections',
  }
}

/** For the administrator, backups and commands. */
const RESERVED = 10

function judgeDurability({ fsync, full_page_writes, synchronous_commit }: ServerSettings): Finding[] {
  const off = Object.entries({ fsync, full_page_writes }).filter(([, value]) => value === 'off')
  const findings: Finding[] = off.map(([name]) => ({
    level: 'critical',
    summary: `${name} is off: a power failure may destroy the database.`,
    advice: `alter system set ${name} = on, and reload the server.`,
  }))
  if (synchronous_commit === 'off') {
    findings.push({
      level: 'critical',
      summary: 'synchronous_commit is off: a crash of the server loses messages and money that were answered.',
      advice: 'alter system set synchronous_commit = on, and reload the server.',
    })
  }
  if (findings.length > 0) return findings
  return [{ level: 'ok', summary: `Commits are durable (fsync ${fsync}, synchronous_commit ${synchronous_commit}).` }]
}

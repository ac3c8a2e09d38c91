import type { Config } from '../config/config.ts'
import { connect, type Db } from '../db/connect.ts'
import { findRunningEmbedded } from '../db/embedded/start.ts'
import { faultInWords } from '../db/fault-words.ts'
import { detectLayout } from '../db/layout.ts'
import { isSchemaMissing } from '../db/migrate.ts'
import type { Finding } from '../status/check.ts'
import { fill } from '../values/fill.ts'

const CONNECTIONS = 4
const CLOSE_TIMEOUT_S = 1
/** A PostgreSQL that is recovering from a crash is not waited for. */
const FIND_TIMEOUT_MS = 5_000

/** The database, if it can be used at the moment. Unlike other commands this one starts none. */
export async function reachDatabase(
  config: Config,
  { needs_schema = true }: { needs_schema?: boolean } = {},
): Promise<{ db: Db } | { unreachable: Finding }> {
  const address = config.database_url === undefined ? await findEmbedded(config.data_dir) : { url: config.database_url }
  if ('level' in address) return { unreachable: address }
  const db = connect(address, { connections: CONNECTIONS })
  try {
    await detectLayout(db)
    if (!needs_schema || !(await isSchemaMissing(db))) return { db }
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

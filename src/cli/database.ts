import { detectLayout } from '../db/layout.ts'
import { connect, type Db, type DatabaseAddress } from '../db/connect.ts'
import type { NoteRevival } from '../db/embedded/revive.ts'
import type { NoteUpgrade } from '../db/embedded/upgrade.ts'
import { faultInWords } from '../db/fault-words.ts'
import { findRunningEmbedded, hasEmbedded, keepForUpgrade, startEmbedded } from '../db/embedded/start.ts'
import type { Config } from '../config/config.ts'
import { notFound, OperatorFault } from './terminal/operator-fault.ts'
import { codeOf } from '../values/thrown.ts'

export type OpenDatabase = {
  db: Db
  close(): Promise<void>
  /** Of the embedded one: keeps its binaries beside the data. */
  keepForUpgrade?: (signal: AbortSignal) => Promise<void>
  /** Of the embedded one, if its log is archived. */
  archived?: { cluster_dir: string; archive_dir: string; administrator: DatabaseAddress }
}

type Options = {
  connections?: number
  application_name?: string
  /** Whether to own the data folder until `close`, which excludes every other process but commands; see `startEmbedded`. */
  owner?: boolean
  /** In which folder to archive its log, if at all; by default as it is. */
  archives?: { folder: string | undefined }
  noteRevival?: NoteRevival
  noteUpgrade?: NoteUpgrade
  signal?: AbortSignal
}

const CLOSE_TIMEOUT_S = 5

/** The database of `serve`: the server of DATABASE_URL, or the embedded one, which is started and stopped here. */
export async function openDatabase(
  config: Config,
  { owner = true, archives, noteRevival, noteUpgrade = printUpgrade, signal, ...options }: Options = {},
): Promise<OpenDatabase> {
  if (config.database_url !== undefined) {
    const db = connect({ url: config.database_url }, options)
    await requireReachable(db, config.database_url)
    await detectLayout(db)
    return { db, close: () => db.end({ timeout: CLOSE_TIMEOUT_S }) }
  }
  const embedded = await startEmbedded({
    data_dir: config.data_dir,
    owner,
    archives,
    ...(noteRevival ? { noteRevival } : {}),
    noteUpgrade,
    ...(signal ? { signal } : {}),
  })
  const db = connect(embedded.url_options, options)
  const { cluster_dir, archive_dir } = embedded
  return {
    db,
    ...(archive_dir ? { archived: { cluster_dir, archive_dir, administrator: await embedded.administrator() } } : {}),
    keepForUpgrade: (stop) => keepForUpgrade(config.data_dir, stop),
    async close() {
      await db.end({ timeout: CLOSE_TIMEOUT_S })
      await embedded.stop()
    },
  }
}

const printUpgrade: NoteUpgrade = (sentence) => void process.stderr.write(`${sentence}\n`)

/**
 * For a command: connects to the embedded database of a running `serve`, or starts it temporarily. A `serve` that starts
 * meanwhile takes the database over, unless the command needs it for itself (`alone`). Only a command that `creates` the
 * database makes one where there is none.
 */
export async function withDatabase<T>(
  config: Config,
  work: (db: Db) => Promise<T>,
  { creates = false, alone = false }: { creates?: boolean; alone?: boolean } = {},
): Promise<T> {
  if (!creates) await requireDatabase(config)
  const running = config.database_url === undefined ? await findRunningEmbedded(config.data_dir) : undefined
  const database = running ? joinDatabase(running) : await openDatabase(config, { connections: 2, owner: alone })
  try {
    return await work(database.db)
  } catch (fault) {
    if (!UNDEFINED.has(codeOf(fault) ?? '')) throw fault
    throw new OperatorFault(
      'The database does not have the schema of this version yet; run gangan migrate.',
      'unavailable',
    )
  } finally {
    await database.close()
  }
}

/** SQLSTATE: undefined table, column or function. */
const UNDEFINED: ReadonlySet<string> = new Set(['42P01', '42703', '42883'])

export async function hasDatabase({ database_url, data_dir }: Config): Promise<boolean> {
  return database_url !== undefined || (await hasEmbedded(data_dir))
}

/** A command in the wrong folder reports that, rather than creating a database there. */
export async function requireDatabase(config: Config): Promise<void> {
  if (await hasDatabase(config)) return
  const { data_dir } = config
  throw notFound(
    `There is no Gangan database in ${data_dir}. Run the command in the folder of the service, or with its GANGAN_DATA or DATABASE_URL.`,
  )
}

function joinDatabase(address: DatabaseAddress): OpenDatabase {
  const db = connect(address, { connections: 2 })
  return { db, close: () => db.end({ timeout: CLOSE_TIMEOUT_S }) }
}

async function requireReachable(db: Db, url: string): Promise<void> {
  try {
    await db`select 1`
  } catch (fault) {
    await db.end({ timeout: 0 })
    const { host, pathname } = new URL(url)
    throw new OperatorFault(
      `The database server ${host}${pathname} cannot be used (${faultInWords(fault)}); check DATABASE_URL.`,
      'unavailable',
    )
  }
}

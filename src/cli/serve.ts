import cluster from 'node:cluster'
import { resolve as resolvePath } from 'node:path'
import { openAccount } from '../billing/balance.ts'
import { newSecret } from '../callbacks/signing/signature.ts'
import { readConfig, withPort, type Config } from '../config/config.ts'
import { readEffective } from '../config/effective.ts'
import { startArchiving } from '../db/archive/keep.ts'
import { archivesIn } from '../db/archive/place.ts'
import { requireBackupFolder } from '../db/backup/require-folder.ts'
import { connect, type Db } from '../db/connect.ts'
import type { NoteRevival } from '../db/embedded/revive.ts'
import { migrate } from '../db/migrate.ts'
import { makePartitions } from '../db/partitions.ts'
import { processName } from '../status/process-store.ts'
import { ensureFirstOrganisation } from '../organisations/first.ts'
import { makeLog } from '../observe/log.ts'
import { registerFirstSender } from '../senders/decide.ts'
import { ensureFirstOperator } from '../users/invite.ts'
import type { Log } from '../values/log.ts'
import { banner } from './terminal/banner.ts'
import { flag, plainForm, valued, type Command } from './terminal/command.ts'
import { openDatabase, type OpenDatabase } from './database.ts'
import { holdPort, type HeldPort } from './serving/listen.ts'
import { limitStop, serveHere, type Roles, type Serving } from './serving/serve-here.ts'
import { stopSignal } from './serving/stop-signal.ts'
import { usageFault } from './terminal/operator-fault.ts'
import { gatherMetrics, MAX_PROCESSES, readOrder, startProcesses, type Processes } from './serving/processes.ts'
import { readSecretSeal } from './secret-seal.ts'
import { pepperKeys, readPepper } from '../otp/pepper.ts'
import { readVersion } from '../values/version.ts'

const CLOSE_TIMEOUT_S = 5
const NOT_KEPT = 'could not keep the binaries of PostgreSQL for the upgrade to the next major version'

type Values = { http?: boolean; worker?: boolean; processes?: string }
type AllRoles = Roles & { processes: number }

const OPTIONS = {
  http: flag('serve HTTP only; other processes run the workers'),
  worker: flag('run workers only: carriers, reports, callbacks'),
  processes: valued('N', 'use N processes that share the port, one per core'),
}

export const serve: Command = [
  plainForm('', 'start the service, and stop it on SIGTERM or Control-C', OPTIONS, run, ['gangan serve --processes 4']),
]

/** Starts the service, prints its addresses, and stops it on SIGTERM or SIGINT, also during the start. */
async function run(values: Values): Promise<void> {
  const roles = readRoles(values)
  let config = readConfig()
  const log = makeLog(config.log_level)
  let reload = (): void => log.warn({}, 'the service is starting; it has read the configuration already')
  const stop = stopSignal(log, () => reload())
  const { backups } = config.settings
  if (backups && (roles.worker || backups.wal)) await requireBackupFolder(backups)
  if (cluster.isWorker) return serveBesideOthers(config, roles, stop, (now) => (reload = now))

  let database: OpenDatabase | undefined
  let held: HeldPort | undefined
  let keeping: Promise<unknown> | undefined
  let serving: Serving | Processes | undefined
  let archiving: { stop(): Promise<void> } | undefined
  try {
    // Of several processes the first serves nothing: the others name their connections.
    const named = roles.processes > 1 ? {} : { application_name: nameOf(roles) }
    const archives = { folder: backups?.wal && archivesIn(resolvePath(backups.folder)) }
    database = await openDatabase(config, { ...named, archives, noteRevival: noteRevivalIn(log), signal: stop })
    await makeSchema({ db: database.db, log }, stop)
    config = await readEffective(database, config)
    archiving = await archive(config, database, log)
    if (roles.http) held = await holdPort(config)
    // From here on the start is short and not interrupted: it creates the first key, which is shown only once.
    const { db } = database
    let new_api_key: string | undefined
    const foundFirst = async (): Promise<void> => void ({ new_api_key } = await found(config, db))
    if (roles.processes > 1) {
      await held?.release()
      // A configured key is not shown, so it cannot be lost, and early callers are authenticated.
      if (config.api_key !== undefined) await foundFirst()
      serving = await startProcesses({ log }, roles.processes, { database: db.address, port: held?.port }, roles.http)
      if (config.api_key === undefined) await foundFirst()
    } else {
      const settled = held ? withPort(config, held.port) : config
      serving = await serveHere(settled, roles, db, { signal: stop, held, foundFirst })
    }
    const running = serving
    reload = () => running.reload()
    const wants_link = serving.port !== undefined && config.settings.sign_in.password
    const link_token = wants_link ? await ensureFirstOperator(database) : undefined
    process.stdout.write(banner(config, serving.port, { new_api_key, link_token }))
    keeping = database.keepForUpgrade?.(stop).catch((err: unknown) => stop.aborted || log.warn({ err }, NOT_KEPT))
    await Promise.race([aborted(stop), ...('failed' in serving ? [serving.failed] : [])])
  } catch (fault) {
    if (!stop.aborted) throw fault
  } finally {
    limitStop(config)
    await held?.release()
    await serving?.stop()
    await keeping
    await archiving?.stop()
    await database?.close()
    log.flush()
  }
}

/** Only this process does, which owns the data folder. */
async function archive(config: Config, { db, archived }: OpenDatabase, log: Log) {
  const { backups } = config.settings
  if (!archived || !backups?.wal) return undefined
  const { pepper_mark } = pepperKeys(await readPepper({ db }, config))
  return startArchiving({ ...archived, log, pepper_mark }, { ...backups, wal: backups.wal })
}

function readRoles(values: Values): AllRoles {
  const both = values.http === values.worker
  const processes = Number(values.processes ?? 1)
  if (!Number.isInteger(processes) || processes < 1 || processes > MAX_PROCESSES) {
    throw usageFault(`--processes takes a number from 1 to ${MAX_PROCESSES}.`)
  }
  return { http: both || values.http === true, worker: both || values.worker === true, processes }
}

function nameOf(roles: Roles): string {
  return processName({ version: readVersion(), ...roles })
}

/** One of several processes: the first one has opened the database and sends its address. */
async function serveBesideOthers(
  config: Config,
  roles: Roles,
  stop: AbortSignal,
  onHangup: (reload: () => void) => void,
): Promise<void> {
  const orphaned = new Promise<void>((resolve) => process.once('disconnect', () => resolve()))
  const { database, port } = await readOrder()
  const db = connect(database, { application_name: nameOf(roles) })
  let serving: Serving | undefined
  try {
    const effective = await readEffective({ db }, config)
    const settled = port === undefined ? effective : withPort(effective, port)
    serving = await serveHere(settled, roles, db, { signal: stop, gather: gatherMetrics })
    const running = serving
    onHangup(() => running.reload())
    process.send?.({ ready: true, port: serving.port })
    await Promise.race([aborted(stop), orphaned, serving.failed])
  } finally {
    limitStop(config)
    await serving?.stop()
    await db.end({ timeout: CLOSE_TIMEOUT_S })
    if (process.connected) process.disconnect()
  }
}

function noteRevivalIn(log: Log): NoteRevival {
  return (event) => {
    if ('fault' in event)
      log.error({ err: event.fault, again_in_ms: event.again_in_ms }, 'PostgreSQL could not be restarted')
    else log.warn(event, 'PostgreSQL ended unexpectedly and was restarted')
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
  })
}

/** Migrates. A stop closes the connection, which rolls the migration back. */
async function makeSchema({ db, log }: { db: Db; log: Log }, stop: AbortSignal): Promise<void> {
  stop.throwIfAborted()
  const cut = (): void => void db.end({ timeout: 0 })
  stop.addEventListener('abort', cut)
  for (const applied of await migrate(db)) log.info({ applied }, 'the schema was migrated')
  await makePartitions(db)
  stop.removeEventListener('abort', cut)
  stop.throwIfAborted()
}

async function found(config: Config, db: Db): Promise<{ new_api_key?: string }> {
  const { organisation, currency } = config.settings
  const secret_seal = await readSecretSeal({ db }, config)
  const founding = { db, openAccount, newCallbackSecret: newSecret, secret_seal, registerSender: registerFirstSender }
  return ensureFirstOrganisation(founding, { ...organisation, currency, credit: config.credit }, config.api_key)
}

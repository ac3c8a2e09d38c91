import { resolve } from 'node:path'
import { archiveSettings, chooseArchive, readArchive } from '../archive/place.ts'
import { canReach } from './account.ts'
import { findBinaryPackage, keepBinaries, removeOthers } from './binaries.ts'
import { type Cluster, findCluster, openCluster, outside_dir, readPassword } from './cluster.ts'
import { type Settings, spawnPostmaster, wasStartedWith } from './command.ts'
import { EmbeddedFault, folderFault } from './fault.ts'
import { makeFolder } from '../../values/folder.ts'
import { administrator, database, role } from './initdb.ts'
import { keepLogBounded } from './log.ts'
import { type Ownership, takeOwnership } from './owner.ts'
import { clearRemains, findPostmaster, type Postmaster, stopPostmaster } from './postmaster.ts'
import { recover, type Recovery } from './recover.ts'
import { keepAlive, type NoteRevival, type Revival } from './revive.ts'
import { describeProcess } from './process.ts'
import { chooseSocketFolder, removeSocketFolder } from './socket.ts'
import { type NoteUpgrade, upgradeIfOld } from './upgrade.ts'

export { EmbeddedFault }

export type UrlOptions = { host: string; port: number; user: string; password: string; database: 'gangan' }

export type EmbeddedPostgres = {
  /** As the service connects: the owner of its database, and no more. */
  url_options: UrlOptions
  /** As the superuser, for tests that create databases; the service does not use it. */
  administrator: () => Promise<UrlOptions>
  /** Whether it was already running, left by a process that was killed. */
  adopted: boolean
  postgres_pid: number
  cluster_dir: string
  /** Where its log is archived. */
  archive_dir: string | undefined
  stop(): Promise<void>
}

export type EmbeddedOptions = {
  data_dir: string
  settings?: Settings
  /** In which folder to archive the log, if at all; by default as it is. */
  archives?: { folder: string | undefined } | undefined
  /**
   * Whether to own the folder until `stop`, as a server does. Otherwise it is owned only while starting, a running
   * PostgreSQL is joined, and `stop` ends it only if this call started it and no server has taken it over.
   */
  owner?: boolean
  /** Called when an owner has restarted PostgreSQL after an unexpected end. */
  noteRevival?: NoteRevival
  /** Called before and after the upgrade of a cluster of an older PostgreSQL. */
  noteUpgrade?: NoteUpgrade
  /** Aborts the start: it throws, and nothing is left running. */
  signal?: AbortSignal
}

/** Starts PostgreSQL on the data folder, which is created if it does not exist. */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const data_dir = resolve(options.data_dir)
  const keeps_folder = options.owner ?? true
  await makeDataFolder(data_dir)
  const claim = { brief: !keeps_folder, signal: options.signal }
  const ownership = await takeOwnership(data_dir, claim).catch(async (fault: unknown) => {
    const joined = keeps_folder ? undefined : await joinRunning(data_dir)
    if (joined === undefined) throw fault
    return joined
  })
  if (!('release' in ownership)) return ownership
  try {
    const { signal } = options
    const given = options.settings ?? {}
    await upgradeIfOld(data_dir, { run: runner(given, signal), note: options.noteUpgrade, signal })
    const cluster = await openCluster(data_dir, signal)
    const archive_dir = await settleArchive(cluster, options.archives)
    const settings = { ...given, ...archiveSettings(archive_dir) }
    const { postmaster, adopted } = await adoptOrStart(cluster, settings, { signal })
    const handle = {
      ...addresses(data_dir, postmaster, cluster.passwords.service),
      postgres_pid: postmaster.pid,
      cluster_dir: cluster.cluster_dir,
      archive_dir,
    }
    if (keeps_folder) {
      const startAgain = async () =>
        (await adoptOrStart(cluster, settings, { former_host: postmaster.host })).postmaster
      const life = keepAlive(postmaster, startAgain, options.noteRevival ?? (() => {}))
      return { ...handle, adopted, stop: stopper(data_dir, life, ownership) }
    }
    await ownership.release()
    const life = { postmaster: () => postmaster, stop: leaveRunning }
    return { ...handle, adopted, stop: adopted ? leaveRunning : stopper(data_dir, life, undefined) }
  } catch (error) {
    await ownership.release()
    throw folderFault(data_dir, error)
  }
}

/** Keeps the binaries of the cluster's version, for an upgrade after npm has installed newer ones. */
export async function keepForUpgrade(data_dir: string, signal?: AbortSignal): Promise<void> {
  const package_dir = findBinaryPackage()
  // As root they are shared by all data folders, some of which may still run an older version.
  if (process.getuid?.() === 0) return keepBinaries(package_dir, outside_dir, signal)
  await keepBinaries(package_dir, resolve(data_dir), signal)
  await removeOthers(package_dir, resolve(data_dir))
}

/** How to reach the PostgreSQL that runs on the data folder, for commands beside a server; undefined when none runs. */
export async function findRunningEmbedded(data_dir: string): Promise<UrlOptions | undefined> {
  return (await joinRunning(resolve(data_dir)))?.url_options
}

/** Whether the data folder holds a database. */
export async function hasEmbedded(data_dir: string): Promise<boolean> {
  try {
    return (await findCluster(resolve(data_dir))) !== undefined
  } catch (error) {
    throw folderFault(data_dir, error)
  }
}

async function makeDataFolder(data_dir: string): Promise<void> {
  try {
    // As root, PostgreSQL runs as another user, which must be able to enter the folder but not to list it.
    await makeFolder(data_dir, process.getuid?.() === 0 ? 0o711 : 0o700)
  } catch (error) {
    throw folderFault(data_dir, error)
  }
}

async function joinRunning(data_dir: string): Promise<EmbeddedPostgres | undefined> {
  try {
    const cluster_dir = await findCluster(data_dir)
    const postmaster = cluster_dir === undefined ? undefined : await findPostmaster(cluster_dir)
    const password = postmaster === undefined ? undefined : await readPassword(data_dir, 'service')
    if (cluster_dir === undefined || postmaster === undefined || password === undefined) return undefined
    return {
      ...addresses(data_dir, postmaster, password),
      adopted: true,
      postgres_pid: postmaster.pid,
      cluster_dir,
      archive_dir: await readArchive(cluster_dir),
      stop: leaveRunning,
    }
  } catch (error) {
    throw folderFault(data_dir, error)
  }
}

async function settleArchive(
  { cluster_dir, account }: Cluster,
  archives: EmbeddedOptions['archives'],
): Promise<string | undefined> {
  if (archives === undefined) return readArchive(cluster_dir)
  const archive_dir = await chooseArchive(cluster_dir, archives.folder, account)
  if (archive_dir === undefined || canReach(archive_dir, account, 0o7)) return archive_dir
  throw new EmbeddedFault(
    `backups.wal: PostgreSQL runs as the user with uid ${account?.uid}, which cannot enter the folders above ${archive_dir}: choose another backups.folder, or start Gangan as an ordinary user.`,
  )
}

/** With `former_host` the socket gets its former path. */
async function adoptOrStart(
  cluster: Cluster,
  settings: Settings,
  {
    former_host,
    signal,
    limit_ms,
  }: { former_host?: string; signal?: AbortSignal | undefined; limit_ms?: number | undefined },
): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const orphan = await findPostmaster(cluster.cluster_dir, { signal })
  if (orphan !== undefined) {
    if (wasStartedWith(cluster, orphan.host, settings)) return { postmaster: orphan, adopted: true }
    // It was started by another build or with other settings, which take effect with a restart.
    await stopPostmaster(orphan)
  }
  await clearRemains(cluster.cluster_dir)
  signal?.throwIfAborted()
  const host = await chooseSocketFolder(cluster.cluster_dir, cluster.account, former_host)
  const child = await spawnPostmaster(cluster, host, settings)
  const postmaster = await findPostmaster(cluster.cluster_dir, {
    isComing: () => child.exitFault() === undefined,
    signal,
    limit_ms,
  })
  if (postmaster === undefined) {
    const { pid = 0 } = child
    // It started so recently that only its pid is known.
    if (signal?.aborted === true)
      await stopPostmaster({ pid, started: describeProcess(pid)?.started ?? '', host, port: 0 })
    await removeSocketFolder(host)
    signal?.throwIfAborted()
    throw child.exitFault() ?? new EmbeddedFault(`PostgreSQL did not start in time in ${cluster.cluster_dir}.`)
  }
  // An orphan may have become visible only now, in which case our child has left the cluster to it.
  return { postmaster, adopted: postmaster.pid !== child.pid }
}

/** Recovers the cluster of a base backup and its archive in a data folder that has none. */
export async function recoverEmbedded({
  data_dir: given,
  signal,
  ...recovery
}: Omit<Recovery, 'run' | 'data_dir'> & { data_dir: string }): Promise<void> {
  const data_dir = resolve(given)
  await makeDataFolder(data_dir)
  const ownership = await takeOwnership(data_dir, { signal })
  try {
    await recover({ ...recovery, data_dir, signal, run: (settings, limit_ms) => runner(settings, signal, limit_ms) })
  } catch (error) {
    throw folderFault(data_dir, error)
  } finally {
    await ownership.release()
  }
}

/** Runs a cluster temporarily. */
function runner(settings: Settings, signal: AbortSignal | undefined, limit_ms?: number) {
  return async (cluster: Cluster) => {
    const { postmaster } = await adoptOrStart(cluster, settings, { signal, limit_ms })
    const { url_options } = addresses(cluster.data_dir, postmaster, cluster.passwords.service)
    return { url_options, stop: () => stopPostmaster(postmaster) }
  }
}

async function leaveRunning(): Promise<void> {}

function stopper(data_dir: string, life: Revival, ownership: Ownership | undefined): () => Promise<void> {
  const log = keepLogBounded(data_dir)
  let stopped: Promise<void> | undefined
  return () => (stopped ??= stop())

  async function stop(): Promise<void> {
    log.stop()
    await life.stop()
    const held = ownership ?? (await takeOwnership(data_dir, { brief: true }).catch(() => undefined))
    // A server has taken over the folder and PostgreSQL.
    if (held === undefined) return
    try {
      await stopPostmaster(life.postmaster())
    } finally {
      await held.release()
    }
  }
}

function addresses(data_dir: string, { host, port }: Postmaster, password: string) {
  const place = { host, port, database } as const
  return {
    url_options: { ...place, user: role, password },
    administrator: async () => ({
      ...place,
      user: administrator,
      password: (await readPassword(data_dir, 'administrator')) ?? '',
    }),
  }
}

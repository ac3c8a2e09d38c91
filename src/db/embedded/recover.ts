import { join } from 'node:path'
import { unpackBase, type BaseBackup } from '../archive/base.ts'
import { SEGMENTS } from '../archive/place.ts'
import { fetchCommand } from '../archive/segments.ts'
import type { Db } from '../connect.ts'
import { accountFor, canReach } from './account.ts'
import { findBinaryPackage, prepareBinaries } from './binaries.ts'
import {
  finishCluster,
  findCluster,
  makeUnfinishedFolder,
  newPasswords,
  outside_dir,
  removeUnfinished,
} from './cluster.ts'
import type { Settings } from './command.ts'
import { EmbeddedFault } from './fault.ts'
import { setPassword, setRole } from './initdb.ts'
import { whileRunning, type Run } from './upgrade.ts'

export type Recovery = {
  data_dir: string
  archive_dir: string
  base: BaseBackup
  /** The moment to recover to; undefined: the end of the archive. */
  to_ms: number | undefined
  onProgress: (files: number, of: number) => void
  /** Runs in the recovered database; an error discards it. */
  finish: (db: Db) => Promise<void>
  signal: AbortSignal | undefined
  run: (settings: Settings, limit_ms?: number) => Run
}

/** A day of log of a busy installation takes hours. */
const RECOVERY_LIMIT_MS = 7 * 24 * 3_600_000

/**
 * Unpacks a base backup, replays the log until the moment, and makes the result the cluster of the data folder. Until then
 * it has a name that the next start removes. Only the owner of the folder may call it.
 */
export async function recover(recovery: Recovery): Promise<void> {
  const { data_dir, archive_dir, base, signal, run } = recovery
  if ((await findCluster(data_dir)) !== undefined) {
    throw new EmbeddedFault(
      `The data folder ${data_dir} has a database already: set GANGAN_DATA to a folder that does not exist yet.`,
    )
  }
  await removeUnfinished(data_dir)
  const account = accountFor(undefined)
  const binaries = await prepareBinaries(findBinaryPackage(), account, account === undefined ? data_dir : outside_dir)
  if (base.postgres !== binaries.major) {
    throw new EmbeddedFault(
      `The base backup ${base.folder} was made by PostgreSQL ${base.postgres}, and this release brings PostgreSQL ${binaries.major}: restore it with the release that made it.`,
    )
  }
  if (!canReach(join(archive_dir, SEGMENTS), account)) {
    throw new EmbeddedFault(
      `PostgreSQL runs as the user with uid ${account?.uid}, which cannot read ${join(archive_dir, SEGMENTS)}: start Gangan as an ordinary user, or give it that right.`,
    )
  }
  const passwords = newPasswords()
  const { cluster_dir, unfinished } = await makeUnfinishedFolder({ data_dir, account })
  const cluster = { data_dir, cluster_dir, account, binaries, passwords }
  try {
    await unpackBase(base, cluster_dir, account, recovery.onProgress)
    signal?.throwIfAborted()
    const replaying = await run(
      settingsOf(recovery),
      RECOVERY_LIMIT_MS,
    )(cluster).catch((fault: unknown) => {
      throw explain(recovery, fault)
    })
    await replaying.stop()
    await setPassword(cluster, passwords.administrator)
    await setRole(cluster, passwords.service, signal)
    await whileRunning(run({}), cluster, recovery.finish)
    signal?.throwIfAborted()
    await finishCluster(data_dir, passwords, unfinished)
  } finally {
    await removeUnfinished(data_dir)
  }
}

/** Connections are accepted once the moment is reached and the cluster has its own timeline. */
function settingsOf({ archive_dir, to_ms }: Recovery): Settings {
  return {
    restore_command: fetchCommand(join(archive_dir, SEGMENTS)),
    recovery_target_timeline: 'current',
    recovery_target_action: 'promote',
    hot_standby: 'off',
    // This parameter takes no `Z`: it is read before the names of time zones are.
    ...(to_ms === undefined ? {} : { recovery_target_time: new Date(to_ms).toISOString().replace('Z', '+00') }),
  }
}

function explain({ archive_dir, to_ms }: Recovery, fault: unknown): unknown {
  const said = fault instanceof EmbeddedFault && fault.cause instanceof Error ? fault.cause.message : ''
  const wanted = to_ms === undefined ? '' : new Date(to_ms).toISOString()
  if (/recovery ended before configured recovery target was reached/.test(said)) {
    const last = /at log time ([\d-]+ [\d:.]+)/.exec(said)?.[1]
    const until = last === undefined ? '' : ` Its last transaction was at ${last.replace(' ', 'T')}Z.`
    return new EmbeddedFault(`The archive ${archive_dir} ends before ${wanted}.${until} Nothing was restored.`)
  }
  if (/recovery stop point is before consistent recovery point/.test(said)) {
    return new EmbeddedFault(`The base backup was not complete at ${wanted} yet. Nothing was restored.`)
  }
  return fault
}

import { existsSync } from 'node:fs'
import { readdir, readFile, realpath, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isEmptyDatabase } from '../backup/catalogue.ts'
import { checkBackup, restoreBackup } from '../backup/restore.ts'
import { writeBackup } from '../backup/write.ts'
import { connect, type DatabaseAddress, type Db } from '../connect.ts'
import { accountFor } from './account.ts'
import { type Binaries, findBinaryPackage, findKept, prepareBinaries } from './binaries.ts'
import { type Cluster, findCluster, makeUnfinished, outside_dir, readPassword, removeUnfinished } from './cluster.ts'
import { EmbeddedFault } from './fault.ts'
import { syncToDisk } from '../../values/folder.ts'
import { codeOf } from '../../values/thrown.ts'

export type NoteUpgrade = (sentence: string) => void

/** Runs a cluster temporarily. */
export type Run = (cluster: Cluster) => Promise<{ url_options: DatabaseAddress; stop(): Promise<void> }>
type Options = { run: Run; note: NoteUpgrade | undefined; signal: AbortSignal | undefined }

/** Name of the complete new cluster until it replaces the old one. */
const UPGRADED = 'postgres.upgraded'
const FILE = 'postgres.upgrade.backup.gz'
/** The pepper is not needed here: it stays where it is. */
const NO_MARK = '0'.repeat(16)
/** Upper bound of the size of the intermediate backup, relative to the old cluster. */
const BACKUP_SHARE = 0.5

/**
 * Upgrades a cluster of an older major version, if the old binaries were kept: they write a backup, which the new ones
 * restore, checking every row. The old cluster stays, under the name of its version. If this is interrupted, the next
 * start finds either the old or the new cluster complete. Only the owner of the folder may call it.
 */
export async function upgradeIfOld(data_dir: string, options: Options): Promise<void> {
  await finishUpgrade(data_dir)
  const former_dir = await findCluster(data_dir)
  const major = former_dir === undefined ? undefined : await readMajor(former_dir)
  if (former_dir === undefined || major === undefined) return
  const account = accountFor(former_dir)
  const binaries = await prepareBinaries(findBinaryPackage(), account, account === undefined ? data_dir : outside_dir)
  if (!(Number(major) < Number(binaries.major))) return
  const former_binaries = await findKept([data_dir, outside_dir], major, account)
  const passwords = {
    administrator: await readPassword(data_dir, 'administrator'),
    service: await readPassword(data_dir, 'service'),
  }
  const { administrator, service } = passwords
  if (!former_binaries || administrator === undefined || service === undefined) return // opening the cluster reports it
  await requireDiskSpace(data_dir, former_dir)
  const place = { data_dir, account, passwords: { administrator, service } }
  const { note = () => {} } = options
  note(`The database was made by PostgreSQL ${major} and is being upgraded to PostgreSQL ${binaries.major}.`)
  await removeUnfinished(data_dir)
  await move({ ...place, cluster_dir: former_dir, binaries: former_binaries }, binaries, options)
  await finishUpgrade(data_dir)
  note(
    `The database is PostgreSQL ${binaries.major} now; the former one stays in ${keptDir(data_dir, major)} until you remove it.`,
  )
}

async function move(former: Cluster, binaries: Binaries, { run, signal }: Options): Promise<void> {
  const { data_dir } = former
  const file = join(data_dir, FILE)
  await rm(file, { force: true })
  try {
    const is_empty = await whileRunning(run, former, async (db) => {
      if (await isEmptyDatabase(db)) return true
      await writeBackup(db, { file, pepper_mark: NO_MARK, signal })
      return false
    })
    const { cluster, unfinished } = await makeUnfinished({ ...former, binaries }, signal)
    await whileRunning(run, cluster, async (db) => {
      if (!is_empty) await restoreBackup(db, await checkBackup(file), { signal })
    })
    signal?.throwIfAborted()
    await rename(unfinished, join(data_dir, UPGRADED))
    await syncToDisk(data_dir)
  } finally {
    await rm(file, { force: true })
  }
}

export async function whileRunning<T>(run: Run, cluster: Cluster, work: (db: Db) => Promise<T>): Promise<T> {
  const running = await run(cluster)
  const db = connect(running.url_options, { connections: 2 })
  try {
    return await work(db)
  } finally {
    try {
      await db.end({ timeout: 5 })
    } finally {
      await running.stop()
    }
  }
}

/** Renames the complete new cluster into place, or completes a renaming that was interrupted. */
async function finishUpgrade(data_dir: string): Promise<void> {
  const [present, upgraded] = [join(data_dir, 'postgres'), join(data_dir, UPGRADED)]
  if (!existsSync(upgraded)) return
  if (existsSync(present)) {
    const major = await readMajor(await realpath(present))
    await rename(present, await freeName(keptDir(data_dir, major ?? 'former')))
  }
  await rename(upgraded, present)
  await syncToDisk(data_dir)
}

function keptDir(data_dir: string, major: string): string {
  return join(data_dir, `postgres.${major}`)
}

async function freeName(wanted: string): Promise<string> {
  for (let n = 0; ; n += 1) {
    const name = n === 0 ? wanted : `${wanted}-${n}`
    if (!existsSync(name)) return name
  }
}

async function readMajor(cluster_dir: string): Promise<string | undefined> {
  const text = await readFile(join(cluster_dir, 'PG_VERSION'), 'utf8').catch(() => undefined)
  return text?.trim()
}

/** The new cluster is created beside the old one, which as root may be on another disk than the data folder. */
async function requireDiskSpace(data_dir: string, former_dir: string): Promise<void> {
  const size = await sizeOf(former_dir)
  const disks = new Map<number, { folder: string; needed: number }>()
  for (const [folder, share] of [
    [dirname(former_dir), 1],
    [data_dir, BACKUP_SHARE],
  ] as const) {
    const { dev } = await stat(folder)
    const known = disks.get(dev) ?? { folder, needed: 0 }
    disks.set(dev, { ...known, needed: known.needed + share * size })
  }
  for (const { folder, needed } of disks.values()) {
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    if (free >= needed) continue
    const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(1)
    throw new EmbeddedFault(
      `The database needs an upgrade to another version of PostgreSQL, which takes ${gigabytes(needed)} GB beside the old one, and the disk of ${folder} has ${gigabytes(free)} GB free.`,
    )
  }
}

/** An orphan of the old version may still run there: files that it removes meanwhile are ignored. */
async function sizeOf(folder: string): Promise<number> {
  let size = 0
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(unlessGone)) ?? []) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) size += await sizeOf(path)
    else if (entry.isFile()) size += (await stat(path).catch(unlessGone))?.size ?? 0
  }
  return size
}

function unlessGone(fault: unknown): undefined {
  if (codeOf(fault) !== 'ENOENT') throw fault
}

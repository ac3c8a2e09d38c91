import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir, readdir, readFile, readlink, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Account, accountFor, canReach } from './account.ts'
import { type Binaries, findBinaryPackage, prepareBinaries } from './binaries.ts'
import { EmbeddedFault } from './fault.ts'
import { makeFolder, syncToDisk } from '../../values/folder.ts'
import { initialiseCluster, type Passwords, setPassword, setRole } from './initdb.ts'
import { clearRemains, findPostmaster, stopPostmaster } from './postmaster.ts'
import { codeOf } from '../../values/thrown.ts'

export type Cluster = {
  data_dir: string
  /** The folder PostgreSQL calls PGDATA, without symbolic links. */
  cluster_dir: string
  account: Account
  binaries: Binaries
  passwords: Passwords
}

/** Finds the cluster of the data folder, or makes it. Only the owner of the folder may call this. */
export async function openCluster(data_dir: string, signal?: AbortSignal): Promise<Cluster> {
  await removeUnfinished(data_dir)
  const existing_dir = await findCluster(data_dir)
  const account = accountFor(existing_dir)
  const copies_dir = account === undefined ? data_dir : outside_dir
  const binaries = await prepareBinaries(findBinaryPackage(), account, copies_dir)
  if (existing_dir === undefined) return createCluster(data_dir, account, binaries, signal)

  await checkExisting(existing_dir, account, binaries)
  const cluster = { data_dir, cluster_dir: existing_dir, account, binaries }
  const former_file = join(data_dir, 'postgres.password')
  // An earlier build knew only the superuser, or a start was killed before the role owned everything.
  const is_former = existsSync(former_file)
  const known = async (name: keyof Passwords) => (is_former ? undefined : readPassword(data_dir, name))
  const administrator = (await known('administrator')) ?? (await renewPassword(cluster, setPassword))
  const service = (await known('service')) ?? (await renewPassword(cluster, setRole, signal))
  await rm(former_file, { force: true })
  return { ...cluster, passwords: { administrator, service } }
}

/** The cluster of a data folder, or a link to it. */
export function clusterPlace(data_dir: string): string {
  return join(data_dir, 'postgres')
}

/** The directory of the cluster, if there is one. */
export async function findCluster(data_dir: string): Promise<string | undefined> {
  const place = clusterPlace(data_dir)
  try {
    return await realpath(place)
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause
    const target = await readlink(place).catch(() => undefined)
    if (target === undefined) return undefined
    throw new EmbeddedFault(`The database of the data folder ${data_dir} was in ${target}, which no longer exists.`, {
      cause,
    })
  }
}

export async function readPassword(data_dir: string, name: keyof Passwords): Promise<string | undefined> {
  const file = join(data_dir, password_files[name])
  try {
    const password = await readFile(file, 'utf8')
    return password === '' ? undefined : password
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw new EmbeddedFault(`${file} is not readable for this user: run as the user of the server.`, {
      cause,
    })
  }
}

/** Used when we are root and the user PostgreSQL runs as cannot pass through the folders above the data folder. */
export const outside_dir = '/var/lib/gangan'
const clusters_dir = join(outside_dir, 'clusters')

/**
 * Everything is made under another name and renamed at the end, so that a start which was interrupted leaves nothing
 * that looks like a cluster.
 */
async function createCluster(
  data_dir: string,
  account: Account,
  binaries: Binaries,
  signal: AbortSignal | undefined,
): Promise<Cluster> {
  const passwords = newPasswords()
  const { cluster, unfinished } = await makeUnfinished({ data_dir, account, binaries, passwords }, signal)
  await finishCluster(data_dir, passwords, unfinished)
  return { ...cluster, cluster_dir: await realpath(clusterPlace(data_dir)) }
}

/** A cluster under a name that the next start removes. */
export async function makeUnfinished(
  place: Omit<Cluster, 'cluster_dir'>,
  signal: AbortSignal | undefined,
): Promise<{ cluster: Cluster; unfinished: string }> {
  const { cluster_dir, unfinished } = await makeUnfinishedFolder(place)
  const cluster = { ...place, cluster_dir }
  await initialiseCluster(cluster, place.passwords, signal)
  return { cluster, unfinished }
}

/** An empty folder for a cluster, under a name that the next start removes. */
export async function makeUnfinishedFolder({
  data_dir,
  account,
}: Pick<Cluster, 'data_dir' | 'account'>): Promise<{ cluster_dir: string; unfinished: string }> {
  const unfinished = join(data_dir, `${unfinished_prefix}${randomBytes(4).toString('hex')}`)
  if (!canReach(data_dir, account, 0o1)) await symlink(await makeOutsideFolder(data_dir), unfinished)
  else await mkdir(unfinished, { mode: 0o700 })
  const cluster_dir = await realpath(unfinished)
  if (account !== undefined) await chown(cluster_dir, account.uid, account.gid)
  return { cluster_dir, unfinished }
}

/** Gives a complete cluster its name. */
export async function finishCluster(data_dir: string, passwords: Passwords, unfinished: string): Promise<void> {
  await writePassword(data_dir, 'administrator', passwords.administrator)
  await writePassword(data_dir, 'service', passwords.service)
  await rename(unfinished, clusterPlace(data_dir))
  await syncToDisk(data_dir)
}

export function newPasswords(): Passwords {
  return { administrator: newPassword(), service: newPassword() }
}

const unfinished_prefix = 'postgres.unfinished-'

export async function removeUnfinished(data_dir: string): Promise<void> {
  const names = (await readdir(data_dir)).filter((name) => name.startsWith(unfinished_prefix))
  for (const path of names.map((name) => join(data_dir, name))) {
    const target = await readlink(path).catch(() => undefined)
    try {
      // As root in another user's folder: do not follow links.
      if (target !== undefined && dirname(target) === clusters_dir) await rm(target, { recursive: true, force: true })
      await rm(path, { recursive: true, force: true })
    } catch {
      // An initdb that outlived its parent may still be writing there; the next start tries again.
    }
  }
}

async function makeOutsideFolder(data_dir: string): Promise<string> {
  // The name identifies the data folder it belongs to.
  const name = `${data_dir.replaceAll(/[^\w.]+/g, '-').slice(-60)}-${randomBytes(4).toString('hex')}`
  const place = join(clusters_dir, name.replace(/^-/, ''))
  await makeFolder(clusters_dir, 0o755)
  await mkdir(place, { mode: 0o700 })
  return place
}

async function checkExisting(cluster_dir: string, account: Account, binaries: Binaries): Promise<void> {
  if (!existsSync(join(cluster_dir, 'global'))) {
    throw new EmbeddedFault(`${cluster_dir} holds no database that this user can read.`)
  }
  const major = (await readFile(join(cluster_dir, 'PG_VERSION'), 'utf8')).trim()
  if (major !== binaries.major) {
    throw new EmbeddedFault(
      `The database in ${cluster_dir} was made by PostgreSQL ${major}, this release brings PostgreSQL ${binaries.major}, and no binaries of ${major} are kept: install the release that made it again, say gangan backup FILE with that, and gangan restore FILE into a new data folder with this one.`,
    )
  }
  if (!canReach(cluster_dir, account)) {
    throw new EmbeddedFault(
      `PostgreSQL runs as the user with uid ${account?.uid}, which cannot enter the folders above ${cluster_dir}: move the data folder, or start Gangan as its owner.`,
    )
  }
}

/**
 * Sets a new password where the password file is missing. Write access to the cluster's files is enough for that. The
 * file is written last, so that an interrupted renewal is repeated.
 */
async function renewPassword(
  cluster: Omit<Cluster, 'passwords'>,
  set: typeof setPassword | typeof setRole,
  signal?: AbortSignal,
): Promise<string> {
  const running = await findPostmaster(cluster.cluster_dir)
  if (running !== undefined) await stopPostmaster(running)
  await clearRemains(cluster.cluster_dir)
  const password = newPassword()
  await set(cluster, password, signal)
  await writePassword(cluster.data_dir, set === setRole ? 'service' : 'administrator', password)
  return password
}

function newPassword(): string {
  return randomBytes(24).toString('hex')
}

async function writePassword(data_dir: string, name: keyof Passwords, password: string): Promise<void> {
  const file = join(data_dir, password_files[name])
  await rm(file, { force: true })
  await writeFile(file, password, { mode: 0o600 })
  await syncToDisk(file)
}

const password_files: Passwords = {
  administrator: 'postgres.administrator-password',
  service: 'postgres.service-password',
}

import { randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder, syncToDisk } from '../../values/folder.ts'
import { codeOf } from '../../values/thrown.ts'

/**
 * The file in the folder of a cluster that names its archive: a folder in which no other cluster archives. Every start
 * reads it, also that of a command with another configuration, because log that is written without archiving would leave a
 * gap. A copy of the cluster that is recovered has no such file, and gets an archive of its own.
 */
export const PLACE_FILE = 'gangan.archive'

/** Folder of the archived segments, in an archive. */
export const SEGMENTS = 'segments'

/** The archives of all clusters, in the folder of the scheduled backups. */
export function archivesIn(backups_folder: string): string {
  return join(backups_folder, 'wal')
}

/** The archive of a cluster; undefined if it has none. */
export async function readArchive(cluster_dir: string): Promise<string | undefined> {
  try {
    return (await readFile(join(cluster_dir, PLACE_FILE), 'utf8')).trim()
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') return undefined
    throw fault
  }
}

/**
 * Gives the cluster an archive in the folder, unless it has one there; without a folder it archives no longer. `owner` is
 * the user PostgreSQL runs as, if that is another.
 */
export async function chooseArchive(
  cluster_dir: string,
  archives_dir: string | undefined,
  owner: { uid: number; gid: number } | undefined,
): Promise<string | undefined> {
  const file = join(cluster_dir, PLACE_FILE)
  if (archives_dir === undefined) {
    await rm(file, { force: true })
    return undefined
  }
  const known = await readArchive(cluster_dir)
  if (known !== undefined && dirname(known) === archives_dir) {
    await makeArchive(known, owner) // it may have been moved away
    return known
  }
  const archive_dir = join(archives_dir, `${stampOf(new Date())}-${randomBytes(3).toString('hex')}`)
  await makeArchive(archive_dir, owner)
  await writeFile(`${file}.new`, `${archive_dir}\n`, { mode: 0o600 })
  await syncToDisk(`${file}.new`)
  await rename(`${file}.new`, file)
  await syncToDisk(cluster_dir)
  return archive_dir
}

async function makeArchive(archive_dir: string, owner: { uid: number; gid: number } | undefined): Promise<void> {
  // PostgreSQL, as another user, has to enter the folders above its own.
  await makeFolder(dirname(archive_dir), owner === undefined ? 0o700 : 0o711)
  for (const folder of [archive_dir, join(archive_dir, SEGMENTS)]) {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (owner !== undefined) await chown(folder, owner.uid, owner.gid)
  }
  await syncToDisk(dirname(archive_dir))
}

/** Archives by PostgreSQL's own module, which copies each segment, syncs it and never replaces one. */
export function archiveSettings(archive_dir: string | undefined): Record<string, string> {
  if (archive_dir === undefined) return {}
  return {
    archive_mode: 'on',
    archive_library: 'basic_archive',
    'basic_archive.archive_directory': join(archive_dir, SEGMENTS),
  }
}

/** A time in the name of a file: `20261119T005500Z`. */
export function stampOf(time: Date): string {
  return `${time.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Machine } from '../../observe/machine.ts'
import type { Finding } from '../../status/check.ts'
import { findDisks } from '../../status/machine.ts'
import { codeOf } from '../../values/thrown.ts'

/** The data folder, and that of scheduled backups: whether this user could use them. Nothing is written. */
export async function findFolders(config: Config): Promise<Finding[]> {
  const { data_dir, database_url } = config
  const backups = backupsOf(config)
  return [
    ...(database_url === undefined ? [await findFolder('The data folder', data_dir)] : []),
    ...(backups === undefined ? [] : [await findFolder('The folder of backups', backups)]),
    ...(database_url === undefined && backups !== undefined ? await findSharedDisk(data_dir, backups) : []),
  ]
}

/** The disks of both; of a folder that does not exist yet, that of the next one above it. */
export async function findFreeSpace(config: Config): Promise<Finding[]> {
  const backups = backupsOf(config)
  const folders: Machine['folders'] = {
    ...(config.database_url === undefined ? { data: await nearest(config.data_dir) } : {}),
    ...(backups === undefined ? {} : { backups: await nearest(backups) }),
  }
  return findDisks({ machine: { folders, certificates: {} } })
}

function backupsOf({ settings: { backups } }: Config): string | undefined {
  return backups && resolve(backups.folder)
}

async function findFolder(name: string, path: string): Promise<Finding> {
  const existing = await nearest(path)
  const missing = existing === path ? '' : ' does not exist yet; it would be made, but'
  try {
    await access(existing, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (fault) {
    return {
      level: 'critical',
      summary: `${name} ${path}${missing} ${existing} cannot be written by this user (${codeOf(fault)}).`,
      advice: `Run as the user of the service, or give it the folder: chown -R gangan ${existing}.`,
    }
  }
  const { mode } = await stat(existing)
  if (existing === path && (mode & OTHERS_MAY_READ_OR_WRITE) !== 0) {
    return {
      level: 'warning',
      summary: `${name} ${path} can be read or written by other users (mode ${(mode & 0o777).toString(8)}).`,
      advice: `chmod 700 ${path}`,
    }
  }
  return { level: 'ok', summary: existing === path ? `${name} ${path} is usable.` : `${name} ${path} can be made.` }
}

/** As root others may enter the data folder, but not list it. */
const OTHERS_MAY_READ_OR_WRITE = 0o066

async function findSharedDisk(data_dir: string, backups: string): Promise<Finding[]> {
  const [data_disk, backup_disk] = await Promise.all(
    [data_dir, backups].map(async (path) => (await stat(await nearest(path))).dev),
  )
  if (data_disk !== backup_disk) return []
  return [
    {
      level: 'warning',
      summary: 'Backups are on the same disk as the data: they are lost with it.',
      advice: 'Set backups.folder to another disk, or copy the backups elsewhere.',
      section: 'GanganBackupFails',
    },
  ]
}

/** The folder itself, or the first one above it that exists. */
async function nearest(path: string): Promise<string> {
  try {
    await stat(path)
    return path
  } catch {
    const parent = dirname(path)
    return parent === path ? path : nearest(parent)
  }
}

import { open, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeFolder } from '../../values/folder.ts'
import { codeOf } from '../../values/thrown.ts'
import type { BackupSettings } from './settings.ts'

/** The folder for scheduled backups cannot be written. */
export class UnusableFolder extends Error {
  constructor(folder: string, fault: unknown) {
    super(`backups.folder: no file can be written to ${folder} (${codeOf(fault) ?? String(fault)}).`, { cause: fault })
  }
}

/** Checks at start what would otherwise fail at night: that a backup can be written. */
export async function requireBackupFolder({ folder }: BackupSettings): Promise<void> {
  const place = resolve(folder)
  const probe = join(place, `.gangan-probe-${process.pid}`)
  try {
    await makeBackupFolder(place)
    const file = await open(probe, 'w', 0o600)
    await file.close()
    await rm(probe)
  } catch (fault) {
    throw new UnusableFolder(place, fault)
  }
}

/** Started as root, PostgreSQL runs as another user, which has to pass through it to its archive. */
export async function makeBackupFolder(place: string): Promise<void> {
  await makeFolder(place, process.getuid?.() === 0 ? 0o711 : 0o700)
}

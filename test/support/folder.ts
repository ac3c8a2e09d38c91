import { readFileSync, statfsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Folder = { path: string; remove(): Promise<void> }

/** A temporary folder, for a data folder or a file. */
export const temporaryFolder = (): Promise<Folder> => folderIn(WHERE)

/** The same on a disk, for measurements of writes. */
export const folderOnDisk = (): Promise<Folder> => folderIn(tmpdir())

/** Readable by all users, because a server started as root runs as another user. */
async function folderIn(parent: string): Promise<Folder> {
  const path = await mkdtemp(join(parent, 'gangan-test-'))
  await chmod(path, 0o755)
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

const IN_MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 4 * 1024 ** 3

/**
 * In memory if there is space: a database has some hundred files, and a disk takes half a second to copy them. Tests
 * kill processes, never the machine.
 */
const WHERE = hasRoom() ? IN_MEMORY : tmpdir()

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === IN_MEMORY)
    return bavail * bsize > MIN_FREE_BYTES && mount !== undefined && !/\bnoexec\b/.test(mount)
  } catch {
    return false // Not on Linux.
  }
}

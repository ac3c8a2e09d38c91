import { existsSync } from 'node:fs'
import { chmod, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those missing above it with this mode, whatever our umask; existing ones are left as they are.
 * The recursive mkdir of Node.js 20 does not come back from a place such as /proc, where nothing can be made.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  if (existsSync(path)) return
  await makeFolder(dirname(path), mode)
  await mkdir(path).catch((error: unknown) => {
    // Another start may have made it at the same moment.
    if (!existsSync(path)) throw error
  })
  await chmod(path, mode)
}

/** Waits until a file, or the names in a folder, would survive a power failure. */
export async function syncToDisk(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

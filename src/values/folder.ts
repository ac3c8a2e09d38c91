import { existsSync } from 'node:fs'
import { chmod, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents with this mode, whatever the umask; existing ones are unchanged.
 * The recursive mkdir of Node.js 20 never returns for a path such as /proc, where no folder can be created.
 */
export async function makeFolder(path: string, mode: number): Promise<void> {
  if (existsSync(path)) return
  await makeFolder(dirname(path), mode)
  await mkdir(path).catch((error: unknown) => {
    // Another process may have created it concurrently.
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

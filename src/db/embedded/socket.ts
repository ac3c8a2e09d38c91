import { existsSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Account, canReach } from './account.ts'
import { EmbeddedFault } from './fault.ts'

/**
 * The folder for the Unix socket: the cluster's own, which is closed to everybody else. The path of a socket is limited
 * by the kernel, and a list of folders is separated by commas, so other paths get a private folder among the temporary.
 */
export async function chooseSocketFolder(cluster_dir: string, account: Account, former?: string): Promise<string> {
  if (isUsable(cluster_dir)) return cluster_dir
  if (former !== undefined) {
    await mkdir(former, { mode: 0o700 }) // fails if it exists: another user may have created it
    if (account !== undefined) await chown(former, account.uid, account.gid)
    return former
  }
  const parent = [tmpdir(), '/tmp'].find(
    (dir) => existsSync(dir) && isUsable(join(dir, `${prefix}XXXXXX`)) && canReach(dir, account, 0o1),
  )
  if (parent === undefined) {
    throw new EmbeddedFault(`There is no folder for the socket of PostgreSQL: ${cluster_dir} is too long a path.`)
  }
  const folder = await mkdtemp(join(parent, prefix))
  if (account !== undefined) await chown(folder, account.uid, account.gid)
  return folder
}

/** Removes a folder that `chooseSocketFolder` made, and no other. */
export async function removeSocketFolder(folder: string): Promise<void> {
  if (basename(folder).startsWith(prefix)) await rm(folder, { recursive: true, force: true })
}

const prefix = 'gangan-socket-'

/** 104 bytes with the closing zero on macOS, 108 on Linux. */
const path_limit_bytes = 103

function isUsable(folder: string): boolean {
  return /^[\w./@+-]+$/.test(folder) && Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <= path_limit_bytes
}

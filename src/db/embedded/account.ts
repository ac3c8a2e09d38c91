import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { EmbeddedFault } from './fault.ts'

/** The user PostgreSQL runs as when we are root; undefined means as ourselves. */
export type Account = { uid: number; gid: number } | undefined

/**
 * PostgreSQL refuses to run as root. An existing cluster is run by its owner, so that a folder created by an ordinary user
 * still works when root starts it; a new one is run by the user `postgres` or `nobody`, whichever exists.
 */
export function accountFor(cluster_dir: string | undefined): Account {
  if (process.getuid?.() !== 0) return undefined
  if (cluster_dir !== undefined) {
    const { uid, gid } = statSync(cluster_dir)
    if (uid !== 0) return { uid, gid }
  }
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (Number(uid) > 0 && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new EmbeddedFault(
    'PostgreSQL does not run as root, and there is no user postgres or nobody to run it as: start Gangan as an ordinary user, or set DATABASE_URL.',
  )
}

/** Whether the account may pass through every folder above the path and read (and enter or execute) the path itself. */
export function canReach(path: string, account: Account, wanted = 0o5): boolean {
  if (account === undefined) return true
  const real = realpathSync(path)
  if (!allows(real, account, wanted)) return false
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    if (!allows(folder, account, 0o1)) return false
    if (folder === dirname(folder)) return true
  }
}

function allows(path: string, account: { uid: number; gid: number }, wanted: number): boolean {
  const { mode, uid, gid } = statSync(path)
  const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0
  return ((mode >> shift) & wanted) === wanted
}

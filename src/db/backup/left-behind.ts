import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Db } from '../connect.ts'
import { LOCKS } from '../locks.ts'

const UNFINISHED = /\.partial-([0-9a-f]{8})$/

/** What a backup is called until it is whole, and the lock that its process holds as long as it lives. */
export function nameUnfinished(file: string): { partial: string; lock: string } {
  const mark = randomBytes(4)
  return {
    partial: `${file}.partial-${mark.toString('hex')}`,
    lock: `select pg_advisory_lock(${LOCKS.backup_file}, ${mark.readInt32BE()})`,
  }
}

/** Removes what is left of backups of this name whose process was killed. */
export async function removeLeftBehind(db: Db, file: string): Promise<void> {
  await removeDead(db, dirname(file), (whole) => whole === basename(file))
}

/** The same for all files of a folder whose name, once they are whole, is one of ours. */
export async function removeDead(db: Db, folder: string, isOurs: (whole: string) => boolean): Promise<void> {
  // A folder that is missing, or cannot be read, is told by who writes there.
  for (const name of await readdir(folder).catch(() => [])) {
    const mark = UNFINISHED.exec(name)?.[1]
    if (mark === undefined || !isOurs(name.replace(UNFINISHED, ''))) continue
    if (await isDead(db, Buffer.from(mark, 'hex').readInt32BE())) await rm(join(folder, name), { force: true })
  }
}

/** The lock goes with the process that held it, and no other takes the same mark: it cannot come to life again. */
async function isDead(db: Db, mark: number): Promise<boolean> {
  const [row] = await db<{ free: boolean }[]>`
    select pg_try_advisory_xact_lock(${LOCKS.backup_file}::integer, ${mark}::integer) as free`
  return row?.free === true
}

import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Db } from '../connect.ts'
import { LOCKS } from '../locks.ts'

const UNFINISHED = /\.partial-([0-9a-f]{8})$/

/** The temporary name of a backup, and the statement that takes the lock its process holds while it lives. */
export function nameUnfinished(file: string): { partial: string; lock: string } {
  const mark = randomBytes(4)
  return {
    partial: `${file}.partial-${mark.toString('hex')}`,
    lock: `select pg_advisory_lock(${LOCKS.backup_file}, ${mark.readInt32BE()})`,
  }
}

/** Removes temporary files of this backup whose process was killed. */
export async function removeLeftBehind(db: Db, file: string): Promise<void> {
  await removeDead(db, dirname(file), (whole) => whole === basename(file))
}

/** Removes temporary files of killed processes, of all backups whose final name is accepted by `isOurs`. */
export async function removeDead(db: Db, folder: string, isOurs: (whole: string) => boolean): Promise<void> {
  // Writing to a folder that is missing or unreadable reports it.
  for (const name of await readdir(folder).catch(() => [])) {
    const mark = UNFINISHED.exec(name)?.[1]
    if (mark === undefined || !isOurs(name.replace(UNFINISHED, ''))) continue
    if (await isDead(db, Buffer.from(mark, 'hex').readInt32BE())) await rm(join(folder, name), { force: true })
  }
}

/** A session lock ends with its process, and no other process uses the same mark. */
async function isDead(db: Db, mark: number): Promise<boolean> {
  const [row] = await db<{ free: boolean }[]>`
    select pg_try_advisory_xact_lock(${LOCKS.backup_file}::integer, ${mark}::integer) as free`
  return row?.free === true
}

import {
  closeSync,
  constants,
  copyFileSync,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  rmSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Account } from './account.ts'

/** Opens the log of PostgreSQL for appending. The caller closes the file once PostgreSQL has inherited it. */
export function openLog(data_dir: string, account: Account): number {
  boundLog(data_dir)
  // As root in another user's folder: do not follow links.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
  const fd = openSync(logFile(data_dir), flags, 0o600)
  if (account !== undefined) fchownSync(fd, account.uid, account.gid)
  return fd
}

/**
 * Keeps the log and its predecessor within two times the limit for as long as we run. PostgreSQL keeps the file open,
 * so its content is moved, not the file.
 */
export function keepLogBounded(data_dir: string): { stop(): void } {
  const timer = setInterval(() => boundLog(data_dir), check_every_ms)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/** What was written to the log since it had the given size; of much, the end. */
export function readLogSince(data_dir: string, size: number): string {
  const fd = openSync(logFile(data_dir), 'r')
  const end = fstatSync(fd).size
  const begin = Math.max(size, end - tail_bytes)
  const buffer = Buffer.alloc(Math.max(end - begin, 0))
  readSync(fd, buffer, 0, buffer.length, begin)
  closeSync(fd)
  return buffer.toString()
}

const limit_bytes = 8 * 1024 * 1024
const tail_bytes = 64 * 1024
const check_every_ms = 60_000

function boundLog(data_dir: string): void {
  const file = logFile(data_dir)
  try {
    const found = lstatSync(file)
    if (!found.isFile() || found.size <= limit_bytes) return
    rmSync(`${file}.1`, { force: true })
    copyFileSync(file, `${file}.1`, constants.COPYFILE_EXCL)
    truncateSync(file)
  } catch {
    // No log yet, or a full disk: retried at the next check.
  }
}

function logFile(data_dir: string): string {
  return join(data_dir, 'postgres.log')
}

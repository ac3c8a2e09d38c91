import { createReadStream, createWriteStream } from 'node:fs'
import { chown, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { syncToDisk } from '../../values/folder.ts'
import { codeOf } from '../../values/thrown.ts'

/** Timeline, log and segment, eight hexadecimal digits each; in the order of time as text. */
const SEGMENT = /^[0-9A-F]{24}$/
const STORED = /^([0-9A-F]{24})(\.gz)?$/
/** What belongs to a segment and begins with its name: the segment, compressed or not, and the label of a base backup. */
const OF_SEGMENT = /^[0-9A-F]{24}(\.gz|\.gz\.partial|\.[0-9A-F]{8}\.backup)?$/
/** PostgreSQL's name of a segment that it is copying; one that is left by a crash stays. */
const COPYING = /^archtemp\./
const COPYING_FOR_MS = 3_600_000
/** Of 16 MB, as `initdb` makes clusters. */
const SEGMENTS_PER_LOG = 256

const PARTIAL = '.gz.partial'
/** A segment that was ended early is mostly zeros. */
const LEVEL = 1

export type Archived = { segment: string; file: string }

/** The archived segments in order. One that is being compressed may be there twice. */
export async function listSegments(folder: string): Promise<Archived[]> {
  const found = new Map<string, string>()
  for (const file of (await readdir(folder)).sort()) {
    const segment = STORED.exec(file)?.[1]
    if (segment !== undefined) found.set(segment, file)
  }
  return [...found].map(([segment, file]) => ({ segment, file }))
}

/** The last segment of those that follow one another from the given one; undefined if that is missing. */
export function lastContiguous(archived: readonly Archived[], from: string): Archived | undefined {
  let last: Archived | undefined
  let expected = from
  for (const one of archived) {
    if (one.segment < from) continue
    if (one.segment !== expected) break
    last = one
    expected = nextSegment(one.segment)
  }
  return last
}

/** When a segment was archived, in milliseconds; undefined if it is gone. */
export async function timeOf(folder: string, { file, segment }: Archived): Promise<number | undefined> {
  for (const name of [file, `${segment}.gz`]) {
    const found = await stat(join(folder, name)).catch(unlessGone)
    if (found) return found.mtimeMs
  }
  return undefined
}

function nextSegment(segment: string): string {
  const [timeline, log, number] = [0, 8, 16].map((at) => Number.parseInt(segment.slice(at, at + 8), 16))
  const next = (number ?? 0) + 1
  const parts = next < SEGMENTS_PER_LOG ? [timeline, log, next] : [timeline, (log ?? 0) + 1, 0]
  return parts.map((part) => (part ?? 0).toString(16).toUpperCase().padStart(8, '0')).join('')
}

/** Compresses the segments that PostgreSQL has archived. A killed run is repeated by the next. */
export async function compressSegments(folder: string, signal: AbortSignal): Promise<void> {
  for (const name of (await readdir(folder)).sort()) {
    if (COPYING.test(name)) await removeIfOld(join(folder, name))
    if (!SEGMENT.test(name) || signal.aborted) continue
    const file = join(folder, name)
    const { atime, mtime, uid, gid } = await stat(file)
    await pipeline(
      createReadStream(file),
      createGzip({ level: LEVEL }),
      createWriteStream(file + PARTIAL, { mode: 0o600 }),
      { signal },
    )
    await chown(file + PARTIAL, uid, gid) // as root, that of PostgreSQL
    await utimes(file + PARTIAL, atime, mtime)
    await syncToDisk(file + PARTIAL)
    await rename(file + PARTIAL, `${file}.gz`)
    await syncToDisk(folder)
    await rm(file)
  }
}

async function removeIfOld(file: string): Promise<void> {
  const found = await stat(file).catch(unlessGone)
  if (found && found.mtimeMs < Date.now() - COPYING_FOR_MS) await rm(file, { force: true })
}

/** Removes the segments before the given one. */
export async function removeSegmentsBefore(folder: string, segment: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (OF_SEGMENT.test(name) && name.slice(0, segment.length) < segment) await rm(join(folder, name), { force: true })
  }
}

/**
 * The command by which PostgreSQL fetches an archived file: the plain one first, because it is removed only after it was
 * compressed.
 */
export function fetchCommand(folder: string): string {
  const place = folder.replaceAll('%', '%%').replaceAll("'", "'\\''")
  return `cp '${place}/%f' "%p" 2>/dev/null || gzip -dc '${place}/%f.gz' > "%p" 2>/dev/null`
}

export function unlessGone(fault: unknown): undefined {
  if (codeOf(fault) !== 'ENOENT') throw fault
}

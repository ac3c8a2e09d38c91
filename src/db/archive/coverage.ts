import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { listBases, type BaseBackup } from './base.ts'
import { SEGMENTS } from './place.ts'
import { lastContiguous, listSegments, timeOf, unlessGone } from './segments.ts'

/** What an archive can be recovered to: from the end of a base backup to the last segment that follows it without a gap. */
type Reach = { archive_dir: string; base: BaseBackup; from_ms: number; until_ms: number }

/** Why the archives do not contain the moment, in a sentence for the operator. */
export class NotCovered extends Error {}

export type Chosen = { archive_dir: string; base: BaseBackup; until: string }

/**
 * The base backup from which a moment is reached with the least log; `latest` is the end of the newest archive. The folder
 * is an archive, or one that contains archives.
 */
export async function chooseBase(folder: string, to_ms: number | 'latest'): Promise<Chosen> {
  const reaches = (await Promise.all((await archivesAt(folder)).map(readReaches))).flat()
  if (reaches.length === 0) throw new NotCovered(`There is no complete base backup in ${folder}.`)
  const fitting =
    to_ms === 'latest' ? [newest(reaches)] : reaches.filter((one) => one.from_ms <= to_ms && to_ms <= one.until_ms)
  const archives = new Set(fitting.map(({ archive_dir }) => archive_dir))
  if (archives.size > 1) {
    throw new NotCovered(
      `More than one archive contains this moment: name one with --from.\n${[...archives].map((one) => `  ${one}`).join('\n')}`,
    )
  }
  const chosen = fitting.sort((a, b) => a.from_ms - b.from_ms).at(-1)
  if (chosen === undefined) throw new NotCovered(`No archive contains this moment. ${describe(reaches)}`)
  return { archive_dir: chosen.archive_dir, base: chosen.base, until: new Date(chosen.until_ms).toISOString() }
}

async function archivesAt(folder: string): Promise<string[]> {
  const is_archive = (await stat(join(folder, SEGMENTS)).catch(unlessGone)) !== undefined
  if (is_archive) return [folder]
  const entries = (await readdir(folder, { withFileTypes: true }).catch(unlessGone)) ?? []
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name))
}

async function readReaches(archive_dir: string): Promise<Reach[]> {
  const folder = join(archive_dir, SEGMENTS)
  const bases = await listBases(archive_dir)
  if (bases.length === 0) return []
  const archived = await listSegments(folder)
  const reaches = bases.map(async (base): Promise<Reach[]> => {
    const last = lastContiguous(archived, base.segment)
    const until_ms = last && (await timeOf(folder, last))
    const from_ms = Date.parse(base.ended_datetime)
    return until_ms === undefined || until_ms < from_ms ? [] : [{ archive_dir, base, from_ms, until_ms }]
  })
  return (await Promise.all(reaches)).flat()
}

function newest(reaches: readonly Reach[]): Reach {
  return reaches.reduce((a, b) =>
    b.until_ms > a.until_ms || (b.until_ms === a.until_ms && b.from_ms > a.from_ms) ? b : a,
  )
}

function describe(reaches: readonly Reach[]): string {
  const spans = new Map<string, { from_ms: number; until_ms: number }>()
  for (const { archive_dir, from_ms, until_ms } of reaches) {
    const known = spans.get(archive_dir) ?? { from_ms, until_ms }
    spans.set(archive_dir, {
      from_ms: Math.min(known.from_ms, from_ms),
      until_ms: Math.max(known.until_ms, until_ms),
    })
  }
  const time = (ms: number): string => new Date(ms).toISOString()
  return [...spans]
    .map(([archive_dir, { from_ms, until_ms }]) => `${archive_dir} reaches from ${time(from_ms)} to ${time(until_ms)}.`)
    .join('\n')
}

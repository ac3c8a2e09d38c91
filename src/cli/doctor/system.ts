import { statfs } from 'node:fs/promises'
import type { Config } from '../../config/config.ts'
import type { Finding } from '../../status/check.ts'
import { bytesInWords } from '../../status/units.ts'
import { openFilesLimit } from '../terminal/open-files.ts'

/** Each connection of a client is a file, and so is each file of the database. */
const ENOUGH_OPEN_FILES = 8_192
/** What PostgreSQL needs of it for sorts and hashes of its own, with parallel queries switched off. */
const ENOUGH_SHARED_MEMORY = 64_000_000
/** One of each group that Node.js leaves out when it is built with few languages. */
const TIME_ZONES = ['Africa/Lagos', 'Asia/Kolkata', 'America/Sao_Paulo', 'Europe/Paris', 'UTC']

export function findRuntime(): Finding {
  const { node } = process.versions
  return { level: 'ok', summary: `Node.js ${node} on ${process.platform} ${process.arch}.` }
}

export function findOpenFiles(limit = openFilesLimit()): Finding {
  if (limit === undefined) return { level: 'ok', summary: 'The number of open files is not limited.' }
  if (limit >= ENOUGH_OPEN_FILES) return { level: 'ok', summary: `This process may open ${limit} files.` }
  return {
    level: 'warning',
    summary: `This process may open ${limit} files only; each connection is one.`,
    advice: 'Raise the limit to 65536: LimitNOFILE= of systemd, --ulimit of Docker, ulimit -n in a shell.',
  }
}

export function findTimeZones(zones: readonly string[] = TIME_ZONES): Finding {
  const missing = zones.filter((timeZone) => {
    try {
      return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone === ''
    } catch {
      return true
    }
  })
  if (missing.length === 0) return { level: 'ok', summary: 'Time zone data is complete.' }
  return {
    level: 'critical',
    summary: `Node.js has no data for the time zones ${missing.join(', ')}.`,
    advice: 'Use a build of Node.js with full ICU data, and unset NODE_ICU_DATA.',
  }
}

/** Of the embedded PostgreSQL; a server of yours has its own. */
export async function findSharedMemory({ database_url }: Config, folder = '/dev/shm'): Promise<Finding[]> {
  if (database_url !== undefined || process.platform !== 'linux') return []
  try {
    const { blocks, bsize } = await statfs(folder)
    const size = blocks * bsize
    if (size >= ENOUGH_SHARED_MEMORY) return [{ level: 'ok', summary: `Shared memory has ${bytesInWords(size)}.` }]
    return [
      {
        level: 'warning',
        summary: `Shared memory has only ${bytesInWords(size)}.`,
        advice: 'Give the container at least 64 MB: --shm-size of Docker, a volume at /dev/shm on Kubernetes.',
      },
    ]
  } catch {
    return [{ level: 'warning', summary: `There is no ${folder}.`, advice: 'Mount a tmpfs there: PostgreSQL uses it.' }]
  }
}

import type { Download, DownloadMedia } from '../../carriers/message-carrier.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import {
  beginDownload,
  deleteChunks,
  DOWNLOAD_QUEUE,
  endPending,
  noteSize,
  type PendingFile,
} from '../../media/download-store.ts'
import { MAX_MEDIA_BYTES } from '../../media/kinds.ts'
import type { MediaSettings } from '../../media/schema.ts'
import { completeMedia, insertChunk, readUsage } from '../../media/store.ts'
import { takeContent, UnfitFile, type Content } from '../../media/take-content.ts'
import { MAX_FILES } from '../../media/upload.ts'
import { finish, postpone, type Job } from '../../queue/store.ts'
import type { Wakeups } from '../../queue/wakeups.ts'
import { startWorker, type Worker } from '../../queue/worker.ts'
import type { Log } from '../../values/log.ts'
import type { Live } from '../../observe/live.ts'
import { codeOf } from '../../values/thrown.ts'

export type DownloadDeps = {
  db: Db
  log: Log
  wakeups: Wakeups
  live: Pick<Live, 'notifyTexts'>
  media: MediaSettings
  /** Undefined for a carrier that is not configured any more. */
  downloadFrom: (carrier: string) => DownloadMedia | undefined
}

const CONCURRENT = 4
const CONCURRENT_PER_ORGANISATION = 2
/** Meta keeps the file of a received message for this long. */
const KEPT_DAYS = 7
/** Intervals grow fast: Meta blocks a number whose requests for files fail often. */
const FIRST_RETRY_MS = 2_000
const RETRY_GROWTH = 4
const LONGEST_RETRY_MS = 3_600_000
const FOREIGN_KEY_VIOLATION = '23503'

/**
 * Downloads the files of received texts. An attempt writes chunks of its own, and only the current one completes the file:
 * of a worker that died, or whose lease expired while it still worked, nothing remains.
 */
export function startDownloads(deps: DownloadDeps): Worker {
  return startWorker(deps, {
    queue: DOWNLOAD_QUEUE,
    limit: CONCURRENT,
    batch: 1,
    lanes: { limit: () => CONCURRENT_PER_ORGANISATION, step: 1 },
    work: async (jobs) => {
      for (const job of jobs) await downloadFile(deps, job)
    },
  })
}

async function downloadFile(deps: DownloadDeps, job: Job): Promise<void> {
  const { db, log } = deps
  const { organisation_id, subject_id: id } = job
  const file = await transaction(db, (tx) => beginDownload(tx, organisation_id, id, KEPT_DAYS))
  if (!file) return finish(db, [job])
  if (file.is_over) return end(deps, job, file, { state: 'expired', reason: null })
  try {
    const found = await fetchContent(deps, organisation_id, id, file)
    if (found.kind === 'gone') return await end(deps, job, file, { state: 'expired', reason: null })
    if (found.kind === 'read') return await complete(deps, job, file, found.value)
    log.warn(
      { carrier: file.carrier, media_id: id, reason: found.description },
      'a received file could not be downloaded',
    )
  } catch (fault) {
    if (fault instanceof UnfitFile) return end(deps, job, file, { state: 'refused', reason: fault.message })
    // The file was deleted with its text.
    if (codeOf(fault) === FOREIGN_KEY_VIOLATION) return finish(db, [job])
    throw fault
  }
  await postpone(db, [job], Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * RETRY_GROWTH ** Math.min(job.attempts - 1, 10)))
}

async function fetchContent(
  { db, media, downloadFrom }: DownloadDeps,
  organisation_id: string,
  id: string,
  { type, carrier, carrier_media_id, attempt }: PendingFile,
): Promise<Download<Content>> {
  const download = downloadFrom(carrier)
  if (!download) return { kind: 'failed', description: 'its carrier is not configured' }
  return download(carrier_media_id, async ({ size, content }) => {
    await requireQuota(db, organisation_id, id, size ?? MAX_MEDIA_BYTES, media)
    const store = (position: number, bytes: Buffer) =>
      insertChunk(db, organisation_id, { id, attempt }, position, bytes)
    return takeContent(content, { type, takes_unknown: true }, store)
  })
}

/** People cannot fill the database: what they send beyond the quota is not stored. */
async function requireQuota(
  db: Db,
  organisation_id: string,
  id: string,
  size: number,
  { quota_mb }: MediaSettings,
): Promise<void> {
  if (size > MAX_MEDIA_BYTES) throw new UnfitFile('The file is too large: a file may have 100 MB.', true)
  await noteSize(db, organisation_id, id, size)
  const { files, bytes } = await readUsage(db, organisation_id, 'in')
  if (files > MAX_FILES || bytes > quota_mb * 1024 * 1024) {
    throw new UnfitFile('The files of your organisation exceed its quota.')
  }
}

async function complete(deps: DownloadDeps, job: Job, file: PendingFile, content: Content): Promise<void> {
  const { organisation_id, subject_id: id } = job
  const { attempt } = file
  const stored = await transaction(deps.db, async (tx) => {
    const row = await completeMedia(tx, organisation_id, { id, attempt, from: 'pending' }, content, null)
    await finish(tx, [job])
    return row
  })
  if (!stored) return deleteChunks(deps.db, organisation_id, id, attempt)
  deps.live.notifyTexts(organisation_id, stored.from === null ? [] : [stored.from])
}

async function end(
  deps: DownloadDeps,
  job: Job,
  { carrier }: PendingFile,
  outcome: { state: 'refused' | 'expired'; reason: string | null },
): Promise<void> {
  const { organisation_id, subject_id: id } = job
  await transaction(deps.db, async (tx) => {
    await endPending(tx, organisation_id, id, outcome)
    await finish(tx, [job])
  })
  deps.log.info({ carrier, media_id: id, ...outcome }, 'a received file is not stored')
}

import type { Db, Tx } from '../db/connect.ts'
import { transaction } from '../db/transaction.ts'
import { newId } from '../values/id.ts'
import { isStorable } from '../values/input/storable.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../values/refusal.ts'
import { MAX_MEDIA_BYTES, UNKNOWN_TYPE } from './kinds.ts'
import { shownMedia } from './read.ts'
import type { Media, MediaSettings, UploadQuery } from './schema.ts'
import { completeMedia, deleteMedia, insertChunk, lockUploads, readUsage, reserveUpload } from './store.ts'
import { takeContent, UnfitFile } from './take-content.ts'

export type UploadDeps = { db: Db; media: MediaSettings & { days: number } }

/** A file as it arrives, with what its sender says of it. */
export type UploadedFile = {
  content: AsyncIterable<Buffer>
  type: string | undefined
  /** Undefined: not known. */
  size: number | undefined
}

/** Files of an organisation in one direction. */
export const MAX_FILES = 20_000

/**
 * Stores a file piece by piece. Its size is reserved first, so that concurrent uploads cannot exceed the quota together.
 * What a crash leaves behind is deleted by housekeeping.
 */
export async function uploadMedia(
  { db, media }: UploadDeps,
  { organisation_id }: { organisation_id: string },
  { filename }: Partial<UploadQuery>,
  { content, type, size }: UploadedFile,
  shape_faults: readonly Fault[],
): Promise<Media> {
  const faults = [...shape_faults]
  if (filename !== undefined && !isFilename(filename)) {
    faults.push({ field: 'filename', message: 'This is not the name of a file.', type: 'invalid' })
  }
  refuseIfFaulty(faults)
  if (size !== undefined && size > MAX_MEDIA_BYTES) throw tooLarge('A file may have at most 100 MB.')
  const file = { id: newId(), attempt: 1, from: 'uploading' as const }
  const reserved = {
    id: file.id,
    type: type ?? UNKNOWN_TYPE,
    filename: filename ?? null,
    size: size ?? MAX_MEDIA_BYTES,
  }
  await transaction(db, async (tx) => {
    await lockUploads(tx, organisation_id)
    await reserveUpload(tx, organisation_id, reserved)
    await requireQuota(tx, organisation_id, media)
  })
  try {
    const store = (position: number, bytes: Buffer) => insertChunk(db, organisation_id, file, position, bytes)
    const taken = await takeContent(content, { type: type === UNKNOWN_TYPE ? undefined : type }, store)
    const stored = await completeMedia(db, organisation_id, file, taken, media.days)
    if (!stored) throw new Refusal('conflict', 'The upload took too long: try again.')
    return shownMedia(stored)
  } catch (fault) {
    await deleteMedia(db, organisation_id, file.id, ['uploading']).catch(() => {})
    if (!(fault instanceof UnfitFile)) throw fault
    if (fault.is_too_large) throw tooLarge(fault.message)
    throw new Refusal('invalid_request', 'The request is invalid.', [
      { field: 'body', message: fault.message, type: 'invalid' },
    ])
  }
}

/** Counts with the reservation of this upload. */
async function requireQuota(tx: Tx, organisation_id: string, { quota_mb }: MediaSettings): Promise<void> {
  const { files, bytes } = await readUsage(tx, organisation_id, 'out')
  if (files <= MAX_FILES && bytes <= quota_mb * 1024 * 1024) return
  const limit = files > MAX_FILES ? `${MAX_FILES.toLocaleString('en')} files` : `${quota_mb.toLocaleString('en')} MB`
  throw new Refusal('conflict', `Your organisation may store ${limit}: delete files that are no longer needed.`)
}

/** A name without folders, which no file system misreads. */
function isFilename(name: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return isStorable(name) && !/[\u0000-\u001f\u007f/\\]/.test(name) && name.trim() !== '' && !/^\.+$/.test(name)
}

function tooLarge(sentence: string): Refusal {
  return new Refusal('body_too_large', sentence)
}

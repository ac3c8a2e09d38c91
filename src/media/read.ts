import type { Db } from '../db/connect.ts'
import { isId } from '../values/id.ts'
import { readPage, type Pagination } from '../values/page.ts'
import { present } from '../values/record.ts'
import { Refusal } from '../values/refusal.ts'
import { kindOf } from './kinds.ts'
import type { Media, MediaQuery } from './schema.ts'
import { deleteMedia, findMedia, listMedia, readChunk, type MediaRow } from './store.ts'

type Owner = { organisation_id: string }

export async function readMedia(deps: { db: Db }, owner: Owner, id: string): Promise<Media> {
  return shownMedia(await requireMedia(deps, owner, id))
}

export async function findMediaFiles(
  { db }: { db: Db },
  { organisation_id }: Owner,
  { direction, ...query }: MediaQuery,
): Promise<{ media: Media[]; pagination: Pagination }> {
  const { rows, pagination } = await listMedia(db, organisation_id, direction, readPage(query))
  return { media: rows.map(shownMedia), pagination }
}

export type MediaContent = { type: string; filename: string; size: number; parts: AsyncGenerator<Buffer> }

/** The content of a stored file, read piece by piece. */
export async function openMedia(deps: { db: Db }, owner: Owner, id: string): Promise<MediaContent> {
  const { state, type, filename, size } = await requireMedia(deps, owner, id)
  if (state === 'pending') throw new Refusal('conflict', 'The file is still being downloaded: try again later.')
  if (state !== 'stored') throw new Refusal('conflict', `The file is not stored: its state is ${state}.`)
  const parts = contentOf(deps.db, owner.organisation_id, id, Number(size))
  return { type, filename: filename ?? `${id}.${endingOf(type)}`, size: Number(size), parts }
}

/** Ends with an error if the file is deleted meanwhile: what was read is not a file. */
export async function* contentOf(db: Db, organisation_id: string, id: string, size: number): AsyncGenerator<Buffer> {
  for (let position = 0; position < size;) {
    const bytes = await readChunk(db, organisation_id, id, position)
    if (!bytes || bytes.length === 0) throw new MediaGone(id)
    yield bytes
    position += bytes.length
  }
}

/** A file was deleted while it was read. */
export class MediaGone extends Error {
  constructor(id: string) {
    super(`the file ${id} was deleted while it was read`)
  }
}

/** Messages that wait to be sent with it are rejected and refunded. */
export async function removeMedia({ db }: { db: Db }, { organisation_id }: Owner, id: string): Promise<void> {
  const states = ['pending', 'stored', 'refused', 'expired'] as const
  if (!isId(id) || !(await deleteMedia(db, organisation_id, id, states))) throw UNKNOWN
}

async function requireMedia({ db }: { db: Db }, { organisation_id }: Owner, id: string): Promise<MediaRow> {
  const row = isId(id) ? await findMedia(db, organisation_id, id) : undefined
  if (!row) throw UNKNOWN
  return row
}

const UNKNOWN = new Refusal('not_found', 'There is no such file.')

export function shownMedia(row: MediaRow): Media {
  const { id, direction, type, state, filename, size, sha256, reason, created_datetime, expires_datetime } = row
  return {
    id,
    direction,
    type,
    ...present('kind', kindOf(type)),
    ...present('filename', filename),
    ...present('size', size === null ? undefined : Number(size)),
    ...present('sha256', sha256?.toString('hex')),
    state: state === 'uploading' ? 'pending' : state,
    ...present('reason', reason),
    created_datetime,
    ...present('expires_datetime', expires_datetime),
  }
}

/** Of a file without a name. */
function endingOf(type: string): string {
  return ENDINGS[type] ?? 'bin'
}

const ENDINGS: Record<string, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'text/plain': 'txt',
  'application/pdf': 'pdf',
}

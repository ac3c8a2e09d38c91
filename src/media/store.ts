import type { Db, Tx } from '../db/connect.ts'
import { listPage, type Listed } from '../db/list-page.ts'
import { prepare, type Sql } from '../db/sql.ts'
import type { Page } from '../values/page.ts'
import type { Content } from './take-content.ts'

export type MediaState = 'uploading' | 'pending' | 'stored' | 'refused' | 'expired'
export type Direction = 'in' | 'out'

export type MediaRow = {
  id: string
  direction: Direction
  from: string | null
  state: MediaState
  type: string
  filename: string | null
  size: bigint | null
  sha256: Buffer | null
  reason: string | null
  created_datetime: string
  expires_datetime: string | null
}

/** What the files of an organisation take up, in one direction; files that are being uploaded with their reserved size. */
export async function readUsage(
  sql: Db | Tx,
  organisation_id: string,
  direction: Direction,
): Promise<{ files: number; bytes: number }> {
  const [row] = await sql<{ files: number; bytes: number }[]>`
    select count(*)::integer as files, coalesce(sum(size), 0)::float8 as bytes from media
    where organisation_id = ${organisation_id} and direction = ${direction}`
  return row ?? { files: 0, bytes: 0 }
}

/** Uploads of an organisation are reserved one after the other, so that concurrent ones cannot exceed its quota together. */
export async function lockUploads(tx: Tx, organisation_id: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('media ' || ${organisation_id}::text, 0))`
}

/** Reserves the size of a file before its content arrives. */
export async function reserveUpload(
  tx: Tx,
  organisation_id: string,
  { id, type, filename, size }: { id: string; type: string; filename: string | null; size: number },
): Promise<void> {
  await tx`
    insert into media (organisation_id, id, direction, state, type, filename, size)
    values (${organisation_id}, ${id}, 'out', 'uploading', ${type}, ${filename}, ${String(size)}::bigint)`
}

/** A later attempt deletes the chunks of those before it. */
export async function insertChunk(
  db: Db,
  organisation_id: string,
  { id, attempt }: { id: string; attempt: number },
  position: number,
  bytes: Buffer,
): Promise<void> {
  await db`
    insert into media_chunks (organisation_id, media_id, attempt, position, bytes)
    values (${organisation_id}, ${id}, ${attempt}, ${String(position)}::bigint, ${bytes})`
}

/** Completes a file whose chunks are stored. Undefined if it was deleted meanwhile, or another attempt completed it. */
export async function completeMedia(
  sql: Db | Tx,
  organisation_id: string,
  { id, attempt, from }: { id: string; attempt: number; from: 'uploading' | 'pending' },
  { type, size, sha256 }: Content,
  days: number | null,
): Promise<MediaRow | undefined> {
  const [row] = await sql<MediaRow[]>`
    update media
    set state = 'stored', type = ${type}, size = ${String(size)}::bigint, sha256 = ${sha256},
      expires_datetime = now() + ${days}::float8 * interval '1 day'
    where organisation_id = ${organisation_id} and id = ${id} and state = ${from} and attempt = ${attempt}
    returning ${mediaColumns(sql)}`
  return row
}

/** With its chunks. */
export async function deleteMedia(
  sql: Db | Tx,
  organisation_id: string,
  id: string,
  states: readonly MediaState[],
): Promise<boolean> {
  const deleted = await sql`
    delete from media where organisation_id = ${organisation_id} and id = ${id} and state = any (${states}::text[])`
  return deleted.count === 1
}

export async function findMedia(db: Db, organisation_id: string, id: string): Promise<MediaRow | undefined> {
  const [row] = await db<MediaRow[]>`
    select ${mediaColumns(db)} from media
    where organisation_id = ${organisation_id} and id = ${id} and state <> 'uploading'`
  return row
}

/** Newest first. */
export async function listMedia(
  db: Db,
  organisation_id: string,
  direction: Direction | undefined,
  page: Page,
): Promise<Listed<MediaRow>> {
  const of_direction = direction === undefined ? db`` : db`and direction = ${direction}`
  return listPage<MediaRow>(db, page, {
    select: mediaColumns(db),
    from: db`media`,
    where: db`organisation_id = ${organisation_id} and state <> 'uploading' ${of_direction}`,
  })
}

/** A piece of a stored file; undefined behind its end, or once it is deleted. */
export async function readChunk(
  db: Db,
  organisation_id: string,
  id: string,
  position: number,
): Promise<Buffer | undefined> {
  const [row] = await db<{ bytes: Buffer }[]>`
    select bytes from media_chunks
    where organisation_id = ${organisation_id} and media_id = ${id} and position = ${String(position)}::bigint
      and attempt = (
        select attempt from media where organisation_id = ${organisation_id} and id = ${id} and state = 'stored'
      )`
  return row?.bytes
}

export function mediaColumns(sql: Sql) {
  return prepare(sql`id, direction, "from", state, type, filename, size, sha256, reason, created_datetime,
    expires_datetime`)
}

/** Whether files can be sent at a time; now, if none is given. */
export async function findUsable(
  db: Db,
  organisation_id: string,
  ids: readonly string[],
  send_at: string | undefined,
): Promise<{ id: string; type: string; state: MediaState; lasts: boolean }[]> {
  return db<{ id: string; type: string; state: MediaState; lasts: boolean }[]>`
    select id, type, state,
      coalesce(expires_datetime > greatest(now(), ${send_at ?? null}::timestamptz), true) as lasts
    from media
    where organisation_id = ${organisation_id} and id = any (${ids}::uuid[]) and state <> 'uploading'`
}

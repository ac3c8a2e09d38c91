import type { Db, Tx } from '../db/connect.ts'
import { rows } from '../db/rows.ts'

export const DOWNLOAD_QUEUE = 'media:downloads'

/** Files of received texts, which have the ids of the texts. */
export async function insertPending(
  tx: Tx,
  organisation_id: string,
  files: readonly {
    id: string
    from: string
    type: string
    filename?: string | undefined
    carrier: string
    carrier_media_id: string
  }[],
): Promise<void> {
  await tx`
    insert into media (organisation_id, id, direction, "from", state, type, filename, carrier, carrier_media_id, attempt)
    select ${organisation_id}, id, 'in', "from", 'pending', type, filename, carrier, carrier_media_id, 0
    from ${rows(tx, files, 'given', {
      id: 'uuid',
      from: 'text',
      type: 'text',
      filename: 'text',
      carrier: 'text',
      carrier_media_id: 'text',
    })}`
}

export type PendingFile = {
  type: string
  carrier: string
  carrier_media_id: string
  attempt: number
  /** The carrier keeps it no longer. */
  is_over: boolean
}

/** Begins an attempt to download a file, and deletes what those before it have left. Undefined if it is not pending. */
export async function beginDownload(
  tx: Tx,
  organisation_id: string,
  id: string,
  kept_days: number,
): Promise<PendingFile | undefined> {
  // Citus returns no clock from an update.
  const [clock] = await tx<{ kept_since: string }[]>`select now() - ${kept_days} * interval '1 day' as kept_since`
  const [file] = await tx<PendingFile[]>`
    update media set attempt = attempt + 1
    where organisation_id = ${organisation_id} and id = ${id} and state = 'pending'
    returning type, carrier, carrier_media_id, attempt, created_datetime < ${clock?.kept_since ?? null}::timestamptz as is_over`
  await tx`delete from media_chunks where organisation_id = ${organisation_id} and media_id = ${id}
    and attempt < ${file?.attempt ?? 0}`
  return file
}

/** Counts towards the quota from now on. */
export async function noteSize(db: Db, organisation_id: string, id: string, size: number): Promise<void> {
  await db`
    update media set size = ${String(size)}::bigint
    where organisation_id = ${organisation_id} and id = ${id} and state = 'pending'`
}

/** Ends a download that failed for good. */
export async function endPending(
  tx: Tx,
  organisation_id: string,
  id: string,
  { state, reason }: { state: 'refused' | 'expired'; reason: string | null },
): Promise<void> {
  const ended = await tx`
    update media set state = ${state}, reason = ${reason}, size = null
    where organisation_id = ${organisation_id} and id = ${id} and state = 'pending'`
  if (ended.count > 0)
    await tx`delete from media_chunks where organisation_id = ${organisation_id} and media_id = ${id}`
}

/** What a slower attempt has written. */
export async function deleteChunks(db: Db, organisation_id: string, id: string, attempt: number): Promise<void> {
  await db`
    delete from media_chunks
    where organisation_id = ${organisation_id} and media_id = ${id} and attempt = ${attempt}`
}

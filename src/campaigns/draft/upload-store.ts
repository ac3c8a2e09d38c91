import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import { backToDraft } from '../store.ts'

/** A number as written, and values by normalized placeholder name. */
export type UploadEntry = [to: string, values: Record<string, string>]

export type UploadPart = { number: number; size: number; entries: UploadEntry[] }

export async function findUpload(tx: Tx, organisation_id: string, campaign_id: string, key: string) {
  const [row] = await tx<{ request_hash: Buffer }[]>`
    select request_hash from campaign_uploads
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and idempotency_key = ${key}`
  return row
}

/** Appends parts; the first one carries the idempotency key of the request. */
export async function insertUpload(
  tx: Tx,
  organisation_id: string,
  campaign_id: string,
  parts: readonly UploadPart[],
  idempotency: { key: string; request_hash: Buffer } | undefined,
): Promise<void> {
  const keyed = parts.map((part, n) => ({
    ...part,
    idempotency_key: n === 0 ? (idempotency?.key ?? null) : null,
    request_hash: n === 0 ? (idempotency?.request_hash ?? null) : null,
  }))
  await tx`
    insert into campaign_uploads
      (organisation_id, campaign_id, number, size, entries, idempotency_key, request_hash)
    select ${organisation_id}, ${campaign_id}, number, size, entries, idempotency_key, request_hash
    from ${rows(tx, keyed, 'given', {
      number: 'integer',
      size: 'integer',
      entries: 'jsonb',
      idempotency_key: 'text',
      request_hash: 'bytea',
    })}`
  await tx`
    update campaigns
    set uploads = uploads + ${parts.length}, uploaded = uploaded + ${parts.reduce((sum, { size }) => sum + size, 0)},
      ${backToDraft(tx)}
    where organisation_id = ${organisation_id} and id = ${campaign_id}`
}

/** The part that follows the given one. */
export async function findPart(db: Db, organisation_id: string, campaign_id: string, after: number) {
  const [part] = await db<UploadPart[]>`
    select number, size, entries from campaign_uploads
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and number > ${after}
    order by number limit 1`
  return part
}

export async function deleteUploads(tx: Tx, organisation_id: string, campaign_id: string): Promise<void> {
  await tx`delete from campaign_uploads where organisation_id = ${organisation_id} and campaign_id = ${campaign_id}`
  await tx`
    update campaigns
    set uploads = 0, uploaded = 0, ${backToDraft(tx)}
    where organisation_id = ${organisation_id} and id = ${campaign_id}`
}

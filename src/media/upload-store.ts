import type { Db } from '../db/connect.ts'

/** A file of ours and what a phone number's Cloud API calls it. */
export type FileToUpload = {
  type: string
  filename: string | null
  size: bigint
  carrier_media_id: string | null
}

/** Ids are renewed this long before they end, so that a message does not arrive with one that has. */
const RENEW_BEFORE_H = 24

/** Undefined if the file no longer exists. */
export async function findAtMeta(
  db: Db,
  organisation_id: string,
  media_id: string,
  phone_number_id: string,
): Promise<FileToUpload | undefined> {
  const [row] = await db<FileToUpload[]>`
    select type, filename, size, (
      select carrier_media_id from media_uploads
      where organisation_id = ${organisation_id} and media_id = ${media_id} and phone_number_id = ${phone_number_id}
        and media_uploads.expires_datetime > now() + ${RENEW_BEFORE_H} * interval '1 hour'
    ) as carrier_media_id
    from media
    where organisation_id = ${organisation_id} and id = ${media_id} and state = 'stored'
      and coalesce(expires_datetime > now(), true)`
  return row
}

/** True for one process at a time, until its lease ends; false also if the file is uploaded. */
export async function leaseUpload(
  db: Db,
  organisation_id: string,
  media_id: string,
  phone_number_id: string,
  lease_s: number,
): Promise<boolean> {
  // Citus evaluates no clock where an insert meets an existing row.
  const [clock] = await db<{ now: string; renew: string }[]>`
    select now() as now, now() + ${RENEW_BEFORE_H} * interval '1 hour' as renew`
  const leased = await db`
    insert into media_uploads as known (organisation_id, media_id, phone_number_id, leased_until)
    values (${organisation_id}, ${media_id}, ${phone_number_id}, now() + ${lease_s} * interval '1 second')
    on conflict (organisation_id, media_id, phone_number_id) do update set leased_until = excluded.leased_until
    where coalesce(known.leased_until < ${clock?.now ?? null}::timestamptz, true)
      and coalesce(known.expires_datetime <= ${clock?.renew ?? null}::timestamptz, true)`
  return leased.count === 1
}

/** Extends the lease of an upload; 0 seconds: ends it. */
export async function extendUpload(
  db: Db,
  organisation_id: string,
  media_id: string,
  phone_number_id: string,
  lease_s: number,
): Promise<void> {
  await db`
    update media_uploads set leased_until = now() + ${lease_s} * interval '1 second'
    where organisation_id = ${organisation_id} and media_id = ${media_id} and phone_number_id = ${phone_number_id}
      and leased_until is not null`
}

export async function noteUploaded(
  db: Db,
  organisation_id: string,
  media_id: string,
  phone_number_id: string,
  { carrier_media_id, days }: { carrier_media_id: string; days: number },
): Promise<void> {
  await db`
    update media_uploads
    set carrier_media_id = ${carrier_media_id}, expires_datetime = now() + ${days} * interval '1 day',
      leased_until = null
    where organisation_id = ${organisation_id} and media_id = ${media_id} and phone_number_id = ${phone_number_id}`
}

/** After Meta has said that it does not know the id; one that was uploaded since stays. */
export async function forgetUploaded(
  db: Db,
  organisation_id: string,
  media_id: string,
  phone_number_id: string,
  carrier_media_id: string,
): Promise<void> {
  await db`
    update media_uploads set carrier_media_id = null, expires_datetime = null
    where organisation_id = ${organisation_id} and media_id = ${media_id} and phone_number_id = ${phone_number_id}
      and carrier_media_id = ${carrier_media_id}`
}

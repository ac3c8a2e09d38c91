import { lockBalance } from '../../billing/store.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { newId } from '../../values/id.ts'
import type { SliceEntry } from '../message.ts'

export type SliceRow = {
  number: number
  text_number: number
  country: string
  recipients: SliceEntry[]
  people: number
  charge: bigint
  message_id: string
  /** A worker began to send it before. */
  was_begun: boolean
}

/** The countries of slices that are not accepted yet. */
export async function listCountries(db: Db, organisation_id: string, campaign_id: string): Promise<string[]> {
  const found = await db<{ country: string }[]>`
    select distinct country from campaign_slices
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and status in ('waiting', 'begun')`
  return found.map(({ country }) => country)
}

/**
 * Marks the next slice as begun and gives it the id of its message; an interrupted one comes first. The lock on the
 * running campaign means that no slice begins after it was paused or canceled.
 */
export async function beginSlice(
  tx: Tx,
  organisation_id: string,
  campaign: { id: string; run: number },
  countries: readonly string[] | undefined,
): Promise<SliceRow | undefined> {
  const running = await tx`
    select 1 from campaigns
    where organisation_id = ${organisation_id} and id = ${campaign.id} and run = ${campaign.run} and status = 'running'
    for update`
  if (running.length === 0) return undefined
  const [slice] = await tx<(Omit<SliceRow, 'message_id'> & { message_id: string | null })[]>`
    select number, text_number, country, recipients, people, charge, message_id, status = 'begun' as was_begun
    from campaign_slices
    where organisation_id = ${organisation_id} and campaign_id = ${campaign.id} and status in ('waiting', 'begun')
      ${countries ? tx`and (status = 'begun' or country = any (${countries}::text[]))` : tx``}
    order by status = 'waiting', number limit 1`
  if (!slice) return undefined
  const message_id = slice.message_id ?? newId()
  await tx`
    update campaign_slices set status = 'begun', message_id = ${message_id}
    where organisation_id = ${organisation_id} and campaign_id = ${campaign.id} and number = ${slice.number}`
  return { ...slice, message_id }
}

/** Records once what was charged for a slice. The pace determines when the next one may begin. */
export async function recordSlice(
  tx: Tx,
  organisation_id: string,
  campaign_id: string,
  slice: { number: number; message_id: string; people: number; charge: bigint; dropped: number },
): Promise<void> {
  const written = await tx`
    update campaign_slices
    set status = 'accepted', people = ${slice.people}, charge = ${String(slice.charge)}::bigint,
      waiting = ${slice.people}, accepted_datetime = now(),
      count_at = ${slice.people > 0 ? tx`now() + interval '1 s'` : tx`null`}
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and number = ${slice.number}
      and status = 'begun' and message_id = ${slice.message_id}`
  if (written.count === 0) return
  // In seconds: Citus rejects `timestamptz + interval` over columns in an update.
  await tx`
    update campaigns
    set accepted = accepted + ${slice.people}, charged = charged + ${String(slice.charge)}::bigint,
      dropped = dropped + ${slice.dropped}, updated_datetime = now(),
      next_at = to_timestamp(
        extract(epoch from greatest(next_at, now()) - to_timestamp(0)) + ${slice.people} * 3600.0 / pace_per_hour)
    where organisation_id = ${organisation_id} and id = ${campaign_id}`
}

export type BegunSlice = { number: number; message_id: string; people: number }

export async function listBegun(db: Db, organisation_id: string, campaign_id: string): Promise<BegunSlice[]> {
  return db<BegunSlice[]>`
    select number, message_id, people from campaign_slices
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and status = 'begun'
    order by number`
}

/**
 * Returns the stored response if the slice was charged. Otherwise takes its idempotency key, under the lock of the
 * balance, so that it can never be charged under this key.
 */
export async function revokeKey(
  tx: Tx,
  organisation_id: string,
  { key, request_hash, answer }: { key: string; request_hash: Buffer; answer: string },
): Promise<string | undefined> {
  await lockBalance(tx, organisation_id)
  const taken = await tx`
    insert into idempotency_keys (organisation_id, key, request_hash, answer)
    values (${organisation_id}, ${key}, ${request_hash}, ${answer})
    on conflict (organisation_id, key) do nothing`
  if (taken.count === 1) return undefined
  const [known] = await tx<{ answer: string }[]>`
    select answer from idempotency_keys where organisation_id = ${organisation_id} and key = ${key}`
  return known?.answer
}

/** Returns a slice that was never charged to `waiting`; it will be sent under another message id. */
export async function releaseSlice(
  tx: Tx,
  organisation_id: string,
  campaign_id: string,
  { number, message_id }: { number: number; message_id: string },
): Promise<void> {
  await tx`
    update campaign_slices set status = 'waiting', message_id = null
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and number = ${number}
      and status = 'begun' and message_id = ${message_id}`
}

/** Accepted slices of which some deliveries may not be submitted yet. */
export async function listUnfinished(db: Db, organisation_id: string, campaign_id: string) {
  return db<{ number: number; message_id: string }[]>`
    select number, message_id from campaign_slices
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and status = 'accepted' and waiting > 0
    order by number`
}

/** Records the canceled deliveries of a slice, which is then counted immediately. */
export async function recordCanceled(
  tx: Tx,
  organisation_id: string,
  campaign_id: string,
  slice: { number: number; people: number; given_back: bigint },
): Promise<void> {
  await tx`
    update campaign_slices set status = 'taken_back', count_at = now()
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and number = ${slice.number}
      and status = 'accepted'`
  await tx`
    update campaigns
    set taken_back = taken_back + ${slice.people}, given_back = given_back + ${String(slice.given_back)}::bigint,
      updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${campaign_id}`
}

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
  /** Somebody had begun with it before. */
  was_begun: boolean
}

/** Countries that slices still go to. */
export async function listCountries(db: Db, organisation_id: string, campaign_id: string): Promise<string[]> {
  const found = await db<{ country: string }[]>`
    select distinct country from campaign_slices
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and status in ('waiting', 'begun')`
  return found.map(({ country }) => country)
}

/**
 * The next slice, which from here on has the id of its message. One that somebody had begun comes first. Only while the
 * campaign runs: whoever stops it waits for this, and knows then that no other begins.
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

/** What was charged for a slice is written down, once. The pace says when the next may go. */
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
  // In seconds, since a cluster takes no `timestamptz + interval` of columns in an update.
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
 * Finds out whether a slice was charged, and if not sees to it that it never will be: its idempotency key is taken, while
 * nobody else moves the balance. Gives what was answered when it was charged.
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

/** A slice that was never charged waits again, and will go under another id. */
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

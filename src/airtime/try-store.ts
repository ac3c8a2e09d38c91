import type { Network, TopupHint } from '../carriers/topup-carrier.ts'
import type { Db, Tx } from '../db/connect.ts'
import { rows } from '../db/rows.ts'

export type TryStatus = 'calling' | 'unreached' | 'accepted' | 'unclear' | 'success' | 'failed' | 'error' | 'duplicate'

/** The newest try of a purchase. */
export type Try = {
  position: number
  vendor: string
  reference: string
  status: TryStatus
  calls: number
  requeries: number
  vendor_purchase_id: string | null
  /** Since the vendor was first called, and since it was last called. */
  age_s: number
  call_age_s: number
}

/** A try as it is stored before its vendor is called. */
export function newTry(position: number, vendor: string, reference: string): Try {
  const unanswered = { calls: 1, requeries: 0, vendor_purchase_id: null, age_s: 0, call_age_s: 0 }
  return { position, vendor, reference, status: 'calling', ...unanswered }
}

export type OpenPurchase = {
  organisation_id: string
  id: string
  network: Network
  recipient: string
  amount: bigint
  currency: string
  status: 'pending' | 'sent'
  vendors: string[]
  /** The database's time of reading. */
  read_datetime: string
  /** It repeats an earlier purchase; only checked until a vendor was called. */
  has_twin: boolean
  tried: Try | null
}

/** Purchases that are not final, each with its newest try. */
export async function readOpen(
  db: Db,
  organisation_id: string,
  ids: readonly string[],
  twin_minutes: number,
): Promise<OpenPurchase[]> {
  return db<OpenPurchase[]>`
    select own.organisation_id, own.id, network, recipient, amount, currency, own.status, vendors,
      now() as read_datetime, to_json(newest) as tried,
      newest is null
        and exists (
          select from repeated_purchases(
            ${organisation_id}, array[own.organisation_id], array[own.id], ${twin_minutes}::float8
          )
        ) as has_twin
    from purchases own
    join organisations on organisations.id = own.organisation_id
    left join lateral (
      select position, vendor, reference, status, calls, requeries, vendor_purchase_id,
        extract(epoch from now() - created_datetime)::float8 as age_s,
        extract(epoch from now() - called_datetime)::float8 as call_age_s
      from purchase_tries
      where organisation_id = ${organisation_id} and purchase_id = own.id
      order by position desc limit 1
    ) newest on true
    where own.organisation_id = ${organisation_id} and own.id = any (${ids}::uuid[])
      and own.status in ('pending', 'sent')`
}

export type NewTry = { purchase_id: string; position: number; vendor: string; reference: string }

/** Stores that vendors are about to be called; returns the purchases for which no other worker has done so. */
export async function openTries(db: Db, organisation_id: string, tries: readonly NewTry[]): Promise<Set<string>> {
  const opened = await db<{ purchase_id: string }[]>`
    insert into purchase_tries (organisation_id, purchase_id, position, vendor, reference, status)
    select ${organisation_id}, purchase_id, position, vendor, reference, 'calling'
    from ${rows(db, tries, 'try', { purchase_id: 'uuid', position: 'smallint', vendor: 'text', reference: 'text' })}
    on conflict (organisation_id, purchase_id, position) do nothing
    returning purchase_id`
  return new Set(opened.map(({ purchase_id }) => purchase_id))
}

/** Stores that the vendor is about to be called again, with the same reference. */
export async function reopenTry(db: Db, organisation_id: string, purchase_id: string, one: Try): Promise<boolean> {
  const changed = await db`
    update purchase_tries
    set status = 'calling', calls = calls + 1, called_datetime = now(), updated_datetime = now()
    where organisation_id = ${organisation_id} and purchase_id = ${purchase_id} and position = ${one.position}
      and calls = ${one.calls} and status = 'unreached'`
  return changed.count === 1
}

/** The open purchase that a vendor's callback names. */
export async function findTried(
  db: Db,
  vendor: string,
  { reference, vendor_purchase_id }: TopupHint,
): Promise<{ organisation_id: string; purchase_id: string; in_review: boolean } | undefined> {
  const [row] = await db<{ organisation_id: string; purchase_id: string; in_review: boolean }[]>`
    select purchases.organisation_id, purchase_id, review_datetime is not null as in_review
    from purchase_tries tried
    join purchases on purchases.organisation_id = tried.organisation_id and purchases.id = tried.purchase_id
    where vendor = ${vendor}
      and ${
        reference === undefined ? db`vendor_purchase_id = ${vendor_purchase_id ?? ''}` : db`reference = ${reference}`
      }
      and purchases.status in ('pending', 'sent')
    limit 1`
  return row
}

/** Makes the job of a purchase due; false if it has none, or it is leased. */
export async function expediteJob(
  tx: Tx,
  queue: string,
  organisation_id: string,
  subject_id: string,
): Promise<boolean> {
  const changed = await tx`
    update jobs set run_at = now()
    where organisation_id = ${organisation_id} and queue = ${queue} and lane = ${organisation_id}
      and subject_id = ${subject_id} and not leased`
  return changed.count > 0
}

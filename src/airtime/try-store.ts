import type { Network } from '../carriers/topup-carrier.ts'
import type { Db } from '../db/connect.ts'
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
  /** The same was bought before; only looked for while nobody was called. */
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
        and exists (select from repeated_purchases(${organisation_id}, array[own.id], ${twin_minutes}::float8)) as has_twin
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

/** Writes down that vendors are about to be called; gives the purchases for which no other worker has done so already. */
export async function openTries(db: Db, organisation_id: string, tries: readonly NewTry[]): Promise<Set<string>> {
  const opened = await db<{ purchase_id: string }[]>`
    insert into purchase_tries (organisation_id, purchase_id, position, vendor, reference, status)
    select ${organisation_id}, purchase_id, position, vendor, reference, 'calling'
    from ${rows(db, tries, 'try', { purchase_id: 'uuid', position: 'smallint', vendor: 'text', reference: 'text' })}
    on conflict (organisation_id, purchase_id, position) do nothing
    returning purchase_id`
  return new Set(opened.map(({ purchase_id }) => purchase_id))
}

/** Writes down that the vendor is about to be called once more, under the same reference. */
export async function reopenTry(db: Db, organisation_id: string, purchase_id: string, one: Try): Promise<boolean> {
  const changed = await db`
    update purchase_tries
    set status = 'calling', calls = calls + 1, called_datetime = now(), updated_datetime = now()
    where organisation_id = ${organisation_id} and purchase_id = ${purchase_id} and position = ${one.position}
      and calls = ${one.calls} and status = 'unreached'`
  return changed.count === 1
}

import type { Network, VendorWords } from '../carriers/topup-carrier.ts'
import type { Db, Tx } from '../db/connect.ts'

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
  tried: Try | null
}

/** A purchase that is not final, with its newest try. */
export async function readOpen(db: Db, organisation_id: string, id: string): Promise<OpenPurchase | undefined> {
  const [row] = await db<(Omit<OpenPurchase, 'tried'> & { position: number | null })[]>`
    select purchases.organisation_id, purchases.id, network, recipient, amount, currency, purchases.status, vendors,
      now() as read_datetime, position, vendor, reference, newest.status as try_status, calls, requeries, vendor_purchase_id,
      extract(epoch from now() - newest.created_datetime)::float8 as age_s,
      extract(epoch from now() - called_datetime)::float8 as call_age_s
    from purchases
    join organisations on organisations.id = purchases.organisation_id
    left join lateral (
      select position, vendor, reference, status, calls, requeries, vendor_purchase_id, created_datetime,
        called_datetime
      from purchase_tries
      where organisation_id = ${organisation_id} and purchase_id = ${id}
      order by position desc limit 1
    ) newest on true
    where purchases.organisation_id = ${organisation_id} and purchases.id = ${id}
      and purchases.status in ('pending', 'sent')`
  if (!row) return undefined
  const { position, ...rest } = row as typeof row & Omit<Try, 'position' | 'status'> & { try_status: TryStatus }
  const { vendor, reference, try_status, calls, requeries, vendor_purchase_id, age_s, call_age_s, ...purchase } = rest
  const told = { vendor, reference, status: try_status, calls, requeries, vendor_purchase_id, age_s, call_age_s }
  return { ...purchase, tried: position === null ? null : { position, ...told } }
}

/**
 * Whether the organisation bought the same before, within the time given, in the order in which purchases were
 * charged. Two of them are meant when both name different keys or references; one that came to nothing does not count.
 */
export async function hasEarlierTwin(
  db: Db,
  organisation_id: string,
  id: string,
  within_minutes: number,
): Promise<boolean> {
  const [row] = await db<{ found: boolean }[]>`
    select exists (
      select 1
      from purchases own
      join purchases earlier on earlier.organisation_id = own.organisation_id
        and earlier.recipient = own.recipient and earlier.sequence < own.sequence
      where own.organisation_id = ${organisation_id} and own.id = ${id}
        and earlier.network = own.network and earlier.amount = own.amount
        and earlier.created_datetime > own.created_datetime - ${within_minutes} * interval '1 minute'
        and earlier.status in ('pending', 'sent', 'success')
        and (earlier.idempotency_key <> own.idempotency_key) is not true
        and (earlier.external_ref <> own.external_ref) is not true
    ) as found`
  return row?.found ?? false
}

/** Writes down that a vendor is about to be called; false when another worker has done so already. */
export async function openTry(
  db: Db,
  organisation_id: string,
  purchase_id: string,
  one: { position: number; vendor: string; reference: string; status: TryStatus },
): Promise<boolean> {
  const added = await db`
    insert into purchase_tries (organisation_id, purchase_id, position, vendor, reference, status)
    values (${organisation_id}, ${purchase_id}, ${one.position}, ${one.vendor}, ${one.reference}, ${one.status})
    on conflict (organisation_id, purchase_id, position) do nothing`
  return added.count === 1
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

/**
 * Writes down what the vendor said; what it said before stays where it says nothing now. False when another worker
 * has taken the purchase further meanwhile.
 */
export async function recordAnswer(
  tx: Tx,
  organisation_id: string,
  purchase_id: string,
  { position, calls }: Try,
  { status, asked, said }: { status: TryStatus; asked: boolean; said: VendorWords },
): Promise<boolean> {
  const changed = await tx`
    update purchase_tries
    set status = ${status}, requeries = requeries + ${asked ? 1 : 0}, updated_datetime = now(),
      code = coalesce(${said.code ?? null}, code),
      description = coalesce(${said.description ?? null}, description),
      vendor_purchase_id = coalesce(${said.vendor_purchase_id ?? null}, vendor_purchase_id),
      cost = coalesce(${said.cost === undefined ? null : String(said.cost)}::bigint, cost),
      vendor_balance = coalesce(
        ${said.vendor_balance === undefined ? null : String(said.vendor_balance)}::bigint, vendor_balance)
    where organisation_id = ${organisation_id} and purchase_id = ${purchase_id} and position = ${position}
      and calls = ${calls} and status in ('calling', 'unreached', 'accepted', 'unclear')`
  return changed.count === 1
}

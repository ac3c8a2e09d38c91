import type { Network, VendorWords } from '../carriers/topup-carrier.ts'
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

/**
 * Purchases that are not final, each with its newest try.
 *
 * A twin is the same purchase made by the organisation within the time given before, in the order in which purchases
 * were charged. Two of them are meant when both name different keys or references; one that came to nothing does not
 * count.
 */
export async function readOpen(
  db: Db,
  organisation_id: string,
  ids: readonly string[],
  twin_minutes: number,
): Promise<OpenPurchase[]> {
  return db<OpenPurchase[]>`
    select own.organisation_id, own.id, network, recipient, amount, currency, own.status, vendors,
      now() as read_datetime, to_json(newest) as tried,
      newest is null and exists (
        select 1 from purchases earlier
        where earlier.organisation_id = ${organisation_id}
          and earlier.recipient = own.recipient and earlier.sequence < own.sequence
          and earlier.network = own.network and earlier.amount = own.amount
          and earlier.created_datetime > own.created_datetime - ${twin_minutes} * interval '1 minute'
          and earlier.status in ('pending', 'sent', 'success')
          and (earlier.idempotency_key <> own.idempotency_key) is not true
          and (earlier.external_ref <> own.external_ref) is not true
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

export type VendorAnswer = {
  purchase_id: string
  tried: Try
  status: TryStatus
  /** The answer to a question; else to a call. */
  asked: boolean
  said: VendorWords
}

/**
 * Writes down what vendors said; what they said before stays where they say nothing now. Gives the purchases that no
 * other worker has taken further meanwhile.
 */
export async function recordAnswers(
  tx: Tx,
  organisation_id: string,
  answers: readonly VendorAnswer[],
): Promise<Set<string>> {
  const recorded = await tx<{ purchase_id: string }[]>`
    update purchase_tries tried
    set status = answer.status, requeries = requeries + answer.questions, updated_datetime = now(),
      code = coalesce(answer.code, tried.code),
      description = coalesce(answer.description, tried.description),
      vendor_purchase_id = coalesce(answer.vendor_purchase_id, tried.vendor_purchase_id),
      cost = coalesce(answer.cost, tried.cost),
      vendor_balance = coalesce(answer.vendor_balance, tried.vendor_balance)
    from ${rows(tx, answers, 'answer', {
      purchase_id: 'uuid',
      position: ['smallint', ({ tried }) => tried.position],
      calls: ['smallint', ({ tried }) => tried.calls],
      status: 'text',
      questions: ['smallint', ({ asked }) => (asked ? 1 : 0)],
      code: ['text', ({ said }) => said.code],
      description: ['text', ({ said }) => said.description],
      vendor_purchase_id: ['text', ({ said }) => said.vendor_purchase_id],
      cost: ['bigint', ({ said }) => said.cost],
      vendor_balance: ['bigint', ({ said }) => said.vendor_balance],
    })}
    where tried.organisation_id = ${organisation_id} and tried.purchase_id = answer.purchase_id
      and tried.position = answer.position and tried.calls = answer.calls
      and tried.status in ('calling', 'unreached', 'accepted', 'unclear')
    returning tried.purchase_id`
  return new Set(recorded.map(({ purchase_id }) => purchase_id))
}

import type { Tx } from '../db/connect.ts'
import { ERASED } from '../values/secrets/pseudonym.ts'

export async function lockDelivery(
  tx: Tx,
  organisation_id: string,
  message_id: string,
  recipient: string,
): Promise<{ status: string; charge: bigint; possible_carrier: string | null } | undefined> {
  const [row] = await tx<{ status: string; charge: bigint; possible_carrier: string | null }[]>`
    select status, charge, carrier as possible_carrier from deliveries
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = ${recipient}
    for update`
  return row
}

/** The jobs of a queued delivery; `begun`: a worker that died may have submitted it. */
export async function lockJobs(
  tx: Tx,
  organisation_id: string,
  message_id: string,
  recipient: string,
): Promise<{ id: string; begun: boolean; leased: boolean }[]> {
  return tx<{ id: string; begun: boolean; leased: boolean }[]>`
    select id::text, leased as begun, leased and coalesce(leased_until > now(), true) as leased from jobs
    where organisation_id = ${organisation_id} and subject_id = ${message_id} and subject_key = ${recipient}
    for update`
}

/** Deletes a job; false if it is leased. */
export async function deleteJob(tx: Tx, organisation_id: string, id: string): Promise<boolean> {
  const gone = await tx`
    delete from jobs
    where organisation_id = ${organisation_id} and id = ${id}::text::bigint
      and (not leased or leased_until <= now())`
  return gone.count === 1
}

export async function hasQueued(
  tx: Tx,
  organisation_id: string,
  message_id: string,
  recipient: string,
): Promise<boolean> {
  const found = await tx`
    select 1 from deliveries
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = ${recipient}
      and status = 'queued'`
  return found.length > 0
}

/** Ends a delivery: `canceled` is refunded, `unknown` (a carrier may have it) is not. */
export async function endDelivery(
  tx: Tx,
  organisation_id: string,
  message_id: string,
  recipient: string,
  status: 'canceled' | 'unknown',
): Promise<void> {
  await tx`
    update deliveries
    set status = ${status}, refunded = ${status === 'canceled'} and charge > 0, updated_datetime = now()
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = ${recipient}
      and status in ('scheduled', 'queued')`
}

/** Replaces the recipient of a delivery, its refund and its links; its submissions follow with their own table. */
export async function renameDelivery(
  tx: Tx,
  organisation_id: string,
  message_id: string,
  recipient: string,
  pseudonym: string,
  description: string | undefined,
): Promise<void> {
  await tx`
    update deliveries
    set recipient = ${pseudonym}, text = case when text is not null then '' end, whatsapp = null, sealed_text = null,
      description = coalesce(${description ?? null}::text, description)
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = ${recipient}`
  await tx`
    update ledger_lines set subject_key = ${pseudonym}
    where organisation_id = ${organisation_id} and subject_id = ${message_id} and kind = 'refund'
      and subject_key = ${recipient}`
  await tx`
    update links set recipient = ${pseudonym}
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = ${recipient}`
}

/** Erases the content of a message once no recipient is left who is not erased. */
export async function eraseContent(tx: Tx, organisation_id: string, message_id: string): Promise<void> {
  const [row] = await tx<{ waiting: bigint }[]>`select count_waiting(${organisation_id}, ${message_id}) as waiting`
  if ((row?.waiting ?? 0n) > 0n) return
  await tx`
    update messages set content = null, personalisation = null
    where organisation_id = ${organisation_id} and id = ${message_id} and not exists (
      select from deliveries
      where organisation_id = ${organisation_id} and message_id = ${message_id}
        and recipient not like ${`${ERASED}%`}
    )`
}

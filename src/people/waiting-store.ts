import type { Tx } from '../db/connect.ts'
import { ERASED } from '../values/secrets/pseudonym.ts'

/** A message in a row of the intake, as far as it is looked at here (`functions/intake.sql`). */
export type WrittenItem = {
  id: string
  to: string
  at?: number
  positions?: number[]
  pages: number
  price: number
  texts?: string[]
  personalisation?: { to?: unknown }[]
  stored?: boolean
}

export type HeldIntake = {
  route: string
  handed: number
  messages: string
  line: bigint
  created_datetime: string
  in_hand: boolean
}

export async function lockIntake(tx: Tx, organisation_id: string, id: string): Promise<HeldIntake | undefined> {
  const [row] = await tx<HeldIntake[]>`
    select route, handed, messages, line, created_datetime, coalesce(leased_until > now(), false) as in_hand
    from intake where organisation_id = ${organisation_id} and id = ${id} for update`
  return row
}

/** Messages of a row that are nowhere else yet are written down, with all that they cost, before somebody leaves it. */
export async function storeWaiting(tx: Tx, organisation_id: string, id: string, message_ids: string[]): Promise<void> {
  const [row] = await tx<{ messages: string; line: bigint | null; created_datetime: string }[]>`
    select messages, line, created_datetime from intake where organisation_id = ${organisation_id} and id = ${id}`
  if (!row) return
  await tx`
    insert into messages
      (organisation_id, id, channel, sender_id, content, template_id, template_version, personalisation, external_ref,
       is_trackable, callback, encoding, message_length, pages, charge, line, created_datetime, trace)
    select ${organisation_id}, m.id, m.channel, m.sender_id, m.content, m.template_id, m.template_version,
      m.personalisation, m.external_ref, m.is_trackable, m.callback, m.encoding, m.message_length, m.pages, m.charge,
      ${row.line === null ? null : String(row.line)}::bigint, ${row.created_datetime}::timestamptz, m.trace
    from messages_in(${row.messages}) m
    where m.id = any (${message_ids}::uuid[])
    on conflict do nothing`
}

export async function insertEnded(
  tx: Tx,
  organisation_id: string,
  { route, created_datetime }: HeldIntake,
  delivery: {
    message_id: string
    recipient: string
    position: number
    pages: number
    charge: bigint
    status: 'canceled' | 'unknown'
  },
): Promise<void> {
  const { message_id, recipient, position, pages, charge, status } = delivery
  await tx`
    insert into deliveries
      (organisation_id, message_id, recipient, position, status, pages, charge, refunded, route, created_datetime,
       updated_datetime)
    values (${organisation_id}, ${message_id}, ${recipient}, ${position}, ${status}, ${pages},
      ${String(charge)}::bigint, ${status === 'canceled' && charge > 0n}, ${route}, ${created_datetime}::timestamptz,
      now())
    on conflict do nothing`
}

export async function isRecorded(
  tx: Tx,
  organisation_id: string,
  message_id: string,
  recipient: string,
): Promise<boolean> {
  const found = await tx`
    select 1 from deliveries
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = ${recipient}`
  return found.length > 0
}

/** What is left of a row; nothing left, and it goes. */
export async function rewriteIntake(
  tx: Tx,
  organisation_id: string,
  id: string,
  items: readonly WrittenItem[],
): Promise<void> {
  if (items.length === 0) {
    await tx`delete from intake where organisation_id = ${organisation_id} and id = ${id}`
    return
  }
  const ids = items.map((item) => item.id).toSorted()
  const size = items.reduce((sum, { to }) => sum + to.split(',').length, 0)
  await tx`
    update intake
    set messages = ${items.map((item) => JSON.stringify(item)).join(',\n')}, size = ${size},
      first_id = ${ids[0]}, last_id = ${ids.at(-1)}
    where organisation_id = ${organisation_id} and id = ${id}`
}

export async function lockDelivery(
  tx: Tx,
  organisation_id: string,
  message_id: string,
  recipient: string,
): Promise<{ status: string; charge: bigint; maybe_with: string | null } | undefined> {
  const [row] = await tx<{ status: string; charge: bigint; maybe_with: string | null }[]>`
    select status, charge, carrier as maybe_with from deliveries
    where organisation_id = ${organisation_id} and message_id = ${message_id} and recipient = ${recipient}
    for update`
  return row
}

/** The jobs of a delivery that waits for another try; `begun` by somebody who may have handed it over before dying. */
export async function lockJobs(
  tx: Tx,
  organisation_id: string,
  message_id: string,
  recipient: string,
): Promise<{ id: string; begun: boolean; in_hand: boolean }[]> {
  return tx<{ id: string; begun: boolean; in_hand: boolean }[]>`
    select id::text, in_hand as begun, in_hand and coalesce(leased_until > now(), true) as in_hand from jobs
    where organisation_id = ${organisation_id} and subject_id = ${message_id} and subject_key = ${recipient}
    for update`
}

/** False when somebody has it in hand. */
export async function forgetJob(tx: Tx, organisation_id: string, id: string): Promise<boolean> {
  const gone = await tx`
    delete from jobs
    where organisation_id = ${organisation_id} and id = ${id}::text::bigint
      and (not in_hand or leased_until <= now())`
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

/** What has not left the house is taken back; what a carrier may have stays paid. */
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

/** The delivery with its refund and its links; what the carrier calls it is renamed when its table is walked. */
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

/** The content of a message stays for as long as it is somebody's. */
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

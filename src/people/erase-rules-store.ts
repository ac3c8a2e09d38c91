import type { Tx } from '../db/connect.ts'

export async function lockSlice(
  tx: Tx,
  organisation_id: string,
  campaign_id: string,
  number: number,
): Promise<{ status: string; recipients: [string, ...unknown[]][] } | undefined> {
  const [row] = await tx<{ status: string; recipients: [string, ...unknown[]][] }[]>`
    select status, recipients from campaign_slices
    where organisation_id = ${organisation_id} and campaign_id = ${campaign_id} and number = ${number} for update`
  return row
}

/** An upload that has not ended within an hour counts as aborted. */
export async function lockImport(
  tx: Tx,
  organisation_id: string,
  id: string,
): Promise<{ in_progress: boolean } | undefined> {
  const [row] = await tx<{ in_progress: boolean }[]>`
    select status in ('queued', 'running')
      or (status = 'uploading' and created_datetime > now() - interval '1 hour') as in_progress
    from contact_imports where organisation_id = ${organisation_id} and id = ${id} for update`
  return row
}

/** 1 is SENT, 5 is DELETED. */
export async function revokeOtp(tx: Tx, organisation_id: string, id: string): Promise<void> {
  await tx`
    update otps set status = 5, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status = 1`
}

/** Renames an opt-out to the pseudonym. If the person was erased before and opted out again, one entry remains. */
export async function renameOptout(
  tx: Tx,
  organisation_id: string,
  recipient: string,
  pseudonym: string,
): Promise<boolean> {
  const [gone] = await tx<{ id: string; source: string; created_datetime: string }[]>`
    delete from optouts where organisation_id = ${organisation_id} and recipient = ${recipient}
    returning id, source, created_datetime`
  if (!gone) return false
  await tx`
    insert into optouts (organisation_id, recipient, id, source, created_datetime)
    values (${organisation_id}, ${pseudonym}, ${gone.id}, ${gone.source}, ${gone.created_datetime}::timestamptz)
    on conflict (organisation_id, recipient) do nothing`
  return true
}

export async function lockPurchase(tx: Tx, organisation_id: string, id: string): Promise<string | undefined> {
  const [row] = await tx<{ status: string }[]>`
    select status from purchases where organisation_id = ${organisation_id} and id = ${id} for update`
  return row?.status
}

/** Locks the row; true while a phone is about to send it. */
export async function lockPhoneMessage(tx: Tx, id: string): Promise<boolean> {
  const [row] = await tx<{ is_leased: boolean }[]>`
    select state in ('offered', 'taken') and valid_until > now() as is_leased from phone_messages
    where id = ${id} for update`
  return row?.is_leased ?? false
}

/** Stops a callback and deletes its contents. An attempt in flight records nothing for a callback that has ended. */
export async function stopCallback(
  tx: Tx,
  organisation_id: string,
  id: string,
  { body, url }: { body: string; url: string },
): Promise<boolean> {
  const stopped = await tx`
    update callbacks
    set status = case when status = 'pending' then 'stopped' else status end, url = ${url},
      body = ${body}, last_excerpt = null, last_reason = null
    where organisation_id = ${organisation_id} and id = ${id}`
  await tx`
    update callback_attempts set excerpt = null, reason = null
    where organisation_id = ${organisation_id} and callback_id = ${id}`
  return stopped.count === 1
}

export async function isInFlight(
  tx: Tx,
  organisation_id: string,
  message_id: string,
  recipients: readonly string[],
): Promise<boolean> {
  const found = await tx`
    select 1 from deliveries
    where organisation_id = ${organisation_id} and message_id = ${message_id}
      and recipient = any (${recipients}::text[]) and status in ('queued', 'sent')`
  return found.length > 0
}

export async function isFreshReport(tx: Tx, id: string): Promise<boolean> {
  const found = await tx`select 1 from reports where id = ${id} and received_datetime > now() - interval '1 minute'`
  return found.length > 0
}

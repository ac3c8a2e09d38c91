import type { Db } from '../../../db/connect.ts'

/** Enabled webhooks whose attempts fail, and those the service disabled; the longest failing first. */
export async function listFailingWebhooks(
  db: Db,
  organisation_id: string,
  limit: number,
): Promise<{ url: string; enabled: boolean; disabled_reason: string | null; failing_since: string | null }[]> {
  return db`
    select url, enabled, disabled_reason, failing_since from webhooks
    where organisation_id = ${organisation_id} and (enabled and failing_since is not null or disabled_reason is not null)
    order by failing_since limit ${limit}`
}

/** Senders the operator rejected lately or, if they matter, those still to be decided; the newest first. */
export async function listOpenSenders(
  db: Db,
  organisation_id: string,
  { within_days, pending, limit }: { within_days: number; pending: boolean; limit: number },
): Promise<{ sender_id: string; state: 'pending' | 'rejected'; reason: string | null; at: string }[]> {
  return db`
    select sender_id, state, reason, coalesce(updated_datetime, created_datetime) as at from senders
    where organisation_id = ${organisation_id}
      and (
        state = 'rejected' and coalesce(updated_datetime, created_datetime) > now() - ${within_days} * interval '1 day'
        or state = 'pending' and ${pending}::boolean
      )
    order by at desc limit ${limit}`
}

/** Keys in use that expire within so many days; the next to expire first. */
export async function listExpiringKeys(
  db: Db,
  organisation_id: string,
  { within_days, limit }: { within_days: number; limit: number },
): Promise<{ name: string; expires_datetime: string }[]> {
  return db`
    select coalesce(name, hint) as name, expires_datetime from api_keys
    where organisation_id = ${organisation_id} and revoked_datetime is null
      and expires_datetime between now() and now() + ${within_days} * interval '1 day'
    order by expires_datetime limit ${limit}`
}

/** Imports that lately failed, or left lines out; the newest first. */
export async function listFaultyImports(
  db: Db,
  organisation_id: string,
  { within_days, limit }: { within_days: number; limit: number },
): Promise<
  { id: string; status: 'done' | 'failed'; rejected: number; fault: string | null; created_datetime: string }[]
> {
  return db`
    select id, status, rejected, fault, created_datetime from contact_imports
    where organisation_id = ${organisation_id} and not dry_run
      and (status = 'failed' or status = 'done' and rejected > 0)
      and created_datetime > now() - ${within_days} * interval '1 day'
    order by id desc limit ${limit}`
}

import type { Db, Tx } from '../db/connect.ts'
import type { CampaignStatus, PauseReason } from './schema.ts'

/**
 * Every transition of a campaign's status, guarded by the statuses it may come from. Undefined: the campaign was in none
 * of them. A transition that needs a worker increments `run`, which the job names.
 */
type Run = { run: number } | undefined

/** Discards the results of an earlier estimate. */
export async function beginEstimate(tx: Tx, organisation_id: string, id: string): Promise<Run> {
  const [row] = await tx<{ run: number }[]>`
    update campaigns
    set status = 'estimating', run = run + 1, estimates = estimates + 1, gathered = false, place = null, steps = 0, slices = 0, rows = 0,
      people = 0, charge = 0, sizes = '{}', left_out = '{}', samples = '[]', fault = null, asked_datetime = now(),
      estimated_datetime = null, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status in ('draft', 'estimating', 'estimated')
    returning run`
  if (!row) return undefined
  await tx`delete from campaign_slices where organisation_id = ${organisation_id} and campaign_id = ${id}`
  await tx`delete from campaign_left_out where organisation_id = ${organisation_id} and campaign_id = ${id}`
  return row
}

export async function startCampaign(
  tx: Tx,
  organisation_id: string,
  id: string,
  status: 'scheduled' | 'running',
  /** The API key of the request; null: a user started it. */
  key_id: string | null,
): Promise<Run> {
  const [row] = await tx<{ run: number }[]>`
    update campaigns
    set status = ${status}, run = run + 1, key_id = ${key_id}, updated_datetime = now(), started_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status = 'estimated'
    returning run`
  return row
}

/** Moves a scheduled campaign whose time has come to `running`. */
export async function beginRunning(db: Db, organisation_id: string, id: string, run: number): Promise<boolean> {
  const begun = await db`
    update campaigns
    set status = 'running', started_datetime = now(), updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and run = ${run} and status = 'scheduled'
      and (send_at is null or send_at <= now())`
  return begun.count === 1
}

export async function pauseCampaign(
  sql: Db | Tx,
  organisation_id: string,
  id: string,
  reason: PauseReason,
  fault: string | null = null,
): Promise<boolean> {
  const paused = await sql`
    update campaigns set status = 'paused', pause_reason = ${reason}, fault = ${fault}, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status in ('scheduled', 'running')`
  return paused.count === 1
}

/** Resuming after a price change accepts the new price. */
export async function resumeCampaign(
  tx: Tx,
  organisation_id: string,
  id: string,
  status: 'scheduled' | 'running',
): Promise<Run> {
  const [row] = await tx<{ run: number }[]>`
    update campaigns
    set status = ${status}, run = run + 1, holds_price = holds_price and pause_reason <> 'price_changed',
      pause_reason = null, fault = null, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status = 'paused'
    returning run`
  return row
}

/** The new run lets a worker cancel the deliveries that are not submitted. */
export async function cancelCampaign(tx: Tx, organisation_id: string, id: string): Promise<Run> {
  const [row] = await tx<{ run: number }[]>`
    update campaigns
    set status = 'canceled', run = run + 1, pause_reason = null, updated_datetime = now(), ended_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id}
      and status in ('draft', 'estimating', 'estimated', 'scheduled', 'running', 'paused')
    returning run`
  return row
}

/** All people were estimated. A list send continues; a campaign waits for its confirmation. */
export async function endGathering(
  db: Db,
  organisation_id: string,
  { id, run, is_list_send }: { id: string; run: number; is_list_send: boolean },
): Promise<void> {
  const status: CampaignStatus = is_list_send ? 'running' : 'estimated'
  await db`
    update campaigns
    set gathered = true, status = ${status}, estimated_datetime = now(), updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and run = ${run} and not gathered
      and status in ('estimating', 'running')`
}

/** The campaign cannot be sent as it is: returns it to draft, with the reason. A list send ends. */
export async function refuseCampaign(
  db: Db,
  organisation_id: string,
  { id, run, is_list_send }: { id: string; run: number; is_list_send: boolean },
  fault: string,
): Promise<void> {
  const status: CampaignStatus = is_list_send ? 'canceled' : 'draft'
  await db`
    update campaigns set status = ${status}, fault = ${fault}, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and run = ${run} and not gathered
      and status in ('estimating', 'running')`
}

/** All slices are accepted. */
export async function noteAllAccepted(db: Db, organisation_id: string, id: string): Promise<void> {
  await db`
    update campaigns set all_accepted = true, updated_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status = 'running' and not all_accepted
      and not exists (
        select from campaign_slices
        where organisation_id = ${organisation_id} and campaign_id = ${id} and status in ('waiting', 'begun')
      )`
}

/** Finishes a campaign of which no delivery is waiting. */
export async function finishCampaign(db: Db, organisation_id: string, id: string): Promise<boolean> {
  const finished = await db`
    update campaigns set status = 'finished', updated_datetime = now(), ended_datetime = now()
    where organisation_id = ${organisation_id} and id = ${id} and status in ('running', 'paused') and all_accepted
      and not exists (
        select from campaign_slices
        where organisation_id = ${organisation_id} and campaign_id = ${id} and status = 'accepted' and waiting > 0
      )`
  return finished.count === 1
}

/** Deletes campaigns that ended before the retention period, with recipients and values. */
export async function forgetCampaigns(db: Db, older_than_days: number): Promise<void> {
  const old = db`
    select organisation_id, id from campaigns
    where status in ('finished', 'canceled') and ended_datetime < now() - ${older_than_days} * interval '1 day'`
  for (const table of [
    db`campaign_uploads`,
    db`campaign_left_out`,
    db`campaign_recipients`,
    db`campaign_slices`,
    db`campaign_outcomes`,
  ]) {
    await db`
      delete from ${table} gone using (${old}) old
      where gone.organisation_id = old.organisation_id and gone.campaign_id = old.id`
  }
  await db`
    delete from campaigns
    where status in ('finished', 'canceled') and ended_datetime < now() - ${older_than_days} * interval '1 day'`
}

import type { Db } from '../db/connect.ts'

/** Campaigns that ended with messages that are forgotten go with them, people, values and all. */
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

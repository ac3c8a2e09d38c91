import type { Db } from '../../db/connect.ts'
import type { Checklist } from './overview/schema.ts'

/** The setup steps an organisation has completed. Each is an index probe, or reads only the newest few rows. */
export async function readChecklist(db: Db, organisation_id: string): Promise<Checklist> {
  const [row] = await db<Checklist[]>`
    select
      (
        exists (select 1 from messages where organisation_id = ${organisation_id})
        or exists (select 1 from intake where organisation_id = ${organisation_id})
      ) as first_message,
      exists (select 1 from activity where organisation_id = ${organisation_id} and delivered > 0) as first_delivery,
      exists (
        select 1 from (
          select status from callbacks where organisation_id = ${organisation_id} order by id desc limit 1000
        ) newest where status = 'delivered'
      ) as first_callback,
      exists (select 1 from otps where organisation_id = ${organisation_id}) as first_otp,
      exists (select 1 from contact_rows where organisation_id = ${organisation_id}) as first_contact,
      exists (select 1 from api_keys where organisation_id = ${organisation_id}) as first_key,
      exists (select 1 from purchases where organisation_id = ${organisation_id}) as first_purchase`
  if (!row) throw new Error('a row of probes is always there')
  return row
}

import type { TestService, Organisation } from './service.ts'
import { until } from './until.ts'
import { everyDelivery } from './every.ts'

/** Tables whose rows belong to an organisation. */
export async function ownedTables({ db }: TestService): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select table_name as name from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and column_name = 'organisation_id' and table_type = 'BASE TABLE' order by 1`
  return rows.map(({ name }) => name)
}

/** Written with a delay, or deleted later: the last use of a key, statistics, calls, and recipients of a campaign. */
const UNSTEADY = ['api_keys', 'activity', 'analytics', 'request_bursts', 'campaign_recipients']

/** All data of an organisation, once no job is pending any more. */
export async function possessions(service: TestService, of: Organisation): Promise<string[]> {
  await until('quiet', async () => {
    const [row] = await service.db<{ open: number }[]>`
      select (
        (select count(*) from jobs where organisation_id = ${of.id} and run_at < now() + interval '30 s')
        + (select count(*) from ${everyDelivery(service.db)} delivery where organisation_id = ${of.id} and status in ('queued', 'sent'))
        + (select count(*) from callbacks where organisation_id = ${of.id} and status = 'pending')
      )::integer as open`
    return row?.open === 0
  })
  const rows: string[] = []
  for (const name of await ownedTables(service)) {
    if (UNSTEADY.includes(name)) continue
    const found = await service.db.unsafe(
      `select row_to_json(one)::text as text from ${name} one where organisation_id = '${of.id}' order by 1`,
    )
    rows.push(...found.map((row) => `${name} ${(row as { text: string }).text}`))
  }
  return rows
}

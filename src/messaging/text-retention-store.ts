import type { Db } from '../db/connect.ts'

/** Messages between two moments, and the position to store once they are cleared. */
export type Range = { sweep: string; from: string; until: string; done: string }

const SWEEP = 'message texts'
const SWEEP_AGAIN = 'message texts again'
/** A message may be scheduled 35 days ahead, and then be retried. */
const LATEST_DAYS = 45

/** Messages that expired since the last run; and once a day all that may have been unsent then. */
export async function nextRanges(db: Db, older_than_days: number): Promise<Range[]> {
  return db<Range[]>`
    with moment as (select now() - ${older_than_days} * interval '1 day' as until)
    select ${SWEEP} as sweep,
      coalesce((select done_until from sweeps where name = ${SWEEP}), 'epoch') as from, until, until as done
    from moment
    union all
    select ${SWEEP_AGAIN}, until - ${LATEST_DAYS} * interval '1 day', until, now()
    from moment
    where not exists (
      select from sweeps where name = ${SWEEP_AGAIN} and done_until > now() - interval '1 day'
    )`
}

export async function storeSweep(db: Db, { sweep, done }: Range): Promise<void> {
  await db`
    insert into sweeps (name, done_until) values (${sweep}, ${done}::timestamptz)
    on conflict (name) do update set done_until = greatest(sweeps.done_until, excluded.done_until)`
}

export async function listOwners(db: Db): Promise<string[]> {
  const owners = await db<{ id: string }[]>`select id from organisations order by id`
  return owners.map(({ id }) => id)
}

/** Clears contents, except of messages with unsent deliveries. */
export async function clearContents(
  db: Db,
  organisation_id: string,
  { from, until }: Range,
  limit: number,
): Promise<number> {
  const cleared = await db`
    update messages set content = null, personalisation = null
    where organisation_id = ${organisation_id} and id in (
      select id from messages old
      where organisation_id = ${organisation_id}
        and id >= first_id_at(${from}::timestamptz) and id < first_id_at(${until}::timestamptz)
        and (content is not null or personalisation is not null)
        and not exists (
          select from deliveries
          where deliveries.organisation_id = ${organisation_id} and message_id = old.id
            and status in ('scheduled', 'queued')
        )
        and not exists (
          select from intake
          where intake.organisation_id = ${organisation_id} and first_id <= old.id and last_id >= old.id
        )
      order by id limit ${limit}
    )`
  return cleared.count
}

export async function clearTexts(
  db: Db,
  organisation_id: string,
  { from, until }: Range,
  limit: number,
): Promise<number> {
  const cleared = await db`
    update deliveries set text = null, whatsapp = null
    where organisation_id = ${organisation_id} and status not in ('scheduled', 'queued')
      and (message_id, recipient) in (
        select message_id, recipient from deliveries
        where organisation_id = ${organisation_id}
          and message_id >= first_id_at(${from}::timestamptz) and message_id < first_id_at(${until}::timestamptz)
          and (text is not null or whatsapp is not null) and status not in ('scheduled', 'queued')
        order by message_id, recipient limit ${limit}
      )`
  return cleared.count
}

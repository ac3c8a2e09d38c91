import { NO_ID } from '../../carriers/message-id.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { MatchedReport } from './store.ts'

/**
 * Matches reports with an unknown id to the oldest message to the same number whose carrier id was never learned. The
 * report must name a complete number. Numbers of two networks may share the digits of the key, so one number must end
 * with the other, which may be written nationally. A message is matched once per call; another report on the same number
 * gets the next message in a later call.
 */
export async function matchByNumber(db: Db, ids: readonly string[]): Promise<MatchedReport[]> {
  return db<MatchedReport[]>`
    select distinct on (found.organisation_id, found.message_id, found.recipient)
      report.id, report.carrier, report.carrier_message_id, report.status, report.code, report.description,
      report.operator, found.organisation_id, found.message_id, found.recipient, found.segment, found.segments,
      found.carrier_message_id as kept_id, false as of_number, 0::float8 as age_h
    from (
      select *, ltrim(recipient, '0') as number from reports where id = any (${ids}::uuid[]) and length(recipient) >= 8
    ) report
    cross join lateral (
      select organisation_id, message_id, recipient, segment, segments, carrier_message_id
      from submissions
      where submissions.carrier = report.carrier and carrier_message_id = 'to:' || right(report.recipient, 8)
        and (
          right(submissions.recipient, length(number)) = number
          or right(number, length(submissions.recipient)) = submissions.recipient
        )
      order by submissions.recipient = number desc, report_due
      limit 1
    ) found
    order by found.organisation_id, found.message_id, found.recipient, report.received_datetime, report.id`
}

type NumberKey = { carrier: string; kept_id: string; message_id: string; recipient: string }

const KEY_COLUMNS = { carrier: 'text', kept_id: 'text', message_id: 'uuid', recipient: 'text' } as const

/**
 * Replaces the number key of a submission by the id in the report, so that a repeated report finds the same message; an
 * id of zeros is what carriers without ids send. Returns the reports that got a message: another process may have taken
 * it meanwhile. Rows are locked in one order, so that batches cannot deadlock.
 */
export async function takeNumberKeys(tx: Tx, matched: readonly (NumberKey & { id: string })[]): Promise<Set<string>> {
  const taken = await tx<{ id: string }[]>`
    with held as (
      select given.id, submissions.carrier, submissions.carrier_message_id, submissions.message_id,
        submissions.recipient, coalesce(reports.keys[1], reports.carrier_message_id) as reported_id
      from ${rows(tx, matched, 'given', { id: 'uuid', ...KEY_COLUMNS })}
      join reports on reports.id = given.id
      join submissions on submissions.carrier = given.carrier and submissions.carrier_message_id = kept_id
        and submissions.message_id = given.message_id and submissions.recipient = given.recipient
      order by submissions.message_id, submissions.recipient for update of submissions
    )
    update submissions set
      carrier_message_id = case when ltrim(reported_id, '0') = '' then ${NO_ID} else reported_id end
    from held
    where submissions.carrier = held.carrier and submissions.carrier_message_id = held.carrier_message_id
      and submissions.message_id = held.message_id and submissions.recipient = held.recipient
    returning held.id`
  return new Set(taken.map(({ id }) => id))
}

/** Deletes number keys of submissions whose carrier ids are now known. */
export async function deleteNumberKeys(db: Db, keys: readonly NumberKey[]): Promise<void> {
  await db`
    delete from submissions using ${rows(db, keys, 'known', KEY_COLUMNS)}
    where submissions.carrier = known.carrier and carrier_message_id = known.kept_id
      and submissions.message_id = known.message_id and submissions.recipient = known.recipient`
}

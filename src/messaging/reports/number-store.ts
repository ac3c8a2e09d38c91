import { NO_ID } from '../../carriers/message-id.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { rows } from '../../db/rows.ts'
import type { MatchedReport } from './store.ts'

/**
 * Reports that nobody knows the id of, with the message to their number whose id was never learned, the oldest first.
 * A number that the report does not name, or names in part only, finds none. Numbers of two networks may share the digits
 * of the key, so one of the numbers must end with the other, which may be written nationally. A message is given to one
 * report: another on the same number is on the next one, and finds it when this one has its report.
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
 * One report is enough: the next one to the number is on another message. What stood for the message's id becomes the id
 * that the report means, so that the same report is known when it comes again; zeros alone are what carriers without ids
 * write in all of them. Returns the reports that got their message; another process may have taken it meanwhile. Keys are
 * locked in one order, so that two batches cannot wait for each other.
 */
export async function takeNumberKeys(tx: Tx, matched: readonly (NumberKey & { id: string })[]): Promise<Set<string>> {
  const taken = await tx<{ id: string }[]>`
    with held as (
      select given.id, submissions.carrier, submissions.carrier_message_id, submissions.message_id,
        submissions.recipient, coalesce(reports.keys[1], reports.carrier_message_id) as meant_id
      from ${rows(tx, matched, 'given', { id: 'uuid', ...KEY_COLUMNS })}
      join reports on reports.id = given.id
      join submissions on submissions.carrier = given.carrier and submissions.carrier_message_id = kept_id
        and submissions.message_id = given.message_id and submissions.recipient = given.recipient
      order by submissions.message_id, submissions.recipient for update of submissions
    )
    update submissions set
      carrier_message_id = case when ltrim(meant_id, '0') = '' then ${NO_ID} else meant_id end
    from held
    where submissions.carrier = held.carrier and submissions.carrier_message_id = held.carrier_message_id
      and submissions.message_id = held.message_id and submissions.recipient = held.recipient
    returning held.id`
  return new Set(taken.map(({ id }) => id))
}

/** Their ids are known now. */
export async function forgetNumberKeys(db: Db, keys: readonly NumberKey[]): Promise<void> {
  await db`
    delete from submissions using ${rows(db, keys, 'known', KEY_COLUMNS)}
    where submissions.carrier = known.carrier and carrier_message_id = known.kept_id
      and submissions.message_id = known.message_id and submissions.recipient = known.recipient`
}

import type { Channel } from '../carriers/message-carrier.ts'
import type { Delta } from '../choice/knowledge.ts'
import { batchesOf, byLayout, connectionsOf } from '../db/layout.ts'
import type { Db } from '../db/connect.ts'
import { CLAIMED_WITHIN_S } from '../messaging/count-evidence.ts'
import { rows } from '../db/rows.ts'
import { prepare } from '../db/sql.ts'
import { hourText, type EvidenceRow, type Verified } from '../observe/evidence.ts'
import { groupBy } from '../values/group.ts'

/** Adds counts to their hours, always locked in the same order. */
export async function addEvidence(db: Db, counted: readonly EvidenceRow[]): Promise<void> {
  await prepare(db`
    insert into evidence as known
      (hour, carrier, country, operator, channel, class, submitted, rejections, delivered, undelivered, no_report,
       report_times, verified, cost, judged, good, claimed, proven, contradicted, confirmed, advised, saved, gained)
    select hour, carrier, country, operator, channel, class, submitted, rejections::bigint[], delivered, undelivered,
      no_report, report_times::bigint[], verified, cost, judged, good, claimed, proven, contradicted, confirmed, advised,
      saved, gained
    from ${rows(db, counted, 'counted', {
      hour: ['timestamptz', ({ hour }) => hourText(hour)],
      carrier: 'text',
      country: 'text',
      operator: 'text',
      channel: 'text',
      class: 'text',
      submitted: 'bigint',
      rejections: ['text', ({ rejections }) => `{${rejections.join()}}`],
      delivered: 'bigint',
      undelivered: 'bigint',
      no_report: 'bigint',
      report_times: ['text', ({ report_times }) => `{${report_times.join()}}`],
      verified: 'bigint',
      cost: 'bigint',
      judged: 'bigint',
      good: 'bigint',
      claimed: 'bigint',
      proven: 'bigint',
      contradicted: 'bigint',
      confirmed: 'bigint',
      advised: 'bigint',
      saved: 'bigint',
      gained: 'bigint',
    })}
    order by hour, carrier, country, operator, channel, class
    on conflict (hour, carrier, country, operator, channel, class) do update set
      submitted = known.submitted + excluded.submitted,
      rejections = array(select a + b from unnest(known.rejections, excluded.rejections) as sums (a, b)),
      delivered = known.delivered + excluded.delivered, undelivered = known.undelivered + excluded.undelivered,
      no_report = known.no_report + excluded.no_report,
      report_times = array(select a + b from unnest(known.report_times, excluded.report_times) as sums (a, b)),
      verified = known.verified + excluded.verified, cost = known.cost + excluded.cost,
      judged = known.judged + excluded.judged, good = known.good + excluded.good,
      claimed = known.claimed + excluded.claimed, proven = known.proven + excluded.proven,
      contradicted = known.contradicted + excluded.contradicted, confirmed = known.confirmed + excluded.confirmed,
      advised = known.advised + excluded.advised, saved = known.saved + excluded.saved,
      gained = known.gained + excluded.gained, changed_at = now()`)
}

/** The delivery of a verified one-time password; no carrier: its token was also sent in another message. */
type Found = {
  message_id: string
  recipient: string
  carrier: string | null
  route: string
  channel: Channel
  /** It was reported as delivered soon after it was submitted. */
  is_claimed: boolean
  /** Such a report may still arrive. */
  may_be_claimed: boolean
}

/** The deliveries of one-time passwords, as far as they are recorded as sent. */
export async function findVerified(db: Db, verified: readonly Verified[]): Promise<Found[]> {
  const groups = batchesOf(db, [...groupBy(verified, ({ organisation_id }) => organisation_id)])
  const found = await Promise.all(
    groups.map(async (group) => {
      const [organisation_id = ''] = group[0] ?? []
      const there = connectionsOf(db, organisation_id)
      const own = group.flatMap(([, all]) => all)
      // On a cluster the shard follows from a condition on each table.
      const [of_found, of_others] = byLayout(db, {
        single_server: () => [there``, there``],
        cluster: () => [
          there`and found.organisation_id = ${organisation_id} and messages.organisation_id = ${organisation_id}`,
          there`and otps.organisation_id = ${organisation_id} and other.organisation_id = ${organisation_id}`,
        ],
      })()
      return prepare(there<Found[]>`
        select found.message_id, found.recipient, found.route, messages.channel,
          found.status = 'delivered'
            and found.updated_datetime - found.sent_datetime <= ${CLAIMED_WITHIN_S} * interval '1 second' as is_claimed,
          found.status = 'sent'
            and now() - found.sent_datetime <= ${CLAIMED_WITHIN_S} * interval '1 second' as may_be_claimed,
          case when exists (
            select from otps join deliveries other
              on other.organisation_id = otps.organisation_id and other.message_id = otps.fallback_message_id
            where otps.organisation_id = found.organisation_id and otps.id = found.message_id
              and otps.fallback_token_hash is null
              and other.sent_datetime is not null ${of_others}
          ) then null else found.carrier end as carrier
        from ${rows(there, own, 'given', { organisation_id: 'uuid', message_id: 'uuid', recipient: 'text' })}
        join deliveries found on found.organisation_id = given.organisation_id and found.message_id = given.message_id
          and found.recipient = given.recipient
        join messages on messages.organisation_id = found.organisation_id and messages.id = found.message_id
        where found.sent_datetime is not null and found.route not like '%:%' ${of_found}`)
    }),
  )
  return found.flat()
}

/** A row with what a choice of carriers follows from. */
export type Followed = Delta & { hour_ms: number }

const followed = (db: Db) => db`
  (extract(epoch from hour) * 1000)::float8 as hour_ms, carrier, country, operator, channel, class,
  submitted::float8 as submitted, rejections::float8[] as rejections, delivered::float8 as delivered,
  undelivered::float8 as undelivered, report_times::float8[] as report_times, judged::float8 as judged, good::float8 as good`

/** The rows of the last hours, the newest first. */
export async function readHistory(db: Db, hours: number, limit: number): Promise<Followed[]> {
  return db<Followed[]>`
    select ${followed(db)} from evidence where hour > now() - ${hours} * interval '1 hour' order by hour desc limit ${limit}`
}

/** The rows of the last hours that were written within so many seconds. */
export async function readChanged(db: Db, hours: number, within_s: number, limit: number): Promise<Followed[]> {
  return prepare(db<Followed[]>`
    select ${followed(db)} from evidence
    where hour > now() - ${hours} * interval '1 hour' and changed_at > now() - ${within_s} * interval '1 second'
    limit ${limit}`)
}

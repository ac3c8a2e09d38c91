import type { Tx } from '../../db/connect.ts'
import type { SegmentState } from './segments.ts'
import type { Change } from '../settle/store.ts'

export type SegmentReport = { message_id: string; recipient: string; kept_id: string; segment: number } & Pick<
  Change,
  'status' | 'code' | 'description'
>

/** Rows per delivery: at most 255 segments, each of which may have been sent several times. */
const MAX_SEGMENTS = 1_000

/** Locks the deliveries, so that of two batches with segments of one message the second sees the result of the first. */
export async function lockDeliveries(
  tx: Tx,
  organisation_id: string,
  wanted: readonly { message_id: string; recipient: string }[],
): Promise<void> {
  await tx`
    select 1
    from (
      select distinct message_id, recipient
      from unnest(
        ${wanted.map(({ message_id }) => message_id)}::uuid[],
        ${wanted.map(({ recipient }) => recipient)}::text[]
      ) as wanted (message_id, recipient)
      order by message_id, recipient
    ) wanted
    cross join lateral (
      select 1 from deliveries
      where organisation_id = ${organisation_id}
        and message_id = wanted.message_id and recipient = wanted.recipient
      for update
    ) locked`
}

/** Stores the reported states of segments. A later `delivered` replaces `expired` and `unknown`, as for whole messages. */
export async function storeSegmentReports(
  tx: Tx,
  organisation_id: string,
  reports: readonly SegmentReport[],
): Promise<void> {
  await tx`
    update submissions set status = given.status, code = given.code, description = given.description
    from (
      select distinct on (message_id, recipient, segment, kept_id)
        message_id, recipient, segment, kept_id, status, code, description
      from unnest(
        ${reports.map(({ message_id }) => message_id)}::uuid[],
        ${reports.map(({ recipient }) => recipient)}::text[],
        ${reports.map(({ segment }) => segment)}::smallint[],
        ${reports.map(({ kept_id }) => kept_id)}::text[],
        ${reports.map(({ status }) => status)}::text[],
        ${reports.map(({ code }) => code)}::text[],
        ${reports.map(({ description }) => description)}::text[]
      ) as given (message_id, recipient, segment, kept_id, status, code, description)
      order by message_id, recipient, segment, kept_id, status = 'delivered' desc
    ) given
    cross join lateral (
      select submissions.ctid as place from submissions
      where organisation_id = ${organisation_id} and segments > 1
        and submissions.message_id = given.message_id and submissions.recipient = given.recipient
        and submissions.segment = given.segment and carrier_message_id = kept_id
        and (
          submissions.status is null
          or (given.status = 'delivered' and submissions.status in ('expired', 'unknown'))
        )
      limit ${MAX_SEGMENTS}
    ) found
    where submissions.ctid = found.place`
}

/** The stored states of all segments of these deliveries. */
export async function readSegments(
  tx: Tx,
  organisation_id: string,
  wanted: readonly { message_id: string; recipient: string }[],
): Promise<(SegmentState & { message_id: string; recipient: string; segments: number })[]> {
  return tx<(SegmentState & { message_id: string; recipient: string; segments: number })[]>`
    select wanted.message_id, wanted.recipient, segment, segments, status, code, description
    from (
      select distinct message_id, recipient
      from unnest(
        ${wanted.map(({ message_id }) => message_id)}::uuid[],
        ${wanted.map(({ recipient }) => recipient)}::text[]
      ) as wanted (message_id, recipient)
    ) wanted
    cross join lateral (
      select segment, segments, status, code, description from submissions
      where organisation_id = ${organisation_id} and segments > 1
        and message_id = wanted.message_id and recipient = wanted.recipient
      order by segment
      limit ${MAX_SEGMENTS}
    ) known`
}

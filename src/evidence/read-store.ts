import type { Db } from '../db/connect.ts'
import type { EvidenceBy } from './schema.ts'

/** What the rows are not grouped by is null. Money is in ten-thousandths. */
export type SummedEvidence = {
  hour: string | null
  carrier: string | null
  country: string | null
  operator: string | null
  channel: string | null
  class: string | null
  submitted: number
  rejections: number[]
  delivered: number
  undelivered: number
  no_report: number
  report_times: number[]
  verified: number
  cost: bigint
  judged: number
  good: number
}

export type EvidenceRange = {
  hours: number
  /** How many hours a row is of, where rows are by the hour. */
  step_hours: number
  carrier: string | undefined
  country: string | undefined
  channel: string | undefined
  class: string | undefined
}

/** Sums of the last hours; the hour in progress counts as one. The newest hour and the most messages come first. */
export async function sumEvidence(
  db: Db,
  { hours, step_hours, carrier, country, channel, class: its_class }: EvidenceRange,
  by: readonly EvidenceBy[],
  limit: number,
): Promise<SummedEvidence[]> {
  const is_by = (what: EvidenceBy): boolean => by.includes(what)
  return db<SummedEvidence[]>`
    with single as (
      select case when ${is_by('hour')} then date_bin(${step_hours} * interval '1 hour', hour, timestamptz 'epoch') end as hour,
        case when ${is_by('carrier')} then carrier end as carrier,
        case when ${is_by('country') || is_by('operator')} then country end as country,
        case when ${is_by('operator')} then operator end as operator,
        case when ${is_by('channel')} then channel end as channel, case when ${is_by('class')} then class end as class,
        submitted, rejections, delivered, undelivered, no_report, report_times, verified, cost,
        case when class = 'otp' then judged else 0 end as judged, case when class = 'otp' then good else 0 end as good
      from evidence
      where hour > now() - ${hours} * interval '1 hour'
        and (${carrier ?? null}::text is null or carrier = ${carrier ?? null}::text)
        and (${country ?? null}::text is null or country = ${country ?? null}::text)
        and (${channel ?? null}::text is null or channel = ${channel ?? null}::text)
        and (${its_class ?? null}::text is null or class = ${its_class ?? null}::text)
    )
    select hour, carrier, country, operator, channel, class, sum(submitted)::float8 as submitted,
      
      array[sum(rejections[1]), sum(rejections[2]), sum(rejections[3]), sum(rejections[4]), sum(rejections[5]), sum(rejections[6]), sum(rejections[7])]::float8[] as rejections, sum(delivered)::float8 as delivered, sum(undelivered)::float8 as undelivered,
      sum(no_report)::float8 as no_report,
      array[sum(report_times[1]), sum(report_times[2]), sum(report_times[3]), sum(report_times[4]), sum(report_times[5]), sum(report_times[6]), sum(report_times[7]), sum(report_times[8])]::float8[] as report_times, sum(verified)::float8 as verified,
      sum(cost)::bigint as cost, sum(judged)::float8 as judged, sum(good)::float8 as good
    from single
    group by hour, carrier, country, operator, channel, class
    order by hour desc, submitted desc, carrier, country, operator, channel, class
    limit ${limit}`
}

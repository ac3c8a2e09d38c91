import type { Db } from '../db/connect.ts'
import type { Claims } from '../choice/honesty.ts'
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
  advised: number
  saved: bigint
  gained: number
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
        case when class = 'otp' then judged else 0 end as judged, case when class = 'otp' then good else 0 end as good,
        advised, saved, gained
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
      array[sum(report_times[1]), sum(report_times[2]), sum(report_times[3]), sum(report_times[4]), sum(report_times[5]), sum(report_times[6]), sum(report_times[7]), sum(report_times[8]),
        sum(report_times[9]), sum(report_times[10])]::float8[] as report_times, sum(verified)::float8 as verified,
      sum(cost)::bigint as cost, sum(judged)::float8 as judged, sum(good)::float8 as good,
      sum(advised)::float8 as advised, sum(saved)::bigint as saved, sum(gained)::float8 as gained
    from single
    group by hour, carrier, country, operator, channel, class
    order by hour desc, submitted desc, carrier, country, operator, channel, class
    limit ${limit}`
}

/** The claims of carriers in the last days, the newest first. A group is a country and an operator, separated by a line feed. */
export async function sumClaims(db: Db, days: number, limit: number): Promise<Claims[]> {
  return db<Claims[]>`
    select carrier, country || e'\n' || operator as group, hour || e'\n' || country || e'\n' || operator || e'\n' || channel as stratum,
      claimed::float8 as claimed, proven::float8 as proven
    from evidence
    where hour > now() - ${days} * interval '1 day' and class = 'otp' and claimed > 0
    order by hour desc
    limit ${limit}`
}

/** Signs of doubt that prove nothing alone. No country and operator: all of them. */
export type Signs = {
  carrier: string
  country: string | null
  operator: string | null
  reports: number
  /** Within a second. */
  fast: number
  contradicted: number
  confirmed: number
}

export async function sumSigns(db: Db, days: number, limit: number): Promise<Signs[]> {
  return db<Signs[]>`
    select carrier, country, operator, sum(delivered + undelivered)::float8 as reports,
      sum(report_times[1] + report_times[2])::float8 as fast, sum(contradicted)::float8 as contradicted,
      sum(confirmed)::float8 as confirmed
    from evidence
    where hour > now() - ${days} * interval '1 day'
    group by grouping sets ((carrier), (carrier, country, operator))
    order by grouping(country) desc, reports desc, carrier, country, operator
    limit ${limit}`
}

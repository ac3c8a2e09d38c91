import type { Channel } from '../carriers/message-carrier.ts'
import type { Db } from '../db/connect.ts'

/** Reports of one-time passwords by the time since the carrier accepted the message (`REPORT_BOUNDS_S`). */
export type ReportTimesRow = {
  carrier: string
  country: string
  operator: string
  channel: Channel
  report_times: number[]
}

/** Sums of the last hours, those with the most reports first. */
export async function sumReportTimes(db: Db, hours: number, limit: number): Promise<ReportTimesRow[]> {
  return db<ReportTimesRow[]>`
    select carrier, country, operator, channel,
      array[sum(report_times[1]), sum(report_times[2]), sum(report_times[3]), sum(report_times[4]), sum(report_times[5]),
        sum(report_times[6]), sum(report_times[7]), sum(report_times[8]), sum(report_times[9]),
        sum(report_times[10])]::float8[] as report_times
    from evidence
    where hour > now() - ${hours} * interval '1 hour' and class = 'otp'
    group by carrier, country, operator, channel
    order by sum(delivered + undelivered) desc, carrier, country, operator, channel
    limit ${limit}`
}

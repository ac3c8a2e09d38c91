import type { Db } from '../../db/connect.ts'
import { prepare, type Query } from '../../db/sql.ts'

/**
 * What `report` speaks of, by its carrier, the ids it may mean and the number it names. Id after id: before PostgreSQL
 * 17 a list of them is not looked up by key as long as the table has no statistics, but everything that the carrier has is
 * read for every report.
 */
export function meantSubmission(db: Db, condition: Query): Query {
  return prepare(db`
      select organisation_id, message_id, submission.recipient, segment, segments, carrier_message_id, of_number
      from unnest(report.meant) with ordinality as named (id, place)
      cross join lateral (
        select organisation_id, message_id, recipient, segment, segments, carrier_message_id, report_due,
          coalesce(right(submissions.recipient, 8) = right(report.recipient, 8), false) as of_number
        from submissions
        where submissions.carrier = report.carrier and carrier_message_id = named.id
          and (named.place <= report.certain or right(submissions.recipient, 8) = right(report.recipient, 8))
          ${condition}
        offset 0 -- or it is joined some other way
      ) submission
      order by of_number desc, place, report_due desc
      limit 1`)
}

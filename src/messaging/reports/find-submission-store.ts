import type { Db } from '../../db/connect.ts'
import { prepare, type Query } from '../../db/sql.ts'

/**
 * A lateral subquery: the submission that `report` refers to, by carrier, candidate ids and recipient. The ids are probed
 * one by one, because before PostgreSQL 17 a list of ids scans all submissions of the carrier while the table has no
 * statistics.
 */
export function submissionOfReport(db: Db, condition: Query): Query {
  return prepare(db`
      select organisation_id, message_id, submission.recipient, segment, segments, carrier_message_id, of_number
      from unnest(report.candidates) with ordinality as named (id, place)
      cross join lateral (
        select organisation_id, message_id, recipient, segment, segments, carrier_message_id, report_due,
          coalesce(right(submissions.recipient, 8) = right(report.recipient, 8), false) as of_number
        from submissions
        where submissions.carrier = report.carrier and carrier_message_id = named.id
          and (named.place <= report.certain or right(submissions.recipient, 8) = right(report.recipient, 8))
          ${condition}
        offset 0 -- keeps the planner from flattening it
      ) submission
      order by of_number desc, place, report_due desc
      limit 1`)
}

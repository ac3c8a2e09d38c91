import type { Db } from '../../db/connect.ts'
import { prepare, type Query } from '../../db/sql.ts'

/** What `report` speaks of, by its carrier, the ids it may mean and the number it names. */
export function meantSubmission(db: Db, condition: Query): Query {
  return prepare(db`
      select organisation_id, message_id, recipient, segment, segments, carrier_message_id,
        coalesce(right(submissions.recipient, 8) = right(report.recipient, 8), false) as of_number
      from submissions
      where submissions.carrier = report.carrier and carrier_message_id = any (report.meant)
        and (
          array_position(report.meant, carrier_message_id) <= report.certain
          or right(submissions.recipient, 8) = right(report.recipient, 8)
        )
        ${condition}
      order by of_number desc, array_position(report.meant, carrier_message_id), report_due desc
      limit 1`)
}

import type { Db } from '../../src/db/connect.ts'
import type { Query } from '../../src/db/sql.ts'
import { HIGHEST_ID, LOWEST_ID } from '../../src/messaging/read/message-rows-store.ts'

/** Every delivery of every organisation, recorded or still in the intake, as a subquery. */
export function everyDelivery(db: Db): Query {
  return db`(
    select organisation_id, message_id, recipient, position, status, text, pages, charge, refunded, route, carrier, code,
      description, created_datetime, updated_datetime, sent_datetime
    from deliveries
    union all
    select organisations.id, message_id, recipient, position, 'queued', text, pages, charge, false, route, null, null,
      null, waiting.created_datetime, null, null
    from organisations cross join lateral waiting_deliveries(organisations.id, ${LOWEST_ID}, ${HIGHEST_ID}) waiting
  )`
}

/** Every message, likewise. */
export function everyMessage(db: Db): Query {
  return db`(
    select organisation_id, id, content, external_ref, charge, created_datetime from messages
    union all
    select organisations.id, waiting.id, content, external_ref, charge, waiting.created_datetime
    from organisations cross join lateral waiting_messages(organisations.id, ${LOWEST_ID}, ${HIGHEST_ID}) waiting
  )`
}

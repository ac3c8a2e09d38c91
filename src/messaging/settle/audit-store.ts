import type { Db, Tx } from '../../db/connect.ts'
import type { Query } from '../../db/sql.ts'

export type ChargeFault = {
  organisation_id: string
  message_id: string
  charged: bigint
  deliveries: bigint
  refunded: bigint
  owed: bigint
}

/** Messages whose charge is not the sum of their deliveries, or whose refunds do not match their refunded deliveries. */
export async function findChargeFaults(db: Db | Tx): Promise<ChargeFault[]> {
  return db<ChargeFault[]>`
    with message as (
      select organisation_id, id as message_id, charge as charged from messages
      union all
      select organisation_id, id, charge from (${unwritten(db)}) waiting
    ),
    cost as (
      select organisation_id, message_id, sum(charge)::bigint as deliveries,
        coalesce(sum(charge) filter (where refunded), 0)::bigint as owed
      from (
        select organisation_id, message_id, charge, refunded from deliveries
        union all
        select organisation_id, delivery.message_id, delivery.charge, false
        from intake cross join lateral deliveries_in(messages) delivery
        where not exists (
          select from deliveries known
          where known.organisation_id = intake.organisation_id and known.message_id = delivery.message_id
            and known.recipient = delivery.recipient
        )
      ) delivery
      group by organisation_id, message_id
    ),
    refund as (
      select organisation_id, subject_id as message_id, sum(amount)::bigint as refunded
      from ledger_lines
      -- Without a recipient it is the refund of a fee (src/otp/fees).
      where kind = 'refund' and subject_key <> '' and not exists (
        select from purchases
        where purchases.organisation_id = ledger_lines.organisation_id and purchases.id = ledger_lines.subject_id
      )
      group by organisation_id, subject_id
    )
    select organisation_id, message_id, coalesce(charged, 0) as charged, coalesce(deliveries, 0) as deliveries,
      coalesce(refunded, 0) as refunded, coalesce(owed, 0) as owed
    from message full join cost using (organisation_id, message_id)
    full join refund using (organisation_id, message_id)
    where charged is distinct from deliveries or coalesce(refunded, 0) <> coalesce(owed, 0)`
}

export type LineFault = { organisation_id: string; line: bigint; charged: bigint; messages: bigint }

/** Lines of the ledger that are not the sum of what the messages cost that were charged by them. */
export async function findLineFaults(db: Db | Tx): Promise<LineFault[]> {
  return db<LineFault[]>`
    with message as (
      select organisation_id, coalesce(line, own.sequence) as line, charge
      from messages
      left join lateral (
        select sequence from ledger_lines
        where ledger_lines.organisation_id = messages.organisation_id and subject_id = messages.id
          and kind = 'message' and subject_key = '' and messages.line is null
      ) own on true
      union all
      select organisation_id, line, charge from (${unwritten(db)}) waiting
    ),
    cost as (
      select organisation_id, line, sum(charge)::bigint as messages from message group by organisation_id, line
    ),
    charge as (
      select organisation_id, sequence as line, -amount as charged from ledger_lines where kind = 'message'
    )
    select organisation_id, line, coalesce(charged, 0) as charged, coalesce(messages, 0) as messages
    from cost full join charge using (organisation_id, line)
    where charged is distinct from messages`
}

/** Messages of all organisations that are only in the intake. */
function unwritten(db: Db | Tx): Query {
  return db`
    select intake.organisation_id, coalesce(line, own.sequence) as line, message.id, message.charge
    from intake cross join lateral messages_in(messages) message
    left join ledger_lines own
      on own.organisation_id = intake.organisation_id and own.subject_id = message.id
      and own.kind = 'message' and own.subject_key = '' and intake.line is null
    where not exists (
      select from messages known where known.organisation_id = intake.organisation_id and known.id = message.id
    )`
}

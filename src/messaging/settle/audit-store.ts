import type { Db } from '../../db/connect.ts'

export type ChargeFault = {
  organisation_id: string
  message_id: string
  charged: bigint
  deliveries: bigint
  refunded: bigint
  owed: bigint
}

/** Messages whose charge is not the sum of their deliveries, or whose refunds are not what is owed for them. */
export async function findChargeFaults(db: Db): Promise<ChargeFault[]> {
  return db<ChargeFault[]>`
    with cost as (
      select organisation_id, message_id, sum(charge)::bigint as deliveries,
        coalesce(sum(charge) filter (where refunded), 0)::bigint as owed
      from every_delivery group by organisation_id, message_id
    ),
    line as (
      select organisation_id, subject_id as message_id,
        coalesce(-sum(amount) filter (where kind = 'message'), 0)::bigint as charged,
        coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint as refunded
      from ledger_lines where kind in ('message', 'airtime', 'refund')
      group by organisation_id, subject_id having not bool_or(kind = 'airtime')
    )
    select organisation_id, message_id, coalesce(charged, 0) as charged, coalesce(deliveries, 0) as deliveries,
      coalesce(refunded, 0) as refunded, coalesce(owed, 0) as owed
    from cost full join line using (organisation_id, message_id)
    where charged is distinct from deliveries or coalesce(refunded, 0) <> coalesce(owed, 0)`
}

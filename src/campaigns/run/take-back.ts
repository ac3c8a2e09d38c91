import { refundLines } from '../../billing/store.ts'
import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { takeBackRows } from '../../messaging/intake/store.ts'
import type { Meters } from '../../observe/meters.ts'
import { listOnTheWay, noteTakenBack } from './take-back-store.ts'

/**
 * Takes back what of a cancelled campaign was charged and not handed over, slice by slice: the deliveries are `canceled`
 * and refunded, together or not at all. What a worker has begun to hand over goes its way. Done twice it does nothing.
 */
export async function takeBack(
  deps: { db: Db; meters: Meters },
  organisation_id: string,
  campaign_id: string,
): Promise<void> {
  for (const { number, message_id } of await listOnTheWay(deps.db, organisation_id, campaign_id)) {
    const taken = await transaction(deps.db, async (tx) => {
      const canceled = await takeBackRows(tx, organisation_id, message_id)
      const owed = canceled.filter(({ charge }) => charge > 0n)
      await refundLines(
        tx,
        organisation_id,
        owed.map(({ recipient, charge }) => ({ subject_id: message_id, subject_key: recipient, amount: charge })),
      )
      const given_back = owed.reduce((sum, { charge }) => sum + charge, 0n)
      await noteTakenBack(tx, organisation_id, campaign_id, { number, people: canceled.length, given_back })
      return { people: canceled.length, given_back }
    })
    if (taken.people === 0) continue
    deps.meters.deliveries.inc({ status: 'canceled' }, taken.people)
    deps.meters.activity.note(organisation_id, 'refunds', Number(taken.given_back))
  }
}

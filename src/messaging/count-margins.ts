import { dueCost, type Cost } from '../carriers/costs.ts'
import { originOfErasable } from '../numbers/prefix-table.ts'
import { dayOf, type MarginKey } from '../observe/margins.ts'
import type { Meters } from '../observe/meters.ts'
import { madeAt } from '../values/id.ts'
import { groupBy } from '../values/group.ts'
import { moneyToNumber } from '../values/money.ts'
import type { Changed } from './settle/store.ts'

/*
 * Revenue and costs are counted when a carrier has accepted a delivery, and corrected when its state changes. The figures
 * are those of the day in progress; what is missed, such as a late report that brings a cost back, is in them once the day
 * has ended and they are computed from the deliveries (src/margins).
 */

type Counting = Pick<Meters, 'margins' | 'revenue' | 'refunds' | 'cost' | 'waived'>
type Submitted = {
  delivery: { message_id: string; recipient: string; pages: number; charge: bigint }
  carrier: string
  cost?: Cost | undefined
}

/** Deliveries that a carrier has accepted. */
export function noteSubmitted(meters: Counting, organisation_id: string, sent: readonly Submitted[]): void {
  for (const { delivery, carrier, cost } of sent) {
    const { pages, charge } = delivery
    meters.margins.note(keyOf(organisation_id, carrier, delivery), {
      deliveries: 1,
      pages,
      revenue: Number(charge),
      cost: Number(cost?.cost ?? 0n),
      ...(cost ? {} : { without_cost: 1, revenue_without_cost: Number(charge) }),
    })
  }
  for (const [carrier, own] of groupBy(sent, (one) => one.carrier)) {
    meters.revenue.inc({ carrier }, moneyToNumber(own.reduce((sum, { delivery }) => sum + delivery.charge, 0n)))
    meters.cost.inc({ carrier }, moneyToNumber(own.reduce((sum, { cost }) => sum + (cost?.cost ?? 0n), 0n)))
  }
}

/** Deliveries that reached another state. */
export function noteMoved(meters: Counting, organisation_id: string, changed: readonly Changed[]): void {
  for (const one of changed) {
    const { carrier, cost = null, cost_if_delivered = null, charge, pages, was, status, refunded } = one
    if (carrier === null || carrier === undefined) continue
    const key = keyOf(organisation_id, carrier, one)
    const due = dueCost({ status, cost, cost_if_delivered })
    if (was === 'queued' && cost !== null && !refunded) {
      // Without a clear answer: the carrier may have it.
      const figures = { deliveries: 1, pages, revenue: Number(charge), cost: Number(due) }
      meters.margins.note(key, figures)
      meters.revenue.inc({ carrier }, moneyToNumber(charge))
      meters.cost.inc({ carrier }, moneyToNumber(due ?? 0n))
    } else if (was === 'sent') {
      const waived = (cost ?? 0n) - (due ?? 0n)
      const returned = refunded ? charge : 0n
      if (waived === 0n && returned === 0n) continue
      meters.margins.note(key, {
        revenue: -Number(returned),
        cost: -Number(waived),
        ...(cost === null ? { revenue_without_cost: -Number(returned) } : {}),
      })
      meters.refunds.inc({ carrier }, moneyToNumber(returned))
      meters.waived.inc({ carrier }, moneyToNumber(waived))
    }
  }
}

/** By the prefix of the number, as costs are. */
function keyOf(
  organisation_id: string,
  carrier: string,
  { message_id, recipient }: { message_id: string; recipient: string },
): MarginKey {
  const { country, operator } = originOfErasable(recipient)
  return { organisation_id, day: dayOf(madeAt(message_id)), carrier, country, operator }
}

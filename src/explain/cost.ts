import { dueCost, type Recorded } from '../carriers/costs.ts'
import { moneyToNumber } from '../values/money.ts'
import { Type, type Static } from '../values/schema/type.ts'

const REASONS = ['accepted', 'if_delivered', 'delivered', 'not_delivered'] as const

/** What a delivery costs the operator. */
export const ExplainedCost = Type.Object(
  {
    cost: Type.Number({ examples: [2.5] }),
    margin: Type.Number({ description: 'The charge, unless it was refunded, minus the cost.', examples: [1.5] }),
    reason: Type.Unsafe<(typeof REASONS)[number]>({
      type: 'string',
      enum: [...REASONS],
      description:
        '`accepted`: the carrier charges for what it accepts; `delivered`, `not_delivered`: it charges only for what is delivered; `if_delivered`: likewise, and the report is outstanding.',
      examples: ['accepted'],
    }),
  },
  { description: 'Only for operators of the installation.' },
)
export type ExplainedCost = Static<typeof ExplainedCost>

/** Undefined: it is not known, or no carrier has accepted it. */
export function explainCost(delivery: Recorded & { charge: bigint; refunded: boolean }): ExplainedCost | undefined {
  const cost = dueCost(delivery)
  if (cost === null) return undefined
  const revenue = delivery.refunded ? 0n : delivery.charge
  const amounts = { cost: moneyToNumber(cost), margin: moneyToNumber(revenue - cost) }
  if (!delivery.cost_if_delivered) return { ...amounts, reason: 'accepted' }
  if (delivery.status === 'sent') return { ...amounts, reason: 'if_delivered' }
  return { ...amounts, reason: delivery.status === 'delivered' ? 'delivered' : 'not_delivered' }
}

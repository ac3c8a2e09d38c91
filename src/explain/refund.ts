import type { DeliveryStatus } from '../messaging/schema.ts'
import { moneyToNumber } from '../values/money.ts'
import { isOneOf, Type, type Static } from '../values/schema/type.ts'

const REFUND_REASONS = [
  'canceled',
  'rejected',
  'failed',
  'not_charged',
  'accepted',
  'possibly_accepted',
  'not_over',
] as const

/** Whether the charge was returned, and why. */
export const ExplainedRefund = Type.Object({
  refunded: Type.Boolean(),
  reason: isOneOf(REFUND_REASONS, {
    description:
      '`canceled`, `rejected`, `failed`: refunded, because it was never carried; `not_charged`: it cost nothing; `accepted`: a carrier took it, so the charge stays; `possibly_accepted`: a carrier may have it; `not_over`: it is on its way.',
    examples: ['accepted'],
  }),
  amount: Type.Optional(Type.Number({ description: 'What was refunded.', examples: [8] })),
})
export type ExplainedRefund = Static<typeof ExplainedRefund>

export function explainRefund({
  status,
  charge,
  refunded,
}: {
  status: DeliveryStatus
  charge: bigint
  refunded: boolean
}): ExplainedRefund {
  if (charge === 0n) return { refunded, reason: 'not_charged' }
  switch (status) {
    case 'canceled':
    case 'rejected':
    case 'failed':
      return refunded
        ? { refunded, reason: status, amount: moneyToNumber(charge) }
        : { refunded, reason: 'possibly_accepted' }
    case 'unknown':
      return { refunded, reason: 'possibly_accepted' }
    case 'scheduled':
    case 'queued':
      return { refunded, reason: 'not_over' }
    case 'sent':
    case 'delivered':
    case 'undelivered':
    case 'expired':
      return { refunded, reason: 'accepted' }
  }
}

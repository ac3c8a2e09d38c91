import { moneyToNumber } from '../values/money.ts'
import { present } from '../values/record.ts'
import { Type, type Static } from '../values/schema/type.ts'
import type { ChargedMessage } from './store.ts'

export const ExplainedFees = Type.Object(
  {
    per_request: Type.Optional(Type.Number({ examples: [0.5] })),
    per_verified: Type.Optional(
      Type.Number({ description: 'Refunded once it has ended without being verified.', examples: [3] }),
    ),
    refunded: Type.Boolean({ description: '`per_verified` was refunded.' }),
  },
  { description: 'What was charged for the one-time password beside its messages.' },
)
export type ExplainedFees = Static<typeof ExplainedFees>

export function explainFees({
  request_fee,
  verified_fee,
  verified_fee_refunded,
}: Pick<ChargedMessage, 'request_fee' | 'verified_fee' | 'verified_fee_refunded'>): ExplainedFees | undefined {
  if (request_fee === null && verified_fee === null) return undefined
  return {
    ...present('per_request', request_fee === null ? null : moneyToNumber(request_fee)),
    ...present('per_verified', verified_fee === null ? null : moneyToNumber(verified_fee)),
    refunded: verified_fee_refunded,
  }
}

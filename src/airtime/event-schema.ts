import { Type, isOneOf } from '../values/schema/type.ts'
import { NETWORKS } from '../carriers/topup-carrier.ts'
import { PURCHASE_STATUSES } from './schema.ts'

/** What is told when a purchase has come to its end. */
export const PurchaseReport = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The purchase.' }),
  recipient: Type.String({ examples: ['2348031234567'] }),
  network: isOneOf(NETWORKS, { examples: ['MTN'] }),
  amount: Type.Number({ examples: [100] }),
  status: isOneOf(PURCHASE_STATUSES, { examples: ['success'] }),
  external_ref: Type.Optional(Type.String({ examples: ['topup-1042'] })),
  refunded: Type.Boolean(),
})

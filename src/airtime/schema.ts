import { Type, type Static, isOneOf, oneOf } from '../values/schema/type.ts'
import { NETWORKS, type Network } from '../carriers/topup-carrier.ts'
import { MAX_EXTERNAL_REF } from '../messaging/schema.ts'
import { ListMeta, onePage } from '../values/page.ts'

/** A purchase as the customer requests it. The bounds of the amount are settings, so they are checked later. */
export const BuyBody = Type.Object({
  network: oneOf(NETWORKS, {
    description: `${NETWORKS.map((network) => `\`${network}\``).join(', ')}, in any case.`,
    examples: ['MTN'],
  }),
  amount: Type.Number({
    description:
      'How much airtime, in currency units with at most two decimals; 50 to 50,000 unless the operator has set other bounds.',
    examples: [100],
  }),
  recipient: Type.String({ description: 'The phone number that receives the airtime.', examples: ['2348031234567'] }),
  callback: Type.Optional(
    Type.String({ description: 'Where to post the outcome.', examples: ['https://example.com/reports'] }),
  ),
  external_ref: Type.Optional(
    Type.String({
      maxLength: MAX_EXTERNAL_REF,
      description: 'Your own reference, to find the purchase again.',
      examples: ['topup-1042'],
    }),
  ),
})
export type BuyBody = Static<typeof BuyBody>

export const PURCHASE_STATUSES = ['pending', 'sent', 'failed', 'error', 'success', 'duplicate'] as const
export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number]
export type FinalStatus = Exclude<PurchaseStatus, 'pending' | 'sent'>

const timestamp = Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] })

const Charge = Type.Object({
  amount: Type.Number({ description: 'What was charged: the airtime and the commission.', examples: [100] }),
  commission: Type.Optional(
    Type.Number({ description: 'The commission in it, if there is one; negative: a discount.', examples: [2.5] }),
  ),
  available_balance: Type.Number({ description: 'The balance after the charge.', examples: [999900] }),
  balance_before: Type.Number({ description: 'The balance before the charge.', examples: [1000000] }),
  refunded: Type.Boolean({ description: 'The charge was refunded, because nothing was bought.' }),
})

const warnings = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: 10,
    description: 'Warnings, for example that the number has a prefix of another network.',
    examples: [['By its prefix the number belongs to Glo.']],
  }),
)

const purchase = {
  id: Type.String({ format: 'uuid' }),
  recipient: Type.String({ examples: ['2348031234567'] }),
  external_ref: Type.Optional(Type.String({ examples: ['topup-1042'] })),
  callback: Type.Optional(Type.String({ examples: ['https://example.com/reports'] })),
  status: Type.Unsafe<PurchaseStatus>({
    type: 'string',
    enum: [...PURCHASE_STATUSES],
    description:
      '`pending → sent → success | failed`, or `pending → failed | duplicate | error`. The last four are final; all but `success` are refunded.',
  }),
  created_datetime: timestamp,
  network: Type.Unsafe<Network>({ type: 'string', enum: [...NETWORKS], examples: ['MTN'] }),
}

const requestMeta = {
  method: Type.String({ examples: ['POST'] }),
  resource: Type.String({ examples: ['/airtime/buy'] }),
}

/** The answer to a purchase. */
export const BoughtPurchase = Type.Object({
  ...purchase,
  meta: Type.Object({ ...requestMeta, charge: Charge, warnings }),
})

const since = {
  description: Type.Optional(Type.String({ description: 'Why it ended with this status.' })),
  updated_datetime: Type.Optional(timestamp),
}

/** A purchase with its outcome. */
export const ReadPurchase = Type.Object({
  ...purchase,
  ...since,
  meta: Type.Object({ ...requestMeta, charge: Charge, warnings }),
})

export const ListedPurchase = Type.Object({ ...purchase, ...since, meta: Type.Object({ charge: Charge, warnings }) })
export type ListedPurchase = Static<typeof ListedPurchase>

export const PurchasePage = Type.Object({ purchases: onePage(ListedPurchase), meta: ListMeta })
export type PurchasePage = Static<typeof PurchasePage>

/** The data of an event when a purchase has ended. */
export const PurchaseReport = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The purchase.' }),
  recipient: Type.String({ examples: ['2348031234567'] }),
  network: isOneOf(NETWORKS, { examples: ['MTN'] }),
  amount: Type.Number({ examples: [100] }),
  status: isOneOf(PURCHASE_STATUSES, { examples: ['success'] }),
  external_ref: Type.Optional(Type.String({ examples: ['topup-1042'] })),
  refunded: Type.Boolean(),
})

import type { Channel } from './message-carrier.ts'

/** When a carrier charges for a message: once it has accepted it, or only if it was delivered. */
export const BILLED_ON = ['submitted', 'delivered'] as const
export type BilledOn = (typeof BILLED_ON)[number]

/** A message to one recipient, as a carrier charges for it. */
export type Billed = {
  recipient: string
  channel: Channel
  pages: number
  promotional?: boolean | undefined
}

/** What the carriers charge us. */
export type Costs = {
  /** Any carrier has a cost list. */
  readonly in_use: boolean
  /** Undefined: the carrier has no cost list. */
  of(carrier: string): CarrierCosts | undefined
}

export type CarrierCosts = {
  billed_on: BilledOn
  /** The cost that an answer of the carrier states counts. */
  use_answers: boolean
  /** Per page; undefined: the list has no rule for it. */
  perPage(billed: Omit<Billed, 'pages'>): bigint | undefined
}

/** What a carrier charges for a delivery that it has accepted; `if_delivered`: only if it is delivered. */
export type Cost = { cost: bigint; if_delivered: boolean }

/**
 * The cost of a message that a carrier has accepted under `ids`, or may have accepted. A carrier that names each segment
 * charges for these; the message may have been priced with the pages of another carrier.
 */
export function costOf(
  costs: CarrierCosts | undefined,
  billed: Billed,
  accepted: { ids?: readonly string[]; cost?: bigint | undefined } = {},
): Cost | undefined {
  if (!costs) return undefined
  const if_delivered = costs.billed_on === 'delivered'
  if (costs.use_answers && accepted.cost !== undefined) return { cost: accepted.cost, if_delivered }
  const per_page = costs.perPage(billed)
  if (per_page === undefined) return undefined
  const segments = accepted.ids?.length ?? 0
  return { cost: per_page * BigInt(segments > 1 ? segments : billed.pages), if_delivered }
}

/** A delivery with the cost that was recorded. */
export type Recorded = { status: string; cost: bigint | null; cost_if_delivered: boolean | null }

/**
 * What a delivery costs by now; null: not known. A cost that is only due for what is delivered counts while the report is
 * outstanding, and not once the delivery has ended otherwise. `src/margins/recompute-store.ts` has the same in SQL.
 */
export function dueCost({ status, cost, cost_if_delivered }: Recorded): bigint | null {
  return cost !== null && cost_if_delivered && status !== 'sent' && status !== 'delivered' ? 0n : cost
}

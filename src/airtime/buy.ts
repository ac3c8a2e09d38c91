import type { WriteAnswer } from '../billing/answer-slots.ts'
import { orReplay } from '../billing/replay.ts'
import type { ChargeSale, Receipt, Sale } from '../billing/charge.ts'
import type { Db } from '../db/connect.ts'
import { moneyToNumber } from '../values/money.ts'
import type { Fault } from '../values/refusal.ts'

import { draftPurchase, type Buyer, type Draft, type DraftDeps } from './draft.ts'
import type { BuyBody } from './schema.ts'

export type BuyDeps = DraftDeps & { db: Db; chargePurchase: ChargeSale<Draft> }

/** Checks, charges and stores a purchase; a worker carries it out after the answer. */
export async function buyAirtime(
  deps: BuyDeps,
  buyer: Buyer,
  body: Partial<BuyBody>,
  request: { shape_faults: readonly Fault[]; idempotency?: Sale<Draft>['idempotency'] },
): Promise<Receipt> {
  const { shape_faults, idempotency } = request
  const { organisation_id } = buyer
  return orReplay(deps.db, organisation_id, idempotency, async () => {
    const draft = await draftPurchase(deps, buyer, body, { shape_faults, idempotency_key: idempotency?.key })
    return deps.chargePurchase(organisation_id, {
      subject_id: draft.id,
      amount: draft.amount + (draft.commission ?? 0n),
      spending_limit: buyer.spending_limit,
      idempotency,
      answer: boughtAnswer(draft),
      item: draft,
      weight: 1,
    })
  })
}

/** The answer to a purchase, as JSON text. */
const boughtAnswer =
  (draft: Draft): WriteAnswer =>
  (facts) => {
    const { id, recipient, external_ref, callback, network, amount, commission, warnings } = draft
    const balances = `"available_balance":${facts.balance_after},"balance_before":${facts.balance_before}`
    const charge =
      `{"amount":${moneyToNumber(amount + (commission ?? 0n))}` +
      optional('commission', commission && moneyToNumber(commission)) +
      `,${balances},"refunded":false}`
    return (
      `{"id":"${id}","recipient":"${recipient}"` +
      optional('external_ref', external_ref) +
      optional('callback', callback) +
      `,"status":"pending","created_datetime":"${facts.created_datetime}","network":"${network}"` +
      `,"meta":{"method":"POST","resource":"/airtime/buy","charge":${charge}` +
      optional('warnings', warnings.length > 0 ? warnings : undefined) +
      '}}'
    )
  }

function optional(field: string, value: unknown): string {
  return value === undefined ? '' : `,"${field}":${JSON.stringify(value)}`
}

import { orReplay } from '../billing/replay.ts'
import type { ChargeSale, Receipt, Sale } from '../billing/charge.ts'
import type { Db } from '../db/connect.ts'
import type { Fault } from '../values/refusal.ts'
import { boughtAnswer } from './bought-answer.ts'
import { draftPurchase, type Buyer, type Draft, type DraftDeps } from './draft.ts'
import type { BuyBody } from './schema.ts'

export type BuyDeps = DraftDeps & { db: Db; chargePurchase: ChargeSale<Draft> }

/** Checks, charges and stores a purchase. Everything else happens after the answer. */
export async function buyAirtime(
  deps: BuyDeps,
  buyer: Buyer,
  body: Partial<BuyBody>,
  request: { shape_faults: readonly Fault[]; idempotency?: Sale<Draft>['idempotency'] },
): Promise<Receipt> {
  const { shape_faults, idempotency } = request
  const { organisation_id } = buyer
  return orReplay(deps.db, organisation_id, idempotency, async () => {
    const draft = draftPurchase(deps, buyer, body, { shape_faults, idempotency_key: idempotency?.key })
    return deps.chargePurchase(organisation_id, {
      subject_id: draft.id,
      amount: draft.amount,
      idempotency,
      answer: boughtAnswer(draft),
      item: draft,
      weight: 1,
    })
  })
}

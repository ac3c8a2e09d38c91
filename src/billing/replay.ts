import type { Db } from '../db/connect.ts'
import { Refusal } from '../values/refusal.ts'
import type { Receipt } from './charge.ts'
import { findAnswer, type SaleRow } from './store.ts'

/**
 * A retry gets the first answer again, also where it would be refused by now: its time is over, its template is gone, a
 * limit is used up. Whoever takes that refusal for the answer to both sends, and pays, a second time.
 */
export async function orReplay(
  db: Db,
  organisation_id: string,
  idempotency: SaleRow['idempotency'],
  sell: () => Promise<Receipt>,
): Promise<Receipt> {
  try {
    return await sell()
  } catch (fault) {
    if (!idempotency || !(fault instanceof Refusal)) throw fault
    const before = await findAnswer(db, organisation_id, idempotency.key)
    if (!before?.request_hash.equals(idempotency.request_hash)) throw fault
    return { answer: before.answer, replayed: true }
  }
}

import type { Db } from '../db/connect.ts'
import { unlessKnown } from '../values/unless-known.ts'
import type { Receipt } from './charge.ts'
import { findAnswer, type SaleRow } from './store.ts'

/** Runs a sale; if it is refused and its key was charged before, returns the answer of that time. */
export function orReplay(
  db: Db,
  organisation_id: string,
  idempotency: SaleRow['idempotency'],
  sell: () => Promise<Receipt>,
): Promise<Receipt> {
  const find = (key: string) => findAnswer(db, organisation_id, key)
  return unlessKnown(idempotency, find, sell, ({ answer }) => ({ answer, replayed: true }))
}

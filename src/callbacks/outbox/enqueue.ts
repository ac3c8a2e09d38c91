import type { Tx } from '../../db/connect.ts'
import { writeEvent, type CallbackEvent } from '../enqueue.ts'
import { findTextReceivers, insertWaiting } from './store.ts'

/** Enqueues inbound texts for every SMPP account that receives them, in the transaction that stores the texts. */
export async function enqueueForReceivers(
  tx: Tx,
  organisation_id: string,
  events: readonly CallbackEvent[],
): Promise<void> {
  const accounts = await findTextReceivers(tx, organisation_id)
  const rows = accounts.flatMap((account_id) =>
    events.map(({ type, created_datetime, data }) => {
      const { id, body } = writeEvent(type, created_datetime, data)
      return { id, account_id, address: '', body }
    }),
  )
  await insertWaiting(tx, organisation_id, rows)
}

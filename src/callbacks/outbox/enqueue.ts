import type { Tx } from '../../db/connect.ts'
import { writeEvent, type CallbackEvent } from '../enqueue.ts'
import { findTextReceivers, insertWaiting } from './store.ts'

/**
 * Texts that people wrote wait for every SMPP account of the organisation that wants them, in the transaction that keeps
 * the texts.
 */
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

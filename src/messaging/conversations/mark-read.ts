import type { Db } from '../../db/connect.ts'
import { Refusal } from '../../values/refusal.ts'
import { requireConversation, type Owner } from './require.ts'
import type { ReadBody } from './schema.ts'
import { setRead } from './store.ts'

/** Marks a conversation as read, up to the given number of received texts. */
export async function markRead({ db }: { db: Db }, owner: Owner, given: string, { received }: ReadBody): Promise<void> {
  const { phone } = await requireConversation(db, owner, given)
  const known = await setRead(db, owner.organisation_id, phone, received)
  // Erased concurrently.
  if (!known) throw new Refusal('not_found', 'This number has not written to you.')
}

import type { Db } from '../../db/connect.ts'
import { Refusal } from '../../values/refusal.ts'
import type { Sender } from '../draft.ts'
import { requireConversation } from './read.ts'
import type { ReadBody } from './schema.ts'
import { setRead } from './store.ts'

/** Marks a conversation as read, up to the given number of received texts. */
export async function markRead(
  { db }: { db: Db },
  owner: Pick<Sender, 'organisation_id' | 'default_country'>,
  given: string,
  { received }: ReadBody,
): Promise<void> {
  const { phone } = await requireConversation(db, owner, given)
  const known = await setRead(db, owner.organisation_id, phone, received)
  // Erased concurrently.
  if (!known) throw new Refusal('not_found', 'This number has not written to you.')
}

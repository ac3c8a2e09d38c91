import type { Db } from '../../db/connect.ts'
import type { Live } from '../../observe/live.ts'
import { Refusal } from '../../values/refusal.ts'
import { setClosed, setOpen } from './inbox-store.ts'
import { requireConversation, type Owner } from './require.ts'
import type { CloseBody } from './schema.ts'

export type InboxDeps = { db: Db; live: Pick<Live, 'notifyTexts'> }

/** Closes a conversation up to the given number of received texts. The next text of the person reopens it. */
export async function closeConversation(
  deps: InboxDeps,
  owner: Owner,
  given: string,
  { received }: CloseBody,
): Promise<void> {
  const { phone } = await requireConversation(deps.db, owner, given)
  if (!(await setClosed(deps.db, owner.organisation_id, phone, received))) {
    throw new Refusal(
      'conflict',
      'Another text has arrived in the meantime. Read it before you close the conversation.',
    )
  }
  deps.live.notifyTexts(owner.organisation_id, [phone])
}

export async function reopenConversation(deps: InboxDeps, owner: Owner, given: string): Promise<void> {
  const { phone } = await requireConversation(deps.db, owner, given)
  await setOpen(deps.db, owner.organisation_id, phone)
  deps.live.notifyTexts(owner.organisation_id, [phone])
}

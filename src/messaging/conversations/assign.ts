import { findUserNames, mayAssign } from '../../users/assignees.ts'
import { isId } from '../../values/id.ts'
import { Refusal, refuseIfFaulty, type Fault } from '../../values/refusal.ts'
import type { InboxDeps } from './close.ts'
import { setAssignee } from './inbox-store.ts'
import { requireConversation, type Owner } from './require.ts'
import type { AssignBody } from './schema.ts'

/**
 * Assigns a conversation to a user who may reply, or to none. With `current_assignee_id`, of two users who take the same
 * conversation at the same time one is refused.
 */
export async function assignConversation(
  deps: InboxDeps,
  owner: Owner,
  given: string,
  { assignee_id, current_assignee_id }: AssignBody,
): Promise<void> {
  const { organisation_id } = owner
  const { phone } = await requireConversation(deps.db, owner, given)
  const faults: Fault[] = []
  if (assignee_id !== null && !(await mayAssign(deps.db, organisation_id, assignee_id))) {
    faults.push({ field: 'assignee_id', message: 'There is no such user who may reply.', type: 'not_found' })
  }
  if (typeof current_assignee_id === 'string' && !isId(current_assignee_id)) {
    faults.push({ field: 'current_assignee_id', message: 'This is not the id of a user.', type: 'invalid' })
  }
  refuseIfFaulty(faults)
  const change = { assignee_id, current: current_assignee_id }
  if (!(await setAssignee(deps.db, organisation_id, phone, change))) await refuseTaken(deps, owner, phone)
  deps.live.notifyTexts(organisation_id, [phone])
}

async function refuseTaken(deps: InboxDeps, owner: Owner, phone: string): Promise<never> {
  const { assignee_id } = await requireConversation(deps.db, owner, phone)
  const names = await findUserNames(deps.db, owner.organisation_id, assignee_id === null ? [] : [assignee_id])
  const name = assignee_id === null ? undefined : names.get(assignee_id)
  throw new Refusal(
    'conflict',
    assignee_id === null
      ? 'The conversation was unassigned in the meantime.'
      : `The conversation was assigned to ${name ?? 'another user'} in the meantime.`,
  )
}

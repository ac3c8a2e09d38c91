import type { Assignee } from '../../../../clients/typescript/src/types.ts'
import { t } from '../../text/text.ts'

export type View = { value: string; label: string; query: Record<string, string> }

const OPEN = { status: 'open' }
export const FIRST_VIEW = 'open'
const OF_USER = 'user-'

/** What the list may show. Without `user_id`, of a user who cannot be assigned, there is no view of one's own. */
export function viewsOf(user_id: string, assignees: readonly Assignee[]): View[] {
  const mine = assignees.some(({ id }) => id === user_id)
  return [
    { value: FIRST_VIEW, label: t('Open||conversations'), query: OPEN },
    { value: 'unread', label: t('Unread||conversations'), query: { unread: 'true' } },
    ...(mine ? [{ value: 'mine', label: t('Assigned to me'), query: { ...OPEN, assignee_id: user_id } }] : []),
    { value: 'unassigned', label: t('Unassigned||conversations'), query: { ...OPEN, assignee_id: 'none' } },
    { value: 'closed', label: t('Closed||conversations'), query: { status: 'closed' } },
    { value: 'all', label: t('All||conversations'), query: {} },
    ...assignees
      .filter(({ id }) => id !== user_id)
      .map(({ id, name }) => {
        const label = t('Assigned to {name}', { name })
        return { value: `${OF_USER}${id}`, label, query: { ...OPEN, assignee_id: id } }
      }),
  ]
}

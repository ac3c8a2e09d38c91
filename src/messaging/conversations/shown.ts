import { present } from '../../values/record.ts'
import type { Contact, Conversation } from './schema.ts'
import type { ConversationRow } from './store.ts'

/** The contacts with these numbers, by number. */
export type FindContacts = (phones: readonly string[]) => Promise<ReadonlyMap<string, Contact>>

/** What the list and the thread show alike. `names` are of users, by id. */
export function shownState(
  { received, read, state, assignee_id }: ConversationRow,
  names: ReadonlyMap<string, string>,
  contact: Contact | undefined,
): Pick<Conversation, 'received' | 'unread' | 'status' | 'assignee' | 'contact'> {
  const assignee = assignee_id === null ? undefined : { id: assignee_id, name: names.get(assignee_id) ?? assignee_id }
  return {
    received: Number(received),
    unread: Number(received - read),
    status: state === 'closed' ? 'closed' : 'open',
    ...present('assignee', assignee),
    ...present('contact', contact),
  }
}

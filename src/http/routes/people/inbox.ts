import { Type } from '../../../values/schema/type.ts'
import { assignConversation } from '../../../messaging/conversations/assign.ts'
import { closeConversation, reopenConversation } from '../../../messaging/conversations/close.ts'
import { addNote, removeNote } from '../../../messaging/conversations/notes.ts'
import {
  AssignBody,
  Assignees,
  CloseBody,
  ConversationMessage,
  MAX_ASSIGNEES,
  NoteBody,
} from '../../../messaging/conversations/schema.ts'
import { findAssignees } from '../../../users/assignees.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'
import { PhoneParams } from './schema.ts'

const tag = 'Conversations'

const NoteParams = Type.Object({ note_id: Type.String({ description: 'The note.' }) })

/** How users share the work on conversations. */
export function inboxRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/conversations/assignees',
      operation: 'conversations.assignees',
      scope: 'sms',
      summary: 'List assignees',
      description: 'The active users of your console whose role lets them reply, by name.',
      tag,
      answer: Assignees,
      errors: [],
      run: async ({ caller }) => ({ assignees: await findAssignees(deps.db, caller.organisation_id, MAX_ASSIGNEES) }),
    }),

    route({
      method: 'POST',
      path: '/conversations/:phone/assign',
      operation: 'conversations.assign',
      scope: 'sms',
      summary: 'Assign a conversation',
      description:
        'To a user, or to no one. Send `current_assignee_id` so that of two users who take the same conversation one gets a 409.',
      tag,
      params: PhoneParams,
      body: AssignBody,
      errors: [400, 404, 409, 413, 415],
      run: ({ caller, params, body }) => assignConversation(deps, caller, params.phone, body),
    }),

    route({
      method: 'POST',
      path: '/conversations/:phone/close',
      operation: 'conversations.close',
      scope: 'sms',
      summary: 'Close a conversation',
      description:
        'Also marks its texts as read. The next text of the person reopens it. Send `received` as you have read it, so that a text that arrives meanwhile is not closed unread.',
      tag,
      params: PhoneParams,
      body: CloseBody,
      errors: [400, 404, 409, 413, 415],
      run: ({ caller, params, body }) => closeConversation(deps, caller, params.phone, body),
    }),

    route({
      method: 'POST',
      path: '/conversations/:phone/reopen',
      operation: 'conversations.reopen',
      scope: 'sms',
      summary: 'Reopen a conversation',
      description: 'An open one stays open.',
      tag,
      params: PhoneParams,
      errors: [404],
      run: ({ caller, params }) => reopenConversation(deps, caller, params.phone),
    }),

    route({
      method: 'POST',
      path: '/conversations/:phone/notes',
      operation: 'conversations.notes.create',
      scope: 'sms',
      summary: 'Add a note to a conversation',
      description: 'Only your users see it, in the thread. It is not sent, and does not move the conversation up.',
      tag,
      params: PhoneParams,
      body: NoteBody,
      answer: ConversationMessage,
      errors: [400, 404, 409, 413, 415],
      run: ({ caller, visitor, params, body }) =>
        addNote(deps, { ...caller, author_id: visitor?.user_id ?? null }, params.phone, body),
    }),

    route({
      method: 'DELETE',
      path: '/notes/:note_id',
      operation: 'conversations.notes.delete',
      scope: 'sms',
      summary: 'Delete a note',
      description: 'By its id in the thread.',
      tag,
      params: NoteParams,
      errors: [404],
      run: ({ caller, params }) => removeNote(deps, caller.organisation_id, params.note_id),
    }),
  ]
}

import { Type } from '../../../values/schema/type.ts'
import { answerPerson } from '../../../messaging/conversations/answer.ts'
import { findConversations, readThread } from '../../../messaging/conversations/read.ts'
import { markRead } from '../../../messaging/conversations/mark-read.ts'
import { AnswerBody, ConversationPage, ReadBody, Thread } from '../../../messaging/conversations/schema.ts'
import { SentMessage } from '../../../messaging/schema.ts'
import { PAGE_LIMIT, PageQuery, ScrollQuery } from '../../../values/page.ts'
import type { HttpDeps } from '../../deps.ts'
import { route, type Route } from '../../route/route.ts'

const tag = 'Conversations'

const PhoneParams = Type.Object({
  phone: Type.String({ description: 'The number, in any spelling.', examples: ['2348031234567'] }),
})

export function conversationRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/conversations',
      operation: 'conversations.list',
      scope: 'sms',
      summary: 'List conversations',
      description:
        'One for each number that has written to you, the one with the newest text or answer first. A conversation begins with a text of theirs. What you send to the number otherwise, such as a campaign, is in its thread and does not move it up.',
      tag,
      query: PageQuery,
      answer: ConversationPage,
      errors: [400],
      compress: true,
      run: ({ caller, query }) => findConversations(deps, caller.organisation_id, query),
    }),

    route({
      method: 'GET',
      path: '/conversations/:phone',
      operation: 'conversations.get',
      scope: 'sms',
      summary: 'Read a conversation',
      description:
        'Everything that went to and fro, newest first, with the state of what you sent, and what holds for an answer. Of very many messages only as many are looked through as half a second allows; then `searched_until` says how far, and `query_id` goes on.',
      tag,
      params: PhoneParams,
      query: ScrollQuery,
      answer: Thread,
      errors: [400, 404],
      compress: true,
      run: ({ caller, params, query: { query_id, limit = PAGE_LIMIT } }) =>
        readThread(deps, caller, params.phone, { query_id, limit }),
    }),

    route({
      method: 'POST',
      path: '/conversations/:phone/messages',
      operation: 'conversations.answer',
      scope: 'sms',
      summary: 'Answer in a conversation',
      description:
        'Sends a text on the channel they last wrote by, from the number or name they wrote to where messages may come from it. Priced, charged and reported as by `POST /sms/send`.',
      tag,
      params: PhoneParams,
      body: AnswerBody,
      answer: SentMessage,
      errors: [400, 402, 404, 409, 413, 415, 429],
      idempotent: true,
      receipt: true,
      run: ({ caller, params, body, idempotency }) => answerPerson(deps, caller, params.phone, body, idempotency),
    }),

    route({
      method: 'POST',
      path: '/conversations/:phone/read',
      operation: 'conversations.read',
      scope: 'sms',
      summary: 'Mark a conversation as read',
      description:
        'For everybody in the organisation. Give `received` as you have read it, so that a text that comes meanwhile stays unread.',
      tag,
      params: PhoneParams,
      body: ReadBody,
      errors: [400, 404, 413, 415],
      run: ({ caller, params, body }) => markRead(deps, caller, params.phone, body),
    }),
  ]
}

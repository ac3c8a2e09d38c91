import type { FastifyRequest } from 'fastify'
import { findContactsByPhone, searchPhones } from '../../../contacts/by-phone.ts'
import { answerPerson } from '../../../messaging/conversations/answer.ts'
import { findConversations, type ListDeps } from '../../../messaging/conversations/list.ts'
import { readThread } from '../../../messaging/conversations/read.ts'
import { markRead } from '../../../messaging/conversations/mark-read.ts'
import {
  AnswerBody,
  ConversationPage,
  ConversationQuery,
  ReadBody,
  Thread,
} from '../../../messaging/conversations/schema.ts'
import { SentMessage } from '../../../messaging/schema.ts'
import { PAGE_LIMIT, ScrollQuery } from '../../../values/page.ts'
import type { HttpDeps } from '../../deps.ts'
import { callerOf, mayRead } from '../../route/authorize.ts'
import { route, type Route } from '../../route/route.ts'
import { PhoneParams } from './schema.ts'

const tag = 'Conversations'

export function conversationRoutes(deps: HttpDeps): Route[] {
  return [
    route({
      method: 'GET',
      path: '/conversations',
      operation: 'conversations.list',
      scope: 'sms',
      summary: 'List conversations',
      description:
        'One for each number that has texted you, the one with the newest text or reply first. A conversation starts with an inbound text. Other messages to the number, such as campaigns, are part of its thread and do not move it up. The filters can be combined; `unread=true&limit=1` counts the conversations with unread texts.',
      tag,
      query: ConversationQuery,
      answer: ConversationPage,
      errors: [400],
      compress: true,
      run: (request) =>
        findConversations({ ...deps, contacts: contactsFor(deps, request) }, request.caller, request.query),
    }),

    route({
      method: 'GET',
      path: '/conversations/:phone',
      operation: 'conversations.get',
      scope: 'sms',
      summary: 'Read a conversation',
      description:
        'All messages in both directions and your notes, newest first, with the status of those you sent, and whether you can reply. The search is limited to half a second; `searched_until` then says how far it came, and `query_id` continues it.',
      tag,
      params: PhoneParams,
      query: ScrollQuery,
      answer: Thread,
      errors: [400, 404],
      compress: true,
      run: (request) => {
        const { query_id, limit = PAGE_LIMIT } = request.query
        const findContacts = contactsFor(deps, request)?.find
        return readThread({ ...deps, findContacts }, request.caller, request.params.phone, { query_id, limit })
      },
    }),

    route({
      method: 'POST',
      path: '/conversations/:phone/messages',
      operation: 'conversations.answer',
      scope: 'sms',
      summary: 'Reply in a conversation',
      description:
        'Sends a text on the channel the person last used, from the number or name they wrote to if it may send. Priced, charged and reported like `POST /sms/send`.',
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
        'For all users of the organisation. Send `received` as you have read it, so that a text that arrives meanwhile stays unread.',
      tag,
      params: PhoneParams,
      body: ReadBody,
      errors: [400, 404, 413, 415],
      run: ({ caller, params, body }) => markRead(deps, caller, params.phone, body),
    }),
  ]
}

/** Contacts are shown to those who may read them. */
function contactsFor(deps: HttpDeps, request: FastifyRequest): ListDeps['contacts'] {
  if (!mayRead(request, 'lists')) return undefined
  const caller = callerOf(request)
  return {
    find: (phones) => findContactsByPhone(deps, caller, phones),
    search: (words, limit) => searchPhones(deps, caller, words, limit),
  }
}

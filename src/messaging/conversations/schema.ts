import { Type, type Static, isOneOf } from '../../values/schema/type.ts'
import { ListMeta, onePage, ScrollMeta } from '../../values/page.ts'
import { DELIVERY_STATUSES, MAX_CONTENT_CHARACTERS, MAX_EXTERNAL_REF, type DeliveryStatus } from '../schema.ts'

const timestamp = Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] })
const channel = Type.Unsafe<'sms' | 'whatsapp'>({ type: 'string', enum: ['sms', 'whatsapp'], examples: ['sms'] })
const direction = Type.Unsafe<'in' | 'out'>({
  type: 'string',
  enum: ['in', 'out'],
  description: '`in`: from the person. `out`: from you.',
  examples: ['in'],
})
const phone = Type.String({ description: 'With whom.', examples: ['2348031234567'] })
const received = Type.Integer({
  description: 'Texts that came from the number so far. Give it back to mark them as read.',
  examples: [3],
})
const unread = Type.Integer({ description: 'The number of unread texts.', examples: [1] })

/** A conversation as a list shows it. */
export const ListedConversation = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Of its newest text or answer.' }),
  phone,
  direction,
  channel,
  text: Type.Optional(Type.String({ description: 'The newest; left out once texts are forgotten.' })),
  received,
  unread,
  created_datetime: timestamp,
})
export type ListedConversation = Static<typeof ListedConversation>

export const ConversationPage = Type.Object({ conversations: onePage(ListedConversation), meta: ListMeta })
export type ConversationPage = Static<typeof ConversationPage>

/** What holds for an answer to the person. */
export const Conversation = Type.Object({
  phone,
  channel: Type.Unsafe<'sms' | 'whatsapp'>({
    ...channel,
    description: 'Of the newest text; an answer goes the same way.',
  }),
  to: Type.String({ description: 'Your sender it was sent to.', examples: ['Gangan'] }),
  sender_id: Type.Optional(
    Type.String({ description: 'What an answer comes from; left out on WhatsApp, and where you have none.' }),
  ),
  received,
  unread,
  received_datetime: timestamp,
  window_until: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'On WhatsApp: until then free text may be sent, 24 hours after their last. Later only a template.',
    }),
  ),
  opted_out: Type.Boolean({
    description: 'They want no more messages: an answer would be rejected.',
    examples: [false],
  }),
})
export type Conversation = Static<typeof Conversation>

/** One text of it, of theirs or of yours. */
export const ConversationMessage = Type.Object({
  id: Type.String({ format: 'uuid' }),
  direction,
  channel,
  text: Type.Optional(
    Type.String({ description: 'One-time passwords are not in it. Left out once texts are forgotten.' }),
  ),
  sender_id: Type.Optional(Type.String({ description: 'Of yours: what it came from.' })),
  keyword: Type.Optional(isOneOf(['stop', 'start', 'help'], { description: 'Of theirs: what they asked for by it.' })),
  status: Type.Optional(
    Type.Unsafe<DeliveryStatus>({ type: 'string', enum: [...DELIVERY_STATUSES], description: 'Of yours.' }),
  ),
  code: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  pages: Type.Optional(Type.Integer({ examples: [1] })),
  charge: Type.Optional(Type.Number({ examples: [4] })),
  refunded: Type.Optional(Type.Boolean()),
  send_at: Type.Optional(timestamp),
  created_datetime: timestamp,
})
export type ConversationMessage = Static<typeof ConversationMessage>

export const Thread = Type.Object({
  conversation: Conversation,
  messages: onePage(ConversationMessage),
  meta: ScrollMeta,
})
export type Thread = Static<typeof Thread>

export const AnswerBody = Type.Object({
  content: Type.String({ minLength: 1, maxLength: MAX_CONTENT_CHARACTERS, examples: ['It is on its way.'] }),
  external_ref: Type.Optional(Type.String({ maxLength: MAX_EXTERNAL_REF, description: 'A reference of yours.' })),
})
export type AnswerBody = Static<typeof AnswerBody>

export const ReadBody = Type.Object({
  received: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'As you have read it; what came after that stays unread. Without it: all there is.',
    }),
  ),
})
export type ReadBody = Static<typeof ReadBody>

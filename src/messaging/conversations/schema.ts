import { ReceivedContent, SentContent, WhatsappContent } from '../../carriers/whatsapp/content-schema.ts'
import { ReceivedMedia } from '../../media/schema.ts'
import { AnyName, id, isOneOf, Type, type Static } from '../../values/schema/type.ts'
import { ListMeta, onePage, PageQuery, ScrollMeta } from '../../values/page.ts'
import {
  DeliveryAdvice,
  DELIVERY_STATUSES,
  MAX_CONTENT_CHARACTERS,
  MAX_EXTERNAL_REF,
  MAX_SUBSTITUTION,
  type DeliveryStatus,
} from '../schema.ts'

const timestamp = Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] })
const channel = Type.Unsafe<'sms' | 'whatsapp'>({ type: 'string', enum: ['sms', 'whatsapp'], examples: ['sms'] })
const direction = isOneOf(['in', 'out'], { description: '`in`: from the person. `out`: from you.', examples: ['in'] })
const phone = Type.String({ description: 'With whom.', examples: ['2348031234567'] })
const received = Type.Integer({
  description: 'Texts that came from the number so far. Give it back to mark them as read.',
  examples: [3],
})
const unread = Type.Integer({ description: 'The number of unread texts.', examples: [1] })

export const MAX_SEARCH = 200
export const MAX_NOTE = 2_000
/** Of one conversation. */
export const MAX_NOTES = 1_000
export const MAX_ASSIGNEES = 1_000
/** The value of the filter `assignee_id` for conversations without one. */
export const UNASSIGNED = 'none'

const status = isOneOf(['open', 'closed'], {
  description: '`closed` until the person writes again, or you reopen it.',
  examples: ['open'],
})

/** A user who may reply. */
export const Assignee = Type.Object({ id, name: Type.String({ examples: ['Bola Ade'] }) })
export type Assignee = Static<typeof Assignee>

/** Users are not counted by page: few may reply. */
export const Assignees = Type.Object({ assignees: Type.Array(Assignee, { maxItems: MAX_ASSIGNEES }) })

const assignee = Type.Optional(
  Type.Object(Assignee.properties, { description: 'The user it is assigned to; left out if it is unassigned.' }),
)

/** The row of the contact list with the number. */
export const Contact = Type.Object(
  { id, name: Type.String({ examples: ['Ada Obi'] }) },
  { description: 'Your contact with this number; left out if there is none, or the key lacks the scope `lists`.' },
)
export type Contact = Static<typeof Contact>
const contact = Type.Optional(Contact)

export const ConversationQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(isOneOf(['open', 'closed'], { description: 'Only these.' })),
  unread: Type.Optional(
    Type.Boolean({ description: '`true`: only conversations with unread texts. `false`: only the others.' }),
  ),
  assignee_id: Type.Optional(
    Type.String({
      maxLength: 36,
      description: `Only conversations assigned to this user, or with \`${UNASSIGNED}\` to no user.`,
      examples: [UNASSIGNED],
    }),
  ),
  q: Type.Optional(
    Type.String({
      maxLength: MAX_SEARCH,
      description:
        'Only conversations whose number begins with these digits, whose contact has these words (with the scope `lists`), or with these words in an inbound text (words of one or two characters: in your newest 10,000). At most 200 of each.',
      examples: ['ada'],
    }),
  ),
})
export type ConversationQuery = Static<typeof ConversationQuery>

/** A conversation as a list shows it. */
export const ListedConversation = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Of its newest text or answer.' }),
  phone,
  direction,
  channel,
  text: Type.Optional(Type.String({ description: 'The newest; left out once texts are forgotten.' })),
  received,
  unread,
  status,
  assignee,
  contact,
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
  status,
  assignee,
  contact,
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

/** One text of it, of theirs or of yours, or a note. */
export const ConversationMessage = Type.Object({
  id,
  direction: isOneOf(['in', 'out', 'note'], {
    description: '`in`: from the person. `out`: from you. `note`: an internal note, which is sent to no one.',
    examples: ['in'],
  }),
  channel: Type.Optional(Type.Unsafe<'sms' | 'whatsapp'>({ ...channel, description: 'Of texts.' })),
  text: Type.Optional(
    Type.String({ description: 'One-time passwords are not in it. Left out once texts are forgotten.' }),
  ),
  whatsapp: Type.Optional(
    Type.Object(
      { ...Type.Partial(ReceivedContent).properties, ...SentContent.properties },
      { description: 'On `whatsapp`: what it has besides its text. `type` is that of theirs.' },
    ),
  ),
  author: Type.Optional(Type.String({ description: 'Of a note: the user who wrote it; left out for an API key.' })),
  sender_id: Type.Optional(Type.String({ description: 'Of yours: what it came from.' })),
  keyword: Type.Optional(isOneOf(['stop', 'start', 'help'], { description: 'Of theirs: what they asked for by it.' })),
  media: Type.Optional(ReceivedMedia),
  status: Type.Optional(
    Type.Unsafe<DeliveryStatus>({ type: 'string', enum: [...DELIVERY_STATUSES], description: 'Of yours.' }),
  ),
  code: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  advice: Type.Optional(DeliveryAdvice),
  pages: Type.Optional(Type.Integer({ examples: [1] })),
  charge: Type.Optional(Type.Number({ examples: [4] })),
  refunded: Type.Optional(Type.Boolean()),
  send_at: Type.Optional(timestamp),
  read_datetime: Type.Optional(
    Type.String({ format: 'date-time', description: 'Of yours on WhatsApp: when they read it, if they report that.' }),
  ),
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
  content: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_CONTENT_CHARACTERS,
      description: 'The text. Required unless `template_id` is given, or `whatsapp` with content that has no text.',
      examples: ['It is on its way.'],
    }),
  ),
  template_id: Type.Optional(
    Type.String({ description: 'A template to send instead of `content`. On WhatsApp it needs no window.' }),
  ),
  substitutions: Type.Optional(
    Type.Record(AnyName, Type.String({ maxLength: MAX_SUBSTITUTION }), {
      description: 'Names of placeholders of the template, and their values.',
      examples: [{ name: 'Ada' }],
    }),
  ),
  whatsapp: Type.Optional(WhatsappContent),
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

export const CloseBody = Type.Object({
  received: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'As you have read it: if another text has arrived since, the answer is 409 and it stays open.',
    }),
  ),
})
export type CloseBody = Static<typeof CloseBody>

const user_id = { type: ['string', 'null'], maxLength: 36 }

export const AssignBody = Type.Object({
  assignee_id: Type.Unsafe<string | null>({
    ...user_id,
    description: 'A user of `GET /conversations/assignees`; null to unassign it.',
  }),
  current_assignee_id: Type.Optional(
    Type.Unsafe<string | null>({
      ...user_id,
      description: 'To whom you believe it is assigned, null for no one: if that has changed, the answer is 409.',
    }),
  ),
})
export type AssignBody = Static<typeof AssignBody>

export const NoteBody = Type.Object({
  text: Type.String({ minLength: 1, maxLength: MAX_NOTE, examples: ['Promised a refund by Friday.'] }),
})
export type NoteBody = Static<typeof NoteBody>

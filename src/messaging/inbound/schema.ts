import { Type, type Static } from '../../values/schema/type.ts'
import { ReceivedContent } from '../../carriers/whatsapp/content-schema.ts'
import { ReceivedMedia } from '../../media/schema.ts'
import { ListMeta, onePage } from '../../values/page.ts'

export const MAX_TEXT = 4_096
export const MAX_ADDRESS = 20

const channel = Type.Unsafe<'sms' | 'whatsapp'>({ type: 'string', enum: ['sms', 'whatsapp'], examples: ['sms'] })

/** A text received from a person. */
export const InboundMessage = Type.Object({
  id: Type.String({ format: 'uuid' }),
  from: Type.String({ description: 'The sender of the text.', examples: ['2348031234567'] }),
  to: Type.String({ description: 'Your sender that it was sent to.', examples: ['Gangan'] }),
  channel,
  text: Type.String({
    description:
      'What the person wrote; else the title of what they chose, the caption of a file, or the type in brackets.',
    examples: ['STOP'],
  }),
  whatsapp: Type.Optional(ReceivedContent),
  keyword: Type.Optional(
    Type.Unsafe<'stop' | 'start' | 'help'>({
      type: 'string',
      enum: ['stop', 'start', 'help'],
      description: '`stop`: the number is now blocked. `start`: it is no longer blocked. `help`: for you to answer.',
    }),
  ),
  media: Type.Optional(ReceivedMedia),
  created_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
})
export type InboundMessage = Static<typeof InboundMessage>

const { type: _type, ...choices } = ReceivedContent.properties

/** What a virtual handset sends besides a text. */
export const HandsetContent = Type.Object(choices, {
  additionalProperties: false,
  description:
    'On `whatsapp`: the button that is pressed or the row that is chosen, a location, contacts or a reaction: one of them. `reply_to` is a message that the handset shows, or a text that it sent.',
})
export type HandsetContent = Static<typeof HandsetContent>

export const ReplyBody = Type.Object({
  from: Type.String({ description: 'The handset that replies.', examples: ['2348031234567'] }),
  to: Type.String({
    minLength: 1,
    maxLength: MAX_ADDRESS,
    description: 'Your sender that it replies to.',
    examples: ['Gangan'],
  }),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_TEXT,
      description: 'Required, unless `whatsapp` or `media_id` says what it is.',
      examples: ['STOP'],
    }),
  ),
  channel: Type.Optional(channel),
  whatsapp: Type.Optional(HandsetContent),
  media_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'On `whatsapp`: the id of a file of `/media`, which the person sends; `text` is its caption.',
      examples: ['019a8475-0000-7000-8000-000000000001'],
    }),
  ),
})
export type ReplyBody = Static<typeof ReplyBody>

export const InboundPage = Type.Object({ inbound: onePage(InboundMessage), meta: ListMeta })
export type InboundPage = Static<typeof InboundPage>

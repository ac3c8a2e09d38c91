import { Type, type Static, isOneOf } from '../../values/schema/type.ts'
import { CHANNELS } from '../../carriers/message-carrier.ts'
import { SendBody } from '../../messaging/schema.ts'
import { id, timestamp } from '../../contacts/schema.ts'

export const SEND_STATUSES = ['queued', 'running', 'done', 'failed', 'canceled'] as const
export type SendStatus = (typeof SEND_STATUSES)[number]

const count = (description: string) => Type.Integer({ description, examples: [0] })

const { recipients: _numbers, personalisation: _values, smartlist_id: _in_place, ...message } = SendBody.properties

/** What a customer asks us to send to a smartlist: columns take the place of recipients and personalisation. */
export const ListSendBody = Type.Object({
  smartlist_id: Type.String({ description: 'The smartlist of contacts. Whoever fits when it is sent is in it.' }),
  ...message,
})
export type ListSendBody = Static<typeof ListSendBody>

/** A message to a smartlist, and how far it has come. */
export const ListSend = Type.Object({
  id,
  smartlist_id: id,
  status: Type.Unsafe<SendStatus>({ type: 'string', enum: [...SEND_STATUSES], examples: ['running'] }),
  sender_id: Type.Optional(Type.String({ examples: ['Gangan'] })),
  channel: isOneOf(CHANNELS, { examples: ['sms'] }),
  content: Type.String({ examples: ['Hello {{Name}}'] }),
  template_id: Type.Optional(Type.String()),
  template_version: Type.Optional(Type.Integer()),
  external_ref: Type.Optional(Type.String()),
  callback: Type.Optional(Type.String()),
  send_at: Type.Optional(timestamp),
  rows: count('Rows of the list looked at so far.'),
  accepted: count('Recipients the message was accepted for.'),
  duplicates: count('Rows left out because their number came before.'),
  without_number: count('Rows left out because they have no number.'),
  incomplete: count('Rows left out because a placeholder has no value in them.'),
  refused: count('Recipients the message was refused for, such as a text that became too long.'),
  charge: Type.Number({ description: 'Charged so far.', examples: [8] }),
  fault: Type.Optional(Type.String({ description: 'Why it could not go on.' })),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type ListSend = Static<typeof ListSend>

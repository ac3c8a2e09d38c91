import { id, isOneOf, timestamp, Type, type Static } from '../../values/schema/type.ts'
import { CHANNELS } from '../../carriers/message-carrier.ts'
import { SendBody } from '../../messaging/schema.ts'

export const SEND_STATUSES = ['queued', 'running', 'done', 'failed', 'canceled'] as const
export type SendStatus = (typeof SEND_STATUSES)[number]

const count = (description: string) => Type.Integer({ description, examples: [0] })

const {
  recipients: _numbers,
  personalisation: _values,
  smartlist_id: _in_place,
  whatsapp: _of_windows,
  ...message
} = SendBody.properties

/** A message to a smartlist: its columns take the place of recipients and personalisation. */
export const ListSendBody = Type.Object({
  smartlist_id: Type.String({ description: 'The smartlist of contacts, evaluated when the message is sent.' }),
  ...message,
})
export type ListSendBody = Static<typeof ListSendBody>

/** A message to a smartlist, with its progress. */
export const ListSend = Type.Object({
  id,
  smartlist_id: id,
  status: isOneOf(SEND_STATUSES, { examples: ['running'] }),
  sender_id: Type.Optional(Type.String({ examples: ['Gangan'] })),
  channel: isOneOf(CHANNELS, { examples: ['sms'] }),
  content: Type.String({ examples: ['Hello {{Name}}'] }),
  template_id: Type.Optional(Type.String()),
  template_version: Type.Optional(Type.Integer()),
  external_ref: Type.Optional(Type.String()),
  callback: Type.Optional(Type.String()),
  send_at: Type.Optional(timestamp),
  rows: count('Rows of the list processed so far.'),
  accepted: count('Recipients the message was accepted for.'),
  duplicates: count('Rows skipped because their number occurred before.'),
  without_number: count('Rows skipped because they have no number.'),
  incomplete: count('Rows skipped because they have no value for a placeholder.'),
  refused: count('Recipients the message was rejected for, for example because their text is too long.'),
  charge: Type.Number({ description: 'Charged so far.', examples: [8] }),
  fault: Type.Optional(Type.String({ description: 'Why it stopped.' })),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type ListSend = Static<typeof ListSend>

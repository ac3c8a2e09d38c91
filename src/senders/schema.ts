import { id, isOneOf, timestamp, Type, type Static } from '../values/schema/type.ts'
import { ListMeta, onePage } from '../values/page.ts'

export const MAX_SENDERS = 100
export const MAX_NOTE = 500

export const SENDER_STATES = ['pending', 'approved', 'rejected'] as const
export type SenderState = (typeof SENDER_STATES)[number]
export type SenderClass = 'transactional' | 'promotional'

const sender_id = Type.String({
  description:
    'The sender shown on the phone: 1–11 letters, digits, blanks or `-_.&`. Digits are a short code, or a number with its country code (up to 15 digits), which receives inbound texts. Case-insensitive.',
  examples: ['Gangan'],
})
const senderClass = Type.Unsafe<SenderClass>({
  type: 'string',
  enum: ['transactional', 'promotional'],
  description: 'The class it is registered for with the networks.',
  examples: ['transactional'],
})
const note = Type.String({ maxLength: MAX_NOTE, description: 'For the operator: purpose and owner of the name.' })

export const SenderBody = Type.Object({
  sender_id,
  class: Type.Optional(Type.Unsafe<SenderClass>({ ...senderClass, default: 'transactional' })),
  note: Type.Optional(note),
})
export type SenderBody = Static<typeof SenderBody>

export const SenderChange = Type.Object({
  sender_id: Type.Optional(sender_id),
  class: Type.Optional(senderClass),
  note: Type.Optional(Type.Unsafe<string | null>({ ...note, type: ['string', 'null'] })),
})
export type SenderChange = Static<typeof SenderChange>

export const RegisteredSender = Type.Object({
  id,
  sender_id,
  state: isOneOf(SENDER_STATES, {
    description: 'The decision of the operator. In live mode only approved senders are used.',
    examples: ['pending'],
  }),
  class: senderClass,
  note: Type.Optional(note),
  reason: Type.Optional(Type.String({ description: 'The reason of the decision.' })),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type RegisteredSender = Static<typeof RegisteredSender>

export const SenderPage = Type.Object({ senders: onePage(RegisteredSender), meta: ListMeta })
export type SenderPage = Static<typeof SenderPage>

import { Type, type Static } from '../values/schema/type.ts'

/** A message on a virtual handset, as `/sandbox/messages` lists it. */
export const PhoneMessage = Type.Object({
  id: Type.String(),
  message_id: Type.String(),
  recipient: Type.String(),
  sender_id: Type.Optional(Type.String()),
  channel: Type.String(),
  text: Type.String(),
  /** As `/sandbox/messages` has it. */
  whatsapp: Type.Optional(Type.Unsafe<object>({ type: 'object' })),
  created_datetime: Type.String({ format: 'date-time' }),
})
export type PhoneMessage = Static<typeof PhoneMessage>

/** Numbers that wrote, or were answered. Truncated: there were more. */
export const NewTexts = Type.Object({
  phones: Type.Array(Type.String(), { maxItems: 50 }),
  truncated: Type.Boolean(),
})
export type NewTexts = Static<typeof NewTexts>

/** Number of deliveries per message and new state. Truncated: there were more. */
export const ChangedDeliveries = Type.Object({
  messages: Type.Array(Type.Object({ id: Type.String(), status: Type.String(), count: Type.Integer() })),
  truncated: Type.Boolean(),
})
export type ChangedDeliveries = Static<typeof ChangedDeliveries>

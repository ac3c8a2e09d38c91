import { Type, isOneOf } from '../values/schema/type.ts'
import { CHANNELS } from '../carriers/message-carrier.ts'
import { DELIVERY_STATUSES } from './schema.ts'

const timestamp = Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] })

const delivery = {
  id: Type.String({ format: 'uuid', description: 'The message.' }),
  recipient: Type.String({ examples: ['2348031234567'] }),
  status: isOneOf(DELIVERY_STATUSES, { examples: ['delivered'] }),
  channel: isOneOf(CHANNELS, { examples: ['sms'] }),
  sender_id: Type.Optional(Type.String({ examples: ['Gangan'] })),
  external_ref: Type.Optional(Type.String({ examples: ['order-1042'] })),
}

/** The event of a delivery that reached a final state. */
export const DeliveryReport = Type.Object({
  ...delivery,
  pages: Type.Integer({ examples: [1] }),
  charge: Type.Number({ examples: [4] }),
  refunded: Type.Boolean(),
  code: Type.Optional(Type.String({ description: "The carrier's code.", examples: ['000'] })),
  description: Type.Optional(Type.String({ examples: ['delivered'] })),
  updated_datetime: timestamp,
})

/** The event of the first click of a person on a link of a message. */
export const LinkClick = Type.Object({
  ...delivery,
  url: Type.String({ description: 'The target of the link.', examples: ['https://example.com/orders/1042'] }),
  clicked_datetime: timestamp,
})

/** The event of a recipient who read a message. */
export const ReadReceipt = Type.Object({
  ...delivery,
  price_category: Type.Optional(
    Type.String({ description: 'The category by which Meta prices it.', examples: ['utility'] }),
  ),
  read_datetime: timestamp,
})

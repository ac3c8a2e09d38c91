import { Type, type Static } from '../../../values/schema/type.ts'
import { CallbackWithAttempts } from '../../../callbacks/schema.ts'
import { FoundMessage, ShownDelivery, Timeline, TimelineEvent } from '../../../messaging/read/schema.ts'
import { ChangedDeliveries, NewTexts, PhoneMessage } from '../../../observe/schema.ts'
import { ListedOtp } from '../../../otp/schema.ts'
import { ListMeta, onePage } from '../../../values/page.ts'
import { RequestMeta } from '../../shapes.ts'

const timestamp = Type.String({ format: 'date-time' })

/** Searches do not count: the answer says whether there is more, and how far back it searched. */
export const FoundMessages = Type.Object({
  messages: onePage(FoundMessage),
  meta: Type.Object({
    ...RequestMeta.properties,
    next_page: Type.Unsafe<'True' | 'False'>({ type: 'string', enum: ['True', 'False'] }),
    query_id: Type.Optional(Type.String()),
    searched_until: Type.Optional(timestamp),
  }),
})
export type FoundMessages = Static<typeof FoundMessages>

export const MessageAnswer = Type.Object({
  message: Type.Omit(FoundMessage, ['match']),
  deliveries: onePage(ShownDelivery),
  meta: ListMeta,
})
export type MessageAnswer = Static<typeof MessageAnswer>

/** A callback about the delivery. */
const CallbackEvent = Type.Object({
  kind: Type.Literal('callback'),
  created_datetime: timestamp,
  callback: CallbackWithAttempts,
})

export const TimelineAnswer = Type.Object({
  ...Timeline.properties,
  events: Type.Array(Type.Union([TimelineEvent, CallbackEvent])),
  meta: RequestMeta,
})
export type TimelineAnswer = Static<typeof TimelineAnswer>

export const OtpPage = Type.Object({ otps: onePage(ListedOtp), meta: ListMeta })
export type OtpPage = Static<typeof OtpPage>

/** Server-sent events, by name. `hello` starts a stream: earlier events were missed. */
export const LIVE_EVENTS = {
  hello: Type.Object({}),
  phone: PhoneMessage,
  deliveries: ChangedDeliveries,
  texts: NewTexts,
} as const
export type LiveEvents = { [Name in keyof typeof LIVE_EVENTS]: Static<(typeof LIVE_EVENTS)[Name]> }

import { isOneOf, Type, type Static } from '../../../values/schema/type.ts'
import { CarrierState } from '../../../carriers/schema.ts'
import { RequestMeta } from '../../shapes.ts'

export type Range = 'hour' | 'day' | 'month'

const count = Type.Integer()
const part = Type.Optional(Type.Number({ minimum: 0, maximum: 1 }))

/** Over the selected period; money in units. */
const Totals = Type.Object({
  accepted: count,
  delivered: count,
  undelivered: count,
  expired: count,
  rejected: count,
  failed: count,
  unknown: count,
  otp_sent: count,
  otp_verified: count,
  spend: Type.Number(),
  refunds: Type.Number(),
  /** Of ended deliveries; absent if there are none. */
  delivery_rate: part,
  otp_conversion: part,
})
export type Totals = Static<typeof Totals>

const column = Type.Array(Type.Number())

/** One value per step, ready to draw. */
const Series = Type.Object({
  time: column,
  accepted: column,
  delivered: column,
  failed: column,
  spend: column,
  otp_sent: column,
  otp_verified: column,
})
export type Series = Static<typeof Series>

/** The current load. */
const Now = Type.Object({ messages_per_minute: count, queue_depth: count, queue_depth_capped: Type.Boolean() })
export type Now = Static<typeof Now>

const ATTENTION = ['carrier', 'balance', 'webhook', 'sender', 'key', 'import'] as const
export type AttentionKind = (typeof ATTENTION)[number]

/** Something that a user or the operator should act on. `kind` names the page that resolves it. */
export const Attention = Type.Object({
  kind: isOneOf(ATTENTION),
  /** A state of the thing, such as `down`, `failing` or `expiring`. */
  state: Type.String(),
  /** Of the endpoint, the sender or the key; of the carrier only for operators. */
  name: Type.Optional(Type.String()),
  /** Of an import, whose rejected lines can be read. */
  id: Type.Optional(Type.String({ format: 'uuid' })),
  detail: Type.Optional(Type.String()),
  /** Lines of an import that were rejected. */
  count: Type.Optional(count),
  /** When it began or, of a key, when it ends. */
  at: Type.Optional(Type.String({ format: 'date-time' })),
})
export type Attention = Static<typeof Attention>

export const MAX_ATTENTION = 20

export const Overview = Type.Object({
  range: Type.Unsafe<Range>({ type: 'string', enum: ['hour', 'day', 'month'] }),
  step_s: count,
  currency: Type.String(),
  balance: Type.Number(),
  now: Now,
  totals: Totals,
  /** The same over the period of this length before. */
  previous: Totals,
  series: Series,
  /** Only for operators of the installation. */
  carriers: Type.Optional(Type.Array(CarrierState)),
  /** What the user may see of it, the most urgent first. */
  attention: Type.Array(Attention, { maxItems: MAX_ATTENTION }),
  meta: RequestMeta,
})
export type Overview = Static<typeof Overview>

const done = Type.Boolean()
const steps = {
  first_message: done,
  first_delivery: done,
  first_callback: done,
  first_otp: done,
  first_contact: done,
  first_key: done,
  first_purchase: done,
}

/** Setup steps an organisation has completed. */
const Checklist = Type.Object(steps)
export type Checklist = Static<typeof Checklist>

export const ChecklistAnswer = Type.Object({ ...steps, meta: RequestMeta })
export type ChecklistAnswer = Static<typeof ChecklistAnswer>

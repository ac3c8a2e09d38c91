import { Type, type Static } from '../../values/schema/type.ts'
import { Delivery, DeliveryAdvice, DELIVERY_STATUSES, type DeliveryStatus } from '../schema.ts'

const timestamp = Type.String({ format: 'date-time' })
const status = Type.Unsafe<DeliveryStatus>({ type: 'string', enum: [...DELIVERY_STATUSES] })

/** A message in search results, with the number of deliveries by status. */
export const FoundMessage = Type.Object({
  id: Type.String({ format: 'uuid' }),
  channel: Type.String(),
  sender_id: Type.Optional(Type.String()),
  content: Type.Optional(Type.String()),
  template_id: Type.Optional(Type.String()),
  external_ref: Type.Optional(Type.String()),
  created_datetime: timestamp,
  /** The first recipients. */
  recipients: Type.Array(Type.String()),
  recipients_total: Type.Integer(),
  statuses: Type.Unsafe<Partial<Record<DeliveryStatus, number>>>({
    type: 'object',
    properties: Object.fromEntries(DELIVERY_STATUSES.map((name) => [name, { type: 'integer' }])),
  }),
  charge: Type.Number(),
  /** Sum of the refunds, if any. */
  refunded: Type.Optional(Type.Number()),
  /** The earliest time of its scheduled deliveries. */
  send_at: Type.Optional(timestamp),
  /** The campaign it is part of. With `messages` the entry stands for all of them. */
  campaign: Type.Optional(
    Type.Object({
      id: Type.String({ format: 'uuid' }),
      name: Type.String(),
      status: Type.String(),
      messages: Type.Optional(Type.Integer()),
    }),
  ),
  /** The delivery that was searched for. */
  match: Type.Optional(
    Type.Object({
      recipient: Type.String(),
      status,
      code: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
      advice: Type.Optional(DeliveryAdvice),
    }),
  ),
})
export type FoundMessage = Static<typeof FoundMessage>

/** A delivery as the console shows it. */
export const ShownDelivery = Type.Object({
  ...Type.Omit(Delivery, ['clicked_datetime', 'links']).properties,
  route: Type.String(),
  /** Only for operators of the installation. */
  carrier: Type.Optional(Type.String()),
})
export type ShownDelivery = Static<typeof ShownDelivery>

/** A tracked link of one recipient. */
export const ShownLink = Type.Object({
  url: Type.String(),
  short_url: Type.String(),
  clicks: Type.Integer(),
  clicks_raw: Type.Integer(),
})
export type ShownLink = Static<typeof ShownLink>

const STEPS = ['accepted', 'scheduled', 'sent', 'ended', 'refunded', 'read', 'click'] as const

/** An event of a message to one recipient. */
export const TimelineEvent = Type.Object({
  kind: Type.Unsafe<(typeof STEPS)[number]>({ type: 'string', enum: [...STEPS] }),
  created_datetime: timestamp,
  status: Type.Optional(status),
  /** Of `sent`, only for operators of the installation. */
  carrier: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  advice: Type.Optional(DeliveryAdvice),
  charge: Type.Optional(Type.Number()),
  /** Of `scheduled`: the time. */
  send_at: Type.Optional(timestamp),
  /** Of `click`: the target, and the number of clicks; `created_datetime` is the first. */
  url: Type.Optional(Type.String()),
  clicks: Type.Optional(Type.Integer()),
})
export type TimelineEvent = Static<typeof TimelineEvent>

/** The events of a message to one recipient, oldest first. */
export const Timeline = Type.Object({
  recipient: Type.String(),
  status,
  text: Type.Optional(Type.String()),
  /** The tracked links, if any. */
  links: Type.Optional(Type.Array(ShownLink)),
  events: Type.Array(TimelineEvent),
})
export type Timeline = Static<typeof Timeline>

/**
 * - `no_route`: the queue is that of a route or carrier that is no longer configured.
 * - `not_served`: no process holds a bind of the carrier.
 * - `not_bound`: binds are held, but none is up.
 * - `throttled`: the carrier throttles us.
 * - `paused`: the carrier has paused submissions, or an operator has paused the carrier or the route.
 * - `draining`: an operator lets the carrier or the route finish what it has; new messages wait.
 * - `rate`: limited by the configured rate.
 * - `refused`: the carrier rejected them temporarily; they wait for a retry.
 * - `waiting`: overdue for none of these reasons.
 */
export const HOLD_REASONS = [
  'no_route',
  'not_served',
  'not_bound',
  'throttled',
  'paused',
  'draining',
  'rate',
  'refused',
  'waiting',
] as const
export type HoldReason = (typeof HOLD_REASONS)[number]

/** Messages that are held back, and the reason. */
export const Hold = Type.Object({
  queue: Type.String(),
  route: Type.String(),
  /** Absent if the queue belongs to no configured carrier. */
  carrier: Type.Optional(Type.String()),
  reason: Type.Unsafe<HoldReason>({ type: 'string', enum: [...HOLD_REASONS] }),
  detail: Type.String(),
  count: Type.Integer(),
  /** Since when the oldest of them is due. */
  since: Type.Optional(timestamp),
  /** Time of the next attempt, if known. */
  until: Type.Optional(timestamp),
})
export type Hold = Static<typeof Hold>

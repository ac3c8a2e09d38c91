import { Type, type Static } from '../../values/schema/type.ts'
import { Delivery, DELIVERY_STATUSES, type DeliveryStatus } from '../schema.ts'

const timestamp = Type.String({ format: 'date-time' })
const status = Type.Unsafe<DeliveryStatus>({ type: 'string', enum: [...DELIVERY_STATUSES] })

/** A message as a search shows it, with what became of its deliveries in figures. */
export const FoundMessage = Type.Object({
  id: Type.String({ format: 'uuid' }),
  channel: Type.String(),
  sender_id: Type.Optional(Type.String()),
  content: Type.Optional(Type.String()),
  template_id: Type.Optional(Type.String()),
  external_ref: Type.Optional(Type.String()),
  created_datetime: timestamp,
  /** The first of them. */
  recipients: Type.Array(Type.String()),
  recipients_total: Type.Integer(),
  statuses: Type.Unsafe<Partial<Record<DeliveryStatus, number>>>({
    type: 'object',
    properties: Object.fromEntries(DELIVERY_STATUSES.map((name) => [name, { type: 'integer' }])),
  }),
  charge: Type.Number(),
  /** What of it was given back, if anything was. */
  refunded: Type.Optional(Type.Number()),
  /** When the first of those goes that wait for their time. */
  send_at: Type.Optional(timestamp),
  /** The delivery that was searched for. */
  match: Type.Optional(
    Type.Object({
      recipient: Type.String(),
      status,
      code: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
    }),
  ),
})
export type FoundMessage = Static<typeof FoundMessage>

/** A delivery as the console shows it. */
export const ShownDelivery = Type.Object({
  ...Type.Omit(Delivery, ['clicked_datetime', 'links']).properties,
  route: Type.String(),
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

const STEPS = ['accepted', 'scheduled', 'sent', 'ended', 'refunded', 'click'] as const

/** A step on the way of a message to one recipient. */
export const TimelineEvent = Type.Object({
  kind: Type.Unsafe<(typeof STEPS)[number]>({ type: 'string', enum: [...STEPS] }),
  created_datetime: timestamp,
  status: Type.Optional(status),
  carrier: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  charge: Type.Optional(Type.Number()),
  /** Of what was scheduled: for when. */
  send_at: Type.Optional(timestamp),
  /** Of a click: where it led, how often, and `created_datetime` is the first. */
  url: Type.Optional(Type.String()),
  clicks: Type.Optional(Type.Integer()),
})
export type TimelineEvent = Static<typeof TimelineEvent>

/** What happened to a message on its way to one recipient, oldest first. */
export const Timeline = Type.Object({
  recipient: Type.String(),
  status,
  text: Type.Optional(Type.String()),
  /** The tracked links, where there are some. */
  links: Type.Optional(Type.Array(ShownLink)),
  events: Type.Array(TimelineEvent),
})
export type Timeline = Static<typeof Timeline>

/**
 * - `no_route`: the queue is that of a route or carrier that is no longer configured.
 * - `not_served`: no process holds a bind of the carrier.
 * - `not_bound`: binds are held, but none is up.
 * - `throttled`: the carrier said that it was too much.
 * - `paused`: the carrier has stopped us until a moment, or until somebody mends something.
 * - `rate`: as fast as the configured rates allow.
 * - `refused`: the carrier did not take them this time; they wait for the next.
 * - `waiting`: longer than it should take, and none of these is why.
 */
const HOLD_REASONS = [
  'no_route',
  'not_served',
  'not_bound',
  'throttled',
  'paused',
  'rate',
  'refused',
  'waiting',
] as const
export type HoldReason = (typeof HOLD_REASONS)[number]

/** Messages that are kept from leaving, and by what. */
export const Hold = Type.Object({
  queue: Type.String(),
  route: Type.String(),
  /** Absent where the queue belongs to no configured carrier. */
  carrier: Type.Optional(Type.String()),
  reason: Type.Unsafe<HoldReason>({ type: 'string', enum: [...HOLD_REASONS] }),
  detail: Type.String(),
  count: Type.Integer(),
  /** Since when the oldest of them waits. */
  since: Type.Optional(timestamp),
  /** When it is tried again, where that is known. */
  until: Type.Optional(timestamp),
})
export type Hold = Static<typeof Hold>

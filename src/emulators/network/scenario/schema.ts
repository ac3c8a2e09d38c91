import { Type, type Static } from '../../../values/schema/type.ts'
import { STATUS, type StatusName } from '../../../carriers/codec/status.ts'
import { keysOf } from '../../../values/record.ts'

/** The scenario file of `gangan network`. Shares are between 0 and 1; durations are simulated time. */
const closed = { additionalProperties: false }
const name = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$' })
const digits = Type.String({ pattern: '^\\d{1,15}$' })
const duration = { pattern: '^\\d{1,9}(\\.\\d{1,6})?(ms|s|m|h|d)$' }
const Duration = Type.String(duration)
const share = { minimum: 0, maximum: 1 }
const Share = Type.Number({ ...share, default: 0 })
const OptionalShare = Type.Optional(Type.Number(share))
const MAX_ITEMS = 1_000

/** Log-normal: half of the values are below the median, 95 % below p95. Without p95 it is constant. */
const Delay = Type.Object({ median: Duration, p95: Type.Optional(Duration) }, closed)
export type Delay = Static<typeof Delay>
const delay = (median: string, p95: string) => Type.Unsafe<Delay>({ ...Delay, default: { median, p95 } })

const STATUSES = keysOf(STATUS).filter((status) => status !== 'ROK')
const Status = Type.Unsafe<StatusName>({ type: 'string', enum: STATUSES })

const Price = Type.Number({ minimum: 0, maximum: 1_000_000 })
const Rejected = Type.Unsafe<Partial<Record<StatusName, number>>>({
  type: 'object',
  properties: Object.fromEntries(STATUSES.map((status) => [status, { type: 'number', ...share }])),
  ...closed,
})

/** Phones of an operator that do not simply receive. The others are reachable. */
const Subscribers = Type.Object(
  {
    absent: Share,
    inbox_full: Share,
    off: Type.Optional(Type.Object({ share: Share, lasts: Duration, every: Duration }, closed)),
    roaming: Type.Optional(Type.Object({ share: Share, lost: Share, slower_by: Type.Optional(Delay) }, closed)),
    ported_to: Type.Record(name, Type.Number(share), { default: {} }),
  },
  { ...closed, default: {} },
)

const Operator = Type.Object(
  {
    name,
    mcc_mnc: Type.Optional(Type.String({ pattern: '^\\d{5,6}$' })),
    prefixes: Type.Optional(Type.Array(digits, { minItems: 1, maxItems: MAX_ITEMS })),
    subscribers: Subscribers,
  },
  closed,
)
export type OperatorSettings = Static<typeof Operator>

export const STATES = ['reachable', 'absent', 'inbox_full', 'off', 'roaming'] as const
export type SubscriberState = (typeof STATES)[number]

/** What is known of one number; several entries of a number are its states at several times. */
const Subscriber = Type.Object(
  {
    number: Type.String({ pattern: '^\\d{7,15}$' }),
    operator: Type.Optional(name),
    state: Type.Optional(Type.Unsafe<SubscriberState>({ type: 'string', enum: [...STATES] })),
    from: Type.Optional(Duration),
    until: Type.Optional(Duration),
  },
  closed,
)
export type SubscriberSettings = Static<typeof Subscriber>

const quality = {
  lost: OptionalShare,
  faked: OptionalShare,
  undelivered: OptionalShare,
  unreported: OptionalShare,
}

/** What may differ by operator; the carrier's own values apply where it is left out. */
const OfOperator = Type.Object(
  { price: Type.Optional(Price), ...quality, rejected: Type.Optional(Rejected), delivery: Type.Optional(Delay) },
  closed,
)

export const OUTAGES = ['refused', 'silent', 'rejects', 'drops'] as const
export type OutageKind = (typeof OUTAGES)[number]

const Outage = Type.Object(
  {
    kind: Type.Unsafe<OutageKind>({ type: 'string', enum: [...OUTAGES] }),
    from: Duration,
    lasts: Duration,
    every: Type.Optional(Duration),
    status: Type.Unsafe<StatusName>({ ...Status, default: 'RSYSERR' }),
  },
  closed,
)

/** From the previous point of a share to this one it changes linearly. */
const Drift = Type.Object({ at: Duration, operator: Type.Optional(name), ...quality }, closed)
export type Drift = Static<typeof Drift>

const Carrier = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    port: Type.Integer({ minimum: 0, maximum: 65_535, default: 0 }),
    system_id: Type.String({ minLength: 1, maxLength: 15, default: 'gangan' }),
    password: Type.String({ maxLength: 16, default: 'secret' }),
    price: Type.Unsafe<number>({ ...Price, default: 0 }),
    charged: Type.Unsafe<'accepted' | 'delivered'>({
      type: 'string',
      enum: ['accepted', 'delivered'],
      default: 'accepted',
    }),
    window: Type.Integer({ minimum: 1, maximum: 10_000, default: 1_000 }),
    throughput: Type.Optional(Type.Number({ minimum: 1, maximum: 1_000_000 })),
    answer: delay('20ms', '100ms'),
    delivery: delay('2s', '10s'),
    receipt: delay('500ms', '2s'),
    faked_receipt: delay('300ms', '600ms'),
    validity: Type.String({ ...duration, default: '24h' }),
    follows_porting: Type.Boolean({ default: true }),
    lost: Share,
    faked: Share,
    undelivered: Share,
    unreported: Share,
    rejected: Type.Unsafe<Partial<Record<StatusName, number>>>({ ...Rejected, default: {} }),
    operators: Type.Record(name, OfOperator, { default: {} }),
    drift: Type.Array(Drift, { maxItems: MAX_ITEMS, default: [] }),
    outages: Type.Array(Outage, { maxItems: MAX_ITEMS, default: [] }),
  },
  closed,
)
export type CarrierSettings = Static<typeof Carrier>
export type OutageSettings = Static<typeof Outage>

const pattern = (fallback: string) => Type.String({ minLength: 1, maxLength: 200, default: fallback })

/** What the people do with the texts they receive. */
const People = Type.Object(
  {
    otp: Type.Optional(
      Type.Object(
        { enter: Share, mistype: Share, pattern: pattern('\\b\\d{4,8}\\b'), after: delay('15s', '60s') },
        closed,
      ),
    ),
    answers: Type.Array(
      Type.Object(
        {
          pattern: pattern('.'),
          share: Share,
          text: Type.String({ minLength: 1, maxLength: 160 }),
          after: delay('1m', '10m'),
        },
        closed,
      ),
      { maxItems: 20, default: [] },
    ),
  },
  { ...closed, default: {} },
)

export const Scenario = Type.Object(
  {
    seed: Type.Integer({ minimum: 0, maximum: 4_294_967_295, default: 1 }),
    acceleration: Type.Number({ minimum: 0.001, maximum: 100_000, default: 1 }),
    operators: Type.Array(Operator, { minItems: 1, maxItems: 200 }),
    numbers: Type.Array(Subscriber, { maxItems: 100_000, default: [] }),
    carriers: Type.Array(Carrier, { minItems: 1, maxItems: 50 }),
    people: People,
  },
  closed,
)
export type Scenario = Static<typeof Scenario>

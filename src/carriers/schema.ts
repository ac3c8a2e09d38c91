import { Type, type Static, AnyName } from '../values/schema/type.ts'

const orNull = <T>(type: 'string' | 'number') => Type.Unsafe<T | null>({ type: [type, 'null'] })
const timestamp = Type.String({ format: 'date-time' })

/** The state of a carrier. */
export const CarrierState = Type.Object({
  name: Type.String(),
  kind: Type.String(),
  state: Type.Unsafe<'up' | 'degraded' | 'down' | 'unknown'>({
    type: 'string',
    enum: ['up', 'degraded', 'down', 'unknown'],
  }),
  detail: Type.Optional(Type.String()),
  /** Our URLs for its reports and texts, without secrets. */
  addresses: Type.Optional(Type.Object({ reports: Type.Optional(Type.String()), texts: Type.Optional(Type.String()) })),
})
export type CarrierState = Static<typeof CarrierState>

export const BIND_STATES = ['connecting', 'binding', 'bound', 'waiting', 'stopping', 'stopped'] as const
export type BindStateName = (typeof BIND_STATES)[number]
const state = Type.Unsafe<BindStateName>({ type: 'string', enum: [...BIND_STATES] })

/** The number of answers that took up to `up_to` milliseconds; the last bucket has no limit. */
const Bucket = Type.Object({ up_to: orNull<number>('number'), count: Type.Integer() })
export type Bucket = Static<typeof Bucket>

/** The metrics of a bind. Times are milliseconds, rates segments per second. */
export const BindFigures = Type.Object({
  state,
  since: timestamp,
  reason: orNull<string>('string'),
  retry_in_ms: orNull<number>('number'),
  /** Over TLS, while bound: when the certificate of the SMSC expires. */
  certificate_expires: Type.Optional(timestamp),
  window: Type.Integer(),
  inflight: Type.Integer(),
  waiting: Type.Integer(),
  /** Null: unlimited. */
  rate: orNull<number>('number'),
  /** Remaining pause after the SMSC reported throttling. */
  paused_ms: Type.Integer(),
  submitted: Type.Integer(),
  received: Type.Integer(),
  /** Answers to submits, by how long they took. */
  latency_ms: Type.Array(Bucket),
  /** Negative answers, by status. */
  errors: Type.Record(AnyName, Type.Integer()),
  /** The most recent one. */
  last_error: Type.Union([Type.Object({ status: Type.String(), at: timestamp }), Type.Null()]),
})
export type BindFigures = Static<typeof BindFigures>

/** The logged part of a PDU: no text, no secret, no complete number. */
const PduSummary = Type.Object({
  command: Type.String(),
  command_status: Type.String(),
  sequence_number: Type.Integer(),
  bytes: Type.Integer(),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  message_id: Type.Optional(Type.String()),
  esm_class: Type.Optional(Type.Integer()),
  data_coding: Type.Optional(Type.Integer()),
  /** Octets of text. */
  length: Type.Optional(Type.Integer()),
  /** Tags, such as `0x001e`. */
  tlvs: Type.Optional(Type.Array(Type.String())),
})
export type PduSummary = Static<typeof PduSummary>

export const SeenPdu = Type.Object({
  direction: Type.Unsafe<'in' | 'out'>({ type: 'string', enum: ['in', 'out'] }),
  at: timestamp,
  ...PduSummary.properties,
})
export type SeenPdu = Static<typeof SeenPdu>

/** A bind, as last stored by the process that holds it. */
export const Bind = Type.Object({
  bind: Type.Integer(),
  /** Null: no process holds it. */
  holder: orNull<string>('string'),
  state,
  updated_datetime: timestamp,
  /** Null: no process has ever held it. */
  figures: Type.Union([BindFigures, Type.Null()]),
})
export type Bind = Static<typeof Bind>

export const BindWithPdus = Type.Object({
  ...Bind.properties,
  pdus: Type.Union([Type.Array(SeenPdu), Type.Null()]),
})
export type BindWithPdus = Static<typeof BindWithPdus>

const carrier = { carrier: Type.String(), kind: Type.Literal('smpp'), up: Type.Boolean() }

/** A carrier with its binds. */
export const BoundCarrier = Type.Object({ ...carrier, binds: Type.Array(Bind) })
export type BoundCarrier = Static<typeof BoundCarrier>

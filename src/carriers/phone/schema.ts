import { Type, type Static } from '../../values/schema/type.ts'

const seconds = (minimum: number, maximum: number, fallback: number) =>
  Type.Number({ minimum, maximum, default: fallback })

/** The operator is that of the prefix, unless the number was ported. */
const ProbeNumberSettings = Type.Object(
  {
    number: Type.String({ pattern: '^\\+?[1-9][0-9]{6,14}$' }),
    operator: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  },
  { additionalProperties: false },
)

/** Android phones with the app SMSGate, as one carrier. Limits are pages of text for each SIM. */
export const PhoneSettings = Type.Object(
  {
    kind: Type.Literal('phone'),
    name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    per_minute: Type.Integer({ minimum: 1, maximum: 1_000, default: 10 }),
    per_hour: Type.Integer({ minimum: 1, maximum: 10_000, default: 100 }),
    per_day: Type.Integer({ minimum: 1, maximum: 10_000, default: 500 }),
    in_flight_per_sim: Type.Integer({ minimum: 1, maximum: 50, default: 5 }),
    silent_after_s: seconds(5, 3_600, 180),
    take_within_s: seconds(1, 300, 20),
    answer_within_s: seconds(0.5, 600, 60),
    // After a day the app may have deleted the record of a message, and would send it again.
    valid_for_s: seconds(10, 43_200, 900),
    report_due_h: Type.Number({ minimum: 0.001, maximum: 720, default: 72 }),
    /** Its phones receive probes: their texts never become inbound messages. */
    probe: Type.Boolean({ default: false }),
    /** The numbers of its SIMs that probes are sent to. */
    numbers: Type.Array(ProbeNumberSettings, { maxItems: 50, default: [] }),
  },
  { additionalProperties: false },
)
export type PhoneSettings = Static<typeof PhoneSettings>

const timestamp = Type.String({ format: 'date-time' })

const ShownSim = Type.Object({
  /** 0: the phone chooses. */
  sim: Type.Integer(),
  operator: Type.Optional(Type.String()),
  number: Type.Optional(Type.String()),
  used_minute: Type.Integer(),
  used_hour: Type.Integer(),
  used_day: Type.Integer(),
  in_flight: Type.Integer(),
  rests_until: Type.Optional(timestamp),
})

const ShownPhone = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  app: Type.String(),
  present: Type.Boolean(),
  registered_datetime: timestamp,
  seen_datetime: Type.Optional(timestamp),
  battery: Type.Optional(Type.Integer()),
  charging: Type.Optional(Type.Boolean()),
  network: Type.Optional(Type.String()),
  sims: Type.Array(ShownSim),
})
export type ShownPhone = Static<typeof ShownPhone>

/** A phone carrier, with the address and token that a phone needs to join it. */
export const ShownPhoneCarrier = Type.Object({
  carrier: Type.String(),
  address: Type.String(),
  token: Type.String(),
  limits: Type.Object({ per_minute: Type.Integer(), per_hour: Type.Integer(), per_day: Type.Integer() }),
  phones: Type.Array(ShownPhone),
})
export type ShownPhoneCarrier = Static<typeof ShownPhoneCarrier>

import { Type, type Static } from '../values/schema/type.ts'

export const SCOPES = ['sms', 'otp', 'airtime', 'lookup', 'lists', 'settings', 'callbacks', 'balance'] as const
export type Scope = (typeof SCOPES)[number]

/** The section of the configuration file for the first organisation. */
export const OrganisationSettings = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, default: 'First organisation' }),
    default_country: Type.String({ pattern: '^[A-Z]{2}$', default: 'NG' }),
    default_sender_id: Type.String({ pattern: '^[A-Za-z0-9 ._&-]{1,11}$', default: 'Gangan' }),
  },
  { additionalProperties: false },
)
export type OrganisationSettings = Static<typeof OrganisationSettings>

const name = Type.String({ minLength: 1, maxLength: 200, examples: ['First organisation'] })
const default_country = Type.String({
  description: 'ISO code; national numbers such as 0803… or 803… are read as numbers of this country.',
  examples: ['NG'],
})
const default_sender_id = Type.String({
  description: 'Used when a message names no `sender_id`. In live mode an approved sender.',
  examples: ['Gangan'],
})
const smart_encoding = Type.Boolean({
  description: 'Replaces typographic characters with GSM look-alikes if that keeps a text within GSM.',
})
const inbound_url = Type.String({
  description: 'The URL to which incoming messages are posted, as `text.received`.',
  examples: ['https://example.com/texts'],
})
const CLOCK = '^([01][0-9]|2[0-3]):[0-5][0-9]$'
const quiet_from = Type.String({
  pattern: CLOCK,
  description:
    'Start of the quiet hours, during which promotional messages are held until `quiet_until`. In the recipient’s local time; in a country with several time zones, messages are held while it is quiet in any of them.',
  examples: ['20:00'],
})
const quiet_until = Type.String({ pattern: CLOCK, description: 'See `quiet_from`.', examples: ['08:00'] })
const whatsapp_fallback = Type.Boolean({
  description: 'Sends free text outside WhatsApp’s 24-hour window by SMS instead of refusing it.',
})

const low_balance = Type.Number({
  exclusiveMinimum: 0,
  maximum: 100_000_000_000,
  description:
    'When the balance (with the credit limit, if there is one) falls below this value, `balance.low` is posted: once, until it has been above it again.',
  examples: [5000],
})
const time_zone = Type.String({
  maxLength: 60,
  description:
    'Time zone in which `GET /analytics` counts days and hours. Defaults to the time zone of the capital of `default_country`.',
  examples: ['Africa/Lagos'],
})

/** For organisations that have not chosen another number. */
export const CONFIRM_ABOVE = 100

const confirm_above = Type.Integer({
  minimum: 0,
  maximum: 10_000,
  description: `The console asks for confirmation before it sends a message to more recipients. Defaults to ${CONFIRM_ABOVE}.`,
  examples: [100],
})

/** Settings of an organisation that apply to all of its messages. */
export const SettingsAnswer = Type.Object({
  name,
  default_country,
  default_sender_id: Type.Optional(default_sender_id),
  currency: Type.String({
    description: 'Currency of all prices and the balance; set by the operator.',
    examples: ['NGN'],
  }),
  smart_encoding,
  inbound_url: Type.Optional(inbound_url),
  quiet_from: Type.Optional(quiet_from),
  quiet_until: Type.Optional(quiet_until),
  whatsapp_fallback,
  low_balance: Type.Optional(low_balance),
  time_zone,
  confirm_above,
})
export type SettingsAnswer = Static<typeof SettingsAnswer>

const orNull = (shape: object) => Type.Optional(Type.Unsafe<string | null>({ ...shape, type: ['string', 'null'] }))

export const SettingsBody = Type.Object({
  name: Type.Optional(name),
  default_country: Type.Optional(default_country),
  default_sender_id: orNull(default_sender_id),
  smart_encoding: Type.Optional(smart_encoding),
  inbound_url: orNull(inbound_url),
  quiet_from: orNull(quiet_from),
  quiet_until: orNull(quiet_until),
  whatsapp_fallback: Type.Optional(whatsapp_fallback),
  time_zone: orNull(time_zone),
  confirm_above: Type.Optional(Type.Unsafe<number | null>({ ...confirm_above, type: ['integer', 'null'] })),
  low_balance: Type.Optional(Type.Unsafe<number | null>({ ...low_balance, type: ['number', 'null'] })),
})
export type SettingsBody = Static<typeof SettingsBody>

const plain = '^[^\\u0000-\\u001f]*$'

const daily_spending_limit = Type.Number({
  minimum: 0,
  maximum: 100_000_000_000,
  description: 'What it may spend per day (UTC). Without it, as much as the balance covers.',
  examples: [500],
})

/** A request for a key. Without scopes it has full access. */
export const KeyBody = Type.Object({
  mode: Type.Unsafe<'live' | 'test'>({ type: 'string', enum: ['live', 'test'] }),
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 100, pattern: plain })),
  scopes: Type.Optional(
    Type.Array(Type.Unsafe<Scope>({ type: 'string', enum: [...SCOPES] }), { minItems: 1, maxItems: SCOPES.length }),
  ),
  expires_datetime: Type.Optional(Type.String({ maxLength: 40 })),
  daily_spending_limit: Type.Optional(daily_spending_limit),
})
export type KeyBody = Static<typeof KeyBody>

export const KeyChange = Type.Object({
  daily_spending_limit: Type.Unsafe<number | null>({ ...daily_spending_limit, type: ['number', 'null'] }),
})
export type KeyChange = Static<typeof KeyChange>

export const RotateBody = Type.Object({
  overlap_hours: Type.Optional(Type.Integer({ minimum: 0, maximum: 720, default: 24 })),
})
export type RotateBody = Static<typeof RotateBody>

const id = Type.String({ format: 'uuid' })
const timestamp = Type.String({ format: 'date-time' })

/** A key in a list, without its secret. Without scopes it has full access. */
export const ShownKey = Type.Object({
  id,
  hint: Type.String(),
  mode: KeyBody.properties.mode,
  name: Type.Optional(Type.String()),
  scopes: Type.Optional(
    Type.Array(Type.Unsafe<Scope>({ type: 'string', enum: [...SCOPES] }), { maxItems: SCOPES.length }),
  ),
  state: Type.Unsafe<'active' | 'expired' | 'revoked'>({ type: 'string', enum: ['active', 'expired', 'revoked'] }),
  expires_datetime: Type.Optional(timestamp),
  revoked_datetime: Type.Optional(timestamp),
  created_datetime: timestamp,
  /** Accurate to the minute; absent until the key is used. */
  last_used_datetime: Type.Optional(timestamp),
  daily_spending_limit: Type.Optional(daily_spending_limit),
  /** Of a key with a limit: since midnight UTC, with the keys that it replaces. */
  spent_today: Type.Optional(Type.Number()),
})
export type ShownKey = Static<typeof ShownKey>

/** Contains the secret, which is not stored. */
export const IssuedKey = Type.Object({ key: ShownKey, secret: Type.String() })
export type IssuedKey = Static<typeof IssuedKey>

/** The new key, and the expiry of the old one. */
export const RotatedKey = Type.Object({ ...IssuedKey.properties, old: ShownKey })
export type RotatedKey = Static<typeof RotatedKey>

export const OrganisationBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 190, pattern: plain }),
  default_country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$', default: 'NG' })),
  default_sender_id: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9 ._&-]{1,11}$' })),
  credit: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000_000_000 })),
})
export type OrganisationBody = Static<typeof OrganisationBody>

export const SuspensionBody = Type.Object({
  suspended: Type.Boolean(),
  reason: Type.String({ minLength: 1, maxLength: 500, pattern: plain }),
})
export type SuspensionBody = Static<typeof SuspensionBody>

const limit = Type.Unsafe<number | null>({ type: ['number', 'null'], minimum: 0.1, maximum: 100_000 })

/** Limits of an organisation and of its test twin, each; null: unlimited. */
const credit_limit = Type.Number({
  minimum: 0,
  maximum: 100_000_000_000,
  description: 'How far below zero the balance may fall. 0: prepaid.',
})

/** The limits of an organisation that an operator may change; a credit limit that is not given stays. */
export const LimitsBody = Type.Object({
  requests_per_s: limit,
  messages_per_s: limit,
  credit_limit: Type.Optional(credit_limit),
})
export type LimitsBody = Static<typeof LimitsBody>

const console_settings = {
  default_country: Type.String(),
  default_sender_id: Type.Optional(Type.String()),
  time_zone: Type.String({ description: 'Its own choice, else that of its country’s capital.' }),
  low_balance: Type.Optional(Type.Number()),
  confirm_above: Type.Integer({ description: 'A message to more recipients is confirmed before it is sent.' }),
}

/** An organisation with its test twin: a separate organisation that uses the simulator only, with its own settings. */
export const ShownOrganisation = Type.Object({
  id,
  name: Type.String(),
  test_id: id,
  currency: Type.String(),
  ...console_settings,
  test_settings: Type.Object(console_settings),
  balance: Type.Number(),
  test_balance: Type.Number(),
  suspended_datetime: Type.Optional(timestamp),
  requests_per_s: Type.Optional(Type.Number()),
  messages_per_s: Type.Optional(Type.Number()),
  credit_limit: Type.Optional(Type.Number()),
  created_datetime: timestamp,
})
export type ShownOrganisation = Static<typeof ShownOrganisation>

/** An organisation in the operator's list. */
export const ListedOrganisation = Type.Object({
  ...ShownOrganisation.properties,
  accepted_day: Type.Optional(Type.Integer({ description: 'Messages accepted in the last 24 hours.' })),
  price_list: Type.Optional(Type.String({ description: 'Its price list; absent: the default.' })),
})
export type ListedOrganisation = Static<typeof ListedOrganisation>

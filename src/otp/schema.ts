import { Type, type Static, isOneOf, oneOf } from '../values/schema/type.ts'
import { CHANNELS } from '../carriers/message-carrier.ts'
import { ListMeta, onePage } from '../values/page.ts'

/** Length of a token that the caller chooses. */
export const TOKEN_LENGTH = { shortest: 4, longest: 10 }
export const MAX_ATTEMPTS = 5
export const MAX_RECORDS = 1_000
export const MAX_TEST_NUMBERS = 100
export const MAX_TEMPLATE = 480
/** Further messages of an OTP, each through another carrier. */
export const MAX_RESENDS = 3

export const STATUS = { SENT: 1, EXPIRED: 2, FAILED: 3, VERIFIED: 4, DELETED: 5 } as const

const timestamp = Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] })

export const OtpRecord = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Also the id of the message that carries it.' }),
  recipient: Type.String({ examples: ['2348031234567'] }),
  status: Type.Unsafe<number>({
    type: 'integer',
    enum: Object.values(STATUS),
    description: '1 SENT, 2 EXPIRED, 3 FAILED, 4 VERIFIED, 5 DELETED.',
    examples: [1],
  }),
  status_desc: isOneOf(Object.keys(STATUS), { examples: ['SENT'] }),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type OtpRecord = Static<typeof OtpRecord>

/** An OTP in the console's list. */
export const ListedOtp = Type.Object({
  ...OtpRecord.properties,
  attempts: Type.Integer(),
  expires_datetime: timestamp,
})
export type ListedOtp = Static<typeof ListedOtp>

export const RequestBody = Type.Object({
  recipient: Type.String({ description: 'The phone number to send the token to.', examples: ['2348031234567'] }),
  length: Type.Optional(
    Type.Integer({ minimum: 4, maximum: 8, default: 4, description: 'Digits of a generated token.' }),
  ),
  expires_in: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 60, default: 15, description: 'Minutes until the token expires.' }),
  ),
  token: Type.Optional(
    Type.String({
      description: 'The token to send: 4–10 characters. If absent, one is generated; if present, `length` is ignored.',
      examples: ['482913'],
    }),
  ),
  channel: Type.Optional(
    oneOf(CHANNELS, { description: '`sms` (the default) or `whatsapp`, in any case.', examples: ['sms'] }),
  ),
})
export type RequestBody = Static<typeof RequestBody>

export const VerifyBody = Type.Object({
  id: Type.String({ description: 'The id returned by the request.' }),
  token: Type.String({ description: 'The token that the user entered.', examples: ['482913'] }),
})
export type VerifyBody = Static<typeof VerifyBody>

const orNull = (type: 'string' | 'integer' | 'boolean', rest: object) => ({ type: [type, 'null'], ...rest })

/** The organisation's own settings. Null resets a field to the configured default. */
export const SettingsBody = Type.Object({
  template: Type.Optional(
    Type.Unsafe<string | null>(
      orNull('string', {
        description: `The text, with \`{{token}}\`, \`{{minutes}}\` and \`{{sender}}\`; at most ${MAX_TEMPLATE} characters.`,
        examples: ['{{token}} is your {{sender}} code, valid for {{minutes}} min.'],
      }),
    ),
  ),
  origin: Type.Optional(
    Type.Unsafe<string | null>(
      orNull('string', {
        description: 'The domain to which phones bind the code for autofill: the text then ends with `@domain #code`.',
        examples: ['example.com'],
      }),
    ),
  ),
  fallback_channel: Type.Optional(
    Type.Unsafe<'sms' | 'whatsapp' | null>(
      orNull('string', {
        enum: ['sms', 'whatsapp', null],
        description:
          'The channel on which another token is sent if the first has not reported its message delivered in time; a token that the request gave is sent again. Both tokens are valid.',
      }),
    ),
  ),
  fallback_after_s: Type.Optional(
    Type.Unsafe<number | null>(
      orNull('integer', {
        minimum: 5,
        maximum: 600,
        description: 'Seconds to wait for the delivery report of the first channel.',
        examples: [30],
      }),
    ),
  ),
  resend_after_s: Type.Optional(
    Type.Unsafe<number | null>(
      orNull('integer', {
        minimum: 5,
        maximum: 600,
        description:
          'Seconds to wait for the delivery report from when a carrier has accepted the message; then another token is sent, on the same channel through the next carrier, at the price of a message. Not if the request gives the token, or a second channel applies.',
        examples: [20],
      }),
    ),
  ),
  resend_when_late: Type.Optional(
    Type.Unsafe<boolean | null>(
      orNull('boolean', {
        description:
          'The other token is sent as soon as 95 % of the delivery reports would have arrived, by those of the last 24 hours for the operator of the number; after `resend_after_s` at the latest (without it: 60), and then if fewer than 200 reports are known.',
      }),
    ),
  ),
  resend_times: Type.Optional(
    Type.Unsafe<number | null>(
      orNull('integer', {
        minimum: 1,
        maximum: MAX_RESENDS,
        description:
          'How often another token is sent at most (1 by default), each time if the message before it was not reported as delivered in time, and from the second time on only through a carrier that has not had the one-time password. All tokens are valid until it ends.',
        examples: [2],
      }),
    ),
  ),
  test_numbers: Type.Optional(
    Type.Array(
      Type.Object({
        recipient: Type.String({ examples: ['2348031234567'] }),
        token: Type.String({ examples: ['482913'] }),
      }),
      {
        maxItems: MAX_TEST_NUMBERS,
        description: 'Test numbers with a fixed token: nothing is sent or charged. Replaces the whole list.',
      },
    ),
  ),
})
export type SettingsBody = Static<typeof SettingsBody>

export const OrganisationOtpSettings = Type.Object({
  template: Type.String(),
  origin: Type.Optional(Type.String()),
  fallback_channel: Type.Optional(isOneOf(CHANNELS)),
  fallback_after_s: Type.Optional(Type.Integer()),
  resend_after_s: Type.Optional(Type.Integer()),
  resend_when_late: Type.Boolean(),
  resend_times: Type.Integer(),
  test_numbers: Type.Array(Type.Object({ recipient: Type.String() }), {
    maxItems: MAX_TEST_NUMBERS,
    description: 'Without their tokens.',
  }),
  updated_datetime: Type.Optional(timestamp),
})
export type OrganisationOtpSettings = Static<typeof OrganisationOtpSettings>

export const GuardedPrefix = Type.Object({
  prefix: Type.String({ description: 'Numbers without their last four digits.', examples: ['234803123'] }),
  state: Type.Unsafe<'slowed' | 'blocked'>({ type: 'string', enum: ['slowed', 'blocked'] }),
  sent: Type.Integer({ description: 'OTPs sent there in the window.' }),
  verified: Type.Integer({ description: 'How many of them were verified.' }),
  until_datetime: timestamp,
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type GuardedPrefix = Static<typeof GuardedPrefix>

const closed = { additionalProperties: false, default: {} }
const count = (of: number) => Type.Integer({ minimum: 1, maximum: 100_000_000, default: of })

export const LimitSettings = Type.Object(
  {
    number_per_10_minutes: count(5),
    number_per_day: count(20),
    number_failures_per_day: count(20),
    prefix_per_hour: count(200),
    country_per_hour: count(10_000),
    organisation_per_hour: count(20_000),
  },
  closed,
)
export type LimitSettings = Static<typeof LimitSettings>

export const GuardSettings = Type.Object(
  {
    window_minutes: Type.Integer({ minimum: 10, maximum: 1_440, default: 60 }),
    conversion: Type.Number({ minimum: 0, maximum: 1, default: 0.2 }),
    slow_from: count(20),
    slow_every_s: Type.Integer({ minimum: 1, maximum: 3_600, default: 30 }),
    block_from: count(50),
    block_minutes: Type.Integer({ minimum: 1, maximum: 10_080, default: 60 }),
  },
  closed,
)
export type GuardSettings = Static<typeof GuardSettings>

/** The section `otp` of the configuration file. */
export const OtpSettings = Type.Object(
  {
    template: Type.String({
      default: '{{token}} is your {{sender}} code, valid for {{minutes}} min. Do not share it.',
    }),
    origin: Type.String({ pattern: '^([a-z0-9-]+(\\.[a-z0-9-]+)+)?$', maxLength: 100, default: '' }),
    countries: Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), { maxItems: 300, default: [] }),
    limits: LimitSettings,
    guard: GuardSettings,
  },
  closed,
)
export type OtpSettings = Static<typeof OtpSettings>

export const GuardPage = Type.Object({ prefixes: onePage(GuardedPrefix), meta: ListMeta })
export type GuardPage = Static<typeof GuardPage>

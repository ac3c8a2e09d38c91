import { id, isOneOf, timestamp, Type, type Static } from '../../values/schema/type.ts'
import { ListMeta, onePage } from '../../values/page.ts'
import { MAX_URL_LENGTH } from '../post/address-guard.ts'

/** All event types. */
export const EVENT_TYPES = [
  'text.delivered',
  'text.undelivered',
  'text.expired',
  'text.rejected',
  'text.failed',
  'text.clicked',
  'text.read',
  'text.received',
  'airtime.success',
  'airtime.failed',
  'airtime.duplicate',
  'airtime.error',
  'balance.low',
  'balance.exhausted',
  'balance.spending_limit',
] as const

/** Filters: a type, a family of types, or everything. */
export const EVENT_FILTERS: readonly string[] = ['*', 'text.*', 'airtime.*', 'balance.*', ...EVENT_TYPES]

const MAX_DESCRIPTION = 200
const MAX_OVERLAP_H = 168

const url = Type.String({
  maxLength: MAX_URL_LENGTH,
  description: 'Where events are posted; in live mode a public address, or one of a network that the operator allows.',
  examples: ['https://example.com/events'],
})
const events = Type.Array(Type.String(), {
  minItems: 1,
  maxItems: EVENT_FILTERS.length,
  description: `The events it receives: ${EVENT_FILTERS.map((type) => `\`${type}\``).join(', ')}. Everything by default.`,
  examples: [['text.*']],
})
export const WEBHOOK_FORMATS = ['standard', 'simpu', 'twilio'] as const
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number]

const format = isOneOf(WEBHOOK_FORMATS, {
  description:
    '`standard` (default): as described here. `simpu`: the body, with `id`, `type` such as `AIRTIME_SUCCESS` and `data.object`, and the header `x-simpu-webhook-signature`, as Simpu posts them. `twilio`: form fields and `X-Twilio-Signature`, for texts only; the response to an inbound text may be TwiML, which is sent and charged, so the key needs the scope `sms` as well. It cannot be changed.',
  examples: ['standard'],
})
const description = Type.String({ maxLength: MAX_DESCRIPTION, examples: ['Reports for the billing system'] })
const enabled = Type.Boolean({ description: 'Enabling it resets its failures.' })

export const WebhookBody = Type.Object({
  url,
  events: Type.Optional(events),
  format: Type.Optional(format),
  description: Type.Optional(description),
  enabled: Type.Optional(enabled),
})
export type WebhookBody = Static<typeof WebhookBody>

export const WebhookChange = Type.Object({
  url: Type.Optional(url),
  events: Type.Optional(events),
  description: Type.Optional(Type.Unsafe<string | null>({ ...description, type: ['string', 'null'] })),
  enabled: Type.Optional(enabled),
})
export type WebhookChange = Static<typeof WebhookChange>

export const Webhook = Type.Object({
  id,
  url,
  events: Type.Array(Type.String(), { maxItems: EVENT_FILTERS.length, examples: [['text.*']] }),
  format: Type.Optional(Type.Unsafe<WebhookFormat>({ ...format, description: 'Absent for `standard`.' })),
  description: Type.Optional(description),
  enabled: Type.Boolean(),
  disabled_reason: Type.Optional(
    Type.String({
      description: 'Why it was disabled automatically.',
      examples: ['The endpoint has failed since 2026-11-09 08:12 UTC.'],
    }),
  ),
  failing_since: Type.Optional(
    Type.String({ format: 'date-time', description: 'The first failed attempt since the last successful one.' }),
  ),
  old_secret_until: Type.Optional(
    Type.String({ format: 'date-time', description: 'Until then, posts are also signed with the previous secret.' }),
  ),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
})
export type Webhook = Static<typeof Webhook>

/** Returned once, when the secret is created. */
export const WebhookWithSecret = Type.Object({
  ...Webhook.properties,
  secret: Type.String({
    description: 'Signs its posts. Shown only once.',
    examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
  }),
})
export type WebhookWithSecret = Static<typeof WebhookWithSecret>

export const RotateBody = Type.Object({
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_OVERLAP_H,
      default: 24,
      description: 'How long posts are signed with both the new and the previous secret.',
    }),
  ),
})
export type RotateBody = Static<typeof RotateBody>

export const ReplayBody = Type.Object({
  since: Type.String({
    description: 'Events from this time on, with its UTC offset.',
    examples: ['2026-11-14T00:00:00+01:00'],
  }),
  until: Type.Optional(Type.String({ description: 'Events before this time.' })),
})
export type ReplayBody = Static<typeof ReplayBody>

export const Replayed = Type.Object({
  replayed: Type.Integer({ description: 'Callbacks enqueued again.', examples: [12] }),
  complete: Type.Boolean({ description: 'False if there are more: repeat the request.' }),
})
export type Replayed = Static<typeof Replayed>

/** Settings of webhooks. */
export const WebhookSettings = Type.Object(
  { disable_after_days: Type.Integer({ minimum: 1, maximum: 365, default: 5 }) },
  { additionalProperties: false, default: {} },
)

export const WebhookPage = Type.Object({ webhooks: onePage(Webhook), meta: ListMeta })
export type WebhookPage = Static<typeof WebhookPage>

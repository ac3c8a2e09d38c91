import { id, timestamp, Type, type Static } from '../values/schema/type.ts'
import { ListMeta, onePage } from '../values/page.ts'
import { MAX_NETWORK_LENGTH } from './post/networks.ts'

const CallbackAttempt = Type.Object({
  attempt: Type.Integer({ examples: [1] }),
  status_code: Type.Optional(Type.Integer({ description: 'Status code of the response.', examples: [200] })),
  reason: Type.Optional(Type.String({ description: 'Why there was no response.', examples: ['timeout: no answer'] })),
  excerpt: Type.Optional(Type.String({ description: 'The first bytes of the response.', examples: ['ok'] })),
  duration_ms: Type.Integer({ examples: [12] }),
  created_datetime: timestamp,
})
export type CallbackAttempt = Static<typeof CallbackAttempt>

const Status = Type.Unsafe<'pending' | 'delivered' | 'stopped' | 'failed'>({
  type: 'string',
  enum: ['pending', 'delivered', 'stopped', 'failed'],
  description:
    '`stopped`: the endpoint responded with 410, or its webhook was disabled or deleted. `failed`: all attempts within 24 hours failed.',
})

export const CallbackQuery = Type.Object({
  subject_id: Type.Optional(Type.String({ description: 'Only callbacks about this message or purchase.' })),
  webhook_id: Type.Optional(Type.String({ description: 'Only those of this registered webhook.' })),
  event_id: Type.Optional(Type.String({ description: 'Only those with this `webhook-id`.' })),
  status: Type.Optional(Status),
})
export type CallbackQuery = Static<typeof CallbackQuery>

export const ListedCallback = Type.Object({
  id,
  event_id: Type.String({
    format: 'uuid',
    description: 'The `webhook-id`: the same for every attempt and every endpoint of the event.',
  }),
  webhook_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The registered webhook; absent for the `callback` of a request.',
    }),
  ),
  type: Type.String({ examples: ['text.delivered'] }),
  url: Type.String({ examples: ['https://example.com/reports'] }),
  status: Status,
  attempts: Type.Integer({ examples: [1] }),
  subject_id: Type.String({ format: 'uuid', description: 'The message or purchase of the event.' }),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
  next_attempt_datetime: Type.Optional(
    Type.String({
      format: 'date-time',
      examples: ['2026-11-14T23:43:46.539766+00:00'],
      description: 'When a failed attempt is retried. Absent before the first attempt and after the last.',
    }),
  ),
})
export type ListedCallback = Static<typeof ListedCallback>

/** A callback with its body and attempts. */
export const CallbackWithAttempts = Type.Object({
  ...ListedCallback.properties,
  body: Type.String({ description: 'The posted body, byte for byte.' }),
  attempts_log: onePage(CallbackAttempt),
})
export type CallbackWithAttempts = Static<typeof CallbackWithAttempts>

/** Settings of callbacks. */
export const CallbackSettings = Type.Object(
  { allow_networks: Type.Array(Type.String({ maxLength: MAX_NETWORK_LENGTH }), { maxItems: 100, default: [] }) },
  { additionalProperties: false, default: {} },
)

export const CallbackPage = Type.Object({ callbacks: onePage(ListedCallback), meta: ListMeta })
export type CallbackPage = Static<typeof CallbackPage>

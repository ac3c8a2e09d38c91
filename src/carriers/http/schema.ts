import { Type, type Static, AnyName } from '../../values/schema/type.ts'

const secret = Type.String({ minLength: 1, maxLength: 2_000 })

/** A vendor with an HTTP API, in the configuration file: a preset, and this account's values. */
export const HttpSettings = Type.Object(
  {
    kind: Type.Literal('http'),
    name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    /** A file of `presets/`, or one of the operator's own. */
    preset: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{1,40}$' })),
    file: Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 })),
    credentials: Type.Record(AnyName, secret, { default: {} }),
    options: Type.Record(AnyName, Type.String({ maxLength: 300 }), { default: {} }),
    country: Type.Optional(Type.String({ pattern: '^[A-Z]{2}$' })),
    rate_per_s: Type.Optional(Type.Number({ minimum: 0.1, maximum: 10_000 })),
    connections: Type.Optional(Type.Integer({ minimum: 1, maximum: 512 })),
    timeout_ms: Type.Optional(Type.Integer({ minimum: 500, maximum: 120_000 })),
    report_due_h: Type.Optional(Type.Number({ minimum: 0.1, maximum: 168 })),
    recipients: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    low_balance: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000_000 })),
    /** Tell the vendor which of its messages carried a one-time password that was verified. */
    feedback: Type.Optional(Type.Boolean()),
    networks: Type.Array(Type.String({ maxLength: 43 }), { maxItems: 100, default: [] }),
  },
  { additionalProperties: false },
)
export type HttpSettings = Static<typeof HttpSettings>

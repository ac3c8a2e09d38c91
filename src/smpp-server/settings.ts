import { Type, type Static } from '../values/schema/type.ts'

const closed = { additionalProperties: false }

/** Section `smpp_server` of the configuration. Without it the SMPP server is not started. */
export const SmppServerSettings = Type.Object(
  {
    host: Type.String({ minLength: 1, maxLength: 255, default: '127.0.0.1' }),
    port: Type.Integer({ minimum: 0, maximum: 65_535, default: 2775 }),
    tls: Type.Optional(
      Type.Object(
        { key: Type.String({ minLength: 1, maxLength: 4_096 }), cert: Type.String({ minLength: 1, maxLength: 4_096 }) },
        closed,
      ),
    ),
    limits: Type.Object(
      {
        binds: Type.Integer({ minimum: 1, maximum: 10_000, default: 500 }),
        binds_per_organisation: Type.Integer({ minimum: 1, maximum: 10_000, default: 100 }),
        binds_reserved: Type.Integer({ minimum: 0, maximum: 10_000, default: 50 }),
        binds_per_account: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
        unbound: Type.Integer({ minimum: 1, maximum: 10_000, default: 100 }),
        unbound_per_address: Type.Integer({ minimum: 1, maximum: 10_000, default: 20 }),
        unbound_reserved: Type.Integer({ minimum: 0, maximum: 10_000, default: 20 }),
        rate_per_s_per_organisation: Type.Integer({ minimum: 1, maximum: 100_000, default: 4_000 }),
        window_per_organisation: Type.Integer({ minimum: 1, maximum: 100_000, default: 1_000 }),
        rate_per_s: Type.Integer({ minimum: 1, maximum: 10_000, default: 2_000 }),
        window_size: Type.Integer({ minimum: 1, maximum: 1_000, default: 200 }),
        long_texts: Type.Integer({ minimum: 1, maximum: 100_000, default: 1_000 }),
        waiting: Type.Integer({ minimum: 1, maximum: 10_000_000, default: 100_000 }),
      },
      { ...closed, default: {} },
    ),
    first_byte_timeout_ms: Type.Integer({ minimum: 100, maximum: 600_000, default: 3_000 }),
    bind_timeout_ms: Type.Integer({ minimum: 100, maximum: 600_000, default: 5_000 }),
    enquire_interval_ms: Type.Integer({ minimum: 100, maximum: 3_600_000, default: 30_000 }),
    response_timeout_ms: Type.Integer({ minimum: 100, maximum: 600_000, default: 20_000 }),
    long_text_wait_s: Type.Integer({ minimum: 1, maximum: 86_400, default: 300 }),
    keep_hours: Type.Integer({ minimum: 1, maximum: 720, default: 72 }),
  },
  closed,
)
export type SmppServerSettings = Static<typeof SmppServerSettings>

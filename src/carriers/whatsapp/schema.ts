import { Type, type Static } from '../../values/schema/type.ts'

/** A business number at WhatsApp's Cloud API, as the configuration file describes it. */
export const WhatsappSettings = Type.Object(
  {
    kind: Type.Literal('whatsapp_cloud'),
    name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    phone_number_id: Type.String({ pattern: '^[0-9]{1,40}$' }),
    waba_id: Type.String({ pattern: '^[0-9]{1,40}$' }),
    access_token: Type.String({ minLength: 1, maxLength: 2_000 }),
    app_secrets: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 10 }),
    verify_token: Type.String({ minLength: 8, maxLength: 200 }),
    base_url: Type.String({ pattern: '^https?://[^/?#]+$', default: 'https://graph.facebook.com' }),
    graph_version: Type.String({ pattern: '^v[0-9]{1,3}\\.[0-9]{1,2}$', default: 'v23.0' }),
    otp_template: Type.Optional(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 512 }),
          language: Type.String({ minLength: 2, maxLength: 20, default: 'en' }),
        },
        { additionalProperties: false },
      ),
    ),
    rate_per_s: Type.Number({ minimum: 0.1, maximum: 1_000, default: 80 }),
    timeout_ms: Type.Integer({ minimum: 1_000, maximum: 120_000, default: 30_000 }),
    sync_minutes: Type.Integer({ minimum: 1, maximum: 10_080, default: 60 }),
  },
  { additionalProperties: false },
)
export type WhatsappSettings = Static<typeof WhatsappSettings>

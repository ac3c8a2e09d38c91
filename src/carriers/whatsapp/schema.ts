import { Type, type Static } from '../../values/schema/type.ts'

const phone_number_id = Type.String({ pattern: '^[0-9]{1,40}$' })
/** With country code, as a sender of `/senders` writes it. */
const digits = Type.String({ pattern: '^[1-9][0-9]{6,14}$' })
const rate = { minimum: 0.1, maximum: 1_000 }
/** Each has a worker on every route of the account. */
const MAX_NUMBERS = 200

/** A business account at WhatsApp's Cloud API with its numbers, as the configuration file describes it. */
export const WhatsappAccount = Type.Object(
  {
    kind: Type.Literal('whatsapp_cloud'),
    name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    phone_number_id: Type.Optional(phone_number_id),
    digits: Type.Optional(digits),
    numbers: Type.Optional(
      Type.Array(
        Type.Object(
          { phone_number_id, digits, rate_per_s: Type.Optional(Type.Number(rate)) },
          { additionalProperties: false },
        ),
        { minItems: 1, maxItems: MAX_NUMBERS },
      ),
    ),
    waba_id: Type.String({ pattern: '^[0-9]{1,40}$' }),
    /** Meta's app that samples of templates are uploaded to; without it the app of the token. */
    app_id: Type.Optional(Type.String({ pattern: '^[0-9]{1,40}$' })),
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
    rate_per_s: Type.Number({ ...rate, default: 80 }),
    timeout_ms: Type.Integer({ minimum: 1_000, maximum: 120_000, default: 30_000 }),
    sync_minutes: Type.Integer({ minimum: 1, maximum: 10_080, default: 60 }),
  },
  { additionalProperties: false },
)
export type WhatsappAccount = Static<typeof WhatsappAccount>

/**
 * A number of an account. Each is a carrier, so that its rate, pauses and windows are its own. The first has the name of
 * the account and is shared by organisations without a number; templates and the messaging limit are those of the account.
 */
export type WhatsappSettings = Omit<WhatsappAccount, 'phone_number_id' | 'numbers'> & {
  phone_number_id: string
  account: string
}

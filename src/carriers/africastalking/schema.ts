import { Type, type Static } from '../../values/schema/type.ts'

export const AfricasTalkingSettings = Type.Object(
  {
    kind: Type.Literal('africastalking'),
    name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    base_url: Type.String({ pattern: '^https?://', default: 'https://api.africastalking.com' }),
    username: Type.String({ minLength: 1 }),
    api_key: Type.String({ minLength: 1 }),
    timeout_ms: Type.Integer({ minimum: 100, maximum: 120_000, default: 60_000 }),
    low_balance: Type.Number({ minimum: 0, default: 0 }),
  },
  { additionalProperties: false },
)
export type AfricasTalkingSettings = Static<typeof AfricasTalkingSettings>

import { Type, type Static } from '../../values/schema/type.ts'

export const VtpassSettings = Type.Object(
  {
    kind: Type.Literal('vtpass'),
    name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    base_url: Type.String({ pattern: '^https?://', default: 'https://api-service.vtpass.com' }),
    api_key: Type.String({ minLength: 1 }),
    public_key: Type.String({ minLength: 1 }),
    secret_key: Type.String({ minLength: 1 }),
    timeout_ms: Type.Integer({ minimum: 100, maximum: 120_000, default: 60_000 }),
    low_balance: Type.Number({ minimum: 0, default: 0 }),
  },
  { additionalProperties: false },
)
export type VtpassSettings = Static<typeof VtpassSettings>

import { Type, type Static } from '../../values/schema/type.ts'

const operator_id = (id: number) => Type.Integer({ minimum: 1, default: id })

export const ReloadlySettings = Type.Object(
  {
    kind: Type.Literal('reloadly'),
    name: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    base_url: Type.String({ pattern: '^https?://', default: 'https://topups.reloadly.com' }),
    auth_url: Type.String({ pattern: '^https?://', default: 'https://auth.reloadly.com' }),
    client_id: Type.String({ minLength: 1 }),
    client_secret: Type.String({ minLength: 1 }),
    operator_ids: Type.Object(
      { MTN: operator_id(341), Airtel: operator_id(342), '9mobile': operator_id(340), Glo: operator_id(344) },
      { additionalProperties: false, default: {} },
    ),
    timeout_ms: Type.Integer({ minimum: 100, maximum: 120_000, default: 60_000 }),
    low_balance: Type.Number({ minimum: 0, default: 0 }),
  },
  { additionalProperties: false },
)
export type ReloadlySettings = Static<typeof ReloadlySettings>

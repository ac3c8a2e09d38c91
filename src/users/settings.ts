import { Type, type Static } from '../values/schema/type.ts'

/** Lifetime of console sessions, and the proxies whose `X-Forwarded-For` is trusted. */
export const SessionSettings = Type.Object(
  {
    idle_minutes: Type.Integer({ minimum: 5, maximum: 43_200, default: 720 }),
    session_hours: Type.Integer({ minimum: 1, maximum: 2_160, default: 168 }),
    trusted_proxies: Type.Array(Type.String({ minLength: 2, maxLength: 60 }), { maxItems: 1_000, default: [] }),
  },
  { additionalProperties: false, default: {} },
)
export type SessionSettings = Static<typeof SessionSettings>

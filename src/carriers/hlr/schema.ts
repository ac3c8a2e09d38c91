import { Type, type Static, AnyName } from '../../values/schema/type.ts'

const path = Type.Optional(Type.String({ pattern: '^[^.]+(\\.[^.]+)*$', maxLength: 200 }))

/** A lookup provider over HTTP. `{msisdn}` in the URL and the body stands for the number. */
export const HlrSettings = Type.Object(
  {
    kind: Type.Literal('http'),
    name: Type.String({ pattern: '^[a-z0-9-]{1,40}$', default: 'provider' }),
    url: Type.String({ pattern: '^https?://', maxLength: 2_000 }),
    method: Type.Unsafe<'GET' | 'POST'>({ type: 'string', enum: ['GET', 'POST'], default: 'GET' }),
    headers: Type.Record(AnyName, Type.String(), { default: {} }),
    body: Type.Optional(Type.String({ maxLength: 10_000 })),
    timeout_ms: Type.Integer({ minimum: 50, maximum: 20_000, default: 1_500 }),
    connections: Type.Integer({ minimum: 1, maximum: 256, default: 16 }),
    fields: Type.Object({ operator: path, ported: path, dnd: path }, { additionalProperties: false, minProperties: 1 }),
    operators: Type.Record(AnyName, Type.String({ minLength: 1, maxLength: 60 }), { default: {} }),
  },
  { additionalProperties: false },
)
export type HlrSettings = Static<typeof HlrSettings>

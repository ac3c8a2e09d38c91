import { Type, type Static } from '../values/schema/type.ts'

export const IdParams = Type.Object({ id: Type.String({ description: 'The id, as returned on creation.' }) })
export type IdParams = Static<typeof IdParams>

export const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description: 'Up to 255 characters. A retry with the same key is processed once.',
      examples: ['order-1042'],
    }),
  ),
})

export const RequestMeta = Type.Object({ method: Type.String(), resource: Type.String() })

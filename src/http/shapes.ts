import { Type, type Static } from '../values/schema/type.ts'

export const IdParams = Type.Object({ id: Type.String({ description: 'As given in the first answer.' }) })
export type IdParams = Static<typeof IdParams>

export const IdempotencyHeader = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description: 'Up to 255 characters of your own. A retry with the same key is carried out once.',
      examples: ['order-1042'],
    }),
  ),
})

export const RequestMeta = Type.Object({ method: Type.String(), resource: Type.String() })

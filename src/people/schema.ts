import { Type, type Static, AnyName, isOneOf } from '../values/schema/type.ts'
import { ListMeta, onePage, PageQuery } from '../values/page.ts'

const phone = Type.String({
  maxLength: 40,
  description: 'The phone number, in any spelling.',
  examples: ['2348031234567'],
})

export const PersonBody = Type.Object({ phone })
export type PersonBody = Static<typeof PersonBody>

export const ErasureQuery = Type.Object({
  ...PageQuery.properties,
  number_hash: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only erasures of the number with this hash.' }),
  ),
})
export type ErasureQuery = Static<typeof ErasureQuery>

/** An export, as it is streamed. */
export const PersonExport = Type.Object({
  about: Type.String(),
  phone: Type.String({ examples: ['2348031234567'] }),
  written_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
  parts: Type.Array(
    Type.Object({
      table: Type.String({ examples: ['deliveries'] }),
      what: Type.String({ description: 'What the table contains.' }),
      entries: Type.Array(Type.Record(AnyName, Type.Unknown()), {
        maxItems: 2 ** 31 - 1,
        description: 'Its rows about the number, columns by name. Unlimited: the answer is streamed.',
      }),
    }),
    { maxItems: 100 },
  ),
})
export type PersonExport = Static<typeof PersonExport>

/** The receipt of an erasure. It contains no personal data. */
export const Erasure = Type.Object({
  id: Type.String({ format: 'uuid' }),
  number_hash: Type.String({
    description:
      'Replaces the number: a keyed hash. The same number of the same organisation has the same hash; without the key it cannot be traced back to the number.',
    examples: ['erased-3f7c9a0d5b2e4c1f8a6d7e9b0c1d2e3f'],
  }),
  status: isOneOf(['running', 'done'], {
    description: '`done` once a scan of all tables has found nothing more.',
    examples: ['done'],
  }),
  asked_by: Type.String({ examples: ['ada@example.com'] }),
  found: Type.Array(
    Type.Object({
      table: Type.String({ examples: ['deliveries'] }),
      rows: Type.Integer({ examples: [12] }),
    }),
    { maxItems: 100, description: 'Tables in which the number was found, with the number of rows.' },
  ),
  waits_for: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 100,
      description: 'While it runs: tables with rows in use, such as a message that is being sent.',
    }),
  ),
  created_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
  ended_datetime: Type.Optional(Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:48.102233+00:00'] })),
})
export type Erasure = Static<typeof Erasure>

export const ErasurePage = Type.Object({ erasures: onePage(Erasure), meta: ListMeta })
export type ErasurePage = Static<typeof ErasurePage>

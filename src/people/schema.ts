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

/** What an export is, in the form in which it is streamed. */
export const PersonExport = Type.Object({
  about: Type.String(),
  phone: Type.String({ examples: ['2348031234567'] }),
  written_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
  parts: Type.Array(
    Type.Object({
      table: Type.String({ examples: ['deliveries'] }),
      what: Type.String({ description: 'What the table is, to somebody who has never seen it.' }),
      entries: Type.Array(Type.Record(AnyName, Type.Unknown()), {
        maxItems: 2 ** 31 - 1,
        description: 'Its rows about the number, columns by name. As many as there are: the answer is streamed.',
      }),
    }),
    { maxItems: 100 },
  ),
})
export type PersonExport = Static<typeof PersonExport>

/** The receipt of an erasure. It names nobody. */
export const Erasure = Type.Object({
  id: Type.String({ format: 'uuid' }),
  number_hash: Type.String({
    description:
      'What stands in the place of the number from now on: a keyed hash. The same number of the same organisation has the same one, and without the key nobody can tell which number it is.',
    examples: ['erased-3f7c9a0d5b2e4c1f8a6d7e9b0c1d2e3f'],
  }),
  status: isOneOf(['running', 'done'], {
    description: '`done` once all tables have been walked through and nothing was found any more.',
    examples: ['done'],
  }),
  asked_by: Type.String({ examples: ['ada@example.com'] }),
  found: Type.Array(
    Type.Object({
      table: Type.String({ examples: ['deliveries'] }),
      rows: Type.Integer({ examples: [12] }),
    }),
    { maxItems: 100, description: 'Where something was found, and in how many rows.' },
  ),
  waits_for: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 100,
      description:
        'While it runs: tables with rows that somebody has in hand, such as a message that is just being sent.',
    }),
  ),
  created_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
  ended_datetime: Type.Optional(Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:48.102233+00:00'] })),
})
export type Erasure = Static<typeof Erasure>

export const ErasurePage = Type.Object({ erasures: onePage(Erasure), meta: ListMeta })
export type ErasurePage = Static<typeof ErasurePage>

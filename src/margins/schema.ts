import { Type, type Static } from '../values/schema/type.ts'

/** Longest period. */
export const MAX_DAYS = 400
/** Rows of an answer; the CSV has more. */
export const MAX_SHOWN = 500
export const MAX_EXPORTED = 100_000

export const MARGINS_BY = ['day', 'organisation', 'carrier', 'country', 'operator'] as const
export type MarginsBy = (typeof MARGINS_BY)[number]

const date = (description: string) => Type.String({ maxLength: 10, description, examples: ['2026-11-01'] })

export const MarginsQuery = Type.Object({
  from: Type.Optional(date('The first day (UTC). Without it: 29 days before `until`.')),
  until: Type.Optional(date(`The last day (UTC); it counts whole. At most ${MAX_DAYS} days. Without it: today.`)),
  by: Type.Optional(
    Type.String({
      maxLength: 60,
      description: `What the figures are grouped by: some of ${MARGINS_BY.join(', ')}, separated by commas. Without it: day.`,
      examples: ['carrier,country'],
    }),
  ),
  organisation_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only this organisation.' })),
  carrier: Type.Optional(Type.String({ maxLength: 60, description: 'Only this carrier.' })),
  country: Type.Optional(Type.String({ maxLength: 2, description: 'Only numbers of this country.' })),
})
export type MarginsQuery = Static<typeof MarginsQuery>

const figures = {
  deliveries: Type.Integer({ description: 'Accepted by a carrier, or still with us.' }),
  pages: Type.Integer(),
  revenue: Type.Number({ description: 'What was charged, minus refunds.' }),
  cost: Type.Number({ description: 'What the carriers charge, as far as it is known.' }),
  margin: Type.Number({
    description: 'Revenue minus cost, of the deliveries whose cost is known: `revenue_without_cost` is not part of it.',
  }),
  margin_rate: Type.Optional(
    Type.Number({
      description: 'Margin by the revenue of the deliveries whose cost is known. Absent if there is none.',
    }),
  ),
  without_cost: Type.Integer({ description: 'Deliveries whose cost is not known.' }),
  revenue_without_cost: Type.Number({ description: 'The part of the revenue that is theirs.' }),
}
export const MarginFigures = Type.Object(figures)
export type MarginFigures = Static<typeof MarginFigures>

export const MarginsRow = Type.Object({
  day: Type.Optional(Type.String()),
  organisation_id: Type.Optional(Type.String()),
  /** Of the organisation. */
  name: Type.Optional(Type.String()),
  /** Empty: no carrier has accepted them. */
  carrier: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
  operator: Type.Optional(Type.String()),
  ...figures,
})
export type MarginsRow = Static<typeof MarginsRow>

/** Revenue, cost and margin of the messages accepted in a period. */
export const MarginsReport = Type.Object({
  from: Type.String(),
  until: Type.String(),
  currency: Type.String(),
  by: Type.Array(Type.Unsafe<MarginsBy>({ type: 'string', enum: [...MARGINS_BY] })),
  totals: MarginFigures,
  rows: Type.Array(MarginsRow),
  /** There are more rows than these. */
  has_more: Type.Boolean(),
})
export type MarginsReport = Static<typeof MarginsReport>

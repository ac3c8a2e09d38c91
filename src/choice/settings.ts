import { isOneOf, Type, type Static } from '../values/schema/type.ts'

/**
 * How the carrier of each message is chosen: in the order of the route, by shares, the least expensive one, or the least
 * expensive one that is good enough by evidence.
 */
export const CHOOSE = ['order', 'shares', 'cheapest', 'evidence'] as const
export type Choose = (typeof CHOOSE)[number]

/** Percent by the name of a carrier. */
const percents = (minimum: number) =>
  Type.Optional(
    Type.Record(Type.String({ pattern: '^[a-z0-9-]{1,40}$' }), Type.Number({ minimum, maximum: 100 }), {
      maxProperties: 10,
      additionalProperties: false,
    }),
  )

export const EvidenceSettings = Type.Object(
  {
    /** Of the messages, how many percent follow the choice; the others are sent in the order of the route. 0: advice only. */
    follow_percent: Type.Number({ minimum: 0, maximum: 100, default: 0 }),
    /** A carrier is good enough within this share of the best one. */
    tolerance: Type.Number({ minimum: 0, maximum: 0.5, default: 0.03 }),
    /** Messages that go to the carrier of which least is known. */
    explored_percent: Type.Number({ minimum: 0, maximum: 20, default: 3 }),
    /** What was counted this long ago weighs half. */
    half_life_minutes: Type.Number({ minimum: 1, maximum: 10_080, default: 60 }),
    /** Contracts: of the route's messages, at least and at most so many percent go to a carrier. */
    least_percent: percents(0),
    most_percent: percents(0),
    /** Repeats the random choices of a run. */
    seed: Type.Optional(Type.Integer({ minimum: 0, maximum: 4_294_967_295 })),
  },
  { additionalProperties: false, default: {} },
)
export type EvidenceSettings = Static<typeof EvidenceSettings>

/** Keys of a route. */
export const CHOICE_SETTINGS = {
  choose: isOneOf(CHOOSE, { default: 'order' }),
  shares: percents(0),
  evidence: EvidenceSettings,
}
export type ChoiceSettings = {
  choose: Choose
  shares?: Record<string, number> | undefined
  evidence: EvidenceSettings
}

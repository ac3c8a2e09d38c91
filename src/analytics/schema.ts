import { Type, type Static } from '../values/schema/type.ts'
import { DIMENSIONS } from '../observe/analytics/figures.ts'

/** Longest period, and longest period by the hour. */
export const MAX_DAYS = 400
export const MAX_DAYS_BY_HOUR = 31
/** Values beyond this number are added up as `other`. */
export const MAX_SHOWN_VALUES = 50
/** Hours of 31 days, one of which may have 25. */
const MAX_STEPS = 24 * MAX_DAYS_BY_HOUR + 1

export const INTERVALS = ['hour', 'day', 'month'] as const
export const COMPARISONS = ['previous_period', 'previous_year'] as const
export type Interval = (typeof INTERVALS)[number]

const wordOf = <Word extends string>(words: readonly Word[], rest: { description?: string; default?: Word } = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words], ...rest })

const date = (description: string) => Type.String({ maxLength: 10, description, examples: ['2026-11-01'] })

export const AnalyticsQuery = Type.Object({
  from: Type.Optional(date('The first day, in your time zone. Without it: 29 days before `until`.')),
  until: Type.Optional(date(`The last day; it counts whole. At most ${MAX_DAYS} days. Without it: today.`)),
  by: Type.Optional(
    wordOf(DIMENSIONS, {
      description: 'Groups the figures by this dimension, in `values`. Without it there are only totals and series.',
    }),
  ),
  value: Type.Optional(
    Type.String({ maxLength: 100, description: 'Totals and series of this value of `by` only.', examples: ['NG'] }),
  ),
  interval: Type.Optional(
    wordOf(INTERVALS, {
      default: 'day',
      description: `The step of the series. By the hour at most ${MAX_DAYS_BY_HOUR} days.`,
    }),
  ),
  compare: Type.Optional(
    wordOf(COMPARISONS, {
      description:
        'Adds the figures of the preceding period of the same length, or of the same dates a year before. Of a period in progress only the elapsed part is compared.',
    }),
  ),
})
export type AnalyticsQuery = Static<typeof AnalyticsQuery>

const count = (description: string) => Type.Integer({ description })
const share = (description: string) =>
  Type.Optional(Type.Number({ description: `${description} Absent if the divisor is 0.` }))

export const OtpFigures = Type.Object({
  requested: count('One-time passwords requested.'),
  verified: count('Those verified in time.'),
  failed: count('Those that could not be delivered, or had too many wrong attempts.'),
  unverified: count('The rest: expired, revoked, or still open, which they are for an hour at most.'),
  conversion: share('Verified of requested.'),
})
export type OtpFigures = Static<typeof OtpFigures>

const figures = {
  accepted: count('Recipients of messages that were accepted and charged.'),
  delivered: count('Those that were delivered.'),
  read: Type.Optional(count('Those that were read, as WhatsApp reports; absent if there are none.')),
  failed: count('Those that ended `undelivered`, `expired`, `rejected` or `failed`.'),
  unknown: count('Those on which no carrier ever reported.'),
  canceled: count('Those canceled before they were sent.'),
  pages: count('Pages of those that were accepted.'),
  cost: Type.Number({ description: 'The charge for them.' }),
  refunded: Type.Number({ description: 'Refunds of that cost.' }),
  delivery_rate: share('Delivered of those that ended: delivered, failed or unknown.'),
  otp: Type.Optional(OtpFigures),
}
export const AnalyticsFigures = Type.Object(figures)
export type AnalyticsFigures = Static<typeof AnalyticsFigures>

const start_datetime = Type.String({ format: 'date-time', description: 'When the step began.' })
const AnalyticsStep = Type.Object({ start_datetime, ...figures })
export type AnalyticsStep = Static<typeof AnalyticsStep>

const AnalyticsSeries = Type.Array(AnalyticsStep, {
  maxItems: MAX_STEPS,
  description: 'Every step is included, also empty ones.',
})

const AnalyticsValue = Type.Object({
  value: Type.String({
    description:
      'A channel, an ISO country code, a country code with an operator’s name (`NG MTN`, by the prefix of the number), a sender ID, a route, an error code, or the id of a template. Empty if there is none.',
    examples: ['NG'],
  }),
  name: Type.Optional(Type.String({ description: 'The name of a template.' })),
  description: Type.Optional(
    Type.String({
      description: 'The meaning of an error code that is known; two of them, if carriers use it for both.',
    }),
  ),
  advice: Type.Optional(Type.String({ description: 'What to do about deliveries that failed with an error code.' })),
  ...figures,
  previous: Type.Optional(AnalyticsFigures),
})
export type AnalyticsValue = Static<typeof AnalyticsValue>

const period = {
  from: Type.String({ examples: ['2026-11-01'] }),
  until: Type.String({ examples: ['2026-11-30'] }),
}

/** Outcomes of the messages and one-time passwords of a period. */
export const AnalyticsReport = Type.Object({
  ...period,
  time_zone: Type.String({ description: 'Of days and hours; see `PATCH /settings`.', examples: ['Africa/Lagos'] }),
  interval: wordOf(INTERVALS),
  currency: Type.String({ examples: ['NGN'] }),
  totals: AnalyticsFigures,
  series: AnalyticsSeries,
  by: Type.Optional(wordOf(DIMENSIONS)),
  values: Type.Optional(
    Type.Array(AnalyticsValue, {
      maxItems: MAX_SHOWN_VALUES,
      description: 'By number of messages, descending; by error, by number of failures.',
    }),
  ),
  other: Type.Optional(
    Type.Object(
      { ...figures, previous: Type.Optional(AnalyticsFigures) },
      { description: 'All other values together, if there are more.' },
    ),
  ),
  previous: Type.Optional(
    Type.Object({ ...period, totals: AnalyticsFigures, series: AnalyticsSeries }, { description: 'See `compare`.' }),
  ),
})
export type AnalyticsReport = Static<typeof AnalyticsReport>

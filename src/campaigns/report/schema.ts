import { Type, type Static, AnyName } from '../../values/schema/type.ts'
import { MAX_TEXTS } from '../schema.ts'

const people = Type.Integer({ examples: [0] })
const money = Type.Number({ examples: [0] })
const MOST_LINES = 10_000

const rate = (description: string) => Type.Number({ description, examples: [0.97] })

const TextResult = Type.Object({
  text_number: Type.Integer({ examples: [1] }),
  people,
  delivered: people,
  clicked: people,
  delivered_rate: rate('Of those the text was sent to.'),
  clicked_rate: rate('Of those the text was delivered to.'),
})

const Failure = Type.Object({
  outcome: Type.String(),
  code: Type.String({ description: 'As reported by the carrier.', examples: ['027'] }),
  description: Type.Optional(
    Type.String({ description: 'What the code means, if known.', examples: ['absent subscriber'] }),
  ),
  operator: Type.String(),
  people,
})

/** The outcome of a campaign, from its counters. */
export const CampaignReport = Type.Object({
  people: Type.Integer({ description: 'Recipients the campaign was accepted for.', examples: [0] }),
  outcomes: Type.Record(AnyName, Type.Integer(), {
    description: 'People by status of their delivery; `waiting` is not submitted to a carrier yet.',
  }),
  clicked: people,
  replied: Type.Integer({ description: 'Recipients who replied within 72 hours.', examples: [0] }),
  opted_out: Type.Integer({ description: 'Recipients who opted out within 72 hours.', examples: [0] }),
  charge: Type.Number({ description: 'Charged, minus refunds.', examples: [0] }),
  refunded: money,
  failures: Type.Array(Failure, {
    maxItems: MOST_LINES,
    description: 'Failed deliveries by reason and operator, most frequent first.',
  }),
  operators: Type.Array(Type.Object({ operator: Type.String(), people, delivered: people }), {
    maxItems: MOST_LINES,
  }),
  hours: Type.Array(Type.Object({ hour: Type.String({ format: 'date-time' }), delivered: people, failed: people }), {
    maxItems: MOST_LINES,
    description: 'By the hour of the final status.',
  }),
  texts: Type.Array(TextResult, { maxItems: MAX_TEXTS }),
  winner: Type.Optional(
    Type.Integer({
      description:
        'The best of several texts, counted from 1: by click rate if links are tracked, otherwise by delivery rate. Absent while the difference is not significant.',
    }),
  ),
})
export type CampaignReport = Static<typeof CampaignReport>

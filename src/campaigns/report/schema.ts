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
  delivered_rate: rate('Of those it was sent to.'),
  clicked_rate: rate('Of those it was delivered to.'),
})

const Failure = Type.Object({
  outcome: Type.String(),
  code: Type.String({ description: 'As the carrier gave it.', examples: ['027'] }),
  description: Type.Optional(
    Type.String({ description: 'What the code means, where that is known.', examples: ['absent subscriber'] }),
  ),
  operator: Type.String(),
  people,
})

/** What became of a campaign, from its counters. */
export const CampaignReport = Type.Object({
  people: Type.Integer({ description: 'Who it was accepted for.', examples: [0] }),
  outcomes: Type.Record(AnyName, Type.Integer(), {
    description: 'By the state of their delivery; `waiting` was not handed over yet.',
  }),
  clicked: people,
  replied: Type.Integer({ description: 'Who wrote to us within 72 hours of it.', examples: [0] }),
  opted_out: Type.Integer({ description: 'Who asked for silence within 72 hours of it.', examples: [0] }),
  charge: Type.Number({ description: 'Charged, less what was refunded.', examples: [0] }),
  refunded: money,
  failures: Type.Array(Failure, {
    maxItems: MOST_LINES,
    description: 'Who did not get it, by reason and operator; the most first.',
  }),
  operators: Type.Array(Type.Object({ operator: Type.String(), people, delivered: people }), {
    maxItems: MOST_LINES,
  }),
  hours: Type.Array(Type.Object({ hour: Type.String({ format: 'date-time' }), delivered: people, failed: people }), {
    maxItems: MOST_LINES,
    description: 'When it came to that.',
  }),
  texts: Type.Array(TextResult, { maxItems: MAX_TEXTS }),
  winner: Type.Optional(
    Type.Integer({
      description:
        'Of several texts the one that did best, counted from 1: by clicks where links are tracked, else by deliveries. Left out while the difference may be chance.',
    }),
  ),
})
export type CampaignReport = Static<typeof CampaignReport>

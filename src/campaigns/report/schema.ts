import { Type, type Static, AnyName } from '../../values/schema/type.ts'
import { DeliveryAdvice } from '../../messaging/schema.ts'
import { onePage, ScrollMeta, ScrollQuery } from '../../values/page.ts'
import { LEFT_OUT_REASONS, MAX_TEXTS, type LeftOut } from '../schema.ts'

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
  advice: Type.Optional(DeliveryAdvice),
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

const RECIPIENT_OUTCOMES = ['uploaded', 'left_out', 'failed'] as const
export type RecipientOutcome = (typeof RECIPIENT_OUTCOMES)[number]

export const RecipientsQuery = Type.Object({
  ...ScrollQuery.properties,
  outcome: Type.Optional(
    Type.Unsafe<RecipientOutcome>({
      type: 'string',
      enum: [...RECIPIENT_OUTCOMES],
      default: 'uploaded',
      description:
        '`uploaded`: as uploaded. `left_out`: by the estimate, with the reason. `failed`: not delivered, with the carrier’s code; without those whose outcome is `unknown`.',
      examples: ['left_out'],
    }),
  ),
  reason: Type.Optional(
    Type.Unsafe<LeftOut>({
      type: 'string',
      enum: [...LEFT_OUT_REASONS],
      description: 'Only those left out for this reason.',
      examples: ['opted_out'],
    }),
  ),
})
export type RecipientsQuery = Static<typeof RecipientsQuery>

export const CampaignRecipient = Type.Object({
  recipient: Type.String({
    description: 'The number; as written if it was uploaded or left out.',
    examples: ['2348031234567'],
  }),
  substitutions: Type.Optional(
    Type.Record(AnyName, Type.String(), { description: 'Of an uploaded one: its values by name.' }),
  ),
  reason: Type.Optional(Type.String({ description: 'Why it was left out.', examples: ['opted_out'] })),
  status: Type.Optional(Type.String({ description: 'Of a failed delivery.', examples: ['undelivered'] })),
  code: Type.Optional(Type.String({ description: 'As reported by the carrier.', examples: ['027'] })),
  description: Type.Optional(Type.String({ examples: ['absent subscriber'] })),
  advice: Type.Optional(DeliveryAdvice),
  message_id: Type.Optional(Type.String({ format: 'uuid', description: 'The message the delivery is part of.' })),
})
export type CampaignRecipient = Static<typeof CampaignRecipient>

export const CampaignRecipientPage = Type.Object({ recipients: onePage(CampaignRecipient), meta: ScrollMeta })

export const ExportQuery = Type.Object({
  outcome: Type.Optional(
    Type.Unsafe<'left_out' | 'failed'>({
      type: 'string',
      enum: ['left_out', 'failed'],
      description: 'Only those left out, or only those whose delivery failed.',
    }),
  ),
})
export type ExportQuery = Static<typeof ExportQuery>

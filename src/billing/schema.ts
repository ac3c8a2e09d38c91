import { Type, type Static, isOneOf } from '../values/schema/type.ts'
import { ListMeta, onePage, ScrollMeta } from '../values/page.ts'

const KINDS = ['opening', 'top_up', 'adjustment', 'message', 'otp', 'airtime', 'lookup', 'refund']

const kind = isOneOf(KINDS, {
  description:
    '`opening`, `top_up`, `adjustment`, `message`, `otp` (fees of OTPs beside their messages), `airtime`, `lookup` or `refund`.',
  examples: ['message'],
})

export const LedgerEntry = Type.Object({
  id: Type.String({ description: 'The number of the ledger line, counted from 1.', examples: ['42'] }),
  kind,
  amount: Type.Number({ description: 'Negative for charges.', examples: [-4] }),
  balance_after: Type.Number({ examples: [999996] }),
  subject_id: Type.String({
    description: 'The message, OTP, purchase or top-up that the line is for; the first one if there are several.',
  }),
  subjects: Type.Optional(
    Type.Integer({
      description: 'The number of messages or OTPs: those accepted in the same batch are charged by one line.',
      examples: [3],
    }),
  ),
  subject_ids: Type.Optional(
    Type.Array(Type.String(), { description: 'The first hundred of them; each has its own charge.', maxItems: 100 }),
  ),
  recipient: Type.Optional(
    Type.String({
      description: 'For a refund of a message or of airtime: the recipient.',
      examples: ['2348031234567'],
    }),
  ),
  note: Type.Optional(
    Type.String({ description: 'The reason of an operator for changing the balance.', examples: ['Invoice 1042'] }),
  ),
  created_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
  campaign: Type.Optional(
    Type.Object(
      {
        id: Type.String({ format: 'uuid' }),
        name: Type.String({ examples: ['Harmattan sale'] }),
        messages: Type.Integer({ description: 'Messages it was charged for, with a line each.', examples: [40] }),
        charge: Type.Number({ description: 'Sum of its charges.', examples: [40_000] }),
        refunded: Type.Number({ description: 'Sum of its refunds so far.', examples: [120] }),
      },
      { description: 'With `group=campaign`: the campaign whose lines this entry stands for.' },
    ),
  ),
})
export type LedgerEntry = Static<typeof LedgerEntry>

export const Account = Type.Object({
  balance: Type.Number({ examples: [999996] }),
  currency: Type.String({ examples: ['NGN'] }),
  low_balance: Type.Optional(
    Type.Number({ description: 'The threshold of `balance.low`, from the settings.', examples: [5000] }),
  ),
  credit_limit: Type.Optional(
    Type.Number({
      description:
        'How far below zero the balance may fall, if the operator allows it. Charges are refused beyond that.',
      examples: [100_000],
    }),
  ),
  daily_spending_limit: Type.Optional(
    Type.Number({
      description: 'What the API key of this request may spend per day (UTC). Charges beyond it are refused with 402.',
      examples: [500],
    }),
  ),
  spent_today: Type.Optional(
    Type.Number({
      description: 'With `daily_spending_limit`: spent since midnight UTC. Refunds do not reduce it.',
      examples: [120],
    }),
  ),
  opening_balance: Type.Optional(
    Type.Number({ description: 'With `from` or `until`: the balance before the first line of the period.' }),
  ),
  closing_balance: Type.Optional(
    Type.Number({ description: 'With `from` or `until`: the balance after the last line of the period.' }),
  ),
  entries: onePage(LedgerEntry),
})
export type Account = Static<typeof Account>

const time = { maxLength: 40, examples: ['2026-11-01'] }

/** The period of ledger lines. */
export const LedgerTimes = Type.Object({
  from: Type.Optional(Type.String({ ...time, description: 'A day (UTC) or a moment; older entries are left out.' })),
  until: Type.Optional(Type.String({ ...time, description: 'A day (UTC) or a moment; newer entries are left out.' })),
  external_ref: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Only entries for messages or airtime with this external reference.',
    }),
  ),
})
export type LedgerTimes = Static<typeof LedgerTimes>

/** The lines of campaigns. */
export const CampaignQuery = Type.Object({
  campaign_id: Type.Optional(
    Type.String({ maxLength: 40, description: 'Only entries for messages of this campaign.' }),
  ),
  group: Type.Optional(
    Type.Unsafe<'campaign'>({
      type: 'string',
      enum: ['campaign'],
      description:
        '`campaign`: one entry per campaign, at its first charge, instead of one for each of its messages and refunds. Does not apply together with other filters than the times. A campaign that began before the period keeps its single entries.',
    }),
  ),
})
export type CampaignQuery = Static<typeof CampaignQuery>

export const LedgerQuery = Type.Object({
  ...LedgerTimes.properties,
  campaign_id: CampaignQuery.properties.campaign_id,
  kind: Type.Optional(kind),
  subject_id: Type.Optional(
    Type.String({ maxLength: 40, description: 'Only entries for this message, purchase or top-up.' }),
  ),
})
export type LedgerQuery = Static<typeof LedgerQuery>

/** The cost of one message. */
export const MessageCost = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The message id.' }),
  channel: Type.String({ examples: ['sms'] }),
  external_ref: Type.Optional(Type.String()),
  recipients: Type.Array(Type.String(), { maxItems: 3, description: 'The first recipients.' }),
  recipients_total: Type.Integer({ examples: [1] }),
  charge: Type.Number({ description: 'Charged when it was accepted.', examples: [4] }),
  refunded: Type.Number({ description: 'Refunded since, for recipients that no carrier accepted.', examples: [0] }),
  net: Type.Number({ description: 'Charge minus refunds.', examples: [4] }),
  created_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
  campaign: Type.Optional(
    Type.Object(
      { id: Type.String({ format: 'uuid' }), name: Type.String(), messages: Type.Optional(Type.Integer()) },
      { description: 'The campaign it is part of; with `messages` the entry stands for all of them.' },
    ),
  ),
})
export type MessageCost = Static<typeof MessageCost>

export const MessageCostPage = Type.Object({ messages: onePage(MessageCost), meta: ScrollMeta })
export type MessageCostPage = Static<typeof MessageCostPage>

export const TopUpBody = Type.Object({
  amount: Type.Number({ description: 'A negative amount corrects the balance.' }),
  reason: Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\u0000-\\u001f]*$' }),
})
export type TopUpBody = Static<typeof TopUpBody>

export const AccountPage = Type.Object({ ...Account.properties, meta: ListMeta })
export type AccountPage = Static<typeof AccountPage>

import { Type, type Static, isOneOf } from '../values/schema/type.ts'
import { ListMeta, onePage, ScrollMeta } from '../values/page.ts'

const KINDS = ['opening', 'top_up', 'adjustment', 'message', 'airtime', 'lookup', 'refund']

const kind = isOneOf(KINDS, {
  description: '`opening`, `top_up`, `adjustment`, `message`, `airtime`, `lookup` or `refund`.',
  examples: ['message'],
})

export const LedgerEntry = Type.Object({
  id: Type.String({ description: 'The number of the line, counted from 1.', examples: ['42'] }),
  kind,
  amount: Type.Number({ description: 'Negative for charges.', examples: [-4] }),
  balance_after: Type.Number({ examples: [999996] }),
  subject_id: Type.String({
    description: 'The message, purchase or top-up the line is for; the first of them where it is for several.',
  }),
  subjects: Type.Optional(
    Type.Integer({
      description: 'Messages that were accepted in the same moment are charged by one line: how many they are.',
      examples: [3],
    }),
  ),
  subject_ids: Type.Optional(
    Type.Array(Type.String(), { description: 'The first hundred of them; each tells its own charge.', maxItems: 100 }),
  ),
  recipient: Type.Optional(Type.String({ description: 'For a refund: whose.', examples: ['2348031234567'] })),
  note: Type.Optional(Type.String({ description: 'Why the operator moved the balance.', examples: ['Invoice 1042'] })),
  created_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
})
export type LedgerEntry = Static<typeof LedgerEntry>

export const Account = Type.Object({
  balance: Type.Number({ examples: [999996] }),
  currency: Type.String({ examples: ['NGN'] }),
  low_balance: Type.Optional(
    Type.Number({ description: 'Below this `balance.low` is posted, as in the settings.', examples: [5000] }),
  ),
  opening_balance: Type.Optional(
    Type.Number({ description: 'With `from` or `until`: the balance before the first line of that time.' }),
  ),
  closing_balance: Type.Optional(
    Type.Number({ description: 'With `from` or `until`: the balance after the last line of that time.' }),
  ),
  entries: onePage(LedgerEntry),
})
export type Account = Static<typeof Account>

const time = { maxLength: 40, examples: ['2026-11-01'] }

/** Which lines of the ledger, and in which time. */
export const LedgerTimes = Type.Object({
  from: Type.Optional(Type.String({ ...time, description: 'A day (UTC) or a moment: nothing older.' })),
  until: Type.Optional(Type.String({ ...time, description: 'A day (UTC) or a moment: nothing younger.' })),
  external_ref: Type.Optional(
    Type.String({
      maxLength: 255,
      description: 'Only what is for messages, or airtime, with this reference of yours.',
    }),
  ),
})
export type LedgerTimes = Static<typeof LedgerTimes>

export const LedgerQuery = Type.Object({
  ...LedgerTimes.properties,
  kind: Type.Optional(kind),
  subject_id: Type.Optional(
    Type.String({ maxLength: 40, description: 'Only what is for this message, purchase or top-up.' }),
  ),
})
export type LedgerQuery = Static<typeof LedgerQuery>

/** What one message came to. */
export const MessageCost = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Of the message.' }),
  channel: Type.String({ examples: ['sms'] }),
  external_ref: Type.Optional(Type.String()),
  recipients: Type.Array(Type.String(), { maxItems: 3, description: 'The first of them.' }),
  recipients_total: Type.Integer({ examples: [1] }),
  charge: Type.Number({ description: 'Taken when it was accepted.', examples: [4] }),
  refunded: Type.Number({ description: 'Given back since, for who was never reached by a carrier.', examples: [0] }),
  net: Type.Number({ description: 'What it cost after that.', examples: [4] }),
  created_datetime: Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] }),
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

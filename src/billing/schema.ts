import { Type, type Static } from 'typebox'
import { isOneOf } from '../values/one-of.ts'
import { ListMeta, onePage } from '../values/page.ts'

export const LedgerEntry = Type.Object({
  id: Type.String({ description: 'The number of the line, counted from 1.', examples: ['42'] }),
  kind: isOneOf(['opening', 'top_up', 'adjustment', 'message', 'airtime', 'lookup', 'refund'], {
    description: '`opening`, `top_up`, `adjustment`, `message`, `airtime`, `lookup` or `refund`.',
    examples: ['message'],
  }),
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
  entries: onePage(LedgerEntry),
})
export type Account = Static<typeof Account>

export const TopUpBody = Type.Object({
  amount: Type.Number({ description: 'A negative amount corrects the balance.' }),
  reason: Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\u0000-\\u001f]*$' }),
})
export type TopUpBody = Static<typeof TopUpBody>

export const AccountPage = Type.Object({ ...Account.properties, meta: ListMeta })
export type AccountPage = Static<typeof AccountPage>

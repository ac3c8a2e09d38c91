import { Type, type Static, SAID_REQUIRED } from '../values/schema/type.ts'
import { HlrSettings } from '../carriers/hlr/schema.ts'

export const MAX_PHONES = 1_000

/** The price of lookups, how long facts are valid, and the provider. */
export const LookupSettings = Type.Object(
  {
    price: Type.Number({ minimum: 0, maximum: 1_000_000, default: 0 }),
    cache_hours: Type.Number({ minimum: 0, maximum: 8_760, default: 24 }),
    carrier_facts_days: Type.Integer({ minimum: 1, maximum: 3_650, default: 90 }),
    dnd_codes: Type.Array(Type.String({ pattern: '^[0-9A-Za-z]{1,10}$' }), {
      maxItems: 1_000,
      default: ['008', '085'],
    }),
    provider: Type.Optional(HlrSettings),
  },
  { additionalProperties: false, default: {} },
)
export type LookupSettings = Static<typeof LookupSettings>

const phone = Type.String({ description: 'The number to look up.', examples: ['2348031234567'] })

/** The number may be in the body or in the query, so the lookup itself checks that it is present. */
export const PhoneBody = Type.Object({ phone: Type.Optional(Type.Unsafe<string>({ ...phone, [SAID_REQUIRED]: true })) })
export type PhoneBody = Static<typeof PhoneBody>

export const PhonesBody = Type.Object({
  phones: Type.Unsafe<string | string[]>({
    type: ['string', 'array'],
    items: { type: 'string' },
    maxItems: MAX_PHONES,
    description: `At most ${MAX_PHONES.toLocaleString('en')} numbers, as a list or separated by commas. A number given twice is looked up and charged once.`,
    examples: [['2348031234567', '08051234567']],
  }),
  skip_invalid: Type.Optional(
    Type.Boolean({
      description:
        'Look up the valid numbers and list the others in `invalid`, instead of refusing the request. Skipped numbers are not charged.',
      default: false,
    }),
  ),
})
export type PhonesBody = Static<typeof PhonesBody>

export const SOURCES = ['provider', 'cache', 'carrier', 'registry', 'prefix', 'none'] as const

const source = Type.Unsafe<(typeof SOURCES)[number]>({
  type: 'string',
  enum: [...SOURCES],
  description:
    'The source of the operator: the lookup `provider` just now, the `cache` of its answers, a `carrier` in a report, the `registry` of ported numbers, or the `prefix` alone; `none` if no source knows it.',
  examples: ['registry'],
})
const age_s = Type.Optional(
  Type.Integer({ description: 'The age of that fact, in seconds. Left out for `none`.', examples: [3600] }),
)

const found = {
  msisdn: Type.String({ description: 'The number looked up.', examples: ['2348031234567'] }),
  operator: Type.String({
    description: 'The current operator; empty if unknown. Nigeria’s are spelled as in the airtime list.',
    examples: ['MTN'],
  }),
  country: Type.String({ description: 'In English; empty if unknown.', examples: ['Nigeria'] }),
  ported: Type.Boolean({ description: 'The current operator is not the one that the prefix was assigned to.' }),
  dnd: Type.Boolean({
    description: 'Do not disturb: a registry or a carrier says so, or the person opted out of your messages.',
  }),
}

/** What is known about a number. */
export const FoundPhone = Type.Object({ ...found, source, age_s })
export type FoundPhone = Static<typeof FoundPhone>

const meta = { method: Type.String({ examples: ['GET'] }), resource: Type.String({ examples: ['/lookup/phone'] }) }
const charge = Type.Optional(
  Type.Object(
    {
      amount: Type.Number({ examples: [1] }),
      available_balance: Type.Number({ examples: [999999] }),
      balance_before: Type.Number({ examples: [1000000] }),
    },
    { description: 'If lookups have a price.' },
  ),
)

export const LookupAnswer = Type.Object({ ...found, meta: Type.Object({ ...meta, source, age_s, charge }) })
export type LookupAnswer = Static<typeof LookupAnswer>

export const LookupsAnswer = Type.Object({
  phones: Type.Array(FoundPhone, { maxItems: MAX_PHONES }),
  invalid: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: MAX_PHONES,
      description: 'With `skip_invalid`: the values that are not phone numbers, in the order given.',
      examples: [['12']],
    }),
  ),
  meta: Type.Object({ ...meta, charge }),
})
export type LookupsAnswer = Static<typeof LookupsAnswer>

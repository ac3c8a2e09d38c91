import { ExplainedChoice } from './choice.ts'
import { ExplainedCost } from './cost.ts'
import { ExplainedFees } from './fees.ts'
import { ExplainedRefund } from './refund.ts'
import { CHANNELS } from '../carriers/message-carrier.ts'
import { MessageEstimate } from '../messaging/compose/estimate-schema.ts'
import { HOLD_REASONS } from '../messaging/read/schema.ts'
import { DELIVERY_STATUSES, DeliveryAdvice, requestMeta } from '../messaging/schema.ts'
import { OTHER_RESULTS } from '../prices/weigh.ts'
import { ListMeta, PageQuery } from '../values/page.ts'
import { isOneOf, Type, type Static } from '../values/schema/type.ts'

/** Deliveries explained in one answer. */
export const MAX_EXPLAINED = 50
/** Recipients explained with an estimate. */
export const MAX_EXPLAINED_ESTIMATES = 20
/** Characters and rules named in an explanation. */
export const MAX_NAMED = 10

const timestamp = Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] })
const route_class = Type.Optional(isOneOf(['transactional', 'promotional'], { examples: ['transactional'] }))
const OF_OPERATORS = 'Only for operators of the installation.'

export const ExplainQuery = Type.Object({
  recipient: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only this recipient, in any spelling.', examples: ['2348031234567'] }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_EXPLAINED, default: MAX_EXPLAINED, description: 'Deliveries per page.' }),
  ),
  page: PageQuery.properties.page,
})
export type ExplainQuery = Static<typeof ExplainQuery>

const ForcingCharacter = Type.Object({
  character: Type.String({ examples: ['₦'] }),
  code_point: Type.String({ examples: ['U+20A6'] }),
  position: Type.Integer({
    description: 'Of its first occurrence, from 0, in UTF-16 units, as in JavaScript and Java.',
    examples: [14],
  }),
  occurrences: Type.Integer({ examples: [2] }),
  look_alike: Type.Optional(Type.String({ description: 'Its replacement by smart encoding.' })),
})

/** The text of a recipient, and how it became pages. */
export const ExplainedText = Type.Object({
  encoding: Type.Optional(
    isOneOf(['GSM', 'UCS-2', 'binary', 'whatsapp'], {
      description: '`whatsapp`: WhatsApp has no pages. Absent: unknown, because the text is not stored any more.',
      examples: ['UCS-2'],
    }),
  ),
  message_length: Type.Optional(Type.Integer({ examples: [71] })),
  pages: Type.Integer({ description: 'As charged.', examples: [2] }),
  page_size: Type.Optional(
    Type.Integer({ description: 'Characters that a page of this text holds on its route.', examples: [67] }),
  ),
  pages_now: Type.Optional(
    Type.Integer({ description: 'Pages by the present configuration, where that differs from what was charged.' }),
  ),
  gsm_pages: Type.Optional(
    Type.Integer({ description: 'Of UCS-2: pages with a GSM character in place of every other one.', examples: [1] }),
  ),
  forcing_characters: Type.Optional(
    Type.Array(ForcingCharacter, {
      maxItems: MAX_NAMED,
      description: 'The first characters that force UCS-2.',
    }),
  ),
  is_stored: Type.Boolean({ description: 'False: the text was redacted, or its retention has ended.' }),
})
export type ExplainedText = Static<typeof ExplainedText>

const target = {
  channel: isOneOf(CHANNELS, { examples: ['sms'] }),
  prefix: Type.String({ description: 'Empty: any number.', examples: ['234'] }),
  country: Type.Optional(Type.String({ examples: ['NG'] })),
  operator: Type.Optional(Type.String({ description: 'The network of the number.', examples: ['MTN'] })),
  route_class,
}

const Rule = {
  ...target,
  price: Type.Number({ description: 'Per page.', examples: [4] }),
  valid_from: Type.Optional(timestamp),
}

const PRICE_SOURCES = ['price_list', 'file', 'none'] as const

/** What was charged, by which rule, and why by that one. */
export const ExplainedPrice = Type.Object({
  charge: Type.Number({ examples: [8] }),
  price: Type.Number({ description: 'Per page.', examples: [4] }),
  source: isOneOf(PRICE_SOURCES, {
    description:
      '`price_list`: a list of the operator; `file`: the prices of the configuration file, whose history is not stored; `none`: the delivery was refused before it was priced.',
    examples: ['price_list'],
  }),
  price_list: Type.Optional(Type.String({ description: `The name of the price list. ${OF_OPERATORS}` })),
  rule_id: Type.Optional(Type.Integer({ description: `The id of the rule. ${OF_OPERATORS}` })),
  rule: Type.Optional(
    Type.Object(Rule, {
      description:
        'The rule that applied. Absent: not stored, because its list was deleted or the configuration file has changed.',
    }),
  ),
  other_rules: Type.Array(
    Type.Object({
      ...Rule,
      result: isOneOf(OTHER_RESULTS, {
        description:
          'Why it did not apply: it was less specific, or it is for another operator, or another class (or one of the two, where it is not known which).',
        examples: ['less_specific'],
      }),
    }),
    { maxItems: MAX_NAMED, description: 'Rules for this number that were in force too, most specific first.' },
  ),
})
export type ExplainedPrice = Static<typeof ExplainedPrice>
export type ExplainedRule = Omit<NonNullable<ExplainedPrice['rule']>, 'price' | 'valid_from'>

const ROUTE_RESULTS = [
  'matched',
  'number',
  'differs',
  'erased',
  'not_configured',
  'test',
  'opted_out',
  'dnd',
  'window',
] as const

/** The route, and what of the message it matched. */
export const ExplainedRoute = Type.Object({
  result: isOneOf(ROUTE_RESULTS, {
    description:
      '`matched`: it names what follows; `number`: it leads from the WhatsApp number of the message; `differs`: by the present configuration it does not match this number; `erased`: the person was erased, so whether it matches is unknown; `not_configured`: it is not configured any more; `test`: messages of test keys go to the simulator; `opted_out`, `dnd`, `window`: refused before any route.',
    examples: ['matched'],
  }),
  name: Type.Optional(Type.String({ examples: ['nigeria'] })),
  channel: Type.Optional(target.channel),
  prefix: Type.Optional(target.prefix),
  country: target.country,
  operator: target.operator,
  route_class,
})
export type ExplainedRoute = Static<typeof ExplainedRoute>

const CARRIER_RESULTS = [
  'first',
  'candidate',
  'accepted',
  'rejected',
  'possible',
  'skipped',
  'not_chosen',
  'waiting',
  'paused',
  'draining',
  'untried',
  'unknown',
] as const

/** A carrier of the route, and what it had to do with the message. */
export const ExplainedCarrier = Type.Object({
  place: Type.Integer({ description: 'In the order in which the route tries them, from 1.', examples: [1] }),
  carrier: Type.Optional(Type.String({ description: `Its name. ${OF_OPERATORS}` })),
  result: isOneOf(CARRIER_RESULTS, {
    description:
      '`first`: a message would be submitted to it; `candidate`: it may be chosen for a message; `accepted`: it took the message; `rejected`: it did not, so the next one was tried; `possible`: it may have the message; `skipped`: a later one got it, because this one was down or paused; `not_chosen`: the route chose another one; `waiting`: the next attempt is here; `paused`, `draining`: so at present; `untried`: it was not needed so far; `unknown`: not stored.',
    examples: ['accepted'],
  }),
})
export type ExplainedCarrier = Static<typeof ExplainedCarrier>

const ATTEMPT_RESULTS = [
  'accepted',
  'delivered',
  'undelivered',
  'expired',
  'rejected',
  'failed',
  'unknown',
  'moved_on',
] as const

/** An attempt, or a report of a carrier. */
export const ExplainedAttempt = Type.Object({
  place: Type.Optional(Type.Integer({ description: 'The place of the carrier in the route.', examples: [1] })),
  carrier: Type.Optional(Type.String({ description: `The name of the carrier. ${OF_OPERATORS}` })),
  result: isOneOf(ATTEMPT_RESULTS, {
    description:
      '`accepted`: the carrier took it; `moved_on`: it did not, and the next carrier was tried (its answer is not stored); otherwise the state in which the delivery ended.',
    examples: ['delivered'],
  }),
  code: Type.Optional(Type.String({ description: 'Of the carrier.', examples: ['000'] })),
  description: Type.Optional(Type.String({ examples: ['delivered'] })),
  advice: Type.Optional(DeliveryAdvice),
  created_datetime: Type.Optional(timestamp),
})
export type ExplainedAttempt = Static<typeof ExplainedAttempt>

const WAITS = ['in_flight', 'retry', 'due', 'no_job', 'on_hold'] as const

/** Why it has not been submitted. */
export const ExplainedWait = Type.Object({
  reason: isOneOf([...WAITS, ...HOLD_REASONS], { examples: ['retry'] }),
  attempts: Type.Integer({ description: 'So far.', examples: [2] }),
  until: Type.Optional(timestamp),
  detail: Type.Optional(Type.String({ description: OF_OPERATORS })),
})
export type ExplainedWait = Static<typeof ExplainedWait>

const parts = {
  recipient: Type.String({ examples: ['2348031234567'] }),
  sentences: Type.Array(Type.String(), {
    maxItems: 100,
    description: 'The explanation in English sentences, in the order in which things happened.',
    examples: [['All 5 characters are in the GSM alphabet: 1 page, which holds 160.']],
  }),
  text: ExplainedText,
  price: ExplainedPrice,
  route: ExplainedRoute,
  carriers: Type.Array(ExplainedCarrier, { maxItems: MAX_NAMED, description: 'In the order of the route.' }),
}

/** Why one recipient gets what it gets at this price, before anything is sent. */
export const ExplainedEstimate = Type.Object(parts)
export type ExplainedEstimate = Static<typeof ExplainedEstimate>

/** An estimate that may be explained. */
export const ExplainedMessageEstimate = Type.Object({
  ...MessageEstimate.properties,
  explanations: Type.Optional(
    Type.Array(ExplainedEstimate, {
      maxItems: MAX_EXPLAINED_ESTIMATES,
      description: `With \`explain\`: the first recipients, at most ${MAX_EXPLAINED_ESTIMATES}.`,
    }),
  ),
})

export const ExplainedDelivery = Type.Object({
  ...parts,
  status: isOneOf(DELIVERY_STATUSES, { examples: ['delivered'] }),
  send_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'When it is or was due, if it was delayed.' }),
  ),
  choice: Type.Optional(ExplainedChoice),
  attempts: Type.Array(ExplainedAttempt, { maxItems: 2 * MAX_NAMED, description: 'Oldest first.' }),
  waits: Type.Optional(ExplainedWait),
  refund: ExplainedRefund,
  cost: Type.Optional(ExplainedCost),
})
export type ExplainedDelivery = Static<typeof ExplainedDelivery>

const Message = {
  id: Type.String({ format: 'uuid' }),
  channel: target.channel,
  created_datetime: timestamp,
  is_otp: Type.Boolean({ description: 'It carries a one-time password.' }),
  fees: Type.Optional(ExplainedFees),
  campaign: Type.Optional(
    Type.Object(
      { id: Type.String({ format: 'uuid' }), name: Type.String({ examples: ['Weekend sale'] }) },
      { description: 'The campaign that it is part of.' },
    ),
  ),
  sentences: Type.Array(Type.String(), {
    maxItems: 10,
    description: 'What is true of the whole message.',
    examples: [['It is part of the campaign “Weekend sale”.']],
  }),
}

export const Explanation = Type.Object({
  ...Message,
  deliveries: Type.Array(ExplainedDelivery, { maxItems: MAX_EXPLAINED }),
  meta: Type.Object({ ...requestMeta, pagination: ListMeta.properties.pagination }),
})
export type Explanation = Omit<Static<typeof Explanation>, 'meta'>

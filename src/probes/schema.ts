import { MAX_TEXT, type TestSent } from '../messaging/dispatch/test-send.ts'
import { ListMeta, onePage, PageQuery, type Pagination } from '../values/page.ts'
import { Type, type Static } from '../values/schema/type.ts'

/** Results are deleted after this many days. */
export const PROBE_DAYS = 90
export const MAX_PLANS = 500
export const MAX_PER_DAY = 500
export const MAX_PER_CAMPAIGN = 20
export const MAX_WORDINGS = 20
/** Leaves space for what replaces the placeholder. */
export const MAX_WORDING = MAX_TEXT - 20

const text = (max: number, description: string) => Type.String({ minLength: 1, maxLength: max, description })
const timestamp = Type.String({ format: 'date-time' })

const planName = Type.String({
  pattern: '^[a-z0-9-]{1,40}$',
  description: 'Up to 40 lower-case letters, digits and dashes.',
})
export const PlanParams = Type.Object({ name: planName })

const planFields = {
  carrier: text(40, 'The carrier that is probed, of the kinds smpp and http.'),
  operator: text(60, 'The operator of the numbers that it sends to.'),
  country: Type.Optional(Type.String({ pattern: '^[A-Za-z]{2}$', description: 'Needed if two countries have it.' })),
  sender_id: text(20, 'The sender of the texts.'),
  wordings: Type.Array(text(MAX_WORDING, 'A text with {{code}} or {{word}} in it.'), {
    minItems: 1,
    maxItems: MAX_WORDINGS,
    description: 'Texts that look like those of customers, used in rotation.',
  }),
}
const timing = {
  per_day: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PER_DAY, default: 24, description: 'The most probes of any 24 hours.' }),
  ),
  per_campaign: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: MAX_PER_CAMPAIGN,
      default: 0,
      description:
        'Probes with the text of each campaign that goes through the carrier to the operator, within the limit of a day.',
    }),
  ),
  from_hour: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 23, default: 8, description: 'The first hour, by the clocks of the country.' }),
  ),
  to_hour: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 24, default: 22, description: 'The hour at which it stops for the day.' }),
  ),
}

export const PlanBody = Type.Object({
  name: planName,
  ...planFields,
  ...timing,
})
export type PlanBody = Static<typeof PlanBody>

export const PlanChange = Type.Object({
  carrier: Type.Optional(planFields.carrier),
  operator: Type.Optional(planFields.operator),
  country: planFields.country,
  sender_id: Type.Optional(planFields.sender_id),
  wordings: Type.Optional(planFields.wordings),
  ...timing,
  enabled: Type.Optional(Type.Boolean({ description: 'Switches it on or off.' })),
})
export type PlanChange = Static<typeof PlanChange>

export const ShownPlan = Type.Object({
  name: Type.String(),
  carrier: Type.String(),
  country: Type.String(),
  operator: Type.String(),
  sender_id: Type.String(),
  wordings: Type.Array(Type.String()),
  per_day: Type.Integer(),
  per_campaign: Type.Integer(),
  from_hour: Type.Integer(),
  to_hour: Type.Integer(),
  enabled: Type.Boolean(),
  /** When the next probe is due. */
  next_datetime: Type.Optional(timestamp),
  /** Why the last probe was not sent. */
  problem: Type.Optional(Type.String()),
  /** The numbers that it sends to. */
  numbers: Type.Integer(),
  /** Absent: not known, because the carrier has no cost list, or that has no price for one of the numbers. */
  expected_cost: Type.Optional(
    Type.Object({
      per_probe: Type.Number(),
      per_day: Type.Number(),
      per_campaign: Type.Number(),
      per_month: Type.Number(),
    }),
  ),
  changed_by: Type.String(),
  changed_datetime: timestamp,
})
export type ShownPlan = Static<typeof ShownPlan>

export const PlanList = Type.Object({
  plans: Type.Array(ShownPlan),
  carriers: Type.Array(Type.String(), { description: 'The carriers that can be probed.' }),
  operators: Type.Array(Type.Object({ country: Type.String(), operator: Type.String(), numbers: Type.Integer() }), {
    description: 'The operators that probe phones have numbers of.',
  }),
  currency: Type.String(),
})
export type PlanList = Static<typeof PlanList>

export const OUTCOMES = ['submitting', 'accepted', 'rejected', 'temporary', 'held', 'undelivered', 'unknown'] as const
/** `submitting`: the carrier has not answered yet. */
export type ProbeOutcome = 'submitting' | TestSent['outcome']
export const REPORTS = ['delivered', 'undelivered', 'expired', 'rejected', 'unknown'] as const
export const DISPLAYED = ['equal', 'changed', 'part'] as const
export type Displayed = (typeof DISPLAYED)[number]

/** A probe, with what the carrier and the phone say of it. */
export const ShownProbe = Type.Object({
  id: Type.String({ format: 'uuid' }),
  plan: Type.String(),
  carrier: Type.String(),
  country: Type.String(),
  operator: Type.String(),
  sender_id: Type.String(),
  recipient: Type.String(),
  text: Type.String(),
  submitted_datetime: timestamp,
  /** The campaign whose text it has. Absent: the text is one of the plan. */
  campaign_id: Type.Optional(Type.String({ format: 'uuid' })),
  outcome: Type.Unsafe<ProbeOutcome>({ type: 'string', enum: [...OUTCOMES] }),
  outcome_reason: Type.Optional(Type.String()),
  carrier_message_ids: Type.Array(Type.String()),
  /** Absent: none has come. */
  report: Type.Optional(Type.Unsafe<(typeof REPORTS)[number]>({ type: 'string', enum: [...REPORTS] })),
  report_code: Type.Optional(Type.String()),
  reported_datetime: Type.Optional(timestamp),
  /** Absent: the carrier did not accept it, or it may still arrive. */
  arrived: Type.Optional(Type.Boolean()),
  arrived_datetime: Type.Optional(timestamp),
  /** From the submission until the phone has passed it on. */
  seconds: Type.Optional(Type.Number()),
  displayed_sender: Type.Optional(Type.String()),
  /** Absent: as it was sent. */
  displayed_text: Type.Optional(Type.String()),
  displayed: Type.Optional(Type.Unsafe<Displayed>({ type: 'string', enum: [...DISPLAYED] })),
})
export type ShownProbe = Static<typeof ShownProbe>

const NAME_OR_EMPTY = '^[a-z0-9-]{0,40}$'
const filters = {
  plan: Type.Optional(Type.String({ pattern: NAME_OR_EMPTY, description: 'Only probes of this plan.' })),
  carrier: Type.Optional(Type.String({ pattern: NAME_OR_EMPTY, description: 'Only probes through this carrier.' })),
}
export const ProbeFilter = Type.Object(filters)
export type ProbeFilter = Static<typeof ProbeFilter>
export const ProbeQuery = Type.Object({ ...filters, ...PageQuery.properties })
export type ProbeQuery = Static<typeof ProbeQuery>

export const ProbeCounts = Type.Object({
  carrier: Type.String(),
  country: Type.String(),
  operator: Type.String(),
  /** Reported as delivered, to a number that received other probes in the day before and after. */
  delivered: Type.Integer(),
  /** Of these, those that arrived. */
  arrived: Type.Integer(),
})
export type ProbeCounts = Static<typeof ProbeCounts>

/** `counts`: of the last 30 days. */
export const ProbePage = Type.Object({
  probes: onePage(ShownProbe),
  counts: Type.Array(ProbeCounts),
  meta: ListMeta,
})
export type ProbePage = Pick<Static<typeof ProbePage>, 'probes' | 'counts'> & { pagination: Pagination }

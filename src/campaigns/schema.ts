import { AnyName, id, isOneOf, timestamp, Type, type Static } from '../values/schema/type.ts'
import { Filters, MAX_FILTERS, SavedFilters } from '../contacts/query/schema.ts'
import { SendBody } from '../messaging/schema.ts'
import { ListMeta, onePage } from '../values/page.ts'

export const MAX_CAMPAIGN_NAME = 100
export const MAX_TEXTS = 5
export const MAX_PACE_PER_HOUR = 10_000_000

export const CAMPAIGN_STATUSES = [
  'draft',
  'estimating',
  'estimated',
  'scheduled',
  'running',
  'paused',
  'finished',
  'canceled',
] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]

/** Why a person of the list is left out. */
export const LEFT_OUT_REASONS = [
  'opted_out',
  'dnd',
  'no_number',
  'bad_number',
  'twice',
  'incomplete',
  'too_long',
  'no_route',
  'no_window',
  'blocked',
] as const
export type LeftOut = (typeof LEFT_OUT_REASONS)[number]

/** Why it is paused; `by_hand`: by the API's caller. */
export type PauseReason = 'by_hand' | 'insufficient_balance' | 'spending_limit' | 'price_changed' | 'refused'

const people = (description: string) => Type.Integer({ description, examples: [0] })
const money = (description: string) => Type.Number({ description, examples: [0] })
const clock = (description: string) =>
  Type.Optional(Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description, examples: ['21:00'] }))

const { sender_id, channel, content, template_id, external_ref, is_trackable, smart_encoding, route_class, callback } =
  SendBody.properties

export const TextBody = Type.Object({
  content,
  template_id,
  share: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Percentage of people who get it. All shares add up to 100.',
    }),
  ),
})

export const CampaignBody = Type.Object({
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_CAMPAIGN_NAME, description: 'A label, shown in lists.' }),
  ),
  smartlist_id: Type.Optional(
    Type.String({
      description:
        'The recipients: a smartlist of contacts. If absent, those uploaded to `/campaigns/{id}/recipients`.',
    }),
  ),
  filters: Type.Optional(
    Type.Array(Filters.items, {
      maxItems: MAX_FILTERS,
      description: 'Must match in addition to those of the smartlist.',
    }),
  ),
  content,
  template_id,
  texts: Type.Optional(
    Type.Array(TextBody, {
      minItems: 1,
      maxItems: MAX_TEXTS,
      description: 'Instead of `content` or `template_id`: several texts, each for a share of the people (split test).',
    }),
  ),
  sender_id,
  channel,
  external_ref,
  is_trackable,
  smart_encoding,
  route_class,
  callback,
  send_at: Type.Optional(
    Type.String({
      description: 'When it starts, at most 35 days ahead: a date-time with its UTC offset. Immediately if absent.',
      examples: ['2026-12-24T18:00:00+01:00'],
    }),
  ),
  pace_per_hour: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PACE_PER_HOUR, description: 'Maximum number of people per hour.' }),
  ),
  quiet_from: clock(
    'Start of the quiet hours, in which nothing is sent, by the time zones of the recipient’s country. If absent, the quiet hours of the organisation apply to promotional campaigns.',
  ),
  quiet_until: clock('End of the quiet hours.'),
  is_incomplete: Type.Optional(
    Type.Boolean({
      description:
        'Stores the fields although some are missing, to be completed later; only the form of each is checked. The campaign cannot be estimated before it is saved without `is_incomplete`.',
    }),
  ),
})
export type CampaignBody = Static<typeof CampaignBody>

const orNull = <T>(shape: object, type: string) =>
  Type.Optional(Type.Unsafe<T | null>({ ...shape, type: [type, 'null'] }))
const of = CampaignBody.properties

/** Fields left out stay as they are; null removes a value. */
export const CampaignChange = Type.Object({
  ...of,
  smartlist_id: orNull<string>(of.smartlist_id, 'string'),
  sender_id: orNull<string>(of.sender_id, 'string'),
  send_at: orNull<string>(of.send_at, 'string'),
  pace_per_hour: orNull<number>(of.pace_per_hour, 'integer'),
  quiet_from: orNull<string>(of.quiet_from, 'string'),
  quiet_until: orNull<string>(of.quiet_until, 'string'),
})
export type CampaignChange = Static<typeof CampaignChange>

export const StartBody = Type.Object({
  people: Type.Integer({ minimum: 0, description: 'People of the estimate, which the caller confirms.' }),
  charge: Type.Number({ minimum: 0, description: 'Charge of the estimate.' }),
})
export type StartBody = Static<typeof StartBody>

export const MAX_TEST_RECIPIENTS = 5
export const TestBody = Type.Object({
  recipients: SendBody.properties.recipients,
  text: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_TEXTS, description: 'Which of several texts, counted from 1.' }),
  ),
})
export type TestBody = Static<typeof TestBody>

const CampaignText = Type.Object({
  content: Type.String(),
  template_id: Type.Optional(Type.String()),
  template_version: Type.Optional(Type.Integer()),
  share: Type.Integer({ examples: [100] }),
})

const Sample = Type.Object({
  recipient: Type.String({ examples: ['2348031234567'] }),
  text: Type.String({ description: 'The text as it will be sent; the codes of tracked links are shown as `xxxxxxx`.' }),
  text_number: Type.Integer({ description: 'Which of several texts, counted from 1.', examples: [1] }),
  encoding: Type.String({ examples: ['GSM'] }),
  pages: Type.Integer({ examples: [1] }),
  charge: Type.Number({ examples: [4] }),
})
export type Sample = Static<typeof Sample>

const Size = Type.Object({
  text_number: Type.Integer({ examples: [1] }),
  encoding: Type.String({ examples: ['GSM'] }),
  pages: Type.Integer({ examples: [1] }),
  people: people('People who get a text of this size.'),
  charge: money('Charge for all of them.'),
})

const CampaignEstimate = Type.Object({
  is_complete: Type.Boolean({ description: 'The whole list was processed.' }),
  rows: people('Entries of the list processed so far.'),
  people: people('Number of recipients.'),
  charge: money('Total charge: every text is composed and its pages are counted.'),
  sizes: Type.Array(Size, { maxItems: 100, description: 'Recipients by size of their text.' }),
  left_out: Type.Record(AnyName, Type.Integer(), {
    description: `People who are left out, by reason: ${LEFT_OUT_REASONS.map((one) => `\`${one}\``).join(', ')}.`,
    examples: [{ twice: 2 }],
  }),
  samples: Type.Array(Sample, { maxItems: 4, description: 'The first few texts, and the longest.' }),
  estimated_datetime: Type.Optional(timestamp),
})

const CampaignProgress = Type.Object({
  accepted: people('Recipients accepted and charged.'),
  charge: money('Charged so far.'),
  dropped: people('Left out when they were to be sent, for example after an opt-out since the estimate.'),
  taken_back: people('Canceled before they were submitted to a carrier.'),
  given_back: money('Refunded for canceled deliveries.'),
})

export const Campaign = Type.Object({
  id,
  name: Type.String({ examples: ['Harmattan sale'] }),
  status: isOneOf(CAMPAIGN_STATUSES, { examples: ['draft'] }),
  smartlist_id: Type.Optional(id),
  filters: Type.Optional(SavedFilters),
  uploaded: people('Uploaded entries.'),
  is_incomplete: Type.Optional(
    Type.Boolean({ description: 'It was saved with `is_incomplete`: only the form of its fields was checked.' }),
  ),
  resend_of: Type.Optional(
    Type.String({ format: 'uuid', description: 'The campaign whose failed recipients it is for.' }),
  ),
  channel: Type.String({ examples: ['sms'] }),
  sender_id: Type.Optional(Type.String({ examples: ['Gangan'] })),
  texts: Type.Array(CampaignText, { maxItems: MAX_TEXTS }),
  route_class: Type.String({ examples: ['transactional'] }),
  is_trackable: Type.Boolean(),
  smart_encoding: Type.Optional(Type.Boolean()),
  external_ref: Type.Optional(Type.String()),
  callback: Type.Optional(Type.String()),
  send_at: Type.Optional(timestamp),
  pace_per_hour: Type.Optional(Type.Integer()),
  quiet_from: Type.Optional(Type.String({ examples: ['21:00'] })),
  quiet_until: Type.Optional(Type.String({ examples: ['08:00'] })),
  estimate: Type.Optional(CampaignEstimate),
  progress: CampaignProgress,
  pause_reason: Type.Optional(
    Type.String({
      description:
        'Why it is paused: `by_hand`, `insufficient_balance`, `spending_limit` (of the API key that started it), `price_changed` (it would cost more than was confirmed) or `refused` (see `fault`).',
    }),
  ),
  fault: Type.Optional(Type.String({ description: 'Why it stopped.' })),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
  started_datetime: Type.Optional(timestamp),
  ended_datetime: Type.Optional(timestamp),
})
export type Campaign = Static<typeof Campaign>

/** One campaign with its outcomes so far. */
export const CampaignWithOutcomes = Type.Object({
  ...Campaign.properties,
  outcomes: Type.Record(AnyName, Type.Integer(), {
    description:
      'People by status of their delivery, updated within seconds. `waiting` is not submitted to a carrier yet.',
    examples: [{ delivered: 10 }],
  }),
})
export type CampaignWithOutcomes = Static<typeof CampaignWithOutcomes>

export const CampaignPage = Type.Object({ campaigns: onePage(Campaign), meta: ListMeta })

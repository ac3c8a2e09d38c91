import { Type, type Static, AnyName } from '../values/schema/type.ts'
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

/** Why somebody of the list gets nothing. */
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
] as const
export type LeftOut = (typeof LEFT_OUT_REASONS)[number]

/** Why it stands still, where nobody paused it. */
export type PauseReason = 'by_hand' | 'insufficient_balance' | 'price_changed' | 'refused'

const id = Type.String({ format: 'uuid' })
const timestamp = Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] })
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
    Type.Integer({ minimum: 1, maximum: 100, description: 'How many of a hundred get it. Together they are 100.' }),
  ),
})

/** What a campaign is made of. */
export const CampaignBody = Type.Object({
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_CAMPAIGN_NAME, description: 'For you to tell it from others.' }),
  ),
  smartlist_id: Type.Optional(
    Type.String({
      description:
        'Who gets it: a smartlist of contacts. Left out, it is who is uploaded to `/campaigns/{id}/recipients`.',
    }),
  ),
  filters: Type.Optional(
    Type.Array(Filters.items, { maxItems: MAX_FILTERS, description: 'Must hold beside those of the smartlist.' }),
  ),
  content,
  template_id,
  texts: Type.Optional(
    Type.Array(TextBody, {
      minItems: 1,
      maxItems: MAX_TEXTS,
      description:
        'In place of `content` or `template_id`: several texts, each for a share of the people (split test).',
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
      description: 'When it begins, at most 35 days ahead: a date-time with its offset from UTC. At once if left out.',
      examples: ['2026-12-24T18:00:00+01:00'],
    }),
  ),
  pace_per_hour: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_PACE_PER_HOUR, description: 'So many people an hour, and no more.' }),
  ),
  quiet_from: clock(
    'Nobody is sent to from this time of their day on, by the time zones of their country. Without it the quiet hours of the organisation hold for promotional campaigns.',
  ),
  quiet_until: clock('When the quiet hours end.'),
})
export type CampaignBody = Static<typeof CampaignBody>

const orNull = <T>(shape: object, type: string) =>
  Type.Optional(Type.Unsafe<T | null>({ ...shape, type: [type, 'null'] }))
const of = CampaignBody.properties

/** What is changed of a draft: fields left out stay, null takes a value away. */
export const CampaignChange = Type.Object({
  ...of,
  smartlist_id: orNull<string>(of.smartlist_id, 'string'),
  send_at: orNull<string>(of.send_at, 'string'),
  pace_per_hour: orNull<number>(of.pace_per_hour, 'integer'),
  quiet_from: orNull<string>(of.quiet_from, 'string'),
  quiet_until: orNull<string>(of.quiet_until, 'string'),
})
export type CampaignChange = Static<typeof CampaignChange>

export const StartBody = Type.Object({
  people: Type.Integer({ minimum: 0, description: 'As the estimate says: what is confirmed is what was seen.' }),
  charge: Type.Number({ minimum: 0, description: 'As the estimate says.' }),
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
  text: Type.String({ description: 'As it will be sent; the codes of tracked links are shown as `xxxxxxx`.' }),
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
  people: people('Who get a text of this size.'),
  charge: money('For all of them.'),
})

const CampaignEstimate = Type.Object({
  is_complete: Type.Boolean({ description: 'Everybody was looked at.' }),
  rows: people('Entries of the list looked at so far.'),
  people: people('Who will get it.'),
  charge: money('What it will cost: every text was composed, every page counted.'),
  sizes: Type.Array(Size, { maxItems: 100, description: 'How long the texts are.' }),
  left_out: Type.Record(AnyName, Type.Integer(), {
    description: `Who will not get it, by reason: ${LEFT_OUT_REASONS.map((one) => `\`${one}\``).join(', ')}.`,
    examples: [{ twice: 2 }],
  }),
  samples: Type.Array(Sample, { maxItems: 4, description: 'The first few texts, and the longest.' }),
  estimated_datetime: Type.Optional(timestamp),
})

const CampaignProgress = Type.Object({
  accepted: people('Charged and on their way, or there.'),
  charge: money('Charged so far.'),
  dropped: people('Left out when their turn came, such as who opted out since the estimate.'),
  taken_back: people('Canceled before they were handed over.'),
  given_back: money('Refunded for these.'),
})

export const Campaign = Type.Object({
  id,
  name: Type.String({ examples: ['Harmattan sale'] }),
  status: Type.Unsafe<CampaignStatus>({ type: 'string', enum: [...CAMPAIGN_STATUSES], examples: ['draft'] }),
  smartlist_id: Type.Optional(id),
  filters: Type.Optional(SavedFilters),
  uploaded: people('Entries that were uploaded.'),
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
        'Why it stands still: `by_hand`, `insufficient_balance`, `price_changed` (it would cost more than was confirmed) or `refused` (see `fault`).',
    }),
  ),
  fault: Type.Optional(Type.String({ description: 'Why it could not go on.' })),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
  started_datetime: Type.Optional(timestamp),
  ended_datetime: Type.Optional(timestamp),
})
export type Campaign = Static<typeof Campaign>

/** One campaign, with what became of it so far. */
export const CampaignWithOutcomes = Type.Object({
  ...Campaign.properties,
  outcomes: Type.Record(AnyName, Type.Integer(), {
    description: 'How many people it has reached which end, counted within seconds. `waiting` is not handed over yet.',
    examples: [{ delivered: 10 }],
  }),
})
export type CampaignWithOutcomes = Static<typeof CampaignWithOutcomes>

export const CampaignPage = Type.Object({ campaigns: onePage(Campaign), meta: ListMeta })

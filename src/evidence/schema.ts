import { CHANNELS } from '../carriers/message-carrier.ts'
import { REPORT_BOUNDS_S, type MessageClass } from '../observe/evidence.ts'
import { isOneOf, Type, type Static } from '../values/schema/type.ts'

/** Evidence is deleted after this many days. */
export const EVIDENCE_DAYS = 30
export const MAX_HOURS = 24 * EVIDENCE_DAYS
/** Rows of an answer. */
export const MAX_SHOWN = 1_000

/** What `class` may be: the values of `MessageClass`. */
export const EVIDENCE_CLASSES = ['otp', 'other'] as const satisfies readonly MessageClass[]
/** The longest step of figures by the hour. */
export const MAX_STEP_HOURS = 24

export const EVIDENCE_BY = ['hour', 'carrier', 'country', 'operator', 'channel', 'class'] as const
export type EvidenceBy = (typeof EVIDENCE_BY)[number]

const name = (description: string) => Type.String({ maxLength: 60, description })

export const EvidenceQuery = Type.Object({
  hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_HOURS,
      default: 24,
      description: 'How many hours back from now; the hour in progress counts as one.',
    }),
  ),
  by: Type.Optional(
    Type.String({
      maxLength: 60,
      description: `What the figures are grouped by: some of ${EVIDENCE_BY.join(', ')}, separated by commas. Without it: carrier,country,operator,channel,class.`,
      examples: ['carrier,operator'],
    }),
  ),
  carrier: Type.Optional(name('Only this carrier.')),
  country: Type.Optional(Type.String({ maxLength: 2, description: 'Only numbers of this country.' })),
  channel: Type.Optional(isOneOf<string>(CHANNELS, { description: 'Only this channel.' })),
  class: Type.Optional(
    isOneOf<string>(EVIDENCE_CLASSES, {
      description: 'Only one-time passwords (`otp`), or only other messages (`other`).',
    }),
  ),
  step_hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_STEP_HOURS,
      default: 1,
      description:
        'Grouped by hour, a row is of so many hours; `hour` is the first of them. Steps are counted from midnight UTC of 1 January 1970.',
    }),
  ),
})
export type EvidenceQuery = Static<typeof EvidenceQuery>

const count = (description: string) => Type.Integer({ description })

export const EvidenceRowShown = Type.Object({
  /** The beginning of the hour in which the messages were accepted. */
  hour: Type.Optional(Type.String({ format: 'date-time' })),
  carrier: Type.Optional(Type.String()),
  /** Empty: the country or the operator of the number is not known. */
  country: Type.Optional(Type.String()),
  operator: Type.Optional(Type.String()),
  channel: Type.Optional(Type.String()),
  /** `otp`, or `other`. */
  class: Type.Optional(Type.String()),
  submitted: count('Messages that the carrier accepted.'),
  rejected: Type.Object(
    {
      number: Type.Integer(),
      recipient: Type.Integer(),
      sender: Type.Integer(),
      text: Type.Integer(),
      temporary: Type.Integer(),
      unanswered: Type.Integer(),
      other: Type.Integer(),
    },
    { description: 'Submissions that the carrier did not accept, by cause. `unanswered`: it may have accepted them.' },
  ),
  delivered: count('Reported as delivered.'),
  undelivered: count('Reported as not delivered.'),
  no_report: count('The report is overdue.'),
  delivered_share: Type.Optional(
    Type.Number({ description: 'Delivered, of those that were reported or whose report is overdue.' }),
  ),
  report_times: Type.Array(
    Type.Object({
      up_to_s: Type.Optional(Type.Number({ description: 'Absent: longer than the others.' })),
      count: Type.Integer(),
    }),
    {
      description: `Reports by the time since the message was accepted: up to ${REPORT_BOUNDS_S.join(', ')} seconds, and longer.`,
    },
  ),
  verified: count('One-time passwords that were verified.'),
  verified_share: Type.Optional(
    Type.Number({
      description: 'Verified within a minute or later, of the one-time passwords submitted a minute ago or earlier.',
    }),
  ),
  cost: Type.Number({ description: 'What the carrier charges, as far as it is known.' }),
  advised: count('Messages for which the evidence advised another carrier, which was not followed.'),
  saved: Type.Number({ description: 'What the advised carriers would have saved, as far as costs are known.' }),
  gained: Type.Number({
    description: 'How many more messages the advised carriers would have delivered; of one-time passwords: verified.',
  }),
})
export type EvidenceRowShown = Static<typeof EvidenceRowShown>

/** What became of the messages that carriers were given. */
export const EvidenceReport = Type.Object({
  since: Type.String({ format: 'date-time' }),
  currency: Type.String(),
  by: Type.Array(Type.Unsafe<EvidenceBy>({ type: 'string', enum: [...EVIDENCE_BY] })),
  rows: Type.Array(EvidenceRowShown),
  /** There are more rows than these. */
  has_more: Type.Boolean(),
})
export type EvidenceReport = Static<typeof EvidenceReport>

export const HONESTY_DAYS = 7

export const HonestyQuery = Type.Object({
  carrier: Type.Optional(name('Only this carrier.')),
})
export type HonestyQuery = Static<typeof HonestyQuery>

export const HonestyRow = Type.Object({
  carrier: Type.String(),
  country: Type.Optional(Type.String({ description: 'Absent: all countries and operators.' })),
  operator: Type.Optional(Type.String()),
  otps: count(
    'One-time passwords that the carrier reported as delivered within ten seconds, at least five minutes ago, and probes that it reported as delivered.',
  ),
  verified: count('Of these, verified, or arrived at the probe.'),
  expected: Type.Optional(
    Type.Number({
      description:
        'How many would have been verified or have arrived if the reports were as true as those of the other carriers, at the same operators in the same hours. Absent: no other carrier to compare with.',
    }),
  ),
  factor: Type.Number({
    description: 'Share of the reports `delivered` that are true, compared with the others; at most 1.',
  }),
  low: Type.Number({ description: 'Lower bound of the factor.' }),
  high: Type.Number({ description: 'Upper bound of the factor; the bounds hold at all times, not only at one.' }),
  is_doubtful: Type.Boolean({
    description: 'Even the upper bound is below 1: the carrier reports deliveries that did not happen.',
  }),
  fast_share: Type.Optional(
    Type.Number({
      description: 'Share of the reports that arrived within a second. It proves nothing, but compare it.',
    }),
  ),
  contradicted: count('Reports `delivered` on numbers that another carrier reported as not in use within the hour.'),
  confirmed: count('Reports `delivered` on numbers that another carrier reported as reached within the hour.'),
})
export type HonestyRow = Static<typeof HonestyRow>

/** Whether the reports of carriers are true. */
export const HonestyReport = Type.Object({
  since: Type.String({ format: 'date-time' }),
  rows: Type.Array(HonestyRow),
  /** There are more rows than these. */
  has_more: Type.Boolean(),
})
export type HonestyReport = Static<typeof HonestyReport>

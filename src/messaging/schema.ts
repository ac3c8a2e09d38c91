import { Type, type Static, AnyName, isOneOf, oneOf, UNSAID } from '../values/schema/type.ts'
import { CHANNELS } from '../carriers/message-carrier.ts'
import { WhatsappContent } from '../carriers/whatsapp/content-schema.ts'

export const MAX_RECIPIENTS = 10_000
export const MAX_WHATSAPP_CHARACTERS = 4_096
export const MAX_EXTERNAL_REF = 255
/** Before links are shortened and placeholders filled; the resulting text has at most ten pages. */
export const MAX_CONTENT_CHARACTERS = 32_768
/** The length of the longest text that is sent. */
export const MAX_SUBSTITUTION = 4_096
/** More than fit into ten pages. */
const MAX_LINKS = 1_000

const Personalisation = Type.Object(
  {
    to: Type.String({
      maxLength: 100,
      description: 'The recipient these values are for.',
      examples: ['2348031234567'],
    }),
    substitutions: Type.Record(AnyName, Type.String({ maxLength: MAX_SUBSTITUTION }), {
      description: 'Placeholder names and their values.',
      examples: [{ name: 'Ada' }],
    }),
  },
  { description: 'The values of one recipient.' },
)

/** A request to send a message. */
export const SendBody = Type.Object({
  recipients: Type.Unsafe<string | string[]>({
    type: ['string', 'array'],
    items: { type: 'string' },
    maxItems: MAX_RECIPIENTS,
    description: `Comma-separated phone numbers (an array is accepted too), at most ${MAX_RECIPIENTS.toLocaleString('en')}. Duplicates are sent and charged once.`,
    examples: ['2348031234567, 08051234567'],
  }),
  smartlist_id: Type.Optional(
    Type.String({
      description:
        'Instead of `recipients`: a smartlist of contacts. The request is answered immediately; a job sends and charges in chunks, each number once. `{{Name}}` in the content or template is filled from the column of that name. See `/lists/contact/sends/{id}`.',
      [UNSAID]: true, // `POST /lists/contact/sends` answers in one form only
    }),
  ),
  sender_id: Type.Optional(
    Type.String({
      description:
        'The sender shown on the phone: 1–11 letters, digits, spaces or `-_.&`. Required on `sms` unless the organisation has a default sender. On `whatsapp` the digits of one of your numbers; else your number, or the shared one, is used.',
      examples: ['Gangan'],
    }),
  ),
  channel: Type.Optional(
    oneOf(CHANNELS, { description: '`sms` (the default) or `whatsapp`, in any case.', examples: ['sms'] }),
  ),
  content: Type.Optional(
    Type.String({
      maxLength: MAX_CONTENT_CHARACTERS,
      description:
        'The text. Required unless `template_id` is given, or `whatsapp` with content that has no text. At most ten pages on `sms`.',
      examples: ['Your order is on its way.'],
    }),
  ),
  template_id: Type.Optional(
    Type.String({
      description:
        'A template to send instead of `content`, over which it takes precedence. The request is refused if a placeholder has neither a value nor a default.',
      examples: [],
    }),
  ),
  personalisation: Type.Optional(
    Type.Array(Personalisation, {
      maxItems: MAX_RECIPIENTS,
      description:
        'Values per recipient for the placeholders of the template. Ignored without `template_id`: double braces in `content` are sent unchanged.',
    }),
  ),
  whatsapp: Type.Optional(WhatsappContent),
  external_ref: Type.Optional(
    Type.String({
      maxLength: MAX_EXTERNAL_REF,
      description: 'Your own reference of the message.',
      examples: ['order-1042'],
    }),
  ),
  is_trackable: Type.Optional(
    Type.Boolean({
      description:
        'Replaces every http and https link by a short link that counts clicks, one per recipient. Pages are counted with the short links.',
    }),
  ),
  smart_encoding: Type.Optional(
    Type.Boolean({
      description:
        'Replaces typographic quotes, dashes, dots and spaces by similar GSM characters, if that makes the whole text GSM. Defaults to the setting of the organisation. Only on `sms`.',
    }),
  ),
  route_class: Type.Optional(
    oneOf(['transactional', 'promotional'], {
      description:
        '`transactional` (the default) or `promotional`, in any case. Numbers on a do-not-disturb list get no promotional messages: they are rejected with code `dnd` and not charged or, if the operator has configured it, sent on the transactional route at its price.',
      examples: ['transactional'],
    }),
  ),
  callback: Type.Optional(
    Type.String({ description: 'URL that delivery reports are posted to.', examples: ['https://example.com/reports'] }),
  ),
  send_at: Type.Optional(
    Type.String({
      description:
        'When to send it: a date-time with its offset from UTC, at most 35 days ahead. Charged immediately; until then its deliveries are `scheduled`, and `DELETE /sms/{id}` cancels it. A smartlist is evaluated and charged at that time.',
      examples: ['2026-12-24T18:00:00+01:00'],
    }),
  ),
})
export type SendBody = Static<typeof SendBody>

const timestamp = Type.String({ format: 'date-time', examples: ['2026-11-14T23:42:46.539766+00:00'] })

export const Estimate = Type.Object({
  available_balance: Type.Number({ description: 'The balance after the charge.', examples: [999996] }),
  charge: Type.Number({ description: 'Over all recipients.', examples: [4] }),
  encoding: Type.Union([Type.Literal('GSM'), Type.Literal('UCS-2')]),
  message_length: Type.Integer({ description: 'Of the longest text sent.', examples: [25] }),
  pages: Type.Integer({
    description:
      'Of the longest text sent, in the pages of its carrier: 160 and 153 characters of GSM, 70 and 67 of UCS-2.',
    examples: [1],
  }),
})

const message = {
  id: Type.String({ format: 'uuid' }),
  recipients: Type.Array(Type.String(), {
    maxItems: MAX_RECIPIENTS,
    examples: [['2348031234567', '2348051234567']],
  }),
  sender_id: Type.Optional(Type.String({ examples: ['Gangan'] })),
  channel: isOneOf(CHANNELS, { examples: ['sms'] }),
  is_trackable: Type.Boolean(),
  content: Type.Optional(
    Type.String({
      description: 'The text; of a template, with its placeholders. The text of each recipient is in the deliveries.',
      examples: ['Your order is on its way.'],
    }),
  ),
  external_ref: Type.Optional(Type.String({ examples: ['order-1042'] })),
  callback: Type.Optional(Type.String({ examples: ['https://example.com/reports'] })),
  template_id: Type.Optional(Type.String()),
  template_version: Type.Optional(Type.Integer({ description: 'The version it was made of.', examples: [1] })),
  personalisation: Type.Optional(
    Type.Array(Personalisation, {
      maxItems: MAX_RECIPIENTS,
      description: 'As given in the request. Lists omit one of more than 10,000 bytes; `GET /sms/{id}` returns it.',
    }),
  ),
  send_at: Type.Optional(timestamp),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
}

export const requestMeta = {
  method: Type.String({ examples: ['POST'] }),
  resource: Type.String({ examples: ['/sms/send'] }),
}

/** The answer to a send. */
export const SentMessage = Type.Object({ ...message, meta: Type.Object({ ...requestMeta, estimate: Estimate }) })
export type SentMessage = Static<typeof SentMessage>

export const DELIVERY_STATUSES = [
  'scheduled',
  'queued',
  'sent',
  'delivered',
  'undelivered',
  'expired',
  'rejected',
  'failed',
  'unknown',
  'canceled',
] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

const clicks = Type.Optional(
  Type.Integer({ description: 'Clicks of people. With `is_trackable` only.', examples: [1] }),
)
const clicks_raw = Type.Optional(
  Type.Integer({ description: 'Clicks including previews and bots. With `is_trackable` only.', examples: [2] }),
)

export const DeliveryAdvice = Type.String({
  description: 'What you can do about a delivery that did not arrive, from the table of delivery codes.',
  examples: ['The phone was off or out of coverage: retry later.'],
})

export const Delivery = Type.Object({
  recipient: Type.String({ examples: ['2348031234567'] }),
  text: Type.Optional(
    Type.String({
      description: 'The text of this recipient, if it differs from the content: of a template, or with tracked links.',
    }),
  ),
  status: Type.Unsafe<DeliveryStatus>({ type: 'string', enum: [...DELIVERY_STATUSES], examples: ['delivered'] }),
  code: Type.Optional(Type.String({ description: "The carrier's code.", examples: ['000'] })),
  description: Type.Optional(Type.String({ examples: ['delivered'] })),
  advice: Type.Optional(DeliveryAdvice),
  pages: Type.Integer({ description: 'Pages of the text to this recipient.', examples: [1] }),
  charge: Type.Number({ examples: [4] }),
  refunded: Type.Boolean(),
  send_at: Type.Optional(Type.String({ format: 'date-time', description: 'The scheduled time, if it was delayed.' })),
  clicks,
  clicks_raw,
  clicked_datetime: Type.Optional(timestamp),
  links: Type.Optional(
    Type.Array(
      Type.Object({
        url: Type.String({ examples: ['https://example.com/orders/1042'] }),
        short_url: Type.String({ examples: ['https://sms.example.com/l/x7Kp2Qr'] }),
        clicks,
        clicks_raw,
        clicked_datetime: Type.Optional(timestamp),
      }),
      { maxItems: MAX_LINKS, description: 'The tracked links of this recipient.' },
    ),
  ),
  created_datetime: timestamp,
  updated_datetime: Type.Optional(timestamp),
  read_datetime: Type.Optional(
    Type.String({ format: 'date-time', description: 'On WhatsApp: when the recipient read it, if they report that.' }),
  ),
  price_category: Type.Optional(
    Type.String({
      description:
        'On WhatsApp: the category by which Meta prices it: `marketing`, `utility`, `authentication`, `service`.',
      examples: ['utility'],
    }),
  ),
})
export type Delivery = Static<typeof Delivery>

/** A message with its deliveries. */
export const MessageWithDeliveries = Type.Object({
  ...message,
  deliveries: Type.Array(Delivery, { maxItems: MAX_RECIPIENTS }),
  meta: Type.Object(requestMeta),
})
export type MessageWithDeliveries = Static<typeof MessageWithDeliveries>

export const ListedMessage = Type.Object(message)
export type ListedMessage = Static<typeof ListedMessage>

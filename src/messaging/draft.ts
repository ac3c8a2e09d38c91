import type { Channel, OutgoingWhatsapp } from '../carriers/message-carrier.ts'
import type { SpendingLimit } from '../values/money.ts'
import type { SendBody } from './schema.ts'

/** The fields of an organisation that sending depends on. */
export type Sender = {
  organisation_id: string
  mode: 'live' | 'test'
  default_country: string
  default_sender_id: string | null
  quiet_from: string | null
  quiet_until: string | null
  has_optouts: boolean
  approved_senders: readonly string[]
  smart_encoding: boolean
  /** Its price list; null: the default. */
  price_list_id: string | null
  /** Recipients per second, over all processes; null: unlimited. */
  messages_per_s?: number | null
  /** Of the API key of the request. */
  spending_limit?: SpendingLimit | null
  /** It may use a number of up to 15 digits as sender, as clients of other gateways do. */
  sends_from_numbers?: boolean
}

/** A complete message, before it is charged and stored. */
export type Draft = {
  id: string
  channel: Channel
  sender_id: string | null
  content: string
  template?: TemplateRef | undefined
  personalisation: SendBody['personalisation'] | undefined
  external_ref: string | undefined
  is_trackable: boolean
  callback: string | undefined
  /** Requested time. */
  send_at?: string | undefined
  /** `binary`: the content is a `BinaryText`. */
  encoding: 'GSM' | 'UCS-2' | 'binary'
  message_length: number
  pages: number
  charge: bigint
  priority: number
  /** It is not submitted later than this many seconds from now. */
  expires_in_s?: number
  /** It shares no row of the intake with other messages, so that it can be canceled alone. */
  has_own_rows?: boolean
  deliveries: DraftDelivery[]
  /** Its trace, if that does not follow from its id (`observe/trace/tracer.ts`). */
  trace?: string
  /** See `messageFields`. */
  json_fields?: string
  /** Tracked links; most messages have none. */
  links?: DraftLink[]
}

/**
 * A recipient gets its own `text`, else the message's content. A sealed text is sent instead of either; the content is then
 * only the part that may be shown.
 */
export type DraftDelivery = {
  recipient: string
  charge: bigint
  /** The rule of a price list that it is charged by; null: a price of the configuration file, or none. */
  price_rule_id: number | null
  pages: number
  route: string
  /** What it is sent as on WhatsApp, if it is not just a text. */
  whatsapp?: OutgoingWhatsapp
  text?: string
  sealed_text?: Buffer
  /** The rules of promotional messages apply. */
  promotional?: boolean
  /** Scheduled time; absent: immediately. */
  send_at?: string
}

export type TemplateRef = { id: string; version: number }

/** A tracked link of one recipient. */
export type DraftLink = { code: string; message_id: string; recipient: string; position: number; url: string }

/** OTPs come first, and a message to a few people does not wait behind a campaign. */
export const PRIORITY = { otp: 0, single: 1, bulk: 2 } as const
export const BULK_FROM = 100

import type { Channel, OutgoingTemplate } from '../carriers/message-carrier.ts'
import type { SendBody } from './schema.ts'

/** What a message needs to know about its organisation. */
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
  /** It may send from a number of up to 15 digits, as other gateways' clients do. */
  sends_from_numbers?: boolean
}

/** A message, worked out whole before anything is charged or stored. */
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
  /** When it was asked to go. */
  send_at?: string | undefined
  /** `binary`: the content is no text (`BinaryText`). */
  encoding: 'GSM' | 'UCS-2' | 'binary'
  message_length: number
  pages: number
  charge: bigint
  priority: number
  /** It is not handed over later than this many seconds from now. */
  expires_in_s?: number
  /** It shares no row of the intake with others, so that it can be taken back by itself. */
  has_own_rows?: boolean
  deliveries: DraftDelivery[]
  /** The trace it is in, where that is not the one its id names (`observe/trace/tracer.ts`). */
  trace?: string
  /** See `messageFields`. */
  json_fields?: string
  /** The links that count clicks; most messages have none. */
  links?: DraftLink[]
}

/**
 * With a text of its own that is what a recipient gets, else the message's content. A sealed text is sent instead of
 * either; the content is then only what may be shown of it.
 */
export type DraftDelivery = {
  recipient: string
  charge: bigint
  pages: number
  route: string
  /** The template it goes out as on WhatsApp. */
  whatsapp?: OutgoingTemplate
  text?: string
  sealed_text?: Buffer
  /** It goes by the rules of promotional messages. */
  promotional?: boolean
  /** When it goes, where that is not at once. */
  send_at?: string
}

export type TemplateRef = { id: string; version: number }

/** A link of a message as one recipient gets it. */
export type DraftLink = { code: string; message_id: string; recipient: string; position: number; url: string }

/** OTPs go before everything else, and a message to a few people does not wait behind a campaign. */
export const PRIORITY = { otp: 0, single: 1, bulk: 2 } as const
export const BULK_FROM = 100

import type { BinaryText } from '../values/sms/binary-text.ts'
import type { IdMode } from './message-id.ts'
import type { ReceivedContent } from './whatsapp/content-schema.ts'

/**
 * The interface of a message carrier; each kind of network implements it in a folder of its own. The guarantees beyond the
 * types are listed in `test/contracts/message-carrier.ts`, which tests every implementation.
 */
export type MessageCarrier = {
  name: string
  /** Maximum messages per `submit`. */
  batch: number
  /** Submitting a message twice is harmless, so a message of a crashed worker may be submitted again. */
  resubmittable: boolean
  /** It accepts binary messages; otherwise they go to another carrier or are rejected. */
  takes_binary?: boolean
  /**
   * One outcome per message, in order: one promise for all, or one per message if the network answers them one by one.
   * Rejects only if nothing was submitted; a promise per message never rejects.
   */
  submit(messages: readonly OutgoingMessage[]): Promise<SubmitOutcome[]> | Promise<SubmitOutcome>[]
  /** How many messages it accepts from this process now; unlimited without it. */
  freeCapacity?(): number
  /** Maximum messages in flight; two batches without it. */
  limit?: number
  /** Milliseconds for which it has not accepted messages from any process; 0, or without it: it works. */
  downFor?(): number
  /** Reports to the vendor whether a one-time password was verified; without it, the vendor takes none, or it is off. */
  feedback?: Feedback
  /** Downloads a file that a person sent. It is read to its end by `read`. */
  download?: DownloadMedia
  stop(): Promise<void>
}

export type Feedback = {
  /** What its accepted messages have as `report_due_s`. */
  report_due_s: number
  /** Also wanted on one-time passwords that ended without being verified. */
  on_unverified: boolean
  send(judged: JudgedMessage): Promise<FeedbackOutcome>
}

/** The message of a one-time password, and when that was verified, or ended. */
export type JudgedMessage = { carrier_message_id: string; recipient: string; is_verified: boolean; at_ms: number }

/** `refused`: it would be refused again. */
export type FeedbackOutcome = { kind: 'accepted' } | { kind: 'refused' | 'failed'; description: string }

export type DownloadMedia = <T>(
  carrier_media_id: string,
  read: (file: { size: number | undefined; content: AsyncIterable<Buffer> }) => Promise<T>,
) => Promise<Download<T>>

export type Download<T> =
  | { kind: 'read'; value: T }
  /** The carrier no longer has it. */
  | { kind: 'gone' }
  /** It may be there later. */
  | { kind: 'failed'; description: string }

export const CHANNELS = ['sms', 'whatsapp'] as const
export type Channel = (typeof CHANNELS)[number]

export type OutgoingMessage = {
  organisation_id: string
  message_id: string
  recipient: string
  channel: Channel
  sender_id: string | null
  text: string
  /** The network should drop the message after this many seconds; null: no limit. */
  expires_in_s: number | null
  /** Counts from 1. */
  attempt: number
  /** A person waits for it: a one-time password. */
  urgent: boolean
  /** The rules for promotional messages apply; all others are transactional. */
  promotional?: boolean
  /** The one-time password in the text, for networks that need it separately. Never log or store it. */
  token?: string
  /** On WhatsApp: sent instead of the text, or what is sent with it. */
  whatsapp?: OutgoingWhatsapp
  /** Sent instead of the text, which is its stored form. */
  binary?: BinaryText
  /** Its trace, if that differs from its id. */
  trace?: string
  /** W3C Trace Context header for a vendor that is called over HTTP, if the submission is traced. */
  traceparent?: string
}

/** An approved template with its parameter values. */
export type OutgoingTemplate = {
  name: string
  language: string
  parameters: readonly string[]
  /** Their names, if the template has named parameters. */
  parameter_names?: readonly string[]
  button_parameters?: readonly string[]
  /** Header, buttons and cards with their values, as Meta's API takes them; files of ours as `{ media_id }`. */
  components?: readonly object[]
  /** The ids of these files. */
  media?: readonly string[]
}

export type OutgoingWhatsapp = OutgoingTemplate | OutgoingContent

/** A message within the 24-hour window that is more than a text. */
export type OutgoingContent = {
  /** Meta's type of the message, and the value of it; a file of ours as `{ media_id }`. */
  type: string
  value: object
  /** The text is a part of it: its text, its caption, or what is above its buttons. */
  has_text: boolean
  /** Meta's id of the received message that it quotes or reacts to, and ours. */
  received_id?: string
  reply_to?: string
  /** The ids of its files of ours. */
  media?: readonly string[]
}

export type SubmitOutcome =
  /**
   * The network has taken it under this id; one in segments has further ids. Without a report in `report_due_s` it becomes
   * `unknown`. `cost`: what the network says that it charges for it.
   */
  | {
      kind: 'accepted'
      carrier_message_id: string
      further_ids?: readonly string[]
      report_due_s: number
      cost?: bigint
    }
  /** Refused permanently and not sent; `elsewhere`: another carrier may accept it. */
  | { kind: 'rejected'; code: string; description: string; elsewhere?: boolean }
  /** Refused temporarily and not sent. */
  | { kind: 'temporary'; code: string; description: string; retry_after_s?: number }
  /** Not submitted, for a reason unrelated to the message: the carrier is down, paused or rate limited. */
  | { kind: 'held'; retry_after_s?: number }
  /** Some of its segments were taken and one was refused permanently. */
  | { kind: 'undelivered'; code: string; description: string }
  /**
   * It may or may not have been taken; `taken` lists the segments that were. `in_segments` says whether it was sent in
   * segments, which may differ from the pages it was charged for: these may be those of another carrier.
   */
  | { kind: 'unknown'; description: string; taken?: TakenSegments; in_segments?: boolean }

/** The segments of a message that the network has certainly taken, and how many there are in all. */
export type TakenSegments = {
  segments: number
  ids: readonly { segment: number; carrier_message_id: string }[]
  report_due_s: number
}

/** A delivery report. It may come twice, late, or before `submit` has resolved. */
export type CarrierReport = {
  carrier: string
  carrier_message_id: string
  /** `unknown`: the carrier will never know. */
  status: 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'unknown'
  code: string
  description: string
  /** The operator of the number, by name or code, if the carrier names it. */
  operator?: string
  /** The recipient, as the report writes it. */
  recipient?: string
  /** Alternative ids; a match counts only together with the recipient. */
  other_ids?: readonly string[]
  /** How reports write the ids of the answers; without it: unchanged. */
  msg_id_mode?: IdMode
}

/** A message that a carrier has, according to a reference of ours that it returned; we may not have known that it has it. */
export type KnownDelivery = {
  carrier: string
  carrier_message_id: string
  organisation_id: string
  message_id: string
  recipient: string
  report_due_s: number
  /** The id under which a delivery was stored without an answer; its report becomes due no earlier than this one's. */
  placeholder_id?: string
}

/** Resolves once the reports are stored; only then may they be acknowledged to the carrier. */
export type TakeReports = (reports: readonly CarrierReport[], known?: readonly KnownDelivery[]) => Promise<void>
/** The same for reports that arrive one by one: those of all carriers are stored together. */
export type TakeReport = (report: CarrierReport) => Promise<void>

/** A complete inbound text. The carrier may deliver the same one again. */
export type ReceivedText = {
  carrier: string
  /** The sender: digits with country code. */
  from: string
  /** The addressee: a number, a short code, or in the sandbox the sender name that it replies to. */
  to: string
  text: string
  channel: Channel
  /** The carrier's id: two texts with the same carrier and id are the same text. */
  received_id: string
  /** On WhatsApp: what it is besides its text. */
  whatsapp?: ReceivedContent
  /** The carrier's id of the message that it answers, quotes or reacts to. */
  replied_id?: string
  /** A file that came with it. */
  media?: ReceivedFile
}

/** A file as its sender declares it, and the id by which it is downloaded. */
export type ReceivedFile = { carrier_media_id: string; type: string; filename?: string | undefined }

/** What became of a delivered message, according to a reference of ours that the carrier returned. */
export type CarrierReceipt = {
  organisation_id: string
  message_id: string
  recipient: string
  /** When the recipient read it, in seconds since 1970; undefined: not yet, or they do not report it. */
  read_s?: number
  /** The category by which the network prices it. */
  price_category?: string
  /** When the carrier noted it, in seconds since 1970: a post is not repeated for an old one. */
  reported_s: number
}

/** Resolves once the receipts are stored; a repeated one changes nothing. Refused if a delivery is not stored yet. */
export type TakeReceipts = (receipts: readonly CarrierReceipt[]) => Promise<void>

/** An opt-out at the network, from an organisation or from a sender. */
export type CarrierOptout = { carrier: string; recipient: string } & (
  | { organisation_id: string }
  | { sender_id: string }
)

/** Resolves once the opt-outs are stored. A repeated one changes nothing. */
export type TakeOptouts = (optouts: readonly CarrierOptout[]) => Promise<void>

/** Resolves once the texts are stored; only then may they be acknowledged to the carrier. */
export type TakeTexts = (texts: readonly ReceivedText[]) => Promise<void>

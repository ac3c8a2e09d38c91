import type { BinaryText } from '../values/sms/binary-text.ts'
import type { IdMode } from './message-id.ts'

/**
 * The back door for messages: one small plug, a folder per network behind it. What a carrier promises, beyond its types,
 * is listed in `test/contracts/message-carrier.ts`, and every one is held to it there.
 */
export type MessageCarrier = {
  name: string
  /** Messages handed over in one call. */
  batch: number
  /** Handing the same message over twice is harmless, so a message a dead worker had in hand may be handed over again. */
  resubmittable: boolean
  /** It carries what is no text, too; without it such messages go elsewhere, or are rejected. */
  takes_binary?: boolean
  /**
   * One outcome per message, in order: all at once, or each for itself from a network that answers them one by one.
   * Fails only when nothing was handed over; what answers one by one never fails.
   */
  submit(messages: readonly OutgoingMessage[]): Promise<SubmitOutcome[]> | Promise<SubmitOutcome>[]
  /** How many messages it would take from this process now; without it: as many as come. */
  room?(): number
  /** Messages of it in hand at most; two batches without it. */
  limit?: number
  /** For how long no process could hand anything to it, in milliseconds; without it, or 0: it works. */
  downFor?(): number
  stop(): Promise<void>
}

export const CHANNELS = ['sms', 'whatsapp'] as const
export type Channel = (typeof CHANNELS)[number]

export type OutgoingMessage = {
  organisation_id: string
  message_id: string
  recipient: string
  channel: Channel
  sender_id: string | null
  text: string
  /** Nobody wants it later than this many seconds from now; null: whenever. The network should drop it then. */
  expires_in_s: number | null
  /** 1 at first. */
  attempt: number
  /** Somebody waits for it: a one-time password. */
  urgent: boolean
  /** It goes by the rules of promotional messages; all others are transactional. */
  promotional?: boolean
  /** The bare one-time password in the text, for networks that want it by itself. Never to be logged or stored. */
  token?: string
  /** What it goes out as on WhatsApp, instead of the text. */
  template?: OutgoingTemplate
  /** What is sent instead of a text; the text is how it is kept. */
  binary?: BinaryText
  /** The trace it is in, where its id does not name it. */
  trace?: string
  /** What to tell a vendor that is asked over HTTP, where this hand-over is traced (W3C Trace Context). */
  traceparent?: string
}

/** A template the network has approved, and the values it is filled in with. */
export type OutgoingTemplate = {
  name: string
  language: string
  parameters: readonly string[]
  /** Their names, where the template has names and not numbers. */
  parameter_names?: readonly string[]
  button_parameters?: readonly string[]
}

export type SubmitOutcome =
  /**
   * The network has it and calls it by this id; one in segments has further ids. Without a report in that time its fate is
   * `unknown`.
   */
  | { kind: 'accepted'; carrier_message_id: string; further_ids?: readonly string[]; report_due_s: number }
  /** It was refused for good, never carried; `elsewhere`: another carrier may well take it. */
  | { kind: 'rejected'; code: string; description: string; elsewhere?: boolean }
  /** It was not taken this time. */
  | { kind: 'temporary'; code: string; description: string; retry_after_s?: number }
  /** It never left, and that is no fault of its own: the line is down, or it is not its turn. */
  | { kind: 'held'; retry_after_s?: number }
  /** Some of its segments were taken and one was refused for good. */
  | { kind: 'undelivered'; code: string; description: string }
  /**
   * It may or may not have been taken; of one in segments, these were, by their number. Whether it went in segments is
   * for the carrier to say, not for the pages it was charged for: another carrier may have been expected to take it.
   */
  | { kind: 'unknown'; description: string; taken?: TakenSegments; in_segments?: boolean }

/** The segments of a message that the network has surely taken, and how many it has in all. */
export type TakenSegments = {
  segments: number
  ids: readonly { segment: number; carrier_message_id: string }[]
  report_due_s: number
}

/** What a carrier says about a message it took. It may come twice, late, or before `submit` has answered. */
export type CarrierReport = {
  carrier: string
  carrier_message_id: string
  /** `unknown`: the carrier will never know. */
  status: 'delivered' | 'undelivered' | 'expired' | 'rejected' | 'unknown'
  code: string
  description: string
  /** The network the number is on, by name or code, where the carrier says so. */
  operator?: string
  /** The number the message went to, as the report writes it. */
  recipient?: string
  /** What the carrier may call it instead; believed only for the number that the report names. */
  other_ids?: readonly string[]
  /** How its reports write the ids of its answers; without it: the same. */
  msg_id_mode?: IdMode
}

/** A message that a carrier has, told by a reference of our own that it gave back: it may be news to us that it has it. */
export type KnownDelivery = {
  carrier: string
  carrier_message_id: string
  organisation_id: string
  message_id: string
  recipient: string
  report_due_s: number
  /** What the carrier calls a delivery whose answer was lost; from now on that is due no sooner than this. */
  placeholder_id?: string
}

/** Resolves once the reports are stored; only then may the carrier be told that we have them. */
export type TakeReports = (reports: readonly CarrierReport[], known?: readonly KnownDelivery[]) => Promise<void>

/** A text a person sent to us, as a carrier received it, whole. The carrier may hand the same one over again. */
export type ReceivedText = {
  carrier: string
  /** The handset, digits with country code. */
  from: string
  /** What it was sent to: a number, a short code, or in the sandbox the name that was shown as the sender. */
  to: string
  text: string
  channel: Channel
  /** What the carrier calls it; with the carrier's name it is the same text. */
  received_id: string
}

/** A person opted out at the network: of what an organisation sends, or of what is sent under a name or number. */
export type CarrierOptout = { carrier: string; recipient: string } & (
  | { organisation_id: string }
  | { sender_id: string }
)

/** Resolves once the opt-outs are stored. The same one again changes nothing. */
export type TakeOptouts = (optouts: readonly CarrierOptout[]) => Promise<void>

/** Resolves once the texts are stored; only then may the carrier be told that we have them. */
export type TakeTexts = (texts: readonly ReceivedText[]) => Promise<void>

/** The back door for messages: one small plug, a folder per network behind it. */
export type MessageCarrier = {
  name: string
  /** Messages handed over in one call. */
  batch: number
  /** Handing the same message over twice is harmless, so a message a dead worker had in hand may be handed over again. */
  resubmittable: boolean
  /** One outcome per message, in order. Throws only when nothing was handed over. */
  submit(messages: readonly OutgoingMessage[]): Promise<SubmitOutcome[]>
  stop(): Promise<void>
}

export type Channel = 'sms' | 'whatsapp'

export type OutgoingMessage = {
  organisation_id: string
  message_id: string
  recipient: string
  channel: Channel
  sender_id: string | null
  text: string
  pages: number
  /** Nobody wants it later than this many seconds from now; null: whenever. The network should drop it then. */
  expires_in_s: number | null
  /** 1 at first. */
  attempt: number
}

export type SubmitOutcome =
  /** The network has it and calls it by this id; without a report in that time its fate is `unknown`. */
  | { kind: 'accepted'; carrier_message_id: string; report_due_s: number }
  /** It was refused for good, never carried. */
  | { kind: 'rejected'; code: string; description: string }
  /** It was not taken this time. */
  | { kind: 'temporary'; code: string; description: string; retry_after_s?: number }
  /** It may or may not have been taken. */
  | { kind: 'unknown'; description: string }

/** What a carrier says about a message it took. It may come twice, late, or before `submit` has answered. */
export type CarrierReport = {
  carrier: string
  carrier_message_id: string
  status: 'delivered' | 'undelivered' | 'expired' | 'rejected'
  code: string
  description: string
  /** The network the number is on, by name or code, where the carrier says so. */
  operator?: string
}

/** Resolves once the reports are stored; only then may the carrier be told that we have them. */
export type TakeReports = (reports: readonly CarrierReport[]) => Promise<void>

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

/** Resolves once the texts are stored; only then may the carrier be told that we have them. */
export type TakeTexts = (texts: readonly ReceivedText[]) => Promise<void>

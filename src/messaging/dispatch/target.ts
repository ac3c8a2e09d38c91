import type { Channel, MessageCarrier, OutgoingMessage, OutgoingWhatsapp } from '../../carriers/message-carrier.ts'
import type { OnUnknown } from '../settings.ts'

/** A carrier that serves a queue, and what happens to messages it does not accept. */
export type DispatchTarget = {
  queue: string
  carrier: MessageCarrier
  /** The channel its messages are sent on, whichever was requested: WhatsApp messages may fall back to SMS. */
  channel?: Channel | undefined
  rate_per_s?: number | undefined
  /** The queue of the next carrier of a delivery; undefined: there is none. */
  nextQueue?: ((attempt: Routable) => string | undefined) | undefined
  on_unknown?: OnUnknown | undefined
  /** Other carriers serve this queue, too, while one of them is down. */
  shared?: boolean | undefined
  /** Messages the carrier accepts now, where that is not what it says itself. */
  capacity?: (() => number) | undefined
  /** Milliseconds for which nothing can be submitted, where that is not what the carrier says itself. */
  downFor?: (() => number) | undefined
}

/** What the next carrier of a delivery follows from. */
export type Routable = Pick<OutgoingMessage, 'recipient' | 'channel' | 'promotional'> & {
  pages: number
  sealed_text: Buffer | null
  /** The carriers that have rejected it. */
  tried: readonly string[]
}

/** An attempt to submit a delivery that this process has leased. */
export type Attempt = Omit<OutgoingMessage, 'urgent' | 'token' | 'whatsapp' | 'binary' | 'trace' | 'traceparent'> & {
  pages: number
  sealed_text: Buffer | null
  tried: readonly string[]
  whatsapp: OutgoingWhatsapp | null
  /** The text is the encoded form of binary content (`BinaryText`). */
  is_binary: boolean
  /** The recipient has opted out since the message was accepted. */
  opted_out: boolean | null
  /** The process that leased it before died: whether a carrier has it is not known. */
  interrupted: boolean
  /** The carrier that may have it from an earlier attempt. */
  possible_carrier: string | null
  trace?: string | null | undefined
}

/** Batches in flight per carrier: one is being recorded while the next is submitted. */
const MAX_BATCHES_IN_FLIGHT = 2

/** Maximum number of messages in flight to the target's carrier. */
export function inFlightLimit({ carrier }: DispatchTarget): number {
  return carrier.limit ?? MAX_BATCHES_IN_FLIGHT * carrier.batch
}

/** Messages the target's carrier accepts now; undefined: any number. */
export function capacityOf({ carrier, capacity }: DispatchTarget): number | undefined {
  return capacity ? capacity() : carrier.freeCapacity?.()
}

/** Milliseconds for which the target's carrier has accepted nothing; 0: it works. */
export function downFor({ carrier, ...target }: DispatchTarget): number {
  return target.downFor?.() ?? carrier.downFor?.() ?? 0
}

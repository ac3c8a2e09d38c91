import type { Channel, MessageCarrier } from '../../carriers/message-carrier.ts'
import type { OnUnknown } from '../settings.ts'

/** A carrier at work on a queue, and what is done with what it does not take. */
export type DispatchTarget = {
  queue: string
  carrier: MessageCarrier
  /** What its messages go out on, whatever channel they were asked for: WhatsApp's may fall back to SMS. */
  channel?: Channel | undefined
  rate_per_s?: number | undefined
  /** The queue of the carrier to try next; without it this is the last. */
  next_queue?: string | undefined
  on_unknown?: OnUnknown | undefined
  /** Other carriers serve this queue, too, while this one or that is down. */
  shared?: boolean | undefined
}

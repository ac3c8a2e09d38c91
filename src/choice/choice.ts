import type { MessageClass } from '../observe/evidence.ts'

/** What the choice of a carrier follows from. Their numbers are stored with deliveries: new ones are added at the end. */
export const REASONS = [
  /** By the shares of the route. */
  'share',
  'cheapest',
  /** The least expensive one that is good enough. */
  'good_enough',
  /** To learn about this carrier. */
  'explored',
  /** No other carrier can take the message now. */
  'only_candidate',
  /** The one that would have been chosen does not deliver at present. */
  'outage',
  /** The least or the highest share of a carrier. */
  'contract',
  /** To see whether a carrier delivers again. */
  'probe',
] as const
export type Reason = (typeof REASONS)[number]

/** A message that a carrier is chosen for. Carriers are named by their position in the route. */
export type Asked = {
  /** Of the number, by its prefix. */
  country: string
  operator: string
  channel: string
  class: MessageClass
  /** What each carrier charges for it; undefined: not known. */
  costs: readonly (bigint | undefined)[]
  /** Which carriers take messages now. At least one does. */
  available: readonly boolean[]
}

export type Choice = {
  position: number
  reason: Reason
  /** The position that the evidence advises, where that is not followed. */
  advised: number | undefined
  /** What the advice would have saved, in ten-thousandths, and how many more messages would have arrived. 0 where it was followed. */
  saved: number
  gained: number
}

/** Chooses the carriers of the messages of one route. */
export type Chooser = {
  choose(asked: Asked): Choice
  /** The next carrier of a message that these have rejected, or have not delivered in time; undefined: there is none. */
  next(asked: Asked, tried: readonly number[]): number | undefined
}

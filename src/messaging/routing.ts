import { REASONS, type Choice, type Reason } from '../choice/choice.ts'
import type { MessageClass } from '../observe/evidence.ts'

/*
 * `deliveries.routing`: a bit for a one-time password, whose text is not sealed any more once it was submitted; the reason
 * why its carrier was chosen; and the position in the route of the carrier that the evidence advised instead.
 */
const OTP = 1
const REASON_SHIFT = 1
const ADVISED_SHIFT = 5
/** Reasons and positions count from 1; 0: none. */
const BITS = 0b1111

export function routingOf({
  sealed_text,
  choice,
}: {
  sealed_text: Buffer | null
  choice?: Choice | undefined
}): number | null {
  const otp = sealed_text === null ? 0 : OTP
  if (!choice) return otp || null
  const advised = choice.advised === undefined ? 0 : choice.advised + 1
  return otp | ((REASONS.indexOf(choice.reason) + 1) << REASON_SHIFT) | (advised << ADVISED_SHIFT)
}

/** Of a delivery that is to be submitted. */
export function pendingClassOf({ sealed_text }: { sealed_text: Buffer | null }): MessageClass {
  return sealed_text === null ? 'other' : 'otp'
}

/** Of a delivery that is stored. */
export function classOf(routing: number | null | undefined): MessageClass {
  return ((routing ?? 0) & OTP) === 0 ? 'other' : 'otp'
}

/** Why the first carrier of a delivery was chosen; undefined: it was not chosen. */
export function choiceOf(routing: number | null): { reason: Reason; advised: number | undefined } | undefined {
  const reason = REASONS[(((routing ?? 0) >> REASON_SHIFT) & BITS) - 1]
  const advised = ((routing ?? 0) >> ADVISED_SHIFT) & BITS
  return reason && { reason, advised: advised === 0 ? undefined : advised - 1 }
}

import type { MessageClass } from '../observe/evidence.ts'

/** `deliveries.routing`: set for a one-time password, whose text is not sealed any more once it was submitted. */
const OTP = 1

export function routingOf({ sealed_text }: { sealed_text: Buffer | null }): number | null {
  return sealed_text === null ? null : OTP
}

export function classOf(routing: number | null | undefined): MessageClass {
  return ((routing ?? 0) & OTP) === 0 ? 'other' : 'otp'
}

import type { Db } from '../db/connect.ts'
import { cleanPhone, dialPlan } from '../values/phone.ts'
import { refuseIfFaulty } from '../values/refusal.ts'
import { countVerified } from './try-store.ts'

/**
 * Somebody else has verified a token that was sent for them. It counts for the guard, so that numbers whose tokens are
 * used are not taken for pumped ones; the OTP itself stays as it is, since nobody has shown us its token.
 */
export async function noteVerified(
  { db }: { db: Db },
  { organisation_id, default_country }: { organisation_id: string; default_country: string },
  given: string,
): Promise<void> {
  const recipient = cleanPhone(given, dialPlan(default_country))
  if (recipient === undefined) {
    return refuseIfFaulty([{ field: 'to', message: 'This is not a phone number.', type: 'phone_invalid' }])
  }
  await countVerified(db, organisation_id, recipient)
}

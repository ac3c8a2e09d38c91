import type { Db } from '../../db/connect.ts'
import { transaction } from '../../db/transaction.ts'
import { noteOnce } from '../../organisations/idempotency-store.ts'
import { cleanPhone, dialPlan } from '../../values/phone/phone.ts'
import { refuseIfFaulty } from '../../values/refusal.ts'
import { countVerified } from './try-store.ts'

/**
 * Counts a token that an external identity service generated and verified, so that the traffic-pumping guard does not
 * treat its number as unverified. The OTP keeps its status, because its token was not submitted here. A repeated request
 * counts once.
 */
export async function noteVerified(
  { db }: { db: Db },
  { organisation_id, default_country }: { organisation_id: string; default_country: string },
  given: string,
  idempotency: { key: string; request_hash: Buffer } | undefined,
): Promise<void> {
  const recipient = cleanPhone(given, dialPlan(default_country))
  if (recipient === undefined) {
    return refuseIfFaulty([{ field: 'to', message: 'This is not a phone number.', type: 'phone_invalid' }])
  }
  await transaction(db, async (tx) => {
    const known = idempotency && (await noteOnce(tx, organisation_id, { ...idempotency, answer: '{}' }))
    if (known) return
    await countVerified(tx, organisation_id, recipient)
  })
}

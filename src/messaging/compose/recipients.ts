import { readListed } from '../../values/input/listed.ts'
import { cleanPhone, type DialPlan } from '../../values/phone/phone.ts'
import type { Fault } from '../../values/refusal.ts'
import { MAX_RECIPIENTS } from '../schema.ts'

/** Numbers cleaned per event loop iteration: about a millisecond. */
const NUMBERS_PER_ITERATION = 1_000

/** The fault of a recipient on the block list. */
export const BLOCKED = {
  message: 'This number is blocked by the operator of the service.',
  type: 'invalid',
} as const

/** The cleaned numbers in the given order, each once. Every invalid or blocked number is a fault of its own. */
export async function readRecipients(
  { isBlocked }: { isBlocked: (recipient: string) => boolean },
  given: string | readonly string[],
  plan: DialPlan,
  faults: Fault[],
): Promise<string[]> {
  const raw = readListed(given, MAX_RECIPIENTS)
  if (typeof given === 'string' && given.trim() === '') {
    faults.push({ field: 'recipients', message: 'At least one recipient is required.', type: 'string_too_short' })
    return []
  }
  if (raw.length === 0) {
    faults.push({ field: 'recipients', message: 'At least one recipient is required.', type: 'missing' })
    return []
  }
  if (raw.length > MAX_RECIPIENTS) {
    const message = `At most ${MAX_RECIPIENTS} recipients are accepted in one request.`
    faults.push({ field: 'recipients', message, type: 'less_than_equal' })
    return []
  }
  const recipients = new Set<string>()
  for (let n = 0; n < raw.length; n++) {
    if (n > 0 && n % NUMBERS_PER_ITERATION === 0) await new Promise(setImmediate)
    const one = raw[n]!
    const recipient = cleanPhone(one, plan)
    const field = `recipients[${n}]`
    if (recipient === undefined) faults.push({ field, message: 'This is not a phone number.', type: 'phone_invalid' })
    else if (isBlocked(recipient)) faults.push({ field, ...BLOCKED })
    else recipients.add(recipient)
  }
  return [...recipients]
}
